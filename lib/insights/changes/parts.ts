import type { Percent } from '../definitions/durations.ts';
import { percentile } from '../percentiles.ts';

/** A member's part of a total: the sum and the denominator of its cell, 0 for a cell without facts. */
export interface Part {
  readonly sum: number;
  readonly count: number;
}

/** What a member adds to a change, before rounding. */
export interface Contribution {
  readonly whole: number;
  readonly rate: number; // by its own number
  readonly mix: number; // by its share of the denominator
}

/**
 * What a member adds to the change of a rate or mean: with shares w and values r of the member, and R the total before,
 * w₁(r₁ − r₀) by its own number and (w₁ − w₀)(r₀ − R) by its share. Over all members they add up to the change. A member
 * that is new or gone has only the latter, by the number that it has; so has one whose sum has no denominator (reopens
 * without a resolve).
 */
export function contributionOf(
  now: Part,
  before: Part,
  totals: { readonly now: Part; readonly before: Part },
): Contribution {
  const [share, shareBefore] = [now.count / totals.now.count, before.count / totals.before.count];
  const total = totals.before.sum / totals.before.count;
  const whole = now.sum / totals.now.count - before.sum / totals.before.count - total * (share - shareBefore);
  if (now.count === 0 || before.count === 0) return { whole, rate: 0, mix: whole };
  const earlier = before.sum / before.count;
  return { whole, rate: share * (now.sum / now.count - earlier), mix: (share - shareBefore) * (earlier - total) };
}

/** How much of a change the three largest contributions in its direction are, at most 1; null if none has its direction. */
export function shareOf(change: number, contributions: readonly number[]): number | null {
  const along = contributions.filter((each) => each * change > 0).sort((a, b) => Math.abs(b) - Math.abs(a));
  if (along.length === 0) return null;
  return Math.min(1, along.slice(0, 3).reduce((sum, each) => sum + each, 0) / change);
}

/** The percentile that a sorted sample would have with the values of `added` in place of those of `taken`; null of none. */
export function percentileWith(
  percent: Percent,
  all: Float64Array,
  taken: Float64Array,
  added: Float64Array,
): number | null {
  const count = all.length - taken.length + added.length;
  if (count <= 0) return null;
  const upTo = (value: number): number => atMost(all, value) - atMost(taken, value) + atMost(added, value);
  const hundredths = percent * (count - 1);
  const rank = Math.floor(hundredths / 100);
  const largest = Math.max(all.at(-1) ?? 0, added.at(-1) ?? 0);
  const two = Float64Array.of(valueAt(rank, upTo, largest), valueAt(Math.min(rank + 1, count - 1), upTo, largest));
  return percentile(two, hundredths - 100 * rank);
}

/** The whole number at a rank from 0. */
function valueAt(rank: number, upTo: (value: number) => number, largest: number): number {
  let [low, high] = [0, largest];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (upTo(middle) > rank) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** How many values of a sorted sample are at most `value`. */
function atMost(sorted: Float64Array, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The values of a sorted sample that are in none of the others, which are disjoint parts of it. */
export function restOf(all: Float64Array, parts: readonly Float64Array[]): Float64Array {
  const taken = Float64Array.from(parts.flatMap((part) => Array.from(part))).sort();
  const rest: number[] = [];
  let at = 0;
  for (const value of all) {
    if (taken[at] === value) at += 1;
    else rest.push(value);
  }
  return Float64Array.from(rest);
}
