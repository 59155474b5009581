import type { FactKind } from '../history/cases/case-row.ts';
import type { SlaMetric } from './sla-policies.ts';

/** How a scan adds up a measure, and the kinds of facts that it reads for it. */
export interface MeasureSource {
  readonly adds: 'count' | 'sum'; // a sum may exceed 2^32
  readonly kinds: readonly FactKind[];
  readonly rows?: number; // the ROW_VERSION it needs; default 1
  readonly looksBack?: true; // it counts at instants without a fact, so facts before the range are read too
}

const count = (...kinds: FactKind[]): MeasureSource => ({ adds: 'count', kinds });
const sum = (...kinds: FactKind[]): MeasureSource => ({ adds: 'sum', kinds });

const later = (source: MeasureSource): MeasureSource => ({ ...source, rows: 2 });
const looksBack = (): MeasureSource => later({ ...count(), looksBack: true });

/**
 * What a scan adds up in each cell. Fields are computed from measures (`fields.ts`). The measures of partial results
 * can be added (`partial.ts`), because all facts of a case are in one segment.
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
  resolvedCases: count('resolve'), // distinct; this and the next six count the last resolve of each case in the cell
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
  ratedCases: later(count('rating')), // distinct; this and the next two count the last rating of each case in the cell
  scores: later(sum('rating')),
  positiveRatings: later(count('rating')),
  openCases: looksBack(), // at the end of the window
  responsesInTime: later(count('outbound')), // promises kept, counted at the fact that kept them
  responsesTooLate: looksBack(), // promises broken, counted at the first second that is too late
  repliesInTime: later(count('outbound')),
  repliesTooLate: looksBack(),
  resolutionsInTime: later(count('resolve')),
  resolutionsTooLate: looksBack(),
  onlineSeconds: sum(),
} as const satisfies Record<string, MeasureSource>;

export type Measure = keyof typeof MEASURES;

/** The measures of kept and broken promises, by metric. */
export const PROMISES = {
  first_response: { met: 'responsesInTime', missed: 'responsesTooLate' },
  reply: { met: 'repliesInTime', missed: 'repliesTooLate' },
  resolution: { met: 'resolutionsInTime', missed: 'resolutionsTooLate' },
} as const satisfies Record<SlaMetric, { readonly met: Measure; readonly missed: Measure }>;

/**
 * The measures that can be added over the parts of a cell, since each event counts in one part only. The other measures
 * cannot: they count a case once in each part but also only once in the whole, or they take the last of several events.
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

/** Whether a measure counts promises. */
export const isOfPromises = (measure: Measure): boolean =>
  Object.values(PROMISES).some(({ met, missed }) => measure === met || measure === missed);

/** Returns the source of a measure. */
export const sourceOf = (measure: Measure): MeasureSource => MEASURES[measure];
