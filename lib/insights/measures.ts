import type { FactKind } from '../history/cases/case-row.ts';

/**
 * What a scan adds up in each cell, and whether it may pass 2^32. Fields are made of these (`fields.ts`), partial results
 * add them (`partial.ts`), because a case lies whole in one segment.
 */
export const MEASURES = {
  creates: 'count', // cases created
  inboundCases: 'count', // of these: opened by an inbound interaction
  outboundCases: 'count',
  inbound: 'count', // interactions
  outbound: 'count',
  interactingCases: 'count', // distinct cases with an interaction
  responses: 'count', // first agent replies of cases opened by an inbound interaction
  responseSeconds: 'sum', // creation to that reply
  handledSeconds: 'sum', // clipped to the window
  handledCases: 'count', // distinct
  resolves: 'count',
  resolvedCases: 'count', // distinct; all below are of the last resolve of each
  resolutions: 'count', // of cases with a creation
  resolutionSeconds: 'sum', // creation to the resolve
  repliesToResolve: 'sum', // outbound interactions up to the resolve
  firstContacts: 'count', // one reply, then 14 quiet days
  unanswered: 'count', // no reply
  withMacro: 'count', // a macro at or before the resolve
  reopens: 'count',
  views: 'count',
  macros: 'count', // applications
  labels: 'count', // applications
  deletes: 'count',
  onlineSeconds: 'sum',
} as const satisfies Record<string, 'count' | 'sum'>;

export type Measure = keyof typeof MEASURES;

/** The kinds of facts that a measure is counted by. */
export const KINDS: Readonly<Record<Measure, readonly FactKind[]>> = {
  creates: ['created'],
  inboundCases: ['created'],
  outboundCases: ['created'],
  inbound: ['inbound'],
  outbound: ['outbound'],
  interactingCases: ['inbound', 'outbound'],
  responses: ['outbound'],
  responseSeconds: ['outbound'],
  handledSeconds: ['handle'],
  handledCases: ['handle'],
  resolves: ['resolve'],
  resolvedCases: ['resolve'],
  resolutions: ['resolve'],
  resolutionSeconds: ['resolve'],
  repliesToResolve: ['resolve'],
  firstContacts: ['resolve'],
  unanswered: ['resolve'],
  withMacro: ['resolve'],
  reopens: ['reopen'],
  views: ['view'],
  macros: ['macro'],
  labels: ['label'],
  deletes: ['delete'],
  onlineSeconds: [],
};

export const ALL_MEASURES = Object.keys(MEASURES) as readonly Measure[];
