import type { DurationName } from '../durations.ts';
import type { Measure } from '../measures.ts';
import type { CellSamples } from '../percentiles.ts';
import type { Member } from '../reference.ts';

/**
 * What a scan of some segments found, as plain data: it can come from another thread or function. Cases lie whole in one
 * segment, so partial results of distinct segments add up exactly, distinct counts included.
 */
export interface Partial {
  readonly members: readonly [readonly (Member | null)[], readonly (Member | null)[]]; // that `first` and `second` mean
  readonly first: Int32Array; // by cell
  readonly second: Int32Array;
  readonly windows: Int32Array;
  readonly measures: readonly Measure[];
  readonly sums: readonly Float64Array[]; // by measure, by cell
  readonly samples: ReadonlyMap<DurationName, CellSamples>; // in any order within a cell
}
