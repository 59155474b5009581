/** Rejected lines that have one reason, values aside. */
export interface RejectionGroup {
  readonly reason: string; // `…` stands for the values that differ, the first of which are named behind it
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
const VALUES = 5; // of a group that are named

/** What differs from line to line: quoted values and numbers. */
const VALUE = /"(?:[^"\\]|\\.)*"|\d+/g;

interface Group {
  readonly texts: readonly string[]; // of the reason, what is between its values
  readonly met: Map<string, Values>; // the first distinct ones, by their JSON
  readonly first: string[];
  count: number;
  others: boolean; // there are further values
}

interface Values {
  readonly values: readonly string[];
  count: number;
}

export function newRejections(): Rejections {
  let shown = 0;
  const groups = new Map<string, Group>();

  function groupOf(texts: readonly string[]): Group {
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

/** A group's reason: as it is where all have the same values, else with the values apart. */
function reasonOf({ texts, met, others }: Group): string {
  const all = [...met.values()];
  const differs = texts.slice(1).map((_, place) => all.some(({ values }) => values[place] !== all[0]?.values[place]));
  const value = (place: number): string => (differs[place] ? '…' : (all[0]?.values[place] ?? ''));
  const reason = texts.map((text, place) => (place === 0 ? text : value(place - 1) + text)).join('');
  if (!differs.includes(true)) return reason;
  const named = all.map(({ values, count }) => {
    const own = values.filter((_, place) => differs[place]).join(' and ');
    return count === 1 ? own : `${own} ${count} times`;
  });
  return `${reason} (${named.join(', ')}${others ? ', …' : ''})`;
}
