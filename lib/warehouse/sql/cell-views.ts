import type { FactKind } from '../../history/cases/case-row.ts';
import { ATTRIBUTE_COLUMNS, LIST_COLUMNS } from '../../insights/definitions/columns.ts';
import { DIMENSION_NAMES, DIMENSIONS } from '../../insights/definitions/dimensions.ts';
import type { FieldName } from '../../insights/definitions/fields.ts';
import { MEASURES } from '../../insights/definitions/measures.ts';
import { KEPT_BY } from '../../insights/definitions/verdicts.ts';
import { type Plan, planReport } from '../../insights/plan.ts';
import { SLA_METRICS } from '../../insights/promises/sla-policies.ts';
import { NO_REFERENCE } from '../../insights/reference.ts';
import { NO_DIMENSIONS } from '../../insights/request.ts';
import { backlogInstants } from '../../insights/scan/backlog.ts';
import { castText, DIALECTS, quotedText } from '../../insights/sql/dialect.ts';
import { addedBy, countedMeasures, kindsIn, pieces, rowIn, type SqlWriting } from '../../insights/sql/located.ts';
import { memberSql } from '../../insights/sql/members.ts';
import { openedRows } from '../../insights/sql/parts.ts';
import { numberSql, startSql } from '../../insights/sql/runs.ts';
import { keysOf } from '../../typed-object.ts';
import type { ReportSettings } from '../manifest.ts';
import { EXPORTED_KINDS } from '../tables.ts';

/** What the reports of a site depend on, beside its files. */
export interface ReportedSite extends ReportSettings {
  readonly site: string;
  readonly now: number; // s, as of when the files were written
}

const SIZES = ['none', 'day', 'week', 'month'] as const;
type Size = (typeof SIZES)[number];
type Shown = keyof typeof DIMENSIONS | '';

/** The rows that fields count: facts, pieces of time handled and online, and the cases that are open when windows end. */
export const STREAMS = ['happened', 'pieces', 'open'] as const;
type Stream = (typeof STREAMS)[number];

const WORDS = DIALECTS.duckdb;
const SCHEMA = 'report_cells';

/** The view of a stream in all cells: `w` is the number of the window, `m1` the member, `m2` the size and the dimension. */
export const streamName = (stream: Stream): string => `${SCHEMA}.${stream}`;

/** The view of the windows of each size, with their beginnings. */
export const WINDOWS = `${SCHEMA}.windows`;

/** Plans a report of a site over all time by one dimension. */
export function viewPlan(
  { min, max, timeZone, weekStart, now, rating, listed }: ReportedSite,
  size: Size,
  dimension: Shown = '',
  field: FieldName = 'case_creates',
): Plan {
  const time = { min, max, size, zone: { name: timeZone }, weekStart };
  const customFields = new Map(listed.map((id) => [id, { name: '', listed: true }]));
  const dimension1 = dimension === '' ? null : dimension;
  const request = { ...NO_DIMENSIONS, dimension1, fields: [field], filters: null, time };
  return planReport(request, { ...NO_REFERENCE, rating, customFields, now }, { min, max });
}

/** Lets queries stand where they are used. */
export const viewWriting = (plan: Plan): SqlWriting => ({
  ...{ plan, words: WORDS, add: (_, sql) => `(${sql})` },
  needed: { kinds: new Set(), measured: new Set(), worked: new Set(), ofCases: new Set() },
});

const union = (queries: readonly string[]): string => queries.join('\nUNION ALL BY NAME ');

/** Statements that make the views of all streams of a site, and of its windows. */
export function cellViews(reported: ReportedSite): string[] {
  const view = (name: string, sql: string): string => `CREATE OR REPLACE VIEW ${name} AS\n${sql};`;
  const streams = streamsOf(reported);
  const windows = SIZES.map((size) => {
    const { starts } = viewPlan(reported, size).windows;
    const start = size === 'none' ? 'NULL::TIMESTAMPTZ' : `to_timestamp(${startSql(starts, 'w')})`;
    return `SELECT '${size}' AS size, w, ${start} AS window_start FROM range(${starts.length}) each_window(w)`;
  });
  return [
    `CREATE SCHEMA IF NOT EXISTS ${SCHEMA};`,
    view(WINDOWS, union(windows)),
    ...STREAMS.map((stream) => view(streamName(stream), streams[stream])),
  ];
}

