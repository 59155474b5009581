/** Rejected lines with the same reason, but for the values in it. */
export interface RejectionGroup {
  readonly reason: string; // `…` replaces values that differ; the first of these follow in brackets
  readonly count: number;
  readonly first: readonly string[]; // the first few lines, as `file:line`
}

/** The rejections of an import, grouped by reason. */
export interface Rejections {
  /** Counts a rejection; returns whether it is among the first of its group, which are shown one by one. */
  readonly add: (where: string, reason: string) => boolean;
  /** Returns the groups, the largest first. */
  readonly groups: () => readonly RejectionGroup[];
}

const SHOWN = 5; // lines of a group
const SHOWN_IN_ALL = 100; // lines, so that a file with many mistakes does not fill the screen
const MOST = 200; // groups; further reasons share one more group
const VALUES = 5; // differing values of a group that are named

/** The parts of a reason that differ from line to line: quoted values and numbers. */
const VALUE = /"(?:[^"\\]|\\.)*"|\d+/g;

interface ReasonGroup {
  readonly texts: readonly string[]; // the reason, split at its values
  readonly met: Map<string, Values>; // the first distinct values, by their JSON
  readonly first: string[];
  count: number;
  others: boolean; // there are further distinct values
}

interface Values {
  readonly values: readonly string[];
  count: number;
}

export function newRejections(): Rejections {
  let shown = 0;
  const groups = new Map<string, ReasonGroup>();

  function groupOf(texts: readonly string[]): ReasonGroup {
    const own = JSON.stringify(texts);
    const isOther = !groups.has(own) && groups.size >= MOST;
    const key = isOther ? '' : own;
    let group = groups.get(key);
    if (group === undefined) {
      group = { texts: isOther ? ['other reasons'] : texts, met: new Map(), first: [], count: 0, others: false };
      groups.set(key, group);
    }
    return group;
  }

  return {
    add: (where, reason) => {
      const group = groupOf(reason.split(VALUE));
      group.count += 1;
      const values = reason.match(VALUE) ?? [];
      const key = JSON.stringify(values);
      const met = group.met.get(key);
      if (met !== undefined) met.count += 1;
      else if (group.met.size < VALUES) group.met.set(key, { values, count: 1 });
      else group.others = true;
      if (group.first.length >= SHOWN) return false;
      group.first.push(where);
      shown += 1;
      return shown <= SHOWN_IN_ALL;
    },
    groups: () =>
      [...groups.values()]
        .sort((a, b) => b.count - a.count)
        .map((group) => ({ reason: reasonOf(group), count: group.count, first: group.first })),
  };
}

/** Returns a group's reason: unchanged if all lines have the same values, else with the differing values at its end. */
function reasonOf({ texts, met, others }: ReasonGroup): string {
  const all = [...met.values()];
  const differs = texts.slice(1).map((_, index) => all.some(({ values }) => values[index] !== all[0]?.values[index]));
  const value = (index: number): string => (differs[index] ? '…' : (all[0]?.values[index] ?? ''));
  const reason = texts.map((text, index) => (index === 0 ? text : value(index - 1) + text)).join('');
  if (!differs.includes(true)) return reason;
  const named = all.map(({ values, count }) => {
    const own = values.filter((_, index) => differs[index]).join(' and ');
    return count === 1 ? own : `${own} ${count} times`;
  });
  return `${reason} (${named.join(', ')}${others ? ', …' : ''})`;
}
