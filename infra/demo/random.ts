/** Random choices from a fixed seed, so that the demo site is the same everywhere. */
export interface Chance {
  /** A number from 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** True with this probability. */
  is(probability: number): boolean;
  /** An integer from `least` to `most`. */
  between(least: number, most: number): number;
  /** An element of a list, the first ones more often than the last. */
  pick<T>(list: readonly [T, ...T[]]): T;
}

/** The generator Mulberry32: short, and equal on every machine. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    is: (probability) => next() < probability,
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    pick: (list) => list[Math.floor(next() ** 1.4 * list.length)] ?? list[0],
  };
}
