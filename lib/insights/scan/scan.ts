import type { FactKind, SessionRow } from '../../history/cases/case-row.ts';
import type { Segment } from '../../history/segments/segment.ts';
import type { DurationName } from '../durations.ts';
import { MEASURES, type Measure } from '../measures.ts';
import type { CellSamples } from '../percentiles.ts';
import type { Plan } from '../plan.ts';
import { tooLarge } from '../too-large.ts';
import { byHours } from './by-hours.ts';
import type { Cells, CellsOf } from './cells.ts';
import { cellKey, cellOf, createCells, growPairTable, TooManyCells } from './cells.ts';
import { clockOf } from './clock.ts';
import { GATHERERS } from './gather.ts';
import { addUpBacklog } from './gather-open.ts';
import { instantsReached, windowLookup } from './lookup.ts';
import { numberMember } from './members.ts';
import { gatherOnline } from './online.ts';
import type { Partial } from './partial.ts';
import { createPromises } from './promises.ts';
import { indexesIn, joinSamples, scatterSamples } from './samples.ts';
import { rowSelector } from './select.ts';
import { cellBytes, createTally, type Tally } from './tally.ts';
import type { Buffers, ScanContext, View } from './view.ts';
import { createBuffers, viewSegment } from './view.ts';
import { createWorkClocks } from './work-clocks.ts';

/** A scan in progress: add each segment once, then take the result. */
export interface Scan {
  /** Adds the cases of a segment, without its `dead` rows, which a newer segment has replaced. */
  addCases(segment: Segment, dead?: readonly number[]): void;
  /** Adds the sessions of agents, each agent once. */
  addSessions(rows: readonly SessionRow[]): void;
  /** Takes the result, once. It is valid until `close`, because it has its sums in the buffers of the scan. */
  result(): Partial;
  /** Releases the buffers of the sums; call once, with a result or without. */
  close(): void;
}

/** The bytes that a scan may take. */
export interface ScanMemory {
  readonly blocks: number; // for cells in blocks
  readonly loose: number; // for cells outside of blocks
  readonly samples: number; // for the values of durations
}

/** The default limits: the cells of any report that fits a reply have room outside of blocks. */
export const SCAN_MEMORY: ScanMemory = {
  blocks: 16_000_000,
  loose: 24_000_000,
  samples: 60_000_000,
};
const LOOSE_OVERHEAD = 80; // bytes of the key table for a cell, at most: while the table is being enlarged

/**
 * Starts a scan. `buffers` are used only while a segment is added, so the scans of a thread can share them. Every
 * method of the scan throws the 422 `too_large` if the report does not fit the memory.
 */
export function startScan(plan: Plan, memory = SCAN_MEMORY, buffers = createBuffers()): Scan {
  const hourly = byHours(plan, Math.floor(memory.blocks / cellBytes(plan.measures.size)));
  if (hourly === undefined) return startPlain(plan, memory, buffers);
  const scan = startPlain(hourly.plan, memory, buffers);
  return { ...scan, result: () => mergePartials(plan, [hourly.shown(scan.result())]) };
}

function startPlain(plan: Plan, memory: ScanMemory, buffers: Buffers): Scan {
  const { request, reference, measures } = plan;
  const cells = emptyCells(plan, memory);
  const most = cells.blocks * cells.windows + cells.most;
  const tally = createTally({ ...plan, cells: most, sampleBytes: memory.samples }, buffers.sums);
  const context = createScanContext(plan, cells, buffers, tally.room);
  const gatherers = GATHERERS.filter((gatherer) => gatherer.measures.some((measure) => measures.has(measure)));
  const select = rowSelector(request.filters, reference, plan.onTime);
  let caseNumber = 1;
  return {
    addCases: (segment, dead = []) =>
      refuse(plan, () => {
        const view = viewSegment(context, segment, () => select(segment, dead), caseNumber);
        caseNumber += segment.head.rows;
        if (view === undefined) return;
        for (const { gather } of gatherers) gather(view, tally);
      }),
    addSessions: (rows) =>
      refuse(plan, () => {
        if (measures.has('onlineSeconds')) gatherOnline(request.filters, context, rows, tally);
      }),
    result: () =>
      toPartial(plan, cells, {
        sums: (measure) => {
          const sums = tally.sums(measure)!;
          return measure === 'openCases' ? addUpBacklog(cells, context, sums) : sums;
        },
        samples: (duration, indexes, count) => scatterSamples(tally.samples(duration)!, indexes, count),
      }),
    close: tally.close,
  };
}

function createScanContext(plan: Plan, cells: Cells, buffers: Buffers, room: ScanContext['room']): ScanContext {
  const { request, reference, range, windows, measures } = plan;
  const instants = measures.has('openCases') ? instantsOf(plan) : new Float64Array(0);
  return {
    lookup: windowLookup(windows, range),
    clock: clockOf(plan),
    cells,
    dimensions: [request.dimension1, request.dimension2],
    reference,
    buffers,
    noted: measures.has('withMacro') ? macroDimension(request) : null,
    instants,
    begun: windows.starts.length > 0 && instants.length > 0 && request.time.min <= reference.now,
    reached: instantsReached(instants),
    work: request.hours === 'business' ? createWorkClocks(reference.calendars, 0) : undefined,
    promises: createPromises(reference, Math.min(range.max, reference.now)),
    room,
    kinds: [...new Set([...measures].flatMap((measure): readonly FactKind[] => MEASURES[measure].kinds))],
    whole: { cases: 0, others: 0 },
  };
}

