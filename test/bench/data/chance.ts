/** Random numbers that are the same in every run, by xorshift32, which is good enough for made-up histories. */
export interface Chance {
  readonly below: (count: number) => number; // an integer in [0, count)
  readonly hits: (probability: number) => boolean;
  readonly between: (low: number, high: number) => number; // an integer in [low, high]
  /** An integer in [0, count), where n is about 1 / (n + 1) times as likely as 0: a few are frequent, many are rare. */
  readonly skewed: (count: number) => number;
  /** A number in [low, high] whose logarithm is uniformly distributed. */
  readonly spread: (low: number, high: number) => number;
}

export function createChance(seed: number): Chance {
  let state = seed | 0 || 1;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4_294_967_296;
  };
  return {
    below: (count) => Math.floor(next() * count),
    hits: (probability) => next() < probability,
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    skewed: (count) => Math.min(count - 1, Math.floor((count + 1) ** next()) - 1),
    spread: (low, high) => Math.round(low * (high / low) ** next()),
  };
}
