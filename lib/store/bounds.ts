/** How many of a kind a site may have, so that every list stays fast (docs/performance.md) and its order fits an item. */
export const MOST = { topics: 5_000, macros: 10_000, actions: 1_000, savedReports: 1_000 } as const;

/** Why no further one is taken, in a sentence; undefined where there is room. */
export function fullReason(kind: keyof typeof MOST, count: number): string | undefined {
  if (count < MOST[kind]) return undefined;
  const names = { topics: 'a site has', macros: 'a site has', actions: 'a macro has', savedReports: 'a site has' };
  const words = { topics: 'topics', macros: 'macros', actions: 'actions', savedReports: 'saved reports' };
  return `There are ${count} ${words[kind]}, and ${names[kind]} ${MOST[kind]} at most: delete some first.`;
}
