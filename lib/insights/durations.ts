import { keysOf } from '../typed-object.ts';
import type { Measure } from './measures.ts';

/** A duration that has statistics, with the measures of its mean: mean and statistics have the same sample. */
export interface Duration {
  readonly seconds: Measure; // the sum
  readonly count: Measure; // the size of the sample
  readonly sample: string; // one sentence: what is in the sample of a cell
}

/** The durations that `<duration>:<statistic>` can name. */
export const DURATIONS = {
  time_to_first_response: {
    seconds: 'responseSeconds',
    count: 'responses',
    sample: 'the time from creation to the first reply of an agent, once for each case that a customer opened',
  },
  time_to_resolution: {
    seconds: 'resolutionSeconds',
    count: 'resolutions',
    sample: 'the time from creation to the last resolve in the cell, once for each resolved case with a creation',
  },
  handle_time: {
    seconds: 'handledSeconds',
    count: 'handledCases',
    sample: 'the time worked on a case in the cell, once for each case worked on',
  },
  reply_time: {
    seconds: 'waitSeconds',
    count: 'repliesToWaits',
    sample: 'the time that a customer waited for a reply, once for each reply that ends a wait',
  },
} as const satisfies Record<string, Duration>;

export type DurationName = keyof typeof DURATIONS;

export const DURATION_NAMES = keysOf(DURATIONS);

/**
 * The durations whose sample in a cell is the union of the samples of the cell's parts; `ADDS_UP` lists such measures.
 */
export const SAMPLES_ADD_UP: ReadonlySet<DurationName> = new Set<DurationName>([
  'time_to_first_response',
  'reply_time',
]);

/** The statistics of a duration, without percentiles. */
export const STATISTICS = {
  mean: 'the mean of the sample',
  min: 'the shortest value of the sample',
  max: 'the longest value of the sample',
  count: 'the number of values in the sample',
} as const;

/** A position in a sorted sample, in percent of the way from the smallest value to the largest. */
export type Percent = number; // 0 the smallest, 1 … 99 percentiles, 100 the largest

/** `<duration>:<statistic>`. */
export type StatisticName = `${DurationName}:${keyof typeof STATISTICS | `p${number}`}`;

/** Splits a field's name into its duration and statistic; undefined for other names. */
export function readStatistic(
  name: string,
): { readonly duration: DurationName; readonly statistic: string } | undefined {
  const [, duration = '', statistic = ''] = /^([a-z_]+):([a-z]+|p[1-9]\d?)$/.exec(name) ?? [];
  const known = Object.hasOwn(STATISTICS, statistic) || /^p\d+$/.test(statistic);
  return known && isDuration(duration) ? { duration, statistic } : undefined;
}

const isDuration = (name: string): name is DurationName => Object.hasOwn(DURATIONS, name);

/** The position of a statistic in the sorted sample; undefined for `mean` and `count`, which need no sample. */
export function percentOf(statistic: string): Percent | undefined {
  if (statistic === 'min') return 0;
  if (statistic === 'max') return 100;
  return statistic.startsWith('p') ? Number(statistic.slice(1)) : undefined;
}
