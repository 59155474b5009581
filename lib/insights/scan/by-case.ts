// Why a number moved asks for one number by a dozen dimensions. With this file each fact is chosen, located and added up
// once for all those of cases (`npm run bench -- changes`).

import type { Segment } from '../../history/segments/segment.ts';
import { dimensionNamed } from '../definitions/dimensions.ts';
import { DURATIONS } from '../definitions/durations.ts';
import { kindsOf } from '../definitions/measures.ts';
import type { Plan } from '../plan.ts';
import { NO_DIMENSIONS } from '../request.ts';
import { addGroup, factGroups, remembering } from './add-up.ts';
import { identity } from './arrays.ts';
import { type Axes, type Axis, axesOf } from './axis.ts';
import { gatherOpen } from './backlog.ts';
import { type Cells, cellOf, growPairTable } from './cells.ts';
import { addSample, roomForSamples, type Samples, sampleParts } from './samples.ts';
import { createScanContext, emptyCells, refuse, SCAN_MEMORY, toResult } from './scan.ts';
import type { ScanResult } from './scan-result.ts';
import { rowSelector } from './select-cases.ts';
import { createTally, type Tally } from './tally.ts';
import { type Buffers, type ScanContext, type SegmentView, viewSegment } from './view.ts';

/** A scan in progress for several plans. */
export interface SplitScan {
  addCases(segment: Segment, dead?: readonly number[]): void;
  results(): ReadonlyMap<Plan, ScanResult>;
  close(): void;
}

/** Whether a plan can be added up case by case: it has one window, and the members of all that it counts are those of cases. */
export function isByCase({ request: { dimension1, dimension2 }, windows, measures, samples, total }: Plan): boolean {
  if (dimension2 !== null || windows.starts.length !== 1 || total === true || measures.has('onlineSeconds'))
    return false;
  const kinds = [...measures, ...[...samples].map((duration) => DURATIONS[duration].seconds)].flatMap(kindsOf);
  const sources = (['created', ...kinds] as const).map(
    (kind) => dimension1 && dimensionNamed(dimension1).source(kind).of,
  );
  return sources.every((of) => of === null || of === 'case' || of === 'list');
}

/** A plan with what is added up for it. */
interface Split {
  readonly plan: Plan;
  readonly cells: Cells;
  readonly tally: Tally;
  readonly context: ScanContext;
}

/**
 * Starts a scan for plans that are the same but for their dimension, each of which `isByCase` takes. In a segment each
 * case has a cell of its own first; then each plan adds the cells of cases to those of its members. As there is one
 * window, a case counts for each of its members as it counts alone. Throws as `Scan` does.
 */
export function startByCase(plans: readonly [Plan, ...Plan[]], buffers: Buffers): SplitScan {
  const [{ measures, samples, ...first }] = plans;
  const groups = factGroups(measures, samples);
  const remembered = remembering(groups);
  const sized = (cells: { readonly size: number }, mostCells: number) => {
    return { measures, samples, remembering: remembered, cells, mostCells, sampleBytes: SCAN_MEMORY.samples };
  };
  const splits = plans.map((plan): Split => {
    const cells = emptyCells(plan, SCAN_MEMORY, remembered.length);
    const tally = createTally(sized(cells, cells.blocks * cells.windows + cells.most));
    return { plan, cells, tally, context: createScanContext(plan, { cells, buffers }) };
  });
  const alone = { measures, samples, ...first, request: { ...first.request, ...NO_DIMENSIONS } };
  const context = createScanContext(alone, { cells: emptyCells(alone, SCAN_MEMORY, 0), buffers });
  const select = rowSelector(alone.request.filters, alone.reference, alone.onTime);
  return {
    addCases: (segment, dead = []) =>
      refuse(alone, () => {
        const view = viewSegment(context, segment, () => select(segment, dead), 1);
        if (view === undefined) return;
        const rows = segment.head.rows;
        const ofCases = createTally(sized({ size: rows }, rows), buffers.sums);
        const byRow = rowView(view, rows);
        for (const group of groups) addGroup(byRow, group, ofCases);
        if (measures.has('openCases')) gatherOpen(byRow, ofCases);
        const counted = countedRows([...measures].map(ofCases.sums), rows);
        for (const split of splits) addRows(split, segment, counted, ofCases);
        ofCases.close();
      }),
    results: () =>
      new Map(splits.map(({ plan, cells, tally, context }) => [plan, toResult(plan, context, cells, tally)])),
    close: () => {
      for (const { tally } of splits) tally.close();
    },
  };
}

const NONE = new Int32Array(0);

/** A view of a segment in which each row is a member, whose cell has the number of the row. */
function rowView(view: SegmentView, rows: number): SegmentView {
  const axis: Axis = { level: 'row', numbers: identity(rows), offsets: NONE, rows: NONE, indices: NONE };
  const axes: Axes = { agent: undefined, of: () => axis };
  const combos = { single: true, offsets: identity(rows + 1), starts: identity(rows), entries: NONE };
  return { ...view, axes: [axes, view.axes[1]], combos };
}

/** The rows in which anything was added up. */
function countedRows(sums: readonly Float64Array[], rows: number): Int32Array {
  const counted = new Int32Array(rows);
  let count = 0;
  for (let row = 0; row < rows; row += 1) {
    counted[count] = row;
    for (const sum of sums) {
      if (sum[row] === 0) continue;
      count += 1;
      break;
    }
  }
  return counted.subarray(0, count);
}

/** Adds the cells of cases to those of their members. */
function addRows({ plan, cells, tally, context }: Split, segment: Segment, counted: Int32Array, ofCases: Tally): void {
  const axis = axesOf(context, segment, 0).of('created');
  growPairTable(cells);
  const { numbers } = axis;
  const offsets = axis.level === 'list' ? axis.offsets : identity(segment.head.rows + 1);
  const rows = new Int32Array(numbers.length);
  const into = new Int32Array(numbers.length);
  let count = 0;
  for (const row of counted) {
    for (let entry = offsets[row]!; entry < offsets[row + 1]!; entry += 1) {
      if (numbers[entry]! < 0) continue;
      rows[count] = row;
      into[count] = cellOf(cells, numbers[entry]!, 0, 0);
      count += 1;
    }
  }
  for (const measure of plan.measures) {
    const [from, to] = [ofCases.sums(measure), tally.sums(measure)];
    for (let k = 0; k < count; k += 1) to[into[k]!]! += from[rows[k]!]!;
  }
  for (const duration of plan.samples) {
    addSamples(ofCases.samples(duration), tally.samples(duration), (row, add) => {
      for (let entry = offsets[row]!; entry < offsets[row + 1]!; entry += 1)
        if (numbers[entry]! >= 0) add(cellOf(cells, numbers[entry]!, 0, 0));
    });
  }
}

/** Adds the values of cases to the cells that `cellsOf` finds for each. */
function addSamples(from: Samples, to: Samples, cellsOf: (row: number, add: (cell: number) => void) => void): void {
  for (const { cells, values, count } of sampleParts(from)) {
    for (let k = 0; k < count; k += 1) {
      cellsOf(cells[k]!, (cell) => {
        roomForSamples(to, 1);
        addSample(to, cell, values[k]!);
      });
    }
  }
}
