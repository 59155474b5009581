import type { FactKind } from '../../history/cases/case-row.ts';
import { LIST_COLUMNS } from '../definitions/columns.ts';
import { DURATIONS } from '../definitions/durations.ts';
import type { CountedMeasure, RowInSql } from '../definitions/measure.ts';
import { definitionOf, type Measure, POSITIVE } from '../definitions/measures.ts';
import type { Plan } from '../plan.ts';
import { clockOf } from '../scan/clock.ts';
import type { Words } from './dialect.ts';
import { type MemberSql, memberSql, wantedSql } from './members.ts';
import { numberSql, startSql } from './runs.ts';

/** The queries of a plan while they are being written. */
export interface SqlWriting {
  readonly plan: Plan;
  readonly words: Words;
  readonly needed: Needed;
  /** Gives a query a name, which is returned; later ones may use it. */
  add(name: string, sql: string): string;
}

/** What the queries read of `facts`. */
export interface Needed {
  readonly kinds: Set<string>; // of facts that happened
  readonly measured: Set<string>; // columns of measures
  readonly worked: Set<string>; // of these, seconds that are measured in working time
  readonly ofCases: Set<string>; // columns of the case as it is now
}

/**
 * The rows that all queries read: facts at `t`, intervals from `since` to `ends`, and
 * those in which a case is open from `t` to `ends`, null while they last.
 */
export const BASES = { happened: 'happened', handled: 'handled', opened: 'opened', online: 'online' } as const;

/** The column with a duration in working time. */
export const workedColumn = (name: string): string => `worked_${name}`;

/** A measure that is counted row by row, with its definition. */
export type Counted = readonly [measure: Measure, definition: CountedMeasure];

/** The measures that a plan adds up or keeps the values of, without those that have walks of their own. */
export function countedMeasures({ measures, samples }: Pick<Plan, 'measures' | 'samples'>): Counted[] {
  const all = new Set([...measures, ...[...samples].map((duration) => DURATIONS[duration].seconds)]);
  return [...all].flatMap((measure): Counted[] => {
    const definition = definitionOf(measure);
    return 'own' in definition ? [] : [[measure, definition]];
  });
}

/** The kinds of rows of `facts` and `verdicts` that a measure counts, each with the kind of facts whose members they have. */
const rowKinds = ({ facts, verdict }: CountedMeasure): readonly (readonly [string, FactKind])[] =>
  'late' in facts ? [[`late_${facts.late}`, 'created']] : facts.kinds.map((kind) => [verdict ?? kind, kind]);

/** The kinds of rows of `facts` and `verdicts` that a measure counts. */
export const kindsIn = (definition: CountedMeasure): readonly string[] => rowKinds(definition).map(([kind]) => kind);

export const texts = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ');

/** The column of a stream with what a row adds to a measure; null where it does not count. */
export const addedBy = (measure: Measure): string => `add_${measure}`;

/** Names the stream of facts of some measures: a row for each cell in which a fact counts. */
export const factStream = (writing: SqlWriting, counted: readonly Counted[]): string =>
  writing.add(
    'facts',
    sourcesOf(writing, counted)
      .map((source) => located(writing, source, counted))
      .join('\nUNION ALL '),
  );

/** The same of handled intervals, cut into pieces. */
export const pieceStream = (writing: SqlWriting, counted: readonly Counted[]): string =>
  writing.add(
    'pieces',
    located(writing, { from: `(${pieces(writing, BASES.handled)})`, kinds: ['handle'], as: 'handle' }, counted),
  );

/** Rows of some kinds that have their members in one way. */
interface Source {
  readonly kinds: readonly string[];
  readonly as: FactKind; // the kind whose members they have
  readonly from: string; // a query in parentheses
}

/** Groups the kinds of some measures by how they have their members. */
function sourcesOf({ plan, words, needed }: SqlWriting, counted: readonly Counted[]): Source[] {
  const { request, range, reference } = plan;
  const dimensions = [request.dimension1, request.dimension2].flatMap((name) => name ?? []);
  const sources = new Map<string, Source>();
  for (const [, definition] of counted) {
    const isLate = 'late' in definition.facts;
    for (const [kind, as] of rowKinds(definition)) {
      const members = dimensions.map((name) => memberSql(name, as, plan, words));
      const key = JSON.stringify([isLate, members.map(({ list, member }) => [list, member('k')])]);
      const kinds = [...new Set([...(sources.get(key)?.kinds ?? []), kind])];
      const max = isLate ? Math.min(range.max, reference.now) : range.max; // a promise is broken when its second is past
      const within = `kind IN (${texts(kinds)}) AND t >= ${range.min} AND t < ${max}`;
      for (const one of kinds) needed.kinds.add(one);
      sources.set(key, { kinds, as, from: `(SELECT * FROM ${BASES.happened} WHERE ${within})` });
    }
  }
  return [...sources.values()];
}

