/**
 * The largest number of each kind in a site (actions: in a macro), so that every list stays fast (docs/performance.md)
 * and its order fits in an item.
 */
export const COLLECTION_LIMITS = {
  topics: 5_000,
  macros: 10_000,
  actions: 1_000,
  'saved reports': 1_000,
  boards: 200,
  'links to boards': 1_000,
  subscriptions: 200,
  alerts: 200,
  articles: 20_000,
  brands: 1_000,
  labels: 5_000,
  'custom fields': 1_000,
  companies: 50_000,
  calendars: 200,
  'SLA policies': 200,
  users: 20_000,
} as const;

/** The kinds that have a limit, in the words in which people are told of it. */
export type Limited = keyof typeof COLLECTION_LIMITS;

/** A sentence that says why no more can be added; undefined if there is room. */
export function fullReason(kind: Limited, count: number, deleted = 0): string | undefined {
  const most = COLLECTION_LIMITS[kind];
  const owner = kind === 'actions' ? 'a macro' : 'a site';
  if (count < most) return undefined;
  const which = deleted === 0 ? '' : `, with ${deleted} deleted ones that cases or imports may name`;
  return `There are ${count} ${kind}${which}, and ${owner} has ${most} at most: delete some first.`;
}
