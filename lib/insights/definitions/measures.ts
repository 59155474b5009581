import { type FactKind, OPENINGS } from '../../history/cases/case-row.ts';
import type { Telling } from '../../vocabulary.ts';
import type { SlaMetric } from '../promises/sla-policies.ts';
import { creationsOf, firstRepliesOf, openingsOf } from './creations.ts';
import { firstsWithMacro } from './macros.ts';
import type {
  Adds,
  CountedMeasure,
  Counts,
  LocatedFacts,
  MeasureDefinition,
  MeasuredSegment,
  MeasureSql,
} from './measure.ts';
import { NOT_COUNTED } from './measure.ts';
import { reopenedResolves } from './reopened-resolves.ts';
import { KEPT_BY } from './verdicts.ts';
import { waitBegins } from './waits-and-open.ts';

/** What facts add: 1 each, or a number for the scan and the same number in SQL. */
type Added = readonly [] | readonly [adds: Adds | 1, sql: MeasureSql];

const counted = (counts: Counts, facts: CountedMeasure['facts'], [adds = 1, sql = 1]: Added): CountedMeasure => {
  return { facts, counts, adds, sql };
};
const each = (kind: FactKind, ...added: Added) => counted('each', { kinds: [kind] }, added);
const last = (kind: FactKind, ...added: Added) => counted('last', { kinds: [kind] }, added);
const once = (...kinds: FactKind[]) => counted('once', { kinds }, []);
const late = (metric: SlaMetric) => needing(PROMISED[metric], later(counted('each', { late: metric }, [])));
const firstReply = (adds: Adds | 1, sql: MeasureSql) =>
  needing(['creations'], counted('each', { kinds: ['outbound'], only: firstRepliesOf }, [adds, sql]));
const squareOf = ({ adds, ...measure }: CountedMeasure): CountedMeasure => {
  return { ...measure, adds: adds === 1 ? 1 : squared(adds), squared: true };
};

/** What stands in a column of `facts`: it needs more than the row to be computed. */
const column =
  (name: string): MeasureSql =>
  (row) =>
    row.column(name);
/** The seconds in a column, which working time measures anew. */
const elapsed =
  (name: string): MeasureSql =>
  (row) =>
    row.elapsed(name);
/** Rows that have a column count 1. */
const having =
  (name: string): MeasureSql =>
  (row) =>
    `CASE WHEN ${row.column(name)} IS NOT NULL THEN 1 END`;
const isTrue = (condition: string): string => `CASE WHEN ${condition} THEN 1 ELSE 0 END`;

/** For measures of facts, attributes or orders that rows of version 1 lack. */
function later<M extends MeasureDefinition>(measure: M): M {
  return { ...measure, rows: 2 };
}

/** What the history must tell so that a fact of a kind is one; null: no source says whether it can tell it. */
const TOLD_BY: Readonly<Record<FactKind, Telling | null>> = {
  created: 'creations',
  inbound: 'customer_messages',
  outbound: 'replies',
  resolve: 'resolves',
  reopen: 'reopens',
  view: null,
  handle: 'handling',
  macro: null,
  label: 'labels',
  delete: null,
  rating: 'ratings',
  wait: null,
  presence: null,
};

/** What must be told for a promise to be judged. */
const PROMISED: Readonly<Record<SlaMetric, readonly Telling[]>> = {
  first_response: ['creations', 'first_replies'],
  reply: ['customer_messages', 'replies'],
  resolution: ['creations', 'resolves'],
};

/** For measures that need the history to tell more than their facts. */
function needing<M extends MeasureDefinition>(needs: readonly Telling[], measure: M): M {
  return { ...measure, needs };
}
const kept = (metric: SlaMetric) =>
  needing(PROMISED[metric], {
    ...later(each(KEPT_BY[metric], keepsPromise(metric), 1)),
    verdict: `kept_${metric}` as const,
  });

const toFirstReply = firstReply(secondsSinceCreation('outbound'), elapsed('response_seconds'));
const toResolution = needing(
  ['creations'],
  last('resolve', secondsSinceCreation('resolve'), elapsed('resolution_seconds')),
);
const repliesToResolve = needing(
  ['replies'],
  last(
    'resolve',
    ofResolve(({ replies }) => replies),
    column('replies_to_resolve'),
  ),
);
const toReply = needing(['customer_messages'], later(each('outbound', waitedSeconds, elapsed('wait_seconds'))));
const scores = later(last('rating', score, () => 'value'));

/**
 * What is added up in each cell. Fields are computed from measures (`fields.ts`). Results of distinct segments can be
 * added (`scan-result.ts`), because all facts of a case are in one segment.
 */
