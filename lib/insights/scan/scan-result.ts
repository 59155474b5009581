import type { DurationName, Percent } from '../definitions/durations.ts';
import type { Measure } from '../definitions/measures.ts';
import type { CellSamples } from '../percentiles.ts';
import type { Member } from '../reference.ts';

/**
 * The result of scanning some segments, as plain data, so that it can come from another thread or Lambda function. All
 * facts of a case are in one segment, so the results of distinct segments add up exactly, including distinct counts.
 */
export interface ScanResult {
  readonly members: readonly [readonly (Member | null)[], readonly (Member | null)[]]; // by dimension and number
  readonly first: Int32Array; // by cell: the number of its member of the first dimension
  readonly second: Int32Array;
  readonly windows: Int32Array; // by cell
  readonly measures: readonly Measure[];
  readonly sums: readonly Float64Array[]; // by measure, by cell
  readonly samples: ReadonlyMap<DurationName, CellSamples>; // in any order within a cell
  readonly ranked?: ReadonlyMap<DurationName, ReadonlyMap<Percent, Float64Array>>; // by cell, where the values themselves are not known
}

/** A result with only some of its measures and durations. */
export function someMeasures(
  result: ScanResult,
  isMeasure: (measure: Measure) => boolean,
  isDuration: (duration: DurationName) => boolean = () => true,
): ScanResult {
  const indexes = result.measures.flatMap((measure, index) => (isMeasure(measure) ? [index] : []));
  return {
    ...result,
    measures: indexes.map((index) => result.measures[index]!),
    sums: indexes.map((index) => result.sums[index]!),
    samples: new Map([...result.samples].filter(([duration]) => isDuration(duration))),
  };
}

/** A result with only the cells of some of its windows. */
export function someWindows(result: ScanResult, isWanted: (window: number) => boolean): ScanResult {
  const cells = Int32Array.from(result.windows.keys()).filter((cell) => isWanted(result.windows[cell]!));
  const pick = (numbers: Int32Array): Int32Array => cells.map((cell) => numbers[cell]!);
  return {
    ...result,
    first: pick(result.first),
    second: pick(result.second),
    windows: pick(result.windows),
    sums: result.sums.map((sums) => Float64Array.from(cells, (cell) => sums[cell]!)),
    samples: new Map([...result.samples].map(([duration, samples]) => [duration, samplesOf(samples, cells)])),
  };
}

function samplesOf({ offsets, values }: CellSamples, cells: Int32Array): CellSamples {
  const some = new Int32Array(cells.length + 1);
  for (const [at, cell] of cells.entries()) some[at + 1] = some[at]! + offsets[cell + 1]! - offsets[cell]!;
  const picked = new Float64Array(some[cells.length]!);
  for (const [at, cell] of cells.entries()) picked.set(values.subarray(offsets[cell]!, offsets[cell + 1]!), some[at]!);
  return { offsets: some, values: picked };
}
