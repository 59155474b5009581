/** Chance from a fixed seed: the same demo site everywhere. */
export interface Chance {
  /** A number from 0, below 1. */
  next(): number;
  /** Whether something of this probability happens. */
  is(probability: number): boolean;
  /** An integer from `least` to `most`. */
  between(least: number, most: number): number;
  /** One of a list, the first ones more often than the last. */
  pick<T>(list: readonly [T, ...T[]]): T;
}

/** Mulberry32: small, and the same on every machine. */
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
