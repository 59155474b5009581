import { DURATIONS, type DurationName, type Percent } from '../definitions/durations.ts';
import { fieldNamed } from '../definitions/fields.ts';
import { definitionOf, type Measure } from '../definitions/measures.ts';
import type { Plan } from '../plan.ts';
import { backlogInstants } from '../scan/backlog.ts';
import { instantPartOf } from '../scan/clock.ts';
import type { Words } from './dialect.ts';
import {
  addedBy,
  BASES,
  type Counted,
  countedMeasures,
  factStream,
  kindsIn,
  type Needed,
  NO_MEMBER,
  pieceStream,
  pieces,
  type SqlWriting,
  texts,
  withMembers,
} from './located.ts';
import { memberSql } from './members.ts';
import { numberSql, reachedSql } from './runs.ts';

/** What the numbers `x0 …` of a part's rows are. */
export type PartNumbers =
  | { readonly of: 'sums'; readonly sums: readonly AddedColumn[] }
  | { readonly of: 'sample'; readonly duration: DurationName; readonly percents: readonly Percent[] } // its size, then the two values around each percent
  | { readonly of: 'backlog' } // by how much it rises at the window
  | { readonly of: 'online' }; // an agent, seconds

/** A column that is added to a measure so many times. */
interface AddedColumn {
  readonly measure: Measure;
  readonly times: number;
}

/** A part of a statement: what its numbers are, and the query of them for each window and pair of members. */
export type StatementPart = PartNumbers & {
  readonly window: string;
  readonly numbers: readonly string[];
  readonly from: string; // a query's name, or a query in parentheses
  readonly by: readonly string[]; // beside window and members
};

/** A query under a name. */
export interface NamedQuery {
  readonly name: string;
  readonly sql: string;
}

const CELL = 'w, m1, m2';

/** Writes the parts that count what a plan counts; `name` begins the names of its queries. */
export function planParts(
  plan: Plan,
  name: string,
  words: Words,
  needed: Needed,
): { readonly named: readonly NamedQuery[]; readonly parts: readonly StatementPart[] } {
  const named: NamedQuery[] = [];
  const writing: SqlWriting = {
    ...{ plan, words, needed },
    add: (as, sql) => {
      named.push({ name: `${name}_${as}`, sql });
      return `${name}_${as}`;
    },
  };
  const { range, windows, measures } = plan;
  const isEmpty = range.min >= range.max || windows.starts.length === 0;
  const all = isEmpty ? [] : countedMeasures(plan);
  const [handled, others] = [all.filter((one) => isHandled(one)), all.filter((one) => !isHandled(one))];
  const parts = [
    ...(others.length === 0 ? [] : countedParts(writing, factStream(writing, others), others)),
    ...(handled.length === 0 ? [] : countedParts(writing, pieceStream(writing, handled), handled)),
    ...(measures.has('onlineSeconds') && !isEmpty ? [onlinePart(writing)] : []),
    ...(measures.has('openCases') ? backlogParts(writing) : []),
  ];
  return { named, parts };
}

const isHandled = ([, { facts }]: Counted): boolean => 'kinds' in facts && facts.kinds.includes('handle');

/** The parts that count what a plan counts in a stream; `stream` is its name, or a query in parentheses. */
export const countedParts = (writing: SqlWriting, stream: string, counted: readonly Counted[]): StatementPart[] => [
  ...sumParts(writing, stream, counted),
  ...[...writing.plan.samples].flatMap((duration) => samplePart(writing, stream, duration, counted)),
];

/** Sums over rows; of measures that the last fact of a case decides, over the last rows of each kind. */
function sumParts({ plan, words }: SqlWriting, stream: string, counted: readonly Counted[]): StatementPart[] {
  const summed = counted.filter(([measure]) => plan.measures.has(measure));
  const each = summed.filter(([, { counts }]) => counts !== 'last');
  const last = summed.filter(([, { counts }]) => counts === 'last');
  const rows = each.flatMap((one) => {
    const where = `FILTER (WHERE kind IN (${texts(kindsIn(one[1]))}))`;
    if (one[1].counts === 'once') return [{ measure: one[0], times: 1, sql: `count(DISTINCT case_id) ${where}` }];
    return terms(one, addedBy(one[0]), words).map((term) => ({
      ...term,
      sql: `coalesce(sum(${term.sql}) ${where}, 0)`,
    }));
  });
  const kinds = [...new Set(last.flatMap(([, definition]) => kindsIn(definition)))];
  return [
    ...(rows.length === 0 ? [] : [sums(rows, stream)]),
    ...kinds.map((kind) => {
      const own = last.filter(([, definition]) => kindsIn(definition).includes(kind));
      const decided = own.flatMap((one) => {
        const added = addedBy(one[0]);
        return terms(one, `CASE WHEN ${added} >= 0 THEN ${added} END`, words);
      });
      const columns = decided.map((term) => ({ ...term, sql: `coalesce(sum(${term.sql}), 0)` }));
      return sums(
        columns,
        `(${lastOf(
          stream,
          kind,
          own.map(([measure]) => measure),
        )})`,
      );
    }),
  ];
}

const sums = (columns: readonly (AddedColumn & { readonly sql: string })[], from: string): StatementPart => {
  return { of: 'sums', sums: columns, window: 'w', numbers: columns.map(({ sql }) => sql), from, by: [] };
};