export const MEASURES = {
  creates: each('created'), // cases created
  inboundCases: each('created', openedBy(OPENINGS.inbound), column('inbound_cases')), // of these: opened by an inbound interaction
  outboundCases: each('created', openedBy(OPENINGS.outbound), column('outbound_cases')),
  inbound: each('inbound'), // interactions
  outbound: each('outbound'),
  interactingCases: once('inbound', 'outbound'), // distinct cases with an interaction
  responses: firstReply(1, having('response_seconds')), // first agent replies of cases opened by an inbound interaction
  responseSeconds: toFirstReply,
  handledSeconds: each('handle', pieceSeconds, ({ length }) => length), // clipped to the window
  handledCases: once('handle'), // distinct
  resolves: each('resolve'),
  reopenedResolves: needing(['reopens'], later(each('resolve', isReopened, column('reopened_resolves')))), // of these: those that a reopen took back within 14 days
  resolvedCases: last('resolve'), // distinct cases; the last resolve of a case in a cell decides (docs/rules.md 14)
  resolutions: needing(['creations'], last('resolve', ofCreatedCase, having('resolution_seconds'))), // of cases with a creation
  resolutionSeconds: toResolution,
  repliesToResolve, // outbound interactions up to the resolve
  firstContacts: needing(
    ['customer_messages', 'replies', 'reopens'],
    last(
      'resolve',
      ofResolve(({ replies, quiet }) => (replies === 1 && quiet ? 1 : 0)),
      column('first_contacts'),
    ),
  ), // 14 quiet days
  unanswered: needing(
    ['first_replies'],
    last(
      'resolve',
      ofResolve(({ replies }) => (replies === 0 ? 1 : 0)),
      (row) => isTrue(`${row.column('replies_to_resolve')} = 0`),
    ),
  ),
  withMacro: last('resolve', afterMacro, (row) =>
    row.macro === undefined ? row.column('with_macro') : isTrue(`n >= ${row.macro}`),
  ), // a macro at or before the resolve
  reopens: each('reopen'),
  views: each('view'),
  macros: each('macro'), // applications
  labels: each('label'), // applications
  deletes: each('delete'),
  repliesToWaits: needing(['customer_messages'], later(each('outbound', endsWait, having('wait_seconds')))), // replies that end a wait
  waitSeconds: toReply, // of these: from the wait's beginning
  ratedCases: later(last('rating')), // distinct cases; the last rating of a case in a cell decides
  scores,
  positiveRatings: later(last('rating', isPositive, ({ positive }) => isTrue(`value >= ${positive}`))),
  openCases: needing(['creations', 'statuses'], later({ own: 'open' })), // at the end of the window
  responsesInTime: kept('first_response'), // counted at the fact that kept the promise
  responsesTooLate: late('first_response'), // counted at the first second that is too late
  repliesInTime: kept('reply'),
  repliesTooLate: late('reply'),
  resolutionsInTime: kept('resolution'),
  resolutionsTooLate: late('resolution'),
  onlineSeconds: { own: 'online' },
  responseSquares: squareOf(toFirstReply), // squares of seconds, and so on
  resolutionSquares: squareOf(toResolution),
  replySquares: squareOf(repliesToResolve),
  waitSquares: squareOf(toReply),
  scoreSquares: squareOf(scores),
} as const satisfies Record<string, MeasureDefinition>;

function openedBy(opening: number): Adds {
  return ({ segment }, { rows }) => {
    const openings = segment.kept(openingsOf);
    return (creation) => (openings[rows[creation]!] === opening ? 1 : 0);
  };
}

function secondsSinceCreation(kind: FactKind): Adds {
  return ({ segment, elapsed }, { rows }) => {
    const createdAt = segment.kept(creationsOf);
    const seconds = segment.facts(kind).seconds();
    return (fact) => {
      const row = rows[fact]!;
      const created = createdAt[row]!;
      return created < 0 ? NOT_COUNTED : elapsed(row, created, seconds[fact]!);
    };
  };
}

function ofCreatedCase({ segment }: MeasuredSegment, { rows }: LocatedFacts) {
  const createdAt = segment.kept(creationsOf);
  return (fact: number): number => (createdAt[rows[fact]!]! < 0 ? NOT_COUNTED : 1);
}

function pieceSeconds(_: MeasuredSegment, { lengths }: LocatedFacts) {
  return (piece: number): number => lengths[piece]!;
}

/** `adds` gets what a resolve says: the replies before it, and whether the 14 days after it were quiet. */
function ofResolve(adds: (resolve: { readonly replies: number; readonly quiet: boolean }) => number): Adds {
  return ({ segment }) => {
    const values = segment.facts('resolve').values();
    return (resolve) => {
      const value = values[resolve]!;
      return adds({ replies: value >> 1, quiet: (value & 1) === 1 });
    };
  };
}

function squared(adds: Adds): Adds {
  return (seen, facts) => {
    const valueAt = adds(seen, facts);
    return (fact, entry) => {
      const value = valueAt(fact, entry);
      return value < 0 ? value : value * value;
    };
  };
}

