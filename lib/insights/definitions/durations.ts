import { keysOf } from '../../typed-object.ts';
import { addsUp, type Measure } from './measures.ts';

/** A duration that has statistics, with the measures of its mean: mean and statistics have the same sample. */
export interface Duration {
  readonly label: string; // for people
  readonly seconds: Measure; // the sum
  readonly count: Measure; // the size of the sample
  readonly sample: string; // one sentence: what is in the sample of a cell
  readonly alsoCalled: readonly string[]; // other words that people search it by
}

/** The durations that `<duration>:<statistic>` can name. */
export const DURATIONS = {
  time_to_first_response: {
    label: 'First response',
    seconds: 'responseSeconds',
    count: 'responses',
    sample: 'the time from creation to the first reply of an agent, once for each case that a customer opened',
    alsoCalled: ['FRT', 'first reply time', 'first response time', 'time to first reply', 'response time'],
  },
  time_to_resolution: {
    label: 'Time to resolution',
    seconds: 'resolutionSeconds',
    count: 'resolutions',
    sample: 'the time from creation to the last resolve in the cell, once for each resolved case with a creation',
    alsoCalled: ['TTR', 'resolution time', 'full resolution time', 'time to close', 'time to solve', 'MTTR'],
  },
  handle_time: {
    label: 'Handle time',
    seconds: 'handledSeconds',
    count: 'handledCases',
    sample: 'the time worked on a case in the cell, once for each case worked on',
    alsoCalled: ['AHT', 'average handle time', 'handling time', 'time spent', 'time worked', 'work time'],
  },
  reply_time: {
    label: 'Reply time',
    seconds: 'waitSeconds',
    count: 'repliesToWaits',
    sample: 'the time that a customer waited for a reply, once for each reply that ends a wait',
    alsoCalled: ['wait time', 'requester wait time', 'response time', 'next reply time', 'customers wait'],
  },
} as const satisfies Record<string, Duration>;

export type DurationName = keyof typeof DURATIONS;

export const DURATION_NAMES = keysOf(DURATIONS);

/** Whether the sample of a duration in a cell is the union of the samples of the cell's parts. */
export const samplesAddUp = (duration: DurationName): boolean => addsUp(DURATIONS[duration].count);

/** The statistics of a duration, without percentiles. */
export const STATISTICS = {
  mean: { label: 'mean', meaning: 'the mean of the sample' },
  min: { label: 'shortest', meaning: 'the shortest value of the sample' },
  max: { label: 'longest', meaning: 'the longest value of the sample' },
  count: { label: 'number of cases', meaning: 'the number of values in the sample' },
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
  const known = isStatistic(statistic) || /^p\d+$/.test(statistic);
  return known && isDuration(duration) ? { duration, statistic } : undefined;
}

/** A statistic for people: `p90` is "90th percentile". */
export function statisticLabel(statistic: string): string {
  if (isStatistic(statistic)) return STATISTICS[statistic].label;
  return statistic === 'p50' ? 'median' : `${statistic.slice(1)}th percentile`;
}

const isStatistic = (name: string): name is keyof typeof STATISTICS => Object.hasOwn(STATISTICS, name);
const isDuration = (name: string): name is DurationName => Object.hasOwn(DURATIONS, name);

/** The position of a statistic in the sorted sample; undefined for `mean` and `count`, which need no sample. */
export function percentOf(statistic: string): Percent | undefined {
  if (statistic === 'min') return 0;
  if (statistic === 'max') return 100;
  return statistic.startsWith('p') ? Number(statistic.slice(1)) : undefined;
}
