/** Chance from a seed: the same seed makes the same file. */
export interface Chance {
  readonly next: () => number; // 0…1, exclusive
  readonly int: (most: number) => number; // 0…most - 1
  readonly pick: <T>(list: readonly T[]) => T;
  readonly maybe: (part: number) => boolean;
  readonly some: <T>(list: readonly T[], count: number) => T[]; // different ones
}

export function chanceOf(seed: number): Chance {
  let state = (seed * 2_654_435_761) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const int = (most: number): number => Math.floor(next() * most);
  const pick = <T>(list: readonly T[]): T => {
    const one = list[int(list.length)];
    if (one === undefined) throw new Error('nothing to pick from');
    return one;
  };
  const some = <T>(list: readonly T[], count: number): T[] => {
    const rest = [...list];
    return Array.from({ length: Math.min(count, rest.length) }, () => rest.splice(int(rest.length), 1)).flat();
  };
  return { next, int, pick, maybe: (part) => next() < part, some };
}
