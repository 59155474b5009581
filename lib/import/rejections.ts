/** Rejected lines that have one reason, values aside. */
export interface RejectionGroup {
  readonly reason: string; // of the first
  readonly count: number;
  readonly first: readonly string[]; // where the first few stand, as `file:line`
}

/** The rejections of an import, grouped by reason. */
export interface Rejections {
  /** Counts one; says whether it is among the first of its group, which are shown one by one. */
  readonly add: (where: string, reason: string) => boolean;
  /** The largest groups first. */
  readonly groups: () => readonly RejectionGroup[];
}

const SHOWN = 5; // of a group
const SHOWN_IN_ALL = 100; // so that a file of many mistakes does not fill the screen
const MOST = 200; // groups; what has yet another reason is counted together

/** A reason without what differs from line to line: quoted values and numbers. */
const patternOf = (reason: string): string => reason.replaceAll(/"(?:[^"\\]|\\.)*"|\d+/g, '#');

export function newRejections(): Rejections {
  let shown = 0;
  const groups = new Map<string, { reason: string; count: number; first: string[] }>();
  return {
    add: (where, reason) => {
      const pattern = patternOf(reason);
      const isNew = !groups.has(pattern);
      const key = isNew && groups.size >= MOST ? '' : pattern;
      let group = groups.get(key);
      if (group === undefined)
        groups.set(key, (group = { reason: key === '' ? 'other reasons' : reason, count: 0, first: [] }));
      group.count += 1;
      if (group.first.length >= SHOWN) return false;
      group.first.push(where);
      shown += 1;
      return shown <= SHOWN_IN_ALL;
    },
    groups: () => [...groups.values()].sort((a, b) => b.count - a.count),
  };
}
