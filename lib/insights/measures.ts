import type { FactKind } from '../history/cases/case-row.ts';

/** What a scan adds up, and the kinds of facts that it counts by. */
export interface MeasureSource {
  readonly adds: 'count' | 'sum'; // a sum may pass 2^32
  readonly kinds: readonly FactKind[];
  readonly rows?: 2; // the ROW_VERSION it needs; default 1
}

const count = (...kinds: FactKind[]): MeasureSource => ({ adds: 'count', kinds });
const sum = (...kinds: FactKind[]): MeasureSource => ({ adds: 'sum', kinds });

const later = (source: MeasureSource): MeasureSource => ({ ...source, rows: 2 });

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
  openCases: later(count()), // at the end of the window
  onlineSeconds: sum(),
} as const satisfies Record<string, MeasureSource>;

export type Measure = keyof typeof MEASURES;

export const ALL_MEASURES = Object.keys(MEASURES) as readonly Measure[];
