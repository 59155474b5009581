/** Chance that is the same on every run: xorshift32, as good as made-up histories need. */
export interface Chance {
  readonly below: (count: number) => number; // an integer in [0, count)
  readonly hits: (probability: number) => boolean;
  readonly between: (low: number, high: number) => number; // an integer in [low, high]
  /** A place in [0, count), each about 1 / (place + 1) as likely as the first: few are busy, many are not. */
  readonly skewed: (count: number) => number;
  /** A number whose logarithm is spread evenly over [low, high]. */
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