/** The rows of a source once for each cell in which they count, with what they add to measures. */
function located(writing: SqlWriting, { kinds, as, from }: Source, counted: readonly Counted[]): string {
  const row = rowIn(writing);
  const adds = counted.map(([measure, definition]) => {
    const isOf = kindsIn(definition).some((kind) => kinds.includes(kind));
    const added = definition.sql === 1 ? '1' : isOf ? definition.sql(row) : 'CAST(NULL AS BIGINT)';
    return `${added} AS ${addedBy(measure)}`;
  });
  const window = numberSql(writing.plan.windows.starts, 't', writing.words.whole);
  return withMembers(writing, { as, from }, ['kind', 'case_id', 'n', `${window} AS w`, ...adds]);
}

/** What definitions see of a row; notes the columns that they read. */
export function rowIn({ plan: { request, reference }, words, needed }: SqlWriting): RowInSql {
  const column = (name: string): string => {
    needed.measured.add(name);
    return name;
  };
  const macro = [request.dimension1, request.dimension2].indexOf('macro') + 1;
  return {
    column,
    elapsed: (name) => {
      column(name);
      if (request.hours !== 'business') return name;
      needed.worked.add(name);
      return workedColumn(name);
    },
    length: 'u - t',
    positive: POSITIVE[reference.rating],
    macro: macro === 0 ? undefined : words.valueAt(LIST_COLUMNS.macros.column, `k${macro}`),
  };
}

export const NO_MEMBER = 'CAST(NULL AS VARCHAR)';

/**
 * Columns of the rows of a query once for each pair of members that they have and the report shows, `m1` and `m2`. They
 * have the members of a kind; the members of lists are laid out as `k1` and `k2`.
 */
export function withMembers(
  { plan, words, needed }: SqlWriting,
  { as, from }: Pick<Source, 'as' | 'from'>,
  columns: readonly string[],
): string {
  const { dimension1, dimension1_values, dimension2, dimension2_values } = plan.request;
  const sides = [
    { name: dimension1, values: dimension1_values, m: 'm1', k: 'k1' },
    { name: dimension2, values: dimension2_values, m: 'm2', k: 'k2' },
  ].map((side) => ({ ...side, member: side.name === null ? undefined : memberSql(side.name, as, plan, words) }));
  for (const { member } of sides) for (const column of member?.columns ?? []) needed.ofCases.add(column);
  const rows = sides.reduce((sql, { member, k }) => laidOut(words, sql, member, k), from);
  const members = sides.map(({ member, m, k }) => `${member?.member(k) ?? NO_MEMBER} AS ${m}`);
  const lists = sides.flatMap(({ member, k }) => (member?.list === 'customValues' ? [k] : []));
  const kept = sides.flatMap(({ name, values, m, k }) =>
    name === null ? [] : [`${m} IS NOT NULL`, wantedSql(name, values, m, k) ?? []].flat(),
  );
  const all = `SELECT ${[...columns, ...members, ...lists].join(', ')} FROM ${rows}`;
  if (kept.length === 0) return all;
  return `SELECT ${[...columns.map(nameOf), 'm1', 'm2'].join(', ')} FROM (${all}) WHERE ${kept.join(' AND ')}`;
}

const laidOut = (words: Words, from: string, member: MemberSql | undefined, name: string): string =>
  member?.list === undefined ? from : `(${words.each(from, LIST_COLUMNS[member.list].members, name)})`;

/** What a column is called: `a + b AS c` is c. */
const nameOf = (column: string): string => column.slice(column.lastIndexOf(' ') + 1);

/** Intervals clipped to the range and cut where a window or a member ends: `t` is the start of a piece, `u` its end. */
export function pieces({ plan, words, add }: SqlWriting, base: string): string {
  const { range, windows } = plan;
  const starts = clockOf(plan)?.pieces.starts ?? windows.starts;
  const within = `since < ${range.max} AND ends > ${range.min} AND since < ends`;
  const clipped = add(
    `${base}_then`,
    `SELECT *, greatest(since, ${range.min}) AS b, least(ends, ${range.max}) AS e FROM ${base} WHERE ${within}`,
  );
  if (starts.length === 1) return `SELECT *, b AS t, e AS u FROM ${clipped}`;
  const [first, last] = ['b', '(e - 1)'].map((second) => numberSql(starts, second, words.whole));
  const numbered = add(`${base}_from_to`, `SELECT *, ${first} AS p, ${last} AS q FROM ${clipped}`);
  const cut = add(`${base}_cut`, words.each(numbered, words.sequence('p', 'q'), 'piece'));
  const all = [...starts, range.max];
  const [begin, end] = ['piece', '(piece + 1)'].map((piece) => startSql(all, piece));
  return `SELECT *, greatest(b, ${begin}) AS t, least(e, ${end}) AS u FROM ${cut}`;
}
