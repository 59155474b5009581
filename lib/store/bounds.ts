/**
 * The largest number of each kind in a site (actions: in a macro), so that every list stays fast (docs/performance.md)
 * and its order fits in an item.
 */
export const COLLECTION_LIMITS = { topics: 5_000, macros: 10_000, actions: 1_000, savedReports: 1_000 } as const;

/** A sentence that says why no more can be added; undefined if there is room. */
export function fullReason(kind: keyof typeof COLLECTION_LIMITS, count: number): string | undefined {
  if (count < COLLECTION_LIMITS[kind]) return undefined;
  const names = { topics: 'a site has', macros: 'a site has', actions: 'a macro has', savedReports: 'a site has' };
  const words = { topics: 'topics', macros: 'macros', actions: 'actions', savedReports: 'saved reports' };
  return `There are ${count} ${words[kind]}, and ${names[kind]} ${COLLECTION_LIMITS[kind]} at most: delete some first.`;
}
