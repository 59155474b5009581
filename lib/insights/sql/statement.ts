import { calendarOf } from '../../access/calendars.ts';
import { groupBy } from '../../group-by.ts';
import { ATTRIBUTE_COLUMNS } from '../definitions/columns.ts';
import { VERDICT_KINDS } from '../definitions/verdicts.ts';
import type { Plan } from '../plan.ts';
import { ALL_TIME, type Range } from '../windows.ts';
import { DIALECTS, quotedText, type StatementDialect, type Words } from './dialect.ts';
import { BASES, type Needed, texts, workedColumn } from './located.ts';
import { filterColumns, filterSql, type HistoryMembers } from './members.ts';
import { type NamedQuery, type PartNumbers, planParts, readUntil } from './parts.ts';

/** What a statement asks for. */
export interface StatementRequest {
  readonly site: string;
  readonly plans: readonly Plan[]; // of one request: with the same filters and hours
  readonly known: HistoryMembers;
  readonly extent?: Range | undefined; // a range that contains every fact of the site, if one is known
}

/** A statement. Its rows are `tag, w, m1, m2, x0 …`: the part, the window, two members as texts, whole numbers. */
export interface Statement {
  readonly sql: string;
  readonly parts: readonly (PartNumbers & { readonly plan: number })[]; // by tag
  readonly reads: readonly FactsRead[];
}

/** What a statement reads of `facts` or `verdicts`. */
export interface FactsRead {
  readonly table: 'facts' | 'verdicts';
  readonly columns: readonly string[];
  readonly range: Range; // s
  readonly times: number; // by tables of a report
}

/** Writes the one statement of a report. */
export function reportStatement(request: StatementRequest, dialect: StatementDialect): Statement {
  const words = DIALECTS[dialect];
  const needed: Needed = { kinds: new Set(), measured: new Set(), worked: new Set(), ofCases: new Set() };
  const written = request.plans.map((plan, at) => planParts(plan, `p${at}`, words, needed));
  const parts = written.flatMap(({ parts }, plan) => parts.map((part) => ({ ...part, plan })));
  const width = Math.max(...parts.map(({ numbers }) => numbers.length));
  const queries = parts.map(({ window, numbers, from, by }, tag) => {
    const columns = Array.from({ length: width }, (_, at) => `${numbers[at] ?? 0}${tag === 0 ? ` AS x${at}` : ''}`);
    const cell = `${window}${tag === 0 ? ' AS w' : ''}, m1, m2`;
    return `SELECT ${tag} AS tag, ${cell}, ${columns.join(', ')} FROM ${from} GROUP BY ${[window, 'm1, m2', ...by].join(', ')}`;
  });
  if (queries.length === 0)
    return { parts, reads: [], sql: 'SELECT 0 AS tag, 0 AS w, 0 AS m1, 0 AS m2, 0 AS x0 WHERE 1 = 0' };
  const read = bases(request, words, needed);
  const sql = withParts([...read, ...written.flatMap(({ named }) => named)], queries);
  const reads = read.flatMap(({ name, of = [], columns = [], range = ALL_TIME }): FactsRead[] => {
    const times = written.filter(({ named, parts }) =>
      [...named.map((one) => one.sql), ...parts.map(({ from }) => from)].some((text) => mentions(text, name)),
    ).length;
    return times === 0 ? [] : of.map((table) => ({ table, columns, range, times }));
  });
  return { parts, reads, sql: `WITH ${sql}` };
}

const mentions = (sql: string, name: string): boolean => new RegExp(`\\b${name}\\b`).test(sql);

/** The queries that others use, each after those that it uses itself. */
function withParts(named: readonly NamedQuery[], queries: readonly string[]): string {
  const final = queries.join('\nUNION ALL ');
  const used = new Set<NamedQuery>();
  const isUsed = (name: string): boolean =>
    [final, ...[...used].map(({ sql }) => sql)].some((sql) => mentions(sql, name));
  for (const one of [...named].reverse()) if (isUsed(one.name)) used.add(one);
  const shown = named.filter((one) => used.has(one)).map(({ name, sql }) => `${name} AS (${sql})`);
  return `${shown.join(',\n')}\n${final}`;
}

const FACT = ['kind', 'case_id', 'n', 'action_agent', 'action_group'];

/** The kinds of rows that lie in each table, of those that have any. */
const kindsByTable = (kinds: Iterable<string>) =>
  groupBy(kinds, (kind): FactsRead['table'] => (VERDICT_KINDS.some((one) => one === kind) ? 'verdicts' : 'facts'));

/** A query of rows that parts read, with what it reads itself. */
interface BaseQuery extends NamedQuery {
  readonly of?: readonly FactsRead['table'][];
  readonly columns?: readonly string[];
  readonly range?: Range;
}

