import type { SessionRow } from '../../history/cases/case-row.ts';
import type { Segment } from '../../history/segments/segment.ts';
import type { DurationName } from '../definitions/durations.ts';
import { kindsOf, type Measure } from '../definitions/measures.ts';
import type { CellSamples } from '../percentiles.ts';
import type { Plan } from '../plan.ts';
import { tooLarge } from '../too-large.ts';
import { addGroup, factGroups, remembering } from './add-up.ts';
import { addUpBacklog, backlogInstants, gatherOpen, NO_INSTANTS } from './backlog.ts';
import type { Cells, CellsOf } from './cells.ts';
import { cellKey, cellOf, createCells, growPairTable, TooManyCells } from './cells.ts';
import type { AgentSearch } from './choose-facts.ts';
import { clockOf } from './clock.ts';
import { windowLookup } from './lookup.ts';
import { numberMember } from './members.ts';
import { gatherOnline } from './online.ts';
import { createPromises } from './promises.ts';
import { indexesIn, joinSamples, scatterSamples } from './samples.ts';
import type { ScanResult } from './scan-result.ts';
import { rowSelector } from './select-cases.ts';
import { cellBytes, createTally, type Tally } from './tally.ts';
import type { Buffers, ScanContext, SegmentView } from './view.ts';
import { createBuffers, viewSegment } from './view.ts';
import { createWorkClocks } from './work-clocks.ts';

/** A scan in progress: add each segment once, then take the result. */
export interface Scan {
  /** Adds the cases of a segment, without its `dead` rows, which a newer segment has replaced. */
  addCases(segment: Segment, dead?: readonly number[]): void;
  /** Adds the sessions of agents, each agent once. */
  addSessions(rows: readonly SessionRow[]): void;
  /** Takes the result, once. It is valid until `close`, because it has its sums in the buffers of the scan. */
  result(): ScanResult;
  /** Releases the buffers of the sums; call once, with a result or without. */
  close(): void;
}

/** The bytes that a scan may take. */
export interface ScanMemory {
  readonly blocks: number; // for cells in blocks
  readonly loose: number; // for cells outside of blocks
  readonly samples: number; // for the values of durations
}

export interface ScanOptions {
  readonly memory?: ScanMemory | undefined; // default `SCAN_MEMORY`
  readonly agentSearch?: AgentSearch | undefined; // default none
}

/** The default limits: the cells of any report that fits a reply have room outside of blocks. */
export const SCAN_MEMORY: ScanMemory = {
  blocks: 16_000_000,
  loose: 24_000_000,
  samples: 60_000_000,
};
const LOOSE_OVERHEAD = 110; // bytes of a cell in the maps of loose cells, at most: while a map is being enlarged

/**
 * Starts a scan. `buffers` are used only while a segment is added, so the scans of a thread can share them. Every
 * method of the scan throws the 422 `too_large` if the report does not fit the memory.
 */
export function startScan(plan: Plan, options: ScanOptions = {}, buffers = createBuffers()): Scan {
  const { memory = SCAN_MEMORY, agentSearch } = options;
  const { request, reference, measures, samples } = plan;
  const groups = factGroups(measures, samples);
  const remembered = remembering(groups);
  const cells = emptyCells(plan, memory, remembered.length);
  const mostCells = cells.blocks * cells.windows + cells.most;
  const size = { measures, samples, remembering: remembered, cells, mostCells, sampleBytes: memory.samples };
  const tally = createTally(size, buffers.sums);
  const context = createScanContext(plan, { cells, buffers, agentSearch });
  const select = rowSelector(request.filters, reference, plan.onTime);
  let caseNumber = 1;
  return {
    addCases: (segment, dead = []) =>
      refuse(plan, () => {
        const view = viewSegment(context, segment, () => select(segment, dead), caseNumber);
        caseNumber += segment.head.rows;
        if (view === undefined) return;
        for (const group of groups) addGroup(view, group, tally);
        if (measures.has('openCases')) gatherOpen(view, tally);
      }),
    addSessions: (rows) =>
      refuse(plan, () => {
        if (measures.has('onlineSeconds')) gatherOnline(request.filters, context, rows, tally);
      }),
    result: () => toResult(plan, context, cells, tally),
    close: tally.close,
  };
}

