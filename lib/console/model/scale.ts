/** A linear scale: maps values in [0, top] to positions in [from, to]. */
export const linear =
  (top: number, from: number, to: number) =>
  (value: number): number =>
    top === 0 ? from : from + (value / top) * (to - from);

/** The largest of some values, at least 0; of as many as there are, where `Math.max(...values)` ends in a RangeError. */
export const highest = (values: readonly (number | null)[]): number =>
  values.reduce<number>((top, value) => Math.max(top, value ?? 0), 0);

const DECIMAL = [1, 2, 5, 10];
const SECONDS = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 14_400, 21_600, 43_200, 86_400, 172_800,
  259_200, 432_000, 604_800, 1_209_600, 2_592_000, 5_184_000, 7_776_000, 15_552_000, 31_536_000,
];

/** The kind of steps between ticks: round numbers, round whole numbers for counts, or round times in seconds. */
export type TickKind = 'number' | 'count' | 'seconds';

/**
 * The ticks from 0 to the first round number at or above `highest`, in at most `most` steps. A chart without values
 * above 0 has the ticks 0 and 1.
 */
export function ticks(highest: number, most: number, kind: TickKind): number[] {
  if (!(highest > 0) || !Number.isFinite(highest)) return [0, 1];
  const step = stepOf(highest / most, kind);
  const count = Math.ceil(highest / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}

function stepOf(least: number, kind: TickKind): number {
  if (kind === 'seconds') {
    const fitting = SECONDS.find((step) => step >= least);
    if (fitting !== undefined) return fitting;
  }
  const power = 10 ** Math.floor(Math.log10(least));
  const step = (DECIMAL.find((factor) => factor * power >= least * (1 - 1e-9)) ?? 10) * power;
  return kind === 'number' ? step : Math.max(1, step);
}

/** Where the run of so many neighbours begins whose sum is the largest: the first one of several. */
export function largestRun(values: readonly number[], length: number): number {
  const sumFrom = (start: number): number => values.slice(start, start + length).reduce((sum, value) => sum + value, 0);
  const starts = Array.from({ length: Math.max(1, values.length - length + 1) }, (_, start) => start);
  return starts.reduce((best, start) => (sumFrom(start) > sumFrom(best) ? start : best), 0);
}

/** The indexes of labels to show if there is room for `room` of `count`: the first, and every n-th after it. */
export function thinned(count: number, room: number): number[] {
  const every = Math.max(1, Math.ceil(count / Math.max(1, room)));
  return Array.from({ length: Math.ceil(count / every) }, (_, index) => index * every);
}
