import type { RowCount } from '../../lib/history/formats/mapped.ts';
import type { Mapping } from '../../lib/history/formats/mapping.ts';
import type { PackedRows } from '../../lib/history/formats/packed-rows.ts';
import type { Row } from '../../lib/history/formats/row.ts';

/** What a thread that reads a CSV is given when it starts. */
export interface CsvThreadData {
  readonly path: string;
  readonly mapping: Mapping;
  readonly folder: string; // for a temporary file
}

/** How far it is. */
export interface CsvState {
  readonly position: number; // bytes of the file taken so far, packed
  readonly header: string | undefined;
  readonly counted: RowCount;
}

/** What it says: batches in their order, whole cases packed: what waits is no work for the garbage collector then. */
export type FromCsvThread = CsvState &
  (
    | { readonly rows: readonly Row[]; readonly count: number } // of rows
    | { readonly cases: PackedRows; readonly count: number }
    | { readonly fault: string } // an `ImportFault`; it ends then
    | { readonly isDone: true }
  );

/** What it is told: so many rows have been taken. */
export type ToCsvThread = number;