interface ScanParts {
  readonly cells: Cells;
  readonly buffers: Buffers;
  readonly agentSearch?: AgentSearch | undefined;
}

/** Makes the data that the views of a scan share. */
export function createScanContext(plan: Plan, { cells, buffers, agentSearch }: ScanParts): ScanContext {
  const { request, reference, range, windows, measures } = plan;
  return {
    lookup: windowLookup(windows, range),
    clock: clockOf(plan),
    cells,
    dimensions: [request.dimension1, request.dimension2],
    reference,
    buffers,
    agentSearch,
    kinds: [...new Set([...measures].flatMap(kindsOf))],
    noted: measures.has('withMacro') ? macroDimension(request) : null,
    work: request.hours === 'business' ? createWorkClocks(reference.calendars, 0) : undefined,
    backlog: measures.has('openCases') ? backlogInstants(plan) : NO_INSTANTS,
    promises: createPromises(reference, Math.min(range.max, reference.now)),
  };
}

/** A walk through segments, which passes a view of each one to a visitor. */
export interface Walk {
  /** Visits the cases of a segment, without its `dead` rows. */
  addCases(segment: Segment, dead: readonly number[]): void;
}

/** Starts a walk through the facts that a scan would add up. The plan has one cell. */
export function startWalk(plan: Plan, buffers: Buffers, visit: (view: SegmentView) => void): Walk {
  const { request, reference } = plan;
  const cells = createCells(cellsOf(plan), ONE_CELL);
  const context = createScanContext(plan, { cells, buffers });
  const select = rowSelector(request.filters, reference, plan.onTime);
  let caseNumber = 1;
  return {
    addCases: (segment, dead) => {
      const view = viewSegment(context, segment, () => select(segment, dead), caseNumber);
      caseNumber += segment.head.rows;
      if (view !== undefined) visit(view);
    },
  };
}

const ONE_CELL = { cells: 16, loose: 16 };

function cellsOf({ request, windows, total = false, keepsNone = false }: Plan): CellsOf {
  const { dimension1, dimension1_values, dimension2, dimension2_values } = request;
  const wanted = [wantedOf(dimension1, dimension1_values), wantedOf(dimension2, dimension2_values)] as const;
  return { windows: windows.starts.length, total, wanted, keepsNone };
}

/** The members of a dimension to keep: null for all; undefined without a dimension. */
const wantedOf = (name: unknown, values: readonly (number | string)[] | null) =>
  name === null ? undefined : values?.length === 0 ? null : values;

function macroDimension({ dimension1, dimension2 }: Plan['request']): 0 | 1 | null {
  if (dimension1 === 'macro') return 0;
  return dimension2 === 'macro' ? 1 : null;
}

/**
 * Adds up results for the same plan. Any of them may have several cells with the same members and window.
 */
export function mergeResults(plan: Plan, results: readonly ScanResult[]): ScanResult {
  const cells = emptyCells(plan, SCAN_MEMORY, 0);
  // The tally needs no limit of cells to grow towards, since all cells of a result are added at once.
  const tally = createTally({ ...plan, remembering: [], cells, mostCells: 0, sampleBytes: SCAN_MEMORY.samples });
  const numbered = results.map((result) => {
    let numbers: Int32Array = NO_CELLS;
    refuse(plan, () => {
      numbers = addSums(result, cells, tally);
    });
    return { result, cells: numbers };
  });
  return resultOf(plan, cells, {
    sums: tally.sums,
    samples: (duration, indexes, count) => {
      const parts = numbered.flatMap(({ result, cells }) => {
        const found = result.samples.get(duration);
        return found === undefined ? [] : [{ found, cells }];
      });
      return joinSamples(parts, indexes, count);
    },
  });
}

const NO_CELLS = new Int32Array(0);

/** The cells of a scan, none so far. */
export function emptyCells(plan: Plan, memory: ScanMemory, remembering: number): Cells {
  const bytes = cellBytes(plan.measures.size, remembering);
  const budget = {
    cells: Math.floor(memory.blocks / bytes),
    loose: Math.floor(memory.loose / (bytes + LOOSE_OVERHEAD)),
  };
  return createCells(cellsOf(plan), budget);
}