const OF_CASES = [...Object.values(ATTRIBUTE_COLUMNS), ...Object.values(LIST_COLUMNS).map(({ column }) => column)];

/** The measures that facts add to. */
const COUNTED = countedMeasures({ measures: new Set(keysOf(MEASURES)), samples: new Set() }).filter(
  ([, definition]) => definition.squared !== true && !kindsIn(definition).includes('handle'),
);

/** The streams of a site. Time is cut where hours end, as all windows begin at an hour or where the clock is changed. */
function streamsOf(reported: ReportedSite): Readonly<Record<Stream, string>> {
  const [facts, verdicts, members] = ['facts', 'verdicts', 'members'].map(
    (table) => `(SELECT * FROM ${table} WHERE site = ${quotedText(reported.site)})`,
  );
  const [since, until] = ['"at"', '"until"'].map(WORDS.seconds);
  const rows = (columns: readonly string[], condition: string, from = facts): string =>
    `(SELECT kind, n, case_id, action_agent, action_group, value, ${[...columns, ...OF_CASES].join(', ')} FROM ${from} WHERE ${condition})`;
  const writing = viewWriting(viewPlan(reported, 'none', 'hour_of_day'));
  const adds = COUNTED.map(([measure, { sql }]) => `${sql === 1 ? 1 : sql(rowIn(writing))} AS ${addedBy(measure)}`);
  const happened = rows(
    [`${since} AS t`, ...writing.needed.measured],
    `kind NOT IN ('handle', 'open', 'online') AND NOT (starts_with(kind, 'late_') AND ${since} >= ${reported.now})`,
    `(${union([facts, verdicts].map((table) => `FROM ${table}`))})`,
  );
  const interval = [`${since} AS since`, `${since} + value AS ends`];
  const online = `(SELECT kind, action_agent, ${interval.join(', ')}, list_distinct(groups) AS agent_groups FROM ${facts}
LEFT JOIN (SELECT id, groups FROM ${members} WHERE kind = 'agent') ON id = action_agent WHERE kind = 'online')`;
  const intervals = `(${union([`FROM ${rows(interval, "kind = 'handle'")}`, `FROM ${online}`])})`;
  const counts = `u - t AS counts, u - t AS ${addedBy('handledSeconds')}, 1 AS ${addedBy('handledCases')}`;
  return {
    happened: byMacro(writing, inWindows(reported, `SELECT *, ${adds.join(', ')} FROM ${happened}`)),
    pieces: inWindows(reported, `SELECT *, ${counts} FROM (${pieces(writing, intervals)})`, true),
    open: backlog(reported, rows([`${since} AS t`, `${until} AS ends`], "kind = 'open'")),
  };
}

/** Rows once for each window size, dimension and member in it. */
function inWindows(reported: ReportedSite, rows: string, areOnline = false): string {
  const numbers = SIZES.map(
    (size) => `WHEN '${size}' THEN ${numberSql(viewPlan(reported, size).windows.starts, 't', WORDS.whole)}`,
  );
  return inCells(reported, `SELECT *, CASE size ${numbers.join('\n')} END AS w FROM (${rows}), ${CELLS}`, areOnline);
}

/** Rows in cells once for each member; `areOnline` if some have the members of an agent. */
function inCells(reported: ReportedSite, rows: string, areOnline = false): string {
  const whens = DIMENSION_NAMES.map((name) => `WHEN '${name}' THEN ${membersIn(reported, name, areOnline)}`);
  const listed = `(SELECT *, CASE dimension WHEN '' THEN [''] ${whens.join('\n')} END AS shown FROM (${rows}))`;
  return `SELECT * FROM (${WORDS.each(listed, 'shown', 'm1')}) WHERE m1 IS NOT NULL`;
}

