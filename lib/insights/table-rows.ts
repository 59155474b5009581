import type { Failure } from '../errors.ts';
import { memoize } from '../memo.ts';
import { orderedCells } from './cell-order.ts';
import type { DurationName } from './definitions/durations.ts';
import { type CellNumbers, emptyValue, fieldValues } from './definitions/fields.ts';
import type { Measure } from './definitions/measures.ts';
import { NOTHING } from './json-bytes.ts';
import { percentiles, sortSamples } from './percentiles.ts';
import { isNullIn, type Plan } from './plan.ts';
import type { ReportRequest } from './request.ts';
import type { ScanResult } from './scan/scan-result.ts';
import { tooLarge } from './too-large.ts';
import type { TableName } from './totals.ts';

/** The result of a table: its plan, and the cells that its rows show. */
export interface ComputedTable {
  readonly plan: Plan;
  readonly result: ScanResult;
}

/** The results of the tables of a report. Tables with the same rows have one result (`tableNames`). */
export type Tables = ReadonlyMap<TableName, ComputedTable>;

/** The result that shows a table. */
export function tableIn(tables: Tables, name: TableName): ComputedTable {
  const found = tables.get(name);
  if (found === undefined) throw new Error(`a report without its ${name}`);
  return found;
}

/** The rows of a table. */
export interface TableRows {
  readonly columns: readonly FieldColumn[];
  readonly most: number; // rows at most
  /** Visits the rows in their order (docs/rules.md 4), by their cell, −1 for a window without one, and their window. */
  each(visit: (cell: number, window: number) => void): void;
}

/** The numbers of a field. */
export interface FieldColumn {
  readonly values: Float64Array; // by cell; `NOTHING` for null
  readonly empty: number; // the value of a cell in which nothing happened
}

/** Finds the rows of a table: without dimensions one for each window, else one for each cell in which something happened. */
export function tableRows({ plan, result }: ComputedTable): TableRows {
  const { request, windows } = plan;
  const everyWindow = request.dimension1 === null && request.dimension2 === null;
  const cells = (everyWindow ? cellsOfWindows : orderedCells)(result, windows.starts.length);
  const columns = fieldColumns(plan, result);
  const lacksMember = memberTest(plan, result);
  return {
    columns,
    most: cells.length,
    each(visit) {
      for (let index = 0; index < cells.length; index += 1) {
        const cell = cells[index]!;
        if (everyWindow) visit(cell, index);
        else if (!lacksMember(cell) && hasRow(columns, cell)) visit(cell, result.windows[cell]!);
      }
    },
  };
}

/** The 422 of a report that has more rows than a reply holds. */
export const tooManyRows = (request: ReportRequest, rows: number): Failure =>
  tooLarge(request, `would take more than the 5.5 MB that a reply may have: it has over ${rows} rows`);

/** Returns a test of whether a cell is of facts without a member: totals add such cells, but they have no row. */
function memberTest({ request, keepsNone }: Plan, { members, first, second }: ScanResult): (cell: number) => boolean {
  if (keepsNone !== true) return () => false;
  const one = request.dimension1 === null ? -1 : members[0].indexOf(null);
  const two = request.dimension2 === null ? -1 : members[1].indexOf(null);
  return (cell) => first[cell] === one || second[cell] === two;
}

/**
 * Whether a cell has a row: some total is not 0, or some mean or rate is not null, even if it is 0 (docs/rules.md 4).
 */
function hasRow(columns: readonly FieldColumn[], cell: number): boolean {
  for (const { values, empty } of columns) if (values[cell] !== empty) return true;
  return false;
}

/** The cell of each window; −1 for a window without one. */
function cellsOfWindows({ windows }: ScanResult, windowCount: number): Int32Array {
  const cells = new Int32Array(windowCount).fill(-1);
  for (let cell = 0; cell < windows.length; cell += 1) cells[windows[cell]!] = cell;
  return cells;
}

/** The numbers in the cells of a result. */
export function numbersIn({ measures, sums, samples, ranked, windows }: ScanResult): CellNumbers {
  const sortedOf = memoize((duration: DurationName) => sortSamples(samples.get(duration)!));
  return {
    sumsOf: (measure: Measure): Float64Array => sums[measures.indexOf(measure)]!,
    sortedOf,
    percentOf: (duration, percent) => {
      if (ranked === undefined) return percentiles(sortedOf(duration), percent, NOTHING);
      return ranked.get(duration)?.get(percent) ?? new Float64Array(windows.length).fill(NOTHING);
    },
  };
}

function fieldColumns({ request }: Plan, result: ScanResult): FieldColumn[] {
  const { windows } = result;
  const numbers = numbersIn(result);
  return request.fields.map((field) => {
    if (isNullIn(request, field)) {
      return { values: new Float64Array(windows.length).fill(NOTHING), empty: NOTHING };
    }
    return { values: fieldValues(field, numbers), empty: emptyValue(field) };
  });
}