/** Does some work; turns `TooManyCells` into the 422 `too_large`. */
export function refuse(plan: Plan, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (error instanceof TooManyCells) throw tooLarge(plan.request, 'has more cells than there is memory for');
    throw error;
  }
}

/** Adds the sums of a result; returns the new number of each of its cells, below 0 for one left out. */
function addSums(result: ScanResult, cells: Cells, tally: Tally): Int32Array {
  const { members, first, second, windows, measures, sums } = result;
  const numbersAt = (index: 0 | 1): readonly number[] =>
    members[index].map((member) => (member === null ? 0 : numberMember(cells.dimensions[index], member)));
  const numbers = [numbersAt(0), numbersAt(1)] as const;
  growPairTable(cells);
  const numbered = new Int32Array(first.length);
  for (let k = 0; k < first.length; k += 1) {
    const [one, two] = [numbers[0][first[k]!]!, numbers[1][second[k]!]!];
    numbered[k] = (one | two) < 0 ? -1 : cellOf(cells, one, two, windows[k]!);
  }
  for (const [index, measure] of measures.entries()) {
    const into = tally.sums(measure);
    for (let k = 0; k < numbered.length; k += 1) if (numbered[k]! >= 0) into[numbered[k]!]! += sums[index]![k]!;
  }
  return numbered;
}

/** The sums and samples of all cells. */
interface CellTotals {
  sums(measure: Measure): Float64Array;
  samples(duration: DurationName, indexes: Int32Array, count: number): CellSamples;
}

/** Makes the result of a scan. The sums move within their arrays. */
export const toResult = (plan: Plan, context: ScanContext, cells: Cells, tally: Tally): ScanResult =>
  resultOf(plan, cells, {
    sums: (measure) => {
      const sums = tally.sums(measure);
      return measure === 'openCases' ? addUpBacklog(context, sums) : sums;
    },
    samples: (duration, indexes, count) => scatterSamples(tally.samples(duration), indexes, count),
  });

/** Makes a result of the cells in which anything was added up. */
function resultOf({ measures, samples }: Plan, cells: Cells, found: CellTotals): ScanResult {
  const names = [...measures];
  const sums = names.map(found.sums);
  const filled = filledCells(sums, cells.size);
  const indexes = samples.size === 0 ? new Int32Array(0) : indexesIn(filled, cells.size);
  return {
    members: [cells.dimensions[0].members, cells.dimensions[1].members],
    ...coordinatesOf(cells, filled),
    measures: names,
    sums: sums.map((sum) => moveToFront(sum, filled)),
    samples: new Map([...samples].map((name) => [name, found.samples(name, indexes, filled.length)])),
  };
}

/** The members and the window of each cell. */
function coordinatesOf(cells: Cells, filled: Int32Array): Pick<ScanResult, 'first' | 'second' | 'windows'> {
  const first = new Int32Array(filled.length);
  const second = new Int32Array(filled.length);
  const windows = new Int32Array(filled.length);
  for (let k = 0; k < filled.length; k += 1) {
    const key = cellKey(cells, filled[k]!);
    const pair = Math.floor(key / cells.windows);
    first[k] = cells.pairMembers[2 * pair]!;
    second[k] = cells.pairMembers[2 * pair + 1]!;
    windows[k] = key - pair * cells.windows;
  }
  return { first, second, windows };
}

function filledCells(sums: readonly Float64Array[], size: number): Int32Array {
  const marks = new Uint8Array(size);
  for (const sum of sums) {
    for (let cell = 0; cell < size; cell += 1) if (sum[cell]! > 0) marks[cell] = 1;
  }
  const filled = new Int32Array(size);
  let count = 0;
  for (let cell = 0; cell < size; cell += 1) {
    if (marks[cell] === 1) {
      filled[count] = cell;
      count += 1;
    }
  }
  return filled.subarray(0, count);
}

/**
 * Moves the sums of the filled cells, which rise, to the front of their array and returns that part. A copy would leave
 * tens of megabytes to the garbage collector.
 */
function moveToFront(sum: Float64Array, filled: Int32Array): Float64Array {
  for (let k = 0; k < filled.length; k += 1) sum[k] = sum[filled[k]!]!;
  return sum.subarray(0, filled.length);
}