/** The cells of rows, written out so that a condition on `m2` leaves cells out before rows are laid beside them. */
const CELLS = `(VALUES ${SIZES.flatMap((size) =>
  ['', ...DIMENSION_NAMES].map((dimension) => `('${size}', '${dimension}', '${size}/${dimension}')`),
).join(', ')}) cells(size, dimension, m2)`;

/** By macro a resolve is judged by the applications of that macro. */
function byMacro(writing: SqlWriting, rows: string): string {
  const { sql } = MEASURES.withMacro;
  const row = { ...rowIn(writing), macro: WORDS.valueAt(LIST_COLUMNS.macros.column, 'CAST(m1 AS BIGINT)') };
  const judged = `CASE WHEN dimension = 'macro' THEN ${sql === 1 ? 1 : sql(row)} ELSE ${addedBy('withMacro')} END`;
  return `SELECT * REPLACE (${judged} AS ${addedBy('withMacro')}) FROM (${rows})`;
}

/** The kinds of kept promises, each with the kind of facts whose members they have. */
const KEPT = SLA_METRICS.map((metric) => [`kept_${metric}`, KEPT_BY[metric]] as const);

/** The list of a row's members in a dimension, by its definition. */
function membersIn(reported: ReportedSite, dimension: keyof typeof DIMENSIONS, areOnline: boolean): string {
  const plan = viewPlan(reported, 'none', dimension);
  const listOf = (kind: FactKind): string => {
    const { list, member } = memberSql(dimension, kind, plan, WORDS);
    if (list === undefined) return `[${member('')}]`;
    const one = list === 'customValues' ? hashed(member('k1')) : member('k1');
    return `list_transform(${LIST_COLUMNS[list].members}, lambda k1: ${one})`;
  };
  const usual = listOf('created');
  const kinds = [...EXPORTED_KINDS.map((kind) => [kind, kind] as const), ...KEPT];
  const own = kinds.map(([kind, of]) => [kind, listOf(of)] as const).filter(([, list]) => list !== usual);
  const { online } = DIMENSIONS[dimension];
  const ofAgents = { agent: `[${castText('action_agent')}]`, group: 'CAST(agent_groups AS VARCHAR[])' };
  const others =
    areOnline && (online === 'agent' || online === 'group') ? [['online', ofAgents[online]] as const] : own;
  const whens = others.map(([kind, list]) => `WHEN kind = '${kind}' THEN ${list}`);
  return whens.length === 0 ? usual : `CASE ${whens.join(' ')} ELSE ${usual} END`;
}

/** A value of a custom field is told by its hash. */
const hashed = (text: string): string =>
  `regexp_replace(${text}, ':.*$', '', 's') || CASE WHEN contains(${text}, ':') THEN ':' || substr(sha256(substr(${text}, instr(${text}, ':') + 1)), 1, 16) ELSE '' END`;

/** How many cases are open at the end of each window: one more from the first window of an interval on, one less after its last. */
function backlog(reported: ReportedSite, opened: string): string {
  const sizes = SIZES.map((size) => ({ size, instants: backlogInstants(viewPlan(reported, size)).instants }));
  const rows = union(
    sizes.map(
      ({ size, instants }) =>
        `SELECT *, '${size}' AS size, ${instants.length} AS last FROM ${openedRows(viewWriting(viewPlan(reported, size)), instants, opened)}`,
    ),
  );
  const cells = inCells(reported, `SELECT * FROM (${rows}) JOIN ${CELLS} USING (size)`);
  const ends = `SELECT *, unnest([1, -1]) AS rise, unnest([w, past]) AS at_window FROM (${cells})`;
  const rises = `SELECT m1, m2, last, at_window, sum(rise) AS rise FROM (${ends}) GROUP BY ALL`;
  const within = 'OVER (PARTITION BY m2, m1 ORDER BY at_window';
  const levels = `(SELECT m1, m2, sum(rise) ${within}) AS counts, at_window, lead(at_window, 1, last) ${within}) AS next_window FROM (${rises}))`;
  return `SELECT 'open' AS kind, m1, m2, w, counts FROM (${WORDS.each(levels, WORDS.sequence('at_window', '(next_window - 1)'), 'w')}) WHERE counts > 0`;
}