/** A walk through segments, which passes a view of each one to a visitor. */
export interface Walk {
  /** Visits the cases of a segment, without its `dead` rows. */
  addCases(segment: Segment, dead: readonly number[]): void;
}

/** Starts a walk through the facts that a scan would add up. The plan has one cell. */
export function startWalk(plan: Plan, buffers: Buffers, visit: (view: View) => void): Walk {
  const { request, reference } = plan;
  const cells = createCells(cellsOf(plan), ONE_CELL);
  const context = { ...createScanContext(plan, cells, buffers, () => undefined), whole: NONE_WHOLE };
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
const NONE_WHOLE = { cases: 0, others: Number.MAX_SAFE_INTEGER }; // so that every fact is located by itself

function cellsOf({ request, windows, total = false, keepsNone = false }: Plan): CellsOf {
  const { dimension1, dimension1_values, dimension2, dimension2_values } = request;
  const wanted = [wantedOf(dimension1, dimension1_values), wantedOf(dimension2, dimension2_values)] as const;
  return { windows: windows.starts.length, total, wanted, keepsNone };
}

/** The members of a dimension to keep: null for all; undefined without a dimension. */
const wantedOf = (name: unknown, values: readonly (number | string)[] | null) =>
  name === null ? undefined : values?.length === 0 ? null : values;

/** By window that has begun: the instant at which its backlog is counted, the first of its end, `max` and now. */
function instantsOf({ windows: { starts }, total = false, request, reference: { now } }: Plan): Float64Array {
  const last = Math.min(request.time.max, now);
  if (starts.length === 0 && total && request.time.min <= now) return Float64Array.of(last); // that of the total alone
  const begun = starts.filter((start) => start <= now);
  return Float64Array.from(begun, (_, window) => Math.min(starts[window + 1] ?? last, last));
}

function macroDimension({ dimension1, dimension2 }: Plan['request']): 0 | 1 | null {
  if (dimension1 === 'macro') return 0;
  return dimension2 === 'macro' ? 1 : null;
}

/**
 * Adds up partial results for the same plan. Any of them may have several cells with the same members and window.
 */
export function mergePartials(plan: Plan, partials: readonly Partial[]): Partial {
  const cells = emptyCells(plan, SCAN_MEMORY);
  // The tally needs no limit of cells to grow towards, since all cells of a partial result are added at once.
  const tally = createTally({ ...plan, cells: 0, sampleBytes: SCAN_MEMORY.samples });
  const numbered = partials.map((partial) => {
    let numbers: Int32Array = NO_CELLS;
    refuse(plan, () => {
      numbers = addSums(partial, cells, tally);
    });
    return { partial, cells: numbers };
  });
  return toPartial(plan, cells, {
    sums: (measure) => tally.sums(measure)!,
    samples: (duration, indexes, count) => {
      const parts = numbered.flatMap(({ partial, cells }) => {
        const found = partial.samples.get(duration);
        return found === undefined ? [] : [{ found, cells }];
      });
      return joinSamples(parts, indexes, count);
    },
  });
}

const NO_CELLS = new Int32Array(0);

function emptyCells(plan: Plan, memory: ScanMemory): Cells {
  const bytes = cellBytes(plan.measures.size);
  const budget = {
    cells: Math.floor(memory.blocks / bytes),
    loose: Math.floor(memory.loose / (bytes + LOOSE_OVERHEAD)),
  };
  return createCells(cellsOf(plan), budget);
}

function refuse(plan: Plan, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (error instanceof TooManyCells) throw tooLarge(plan.request, 'has more cells than there is memory for');
    throw error;
  }
}

/** Adds the sums of a partial result; returns the new number of each of its cells, below 0 for one left out. */
function addSums(partial: Partial, cells: Cells, tally: Tally): Int32Array {
  const { members, first, second, windows, measures, sums } = partial;
  const numbersAt = (index: 0 | 1): readonly number[] =>
    members[index].map((member) => (member === null ? 0 : numberMember(cells.dimensions[index], member)));
  const numbers = [numbersAt(0), numbersAt(1)] as const;
  growPairTable(cells);
  const numbered = new Int32Array(first.length);
  for (let k = 0; k < first.length; k += 1) {
    const [one, two] = [numbers[0][first[k]!]!, numbers[1][second[k]!]!];
    numbered[k] = (one | two) < 0 ? -1 : cellOf(cells, one, two, windows[k]!);
  }
  tally.room(cells.size);
  for (const [index, measure] of measures.entries()) {
    const into = tally.sums(measure)!;
    for (let k = 0; k < numbered.length; k += 1) if (numbered[k]! >= 0) into[numbered[k]!]! += sums[index]![k]!;
  }
  return numbered;
}

/** The sums and samples of all cells. */
interface FoundInCells {
  sums(measure: Measure): Float64Array;
  samples(duration: DurationName, indexes: Int32Array, count: number): CellSamples;
}

/** Makes a partial of the cells in which anything was added up. The sums move within their arrays. */
function toPartial({ measures, samples }: Plan, cells: Cells, found: FoundInCells): Partial {
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
function coordinatesOf(cells: Cells, filled: Int32Array): Pick<Partial, 'first' | 'second' | 'windows'> {
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