function isReopened({ segment }: MeasuredSegment) {
  const reopened = segment.kept(reopenedResolves);
  return (resolve: number): number => reopened[resolve]!;
}

/** By macro only applications of the cell's macro count, else those of any macro (docs/rules.md 11). */
function afterMacro({ segment, byMacro }: MeasuredSegment, { rows }: LocatedFacts) {
  const firsts: ArrayLike<number> = byMacro ? segment.macroResolves() : segment.kept(firstsWithMacro);
  const offsets = segment.facts('resolve').offsets();
  return (resolve: number, entry: number): number => {
    const row = rows[resolve]!;
    return resolve - offsets[row]! >= firsts[byMacro ? entry : row]! ? 1 : 0;
  };
}

function endsWait({ segment }: MeasuredSegment) {
  const begins = segment.kept(waitBegins);
  return (reply: number): number => (begins[reply]! < 0 ? NOT_COUNTED : 1);
}

function waitedSeconds({ segment, elapsed }: MeasuredSegment, { rows }: LocatedFacts) {
  const begins = segment.kept(waitBegins);
  const seconds = segment.facts('outbound').seconds();
  return (reply: number): number => {
    const begin = begins[reply]!;
    return begin < 0 ? NOT_COUNTED : elapsed(rows[reply]!, begin, seconds[reply]!);
  };
}

function score({ segment }: MeasuredSegment) {
  const scores = segment.facts('rating').values();
  return (rating: number): number => scores[rating]!;
}

/** The lowest positive score, by the site's rating scale. */
export const POSITIVE = { yes_no: 1, four_star: 3 } as const;

function isPositive({ segment, reference }: MeasuredSegment) {
  const scores = segment.facts('rating').values();
  const positive = POSITIVE[reference.rating];
  return (rating: number): number => (scores[rating]! >= positive ? 1 : 0);
}

function keepsPromise(metric: SlaMetric): Adds {
  return ({ verdicts }) => {
    const { met } = verdicts(metric);
    return (fact) => (met[fact] === 1 ? 1 : NOT_COUNTED);
  };
}

export type Measure = keyof typeof MEASURES;

const SQUARES: Readonly<Partial<Record<Measure, Measure>>> = {
  responseSeconds: 'responseSquares',
  resolutionSeconds: 'resolutionSquares',
  repliesToResolve: 'replySquares',
  waitSeconds: 'waitSquares',
  scores: 'scoreSquares',
};

/** The measure of the squares of what a measure adds; undefined where a value is added bit by bit. */
export const squaresOf = (measure: Measure): Measure | undefined => SQUARES[measure];

/** The measures of kept and broken promises, by metric. */
export const PROMISES = {
  first_response: { met: 'responsesInTime', missed: 'responsesTooLate' },
  reply: { met: 'repliesInTime', missed: 'repliesTooLate' },
  resolution: { met: 'resolutionsInTime', missed: 'resolutionsTooLate' },
} as const satisfies Record<SlaMetric, { readonly met: Measure; readonly missed: Measure }>;

/** Returns the definition of a measure. */
export const definitionOf = (measure: Measure): MeasureDefinition => MEASURES[measure];

/** What the history must tell for a measure to say something. A first reply is enough where only the first one counts. */
export function tellingsOf(measure: Measure): readonly Telling[] {
  const { needs = [], ...definition } = definitionOf(measure);
  const isOfFirst = 'facts' in definition && 'only' in definition.facts && definition.facts.only === firstRepliesOf;
  if (isOfFirst || PROMISED.first_response === needs) return [...needs, 'first_replies'];
  return [...kindsOf(measure).flatMap((kind) => TOLD_BY[kind] ?? []), ...needs];
}

/** The kinds of facts that a measure counts. */
export function kindsOf(measure: Measure): readonly FactKind[] {
  const definition = definitionOf(measure);
  return 'facts' in definition && 'kinds' in definition.facts ? definition.facts.kinds : [];
}

/**
 * Whether a measure can be added over the parts of a cell, since each event counts in one part only. Others cannot:
 * they count a case once in each part but also only once in the whole, or they take the last of several events.
 */
export function addsUp(measure: Measure): boolean {
  const definition = definitionOf(measure);
  return 'own' in definition ? definition.own === 'online' : definition.counts === 'each';
}

/** Whether a measure counts what is so at an instant. */
export function isState(measure: Measure): boolean {
  const definition = definitionOf(measure);
  return 'own' in definition && definition.own === 'open';
}

/** Whether a measure counts at instants without a fact, so that facts before the range are read too. */
export function looksBack(measure: Measure): boolean {
  const definition = definitionOf(measure);
  return 'own' in definition ? isState(measure) : 'late' in definition.facts;
}

/** Whether a measure counts promises. */
export const isOfPromises = (measure: Measure): boolean =>
  Object.values(PROMISES).some(({ met, missed }) => measure === met || measure === missed);
