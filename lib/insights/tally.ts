import { grown } from './grown.ts';
import type { Measure } from './measures.ts';

/** What has been added up in each cell, and the last case that was counted in it. */
export interface Tally {
  /** Makes room for cells below `cells`; arrays got before are stale then. */
  room(cells: number): void;
  wants(measure: Measure): boolean;
  /** The sums of a measure by cell; undefined for one that is not wanted. */
  sums(measure: Measure): Float64Array | undefined;
  /** By cell the number of the last case counted, from 1. */
  lastCase(distinct: Distinct): Int32Array;
  /** The same for each of some neighbouring rows by itself, so that these need not come one after another. */
  caseMarks(): CaseMarks;
}

/** last[(row % rows) × stride + cell]: the last case counted in the cell, of those with the same remainder. */
export interface CaseMarks {
  readonly last: Int32Array;
  readonly rows: number; // a power of two
  readonly stride: number;
}

const MARKS = 2 ** 17; // of 4 bytes: what stays in a processor's cache

/** What counts cases once: they come one after another, so one comparison a fact makes the count exact. */
export type Distinct = 'handled' | 'resolved';

/** A tally of nothing yet, for at most so many cells. */
export function createTally(wanted: Iterable<Measure>, most: number): Tally {
  let capacity = 0;
  const sums = new Map(Array.from(wanted, (measure) => [measure, new Float64Array(0)]));
  let marks = new Int32Array(0);
  const last: Record<Distinct, Int32Array> = {
    handled: new Int32Array(0),
    resolved: new Int32Array(0),
  };
  return {
    room: (cells) => {
      if (cells <= capacity) return;
      capacity = Math.max(cells, Math.min(most, 2 * capacity));
      for (const [measure, before] of sums) {
        sums.set(measure, grown(before, new Float64Array(capacity)));
      }
    },
    wants: (measure) => sums.has(measure),
    sums: (measure) => sums.get(measure),
    lastCase: (distinct) => {
      if (last[distinct].length < capacity) {
        last[distinct] = grown(last[distinct], new Int32Array(capacity));
      }
      return last[distinct];
    },
    caseMarks: () => {
      let rows = 1;
      while (2 * rows * capacity <= MARKS) rows *= 2;
      // What is left in the marks are numbers of earlier cases, so it does not matter where they stand.
      if (marks.length < rows * capacity) marks = new Int32Array(rows * capacity);
      return { last: marks, rows, stride: capacity };
    },
  };
}

/** Bytes a cell takes for these measures, the marks of the last cases included. */
export const cellBytes = (measures: number): number => 8 * measures + 12;