/** The rows that parts read: facts of some kinds, with their case as it is now. */
function bases(
  { site, plans, known, extent = ALL_TIME }: StatementRequest,
  words: Words,
  { kinds, measured, worked, ofCases }: Needed,
): BaseQuery[] {
  const [plan] = plans;
  if (plan === undefined) return [];
  const here = `site = ${quotedText(site)}`;
  const filter = filterSql(plan.request.filters, plan.reference, known, words);
  const passed = filter === undefined ? '' : ` AND (${filter})`;
  const isWorked = worked.size > 0;
  const second = words.seconds('"at"');
  const max = Math.max(...plans.map(readUntil));
  const from = Math.min(...plans.map(({ range }) => range.min));
  const lasting = { min: extent.min, max }; // what lasts may have begun with the history
  const facts = (read: readonly string[], where: string, range: Range, of = 'facts'): string =>
    `SELECT ${read.join(', ')} FROM ${of} WHERE ${here}${words.months(range)} AND ${where} AND "at" < ${words.instant(max)}`;
  const current = (read: readonly string[], where: string, range: Range, of: FactsRead['table'] = 'facts'): string =>
    facts(read, `${where} AND ${isCurrent(here)}`, range, currentRows(of, here));
  const ofCase = [...ofCases].sort();
  const filtered = filterColumns(plan.request.filters);
  const calendar = isWorked ? [`${calendarSql(plan)} AS calendar`] : [];
  const range = { min: from, max };
  const tables = [...kindsByTable(kinds)];
  const happened = tables
    .map(([of, own]) => {
      const none = (name: string): string => (of === 'facts' ? name : `CAST(NULL AS BIGINT) AS ${name}`);
      return current(
        [...FACT, `${second} AS t`, ...['value', ...[...measured].sort()].map(none), ...ofCase, ...calendar],
        `kind IN (${texts(own.sort())}) AND "at" >= ${words.instant(from)}${passed}`,
        range,
        of,
      );
    })
    .join('\nUNION ALL ');
  const worksBy = isWorked ? [ATTRIBUTE_COLUMNS.group] : [];
  const read = [...FACT, 'value', 'at', ...measured, ...ofCase, ...filtered, ...worksBy, ...IS_CURRENT];
  const interval = [`${second} AS since`, `${second} + value AS ends`];
  const opened = ['case_id', `${second} AS t`, `${words.seconds('"until"')} AS ends`];
  return [
    ...(isWorked ? [{ name: 'clocked', sql: happened }] : []),
    {
      name: BASES.happened,
      sql: isWorked ? workedSql(here, [...worked], words) : happened,
      ...{ of: tables.map(([of]) => of), columns: [...new Set(read)], range },
    },
    {
      name: BASES.handled,
      sql: current([...FACT, 'value', ...interval, ...ofCase], `kind = 'handle'${passed}`, lasting),
      ...{
        of: ['facts'],
        columns: [...new Set([...FACT, 'value', 'at', ...ofCase, ...filtered, ...IS_CURRENT])],
        range: lasting,
      },
    },
    {
      name: BASES.opened,
      sql: current([...opened, ...ofCase], `kind = 'open'${passed}`, lasting),
      ...{
        of: ['facts'],
        columns: [...new Set(['kind', 'at', 'until', ...ofCase, ...filtered, ...IS_CURRENT])],
        range: lasting,
      },
    },
    {
      name: BASES.online,
      sql: facts(['action_agent', ...interval], "kind = 'online'", lasting),
      ...{ of: ['facts'], columns: ['kind', 'action_agent', 'at', 'value'], range: lasting },
    },
  ];
}

/** Rows beside what replaces their case, if anything does. */
const currentRows = (of: FactsRead['table'], here: string): string =>
  `${of} LEFT JOIN (SELECT case_id AS newer, born AS since FROM replaced WHERE ${here} AND segment IS NULL) ON case_id = newer`;

const IS_CURRENT = ['case_id', 'born', 'segment']; // columns that say whether a fact counts

/** Whether such a fact counts: nothing newer stands in its place. */
const isCurrent = (here: string): string =>
  `(newer IS NULL OR born >= since) AND segment NOT IN (SELECT segment FROM replaced WHERE ${here} AND segment IS NOT NULL)`;

/** The calendar of a case, by its group. */
function calendarSql({ reference: { calendars } }: Plan): string {
  const other = calendarOf(calendars, null)?.id ?? 0;
  const groups = [...new Set(calendars.flatMap(({ groups }) => groups))];
  const whens = groups.map((group) => `WHEN ${group} THEN ${calendarOf(calendars, group)?.id ?? other}`);
  return whens.length === 0 ? String(other) : `CASE ${ATTRIBUTE_COLUMNS.group} ${whens.join(' ')} ELSE ${other} END`;
}

/** Facts with durations in working time: what was worked up to the fact, less what was worked before its beginning. */
function workedSql(here: string, names: readonly string[], words: Words): string {
  const joined = (hours: string, second: string): string =>
    `LEFT JOIN (SELECT * FROM hours WHERE ${here}) ${hours} ON ${hours}.calendar = clocked.calendar AND ${hours}.day = ${words.whole(second, 86_400)} AND ${hours}.since <= ${second} AND ${hours}.until > ${second}`;
  const upTo = (hours: string, second: string): string =>
    `${hours}.before + (${second} - ${hours}.since) * ${hours}.works`;
  const begins = names.map((name, at) => ({ name, hours: `h${at}`, second: `(t - ${name})` }));
  const columns = begins.map(
    ({ name, hours, second }) => `${upTo('h', 't')} - (${upTo(hours, second)}) AS ${workedColumn(name)}`,
  );
  const joins = begins.map(({ hours, second }) => joined(hours, second));
  return `SELECT clocked.*, ${columns.join(', ')} FROM clocked ${joined('h', 't')} ${joins.join(' ')}`;
}
