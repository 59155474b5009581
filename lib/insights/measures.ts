import type { FactKind } from '../history/cases/case-row.ts';
import { keysOf } from '../typed-object.ts';
import type { SlaMetric } from './sla-policies.ts';

/** What a scan adds up, and the kinds of facts that it counts by. */
export interface MeasureSource {
  readonly adds: 'count' | 'sum'; // a sum may pass 2^32
  readonly kinds: readonly FactKind[];
  readonly rows?: number; // the ROW_VERSION it needs; default 1
  readonly looksBack?: true; // it counts at instants that are no facts, of cases since the first
}

const count = (...kinds: FactKind[]): MeasureSource => ({ adds: 'count', kinds });
const sum = (...kinds: FactKind[]): MeasureSource => ({ adds: 'sum', kinds });

const later = (source: MeasureSource): MeasureSource => ({ ...source, rows: 2 });
const looksBack = (): MeasureSource => later({ ...count(), looksBack: true });

/**
 * What a scan adds up in each cell. Fields are made of these (`fields.ts`), partial results add them (`partial.ts`),
 * because a case lies whole in one segment.
 */
export const MEASURES = {
  creates: count('created'), // cases created
  inboundCases: count('created'), // of these: opened by an inbound interaction
  outboundCases: count('created'),
  inbound: count('inbound'), // interactions
  outbound: count('outbound'),
  interactingCases: count('inbound', 'outbound'), // distinct cases with an interaction
  responses: count('outbound'), // first agent replies of cases opened by an inbound interaction
  responseSeconds: sum('outbound'), // creation to that reply
  handledSeconds: sum('handle'), // clipped to the window
  handledCases: count('handle'), // distinct
  resolves: count('resolve'),
  resolvedCases: count('resolve'), // distinct; all below are of the last resolve of each
  resolutions: count('resolve'), // of cases with a creation
  resolutionSeconds: sum('resolve'), // creation to the resolve
  repliesToResolve: sum('resolve'), // outbound interactions up to the resolve
  firstContacts: count('resolve'), // one reply, then 14 quiet days
  unanswered: count('resolve'), // no reply
  withMacro: count('resolve'), // a macro at or before the resolve
  reopens: count('reopen'),
  views: count('view'),
  macros: count('macro'), // applications
  labels: count('label'), // applications
  deletes: count('delete'),
  repliesToWaits: later(count('outbound')), // replies that end a wait
  waitSeconds: later(sum('outbound')), // of these: from the wait's beginning
  ratedCases: later(count('rating')), // distinct; all below are of the last rating of each
  scores: later(sum('rating')),
  positiveRatings: later(count('rating')),
  openCases: looksBack(), // at the end of the window
  responsesInTime: later(count('outbound')), // promises that were kept, at what kept them
  responsesTooLate: looksBack(), // promises that were broken, at the first second that is too late
  repliesInTime: later(count('outbound')),
  repliesTooLate: looksBack(),
  resolutionsInTime: later(count('resolve')),
  resolutionsTooLate: looksBack(),
  onlineSeconds: sum(),
} as const satisfies Record<string, MeasureSource>;

export type Measure = keyof typeof MEASURES;

/** What is counted of the promises of each metric. */
export const PROMISES = {
  first_response: { met: 'responsesInTime', missed: 'responsesTooLate' },
  reply: { met: 'repliesInTime', missed: 'repliesTooLate' },
  resolution: { met: 'resolutionsInTime', missed: 'resolutionsTooLate' },
} as const satisfies Record<SlaMetric, { readonly met: Measure; readonly missed: Measure }>;

/**
 * The measures that an event counts in one cell alone, whatever the cells: so the sums of parts of a cell are those of the whole.
 * The others count cases, each once in the whole too, or take the last of several events.
 */
export const ADDS_UP: ReadonlySet<Measure> = new Set<Measure>([
  'creates',
  'inboundCases',
  'outboundCases',
  'inbound',
  'outbound',
  'responses',
  'responseSeconds',
  'handledSeconds',
  'resolves',
  'reopens',
  'views',
  'macros',
  'labels',
  'deletes',
  'repliesToWaits',
  'waitSeconds',
  'onlineSeconds',
  ...Object.values(PROMISES).flatMap(({ met, missed }): Measure[] => [met, missed]),
]);

/** Whether a measure is of promises. */
export const isOfPromises = (measure: Measure): boolean =>
  Object.values(PROMISES).some(({ met, missed }) => measure === met || measure === missed);

/** What a scan needs for a measure. */
export const sourceOf = (measure: Measure): MeasureSource => MEASURES[measure];

export const ALL_MEASURES = keysOf(MEASURES);
