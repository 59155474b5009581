import { isTotal } from './fields.ts';
import type { CellParts } from './oracle.ts';

/** What chance says of two numbers; `open` where it is a matter of the last bit. */
export type Verdict = boolean | null | 'open';

/**
 * Whether chance alone would give the difference between a number and the one that it is compared with, by the words of
 * docs/insights.md: from what each is made of, and for percentiles from all values. Undefined parts: nothing happened.
 */
export function chanceOf(field: string, now: CellParts | undefined, before: CellParts | undefined): Verdict {
  const [, statistic = ''] = field.split(':');
  if (isTotal(field)) {
    if (field === 'agent_time_online') return null;
    const [a, b] = [now, before].map((parts) => (statistic === 'count' ? parts?.sample.length : parts?.sum) ?? 0);
    return within(Math.abs((a ?? 0) - (b ?? 0)), 2 * Math.sqrt((a ?? 0) + (b ?? 0)));
  }
  if (now === undefined || before === undefined || statistic === 'min' || statistic === 'max') return null;
  if (/^p\d+$/.test(statistic)) {
    const share = Number(statistic.slice(1)) / 100;
    return isAmong(share, now.sample, before.sample) || isAmong(share, before.sample, now.sample);
  }
  if (/_rate$/.test(field)) return ratesByChance(now, before);
  if (/^(handle_time:mean|avg_handle_time|avg_interactions)$/.test(field)) return null;
  return meansByChance(now.sample, before.sample);
}

function within(difference: number, most: number): Verdict {
  return Math.abs(difference - most) < 1e-9 * (1 + most) && !Number.isInteger(most) ? 'open' : difference <= most;
}

/** Two proportions, pooled, at 95 %; sums are percent of cases. */
function ratesByChance(now: CellParts, before: CellParts): Verdict {
  if (now.per === 0 || before.per === 0) return null;
  const [a, b] = [now.sum / 100, before.sum / 100];
  const p = (a + b) / (now.per + before.per);
  const error = Math.sqrt(Math.max(0, p * (1 - p)) * (1 / now.per + 1 / before.per));
  return within(Math.abs(a / now.per - b / before.per), 1.96 * error);
}

/** Welch, at 95 %; a single value says nothing. */
function meansByChance(now: readonly number[], before: readonly number[]): Verdict {
  if (now.length === 0 || before.length === 0) return null;
  if (now.length === 1 || before.length === 1) return true;
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const error = (values: readonly number[]): number => {
    const middle = mean(values);
    return values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1) / values.length;
  };
  return within(Math.abs(mean(now) - mean(before)), 1.96 * Math.sqrt(error(now) + error(before)));
}

/** Whether the percentile of one sample lies within the middle 95 % of ranks of the other. */
function isAmong(share: number, sample: readonly number[], of: readonly number[]): boolean | null {
  if (sample.length === 0 || of.length === 0) return null;
  const place = Math.round(share * 100) * (of.length - 1);
  const low = of[Math.floor(place / 100)] ?? 0;
  const value = low + ((place % 100) / 100) * ((of[Math.floor(place / 100) + 1] ?? low) - low);
  const count = sample.length;
  const chances = belowChances(count, share);
  // Rank k (from 1) is too low if at most 2.5 % of samples have fewer than k values below the percentile.
  const tooLow = sample.findLast((_, at) => (chances[at] ?? 1) <= 0.025);
  const tooHigh = sample.find((_, at) => 1 - (chances[at] ?? 1) <= 0.025);
  return (tooLow === undefined || value >= tooLow) && (tooHigh === undefined || value <= tooHigh);
}

/** By rank less one: the chance that at most so many of a sample lie below a percentile of the population. */
function belowChances(count: number, share: number): number[] {
  let row = [1];
  for (let n = 0; n < count; n += 1) {
    row = [...row, 0].map((each, k) => each * (1 - share) + (row[k - 1] ?? 0) * share);
  }
  return row.map((_, rank) => row.slice(0, rank + 1).reduce((sum, each) => sum + each, 0));
}