const PAIR = 65_536; // squares are added in two columns, because 64 bits hold no sum of many

/** The columns whose sums, each so many times, are what rows add to a measure. */
function terms(
  [measure, { squared }]: Counted,
  added: string,
  { whole }: Words,
): (AddedColumn & { readonly sql: string })[] {
  if (squared !== true) return [{ measure, times: 1, sql: added }];
  return [
    { measure, times: PAIR, sql: `(${added}) * (${whole(added, PAIR)})` },
    { measure, times: 1, sql: `(${added}) * ((${added}) % ${PAIR})` },
  ];
}

/** The last fact of each case in each cell; what it does not count in has −1. */
function lastOf(stream: string, kind: string, measures: readonly Measure[]): string {
  const added = measures.map((measure) => `max_by(coalesce(${addedBy(measure)}, -1), n) AS ${addedBy(measure)}`);
  return `SELECT ${CELL}, ${added.join(', ')} FROM ${stream} WHERE kind = '${kind}' GROUP BY ${CELL}, case_id`;
}

/** The values of a duration around the percents that a report shows; none if others are counted here. */
function samplePart(
  { plan, words: { whole } }: SqlWriting,
  stream: string,
  duration: DurationName,
  counted: readonly Counted[],
): StatementPart[] {
  const { seconds, count } = DURATIONS[duration];
  const definition = definitionOf(count);
  if ('own' in definition || !counted.some(([measure]) => measure === seconds)) return [];
  const [added, of] = [addedBy(seconds), `FROM ${stream} WHERE kind IN (${texts(kindsIn(definition))})`];
  const [kind = ''] = kindsIn(definition);
  const sample = {
    each: `SELECT ${CELL}, ${added} AS v ${of} AND ${added} IS NOT NULL`,
    last: `SELECT ${CELL}, ${added} AS v FROM (${lastOf(stream, kind, [seconds])}) WHERE ${added} >= 0`,
    once: `SELECT ${CELL}, sum(${added}) AS v ${of} GROUP BY ${CELL}, case_id`,
  }[definition.counts];
  const within = `OVER (PARTITION BY ${CELL}`;
  const from = `(SELECT ${CELL}, v, row_number() ${within} ORDER BY v) AS r, count(*) ${within}) AS c FROM (${sample}))`;
  const percents = percentsOf(plan, duration);
  const at = (rank: string): string => `max(CASE WHEN r = ${rank} THEN v END)`;
  const around = percents.flatMap((percent) => {
    const before = whole(`${percent} * (c - 1)`, 100);
    return [at(`${before} + 1`), at(`least(${before} + 2, c)`)];
  });
  return [{ of: 'sample', duration, percents, window: 'w', numbers: ['max(c)', ...around], from, by: [] }];
}

/** The positions in the sample of a duration that a report shows, each once. */
function percentsOf({ request }: Plan, duration: DurationName): Percent[] {
  const fields = request.fields.map(fieldNamed);
  return [
    ...new Set(fields.flatMap((field) => ('sample' in field && field.sample === duration ? [field.percent] : []))),
  ];
}

/** Open intervals with the numbers of the first instant in them, `w`, and of the first one after them, `past`. */
export function openedRows({ words }: SqlWriting, instants: Float64Array, base: string = BASES.opened): string {
  const reached = (second: string): string => reachedSql(instants, second, words.whole);
  const past = `CASE WHEN ends IS NULL THEN ${instants.length} ELSE ${reached('ends')} END`;
  const rows = `SELECT *, ${reached('t')} AS w, ${past} AS past FROM ${base} WHERE t < ${instants.at(-1)}`;
  return `(SELECT * FROM (${rows}) WHERE w < past)`;
}

/** The cases that are open at the instants of windows: one more from the first on, one less from the first after it. */
function backlogParts(writing: SqlWriting): StatementPart[] {
  const { instants } = backlogInstants({ ...writing.plan, total: false });
  if (instants.length === 0) return [];
  const open = { as: 'created', from: openedRows(writing, instants) } as const;
  const from = writing.add('open', withMembers(writing, open, ['w', 'past']));
  const ended = `(SELECT * FROM ${from} WHERE past < ${instants.length})`;
  return [
    { of: 'backlog', window: 'w', numbers: ['count(*)'], from, by: [] },
    { of: 'backlog', window: 'past', numbers: ['-count(*)'], from: ended, by: [] },
  ];
}

/** Time online by agent; the service knows the groups of agents, and which of them pass the filters. */
function onlinePart(writing: SqlWriting): StatementPart {
  const { plan, words } = writing;
  const { request, windows } = plan;
  const members = [request.dimension1, request.dimension2].map((name) => {
    if (name === null || instantPartOf(name) === undefined) return NO_MEMBER;
    return memberSql(name, 'created', plan, words).member('');
  });
  const cell = `${numberSql(windows.starts, 't', words.whole)} AS w, ${members[0]} AS m1, ${members[1]} AS m2`;
  const rows = `SELECT ${cell}, action_agent, u - t AS seconds FROM (${pieces(writing, BASES.online)})`;
  const from = writing.add('sat', rows);
  return { of: 'online', window: 'w', numbers: ['action_agent', 'sum(seconds)'], from, by: ['action_agent'] };
}

/** The last instant that a plan reads, exclusive. */
export const readUntil = ({ range, request: { time }, reference: { now } }: Plan): number =>
  Math.max(range.max, Math.min(time.max, now + 1));
