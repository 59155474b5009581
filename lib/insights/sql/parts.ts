import type { FactKind } from '../../history/cases/case-row.ts';
import { LIST_COLUMNS } from '../definitions/columns.ts';
import { DURATIONS, type DurationName, type Percent } from '../definitions/durations.ts';
import { fieldNamed } from '../definitions/fields.ts';
import type { CountedMeasure, RowInSql } from '../definitions/measure.ts';
import { definitionOf, type Measure, POSITIVE } from '../definitions/measures.ts';
import type { Plan } from '../plan.ts';
import { backlogInstants } from '../scan/backlog.ts';
import { clockOf, instantPartOf } from '../scan/clock.ts';
import type { Range } from '../windows.ts';
import type { Words } from './dialect.ts';
import { type MemberSql, memberSql, wantedSql } from './members.ts';
import { numberSql, reachedSql, startSql } from './runs.ts';

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
export type Part = PartNumbers & {
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

/** What the parts of a report read. */
export interface Needed {
  readonly measured: Set<string>; // columns of measures in `facts`
  readonly worked: Set<string>; // of these, seconds that are measured in working time
  readonly ofCases: Set<string>; // columns of `cases`
}

/** The rows that all parts of a statement read, each with what is needed of its case; `t` is the second, `u` an end. */
export const BASES = { happened: 'happened', handled: 'handled', opened: 'opened', online: 'online' } as const;

/** The column with a duration in working time. */
export const workedColumn = (name: string): string => `worked_${name}`;

const PAIR = 65_536; // squares are added in two columns, because 64 bits hold no sum of many
const CELL = 'w, m1, m2';
const NO_MEMBER = 'CAST(NULL AS VARCHAR)';
const NOTHING = 'CAST(NULL AS BIGINT)';

/** Where facts of some kinds are and how they have their members: of these a stream takes all together. */
interface Source {
  readonly kinds: readonly string[]; // in `facts`
  readonly as: FactKind; // the kind whose members they have
  readonly max: number; // s, exclusive
}

/** Writes the parts that count what a plan counts; `name` begins the names of its queries. */
export function planParts(
  plan: Plan,
  name: string,
  words: Words,
  needed: Needed,
): { named: NamedQuery[]; parts: Part[] } {
  const { request, range, measures, samples, windows } = plan;
  const dimensions = [request.dimension1, request.dimension2] as const;
  const values = [request.dimension1_values, request.dimension2_values] as const;
  const isBusiness = request.hours === 'business';
  const whole = words.whole;
  const named: NamedQuery[] = [];
  const parts: Part[] = [];
  if (range.min < range.max && windows.starts.length > 0) {
    const counted = countedIn(plan);
    addCounted(
      counted.filter(([, definition]) => !isHandled(definition)),
      'facts',
      factStreams,
    );
    addCounted(
      counted.filter(([, definition]) => isHandled(definition)),
      'pieces',
      pieceStream,
    );
    if (measures.has('onlineSeconds')) parts.push(online());
  }
  if (measures.has('openCases')) parts.push(...backlog());
  return { named, parts };

  /** Adds a stream of located facts, and the parts that count it. */
  function addCounted(
    counted: readonly Counted[],
    as: string,
    streamOf: (counted: readonly Counted[]) => readonly string[],
  ): void {
    if (counted.length === 0) return;
    const stream = add(as, streamOf(counted).join('\nUNION ALL '));
    parts.push(...sumParts(stream, counted), ...sampleParts(stream, counted));
  }

  function factStreams(counted: readonly Counted[]): string[] {
    return sourcesOf(plan, counted, words).map(({ kinds, as, max }) => {
      const within = `kind IN (${texts(kinds)}) AND t >= ${range.min} AND t < ${max}`;
      return located(
        `(SELECT * FROM ${BASES.happened} WHERE ${within})`,
        as,
        numberSql(windows.starts, 't', whole),
        kinds,
        counted,
      );
    });
  }

  function pieceStream(counted: readonly Counted[]): string[] {
    return [
      located(`(${pieces(BASES.handled)})`, 'handle', numberSql(windows.starts, 't', whole), ['handle'], counted),
    ];
  }

  /** Intervals clipped to the range and cut where a window or a member ends: `t` is the start of a piece, `u` its end. */
  function pieces(base: string): string {
    const starts = clockOf(plan)?.pieces.starts ?? windows.starts;
    const within = `since < ${range.max} AND ends > ${range.min} AND since < ends`;
    const clipped = add(
      `${base}_then`,
      `SELECT *, greatest(since, ${range.min}) AS b, least(ends, ${range.max}) AS e FROM ${base} WHERE ${within}`,
    );
    if (starts.length === 1) return `SELECT *, b AS t, e AS u FROM ${clipped}`;
    const numbered = add(
      `${base}_from_to`,
      `SELECT *, ${numberSql(starts, 'b', whole)} AS p, ${numberSql(starts, '(e - 1)', whole)} AS q FROM ${clipped}`,
    );
    const cut = add(`${base}_cut`, words.each(numbered, words.sequence('p', 'q'), 'piece'));
    const all = [...starts, range.max];
    return `SELECT *, greatest(b, ${startSql(all, 'piece')}) AS t, least(e, ${startSql(all, '(piece + 1)')}) AS u FROM ${cut}`;
  }

  /** Gives a query a name of the plan, which is returned. */
  function add(as: string, sql: string): string {
    named.push({ name: `${name}_${as}`, sql });
    return `${name}_${as}`;
  }

  /** The rows of a query, in parentheses, once for each pair of members, with what they add to measures. */
  function located(
    query: string,
    as: FactKind,
    window: string,
    kinds: readonly string[],
    counted: readonly Counted[],
  ): string {
    const members = membersOf(as);
    const row = rowOf();
    const adds = counted.map(([measure, { sql }]) => {
      const isOf = kindsIn(definitionOf(measure)).some((kind) => kinds.includes(kind));
      return `${sql === 1 || !isOf ? (sql === 1 ? '1' : NOTHING) : sql(row)} AS ${addedBy(measure)}`;
    });
    return shown(members.laidOut(query), members, ['kind', 'case_id', 'n', `${window} AS w`, ...adds]);
  }

  /** The members of facts of a kind in both dimensions. */
  function membersOf(as: FactKind) {
    const of = (index: 0 | 1): MemberSql | undefined => {
      const dimension = dimensions[index];
      return dimension === null ? undefined : memberSql(dimension, as, plan, words);
    };
    const both = [of(0), of(1)] as const;
    for (const one of both) for (const column of one?.columns ?? []) needed.ofCases.add(column);
    return {
      both,
      laidOut: (query: string): string =>
        both.reduce(
          (sql, one, at) =>
            one?.list === undefined ? sql : `(${words.each(sql, LIST_COLUMNS[one.list].members, `k${at + 1}`)})`,
          query,
        ),
    };
  }

  /** The rows of a laid out query with the members that the report shows. */
  function shown(query: string, { both }: ReturnType<typeof membersOf>, columns: readonly string[]): string {
    const members = both.map((one, at) => `${one?.member(`k${at + 1}`) ?? NO_MEMBER} AS m${at + 1}`);
    const lists = both.flatMap((one, at) => (one?.list === 'customValues' ? [`k${at + 1}`] : []));
    const kept = dimensions.flatMap((dimension, at) => {
      if (dimension === null) return [];
      const wanted = wantedSql(dimension, values[at === 0 ? 0 : 1], `m${at + 1}`, `k${at + 1}`);
      return [`m${at + 1} IS NOT NULL`, ...(wanted === undefined ? [] : [wanted])];
    });
    const all = `SELECT ${[...columns, ...members, ...lists].join(', ')} FROM ${query}`;
    if (kept.length === 0) return all;
    return `SELECT ${[...columns.map(nameOf), 'm1', 'm2'].join(', ')} FROM (${all}) WHERE ${kept.join(' AND ')}`;
  }

  function rowOf(): RowInSql {
    const column = (name: string): string => {
      needed.measured.add(name);
      return name;
    };
    const macro = dimensions.indexOf('macro') + 1;
    return {
      column,
      elapsed: (name) => {
        column(name);
        if (!isBusiness) return name;
        needed.worked.add(name);
        return workedColumn(name);
      },
      length: 'u - t',
      positive: POSITIVE[plan.reference.rating],
      macro: macro === 0 ? undefined : words.valueAt(LIST_COLUMNS.macros.column, `k${macro}`),
    };
  }

  function sumParts(stream: string, counted: readonly Counted[]): Part[] {
    const summed = counted.filter(([measure]) => measures.has(measure));
    const each = summed.filter(([, { counts }]) => counts !== 'last');
    const last = summed.filter(([, { counts }]) => counts === 'last');
    const rows = each.flatMap(([measure, definition]) => {
      const where = `FILTER (WHERE kind IN (${texts(kindsIn(definition))}))`;
      if (definition.counts === 'once') return [{ measure, times: 1, sql: `count(DISTINCT case_id) ${where}` }];
      return terms(measure, definition, whole).map(({ sql, times }) => ({
        measure,
        times,
        sql: `sum(${sql}) ${where}`,
      }));
    });
    const lastKinds = [...new Set(last.flatMap(([, definition]) => kindsIn(definition)))];
    return [
      ...(rows.length === 0 ? [] : [sums(rows, stream)]),
      ...lastKinds.map((kind) => {
        const own = last.filter(([, definition]) => kindsIn(definition).includes(kind));
        const columns = own.flatMap(([measure, definition]) =>
          terms(measure, definition, whole, (added) => `CASE WHEN ${added} >= 0 THEN ${added} END`).map(
            ({ sql, times }) => ({ measure, times, sql: `sum(${sql})` }),
          ),
        );
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

  function sums(columns: readonly (AddedColumn & { readonly sql: string })[], from: string): Part {
    const numbers = columns.map(({ sql }) => `coalesce(${sql}, 0)`);
    return { of: 'sums', sums: columns, window: 'w', numbers, from, by: [] };
  }

  function sampleParts(stream: string, counted: readonly Counted[]): Part[] {
    return [...samples].flatMap((duration): Part[] => {
      const { seconds, count } = DURATIONS[duration];
      const definition = definitionOf(count);
      if ('own' in definition || !counted.some(([measure]) => measure === seconds)) return [];
      const [kind = ''] = kindsIn(definition);
      const added = addedBy(seconds);
      const sampled = {
        each: `SELECT ${CELL}, ${added} AS v FROM ${stream} WHERE kind = '${kind}' AND ${added} IS NOT NULL`,
        last: `SELECT ${CELL}, ${added} AS v FROM (${lastOf(stream, kind, [seconds])}) WHERE ${added} >= 0`,
        once: `SELECT ${CELL}, sum(${added}) AS v FROM ${stream} WHERE kind = '${kind}' GROUP BY ${CELL}, case_id`,
      }[definition.counts];
      const ranked = `SELECT ${CELL}, v, row_number() OVER (PARTITION BY ${CELL} ORDER BY v) AS r, count(*) OVER (PARTITION BY ${CELL}) AS c FROM (${sampled})`;
      const percents = percentsOf(plan, duration);
      const at = (rank: string): string => `max(CASE WHEN r = ${rank} THEN v END)`;
      const numbers = percents.flatMap((percent) => {
        const before = whole(`${percent} * (c - 1)`, 100);
        return [at(`${before} + 1`), at(`least(${before} + 2, c)`)];
      });
      return [
        { of: 'sample', duration, percents, window: 'w', numbers: ['max(c)', ...numbers], from: `(${ranked})`, by: [] },
      ];
    });
  }

  function backlog(): Part[] {
    const { instants } = backlogInstants({ ...plan, total: false });
    if (instants.length === 0) return [];
    const past = `CASE WHEN ends IS NULL THEN ${instants.length} ELSE ${reachedSql(instants, 'ends', whole)} END`;
    const reached = `SELECT *, ${reachedSql(instants, 't', whole)} AS w, ${past} AS past FROM ${BASES.opened} WHERE t < ${instants.at(-1)}`;
    const members = membersOf('created');
    const from = add(
      'open',
      shown(members.laidOut(`(SELECT * FROM (${reached}) WHERE w < past)`), members, ['w', 'past']),
    );
    const ended = `(SELECT * FROM ${from} WHERE past < ${instants.length})`;
    return [
      { of: 'backlog', window: 'w', numbers: ['count(*)'], from, by: [] },
      { of: 'backlog', window: 'past', numbers: ['-count(*)'], from: ended, by: [] },
    ];
  }

  /** Time online by agent; the service knows the groups of agents, and which of them pass the filters. */
  function online(): Part {
    const member = (index: 0 | 1): string => {
      const dimension = dimensions[index];
      const isOfInstants = dimension !== null && instantPartOf(dimension) !== undefined;
      return isOfInstants ? memberSql(dimension, 'created', plan, words).member('') : NO_MEMBER;
    };
    const columns = `${numberSql(windows.starts, 't', whole)} AS w, ${member(0)} AS m1, ${member(1)} AS m2`;
    const from = add('sat', `SELECT ${columns}, action_agent, u - t AS seconds FROM (${pieces(BASES.online)})`);
    return { of: 'online', window: 'w', numbers: ['action_agent', 'sum(seconds)'], from, by: ['action_agent'] };
  }
}

type Counted = readonly [measure: Measure, definition: CountedMeasure];

/** The measures that a plan adds up or keeps the values of, without those that have walks of their own. */
function countedIn({ measures, samples }: Plan): Counted[] {
  const all = new Set([...measures, ...[...samples].map((duration) => DURATIONS[duration].seconds)]);
  return [...all].flatMap((measure): Counted[] => {
    const definition = definitionOf(measure);
    return 'own' in definition ? [] : [[measure, definition]];
  });
}

/** The kinds of rows of `facts` that a measure counts. */
function kindsIn(definition: ReturnType<typeof definitionOf>): readonly string[] {
  if ('own' in definition) return [definition.own];
  return 'late' in definition.facts ? [`late_${definition.facts.late}`] : definition.facts.kinds;
}

const isHandled = ({ facts }: CountedMeasure): boolean => 'kinds' in facts && facts.kinds.includes('handle');

/** Groups the kinds of some measures by how they have their members. */
function sourcesOf(plan: Plan, counted: readonly Counted[], words: Words): Source[] {
  const { request, range, reference } = plan;
  const dimensions = [request.dimension1, request.dimension2].flatMap((name) => name ?? []);
  const sources = new Map<string, Source>();
  for (const [, { facts }] of counted) {
    for (const kind of 'late' in facts ? (['created'] as const) : facts.kinds) {
      const members = dimensions.map((name) => memberSql(name, kind, plan, words));
      const isLate = 'late' in facts;
      const key = JSON.stringify([isLate, members.map(({ list, member }) => [list, member('k')])]);
      const before = sources.get(key);
      const kinds = [...new Set([...(before?.kinds ?? []), isLate ? `late_${facts.late}` : kind])];
      // A promise is broken when its second is past.
      sources.set(key, { kinds, as: kind, max: isLate ? Math.min(range.max, reference.now) : range.max });
    }
  }
  return [...sources.values()];
}

/** The column of a stream with what a row adds to a measure. */
const addedBy = (measure: Measure): string => `add_${measure}`;

const texts = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ');

/** What a column is called: `a + b AS c` is c. */
const nameOf = (column: string): string => column.slice(column.lastIndexOf(' ') + 1);

/** The columns whose sums, each so many times, are what rows add to a measure. */
function terms(
  measure: Measure,
  { squared }: CountedMeasure,
  whole: Words['whole'],
  counted = (added: string): string => added,
): (Omit<AddedColumn, 'measure'> & { readonly sql: string })[] {
  const added = counted(addedBy(measure));
  if (squared !== true) return [{ sql: added, times: 1 }];
  return [
    { sql: `(${added}) * (${whole(added, PAIR)})`, times: PAIR },
    { sql: `(${added}) * ((${added}) % ${PAIR})`, times: 1 },
  ];
}

/** The last fact of each case in each cell; what it does not count in has −1. */
function lastOf(stream: string, kind: string, measures: readonly Measure[]): string {
  const added = measures.map((measure) => `max_by(coalesce(${addedBy(measure)}, -1), n) AS ${addedBy(measure)}`);
  return `SELECT ${CELL}, ${added.join(', ')} FROM ${stream} WHERE kind = '${kind}' GROUP BY ${CELL}, case_id`;
}

/** The positions in the sample of a duration that a report shows, each once. */
function percentsOf({ request }: Plan, duration: DurationName): Percent[] {
  const percents = request.fields
    .map(fieldNamed)
    .flatMap((field) => ('sample' in field && field.sample === duration ? [field.percent] : []));
  return [...new Set(percents)];
}

/** The last instant that a plan reads, exclusive. */
export const readUntil = ({ range, request: { time }, reference: { now } }: Plan): Range['max'] =>
  Math.max(range.max, Math.min(time.max, now + 1));
