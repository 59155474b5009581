import type { FindingsSummary } from '../../../lib/import/formats/findings.ts';
import type { KnownHolder, RowCount } from '../../../lib/import/formats/mapped.ts';
import type { Mapping } from '../../../lib/import/formats/mapping.ts';
import type { PackedRows } from '../../../lib/import/formats/packed-rows.ts';
import type { Row, WholeCases } from '../../../lib/import/formats/row.ts';

/** What a thread that reads a file is given when it starts. */
export interface RowsThreadData {
  readonly path: string;
  readonly mapping: Mapping | undefined; // of a CSV; undefined: the file is NDJSON
  readonly folder: string; // for a temporary file
  readonly known?: KnownHolder;
}

/** How far it is. */
export interface RowsState {
  readonly position: number; // bytes of the file taken so far, packed
  readonly header: string | undefined;
  readonly counted: RowCount | undefined; // of a CSV
}

/** What it says: batches in their order. Most are packed: what waits is no work for the garbage collector then. */
export type RowsMessage =
  | { readonly rows: readonly Row[]; readonly count: number } // of rows
  | ({ readonly packed: PackedRows; readonly isWhole: boolean; readonly count: number } & Omit<WholeCases, 'cases'>) // of whole cases, or as they come
  | { readonly fault: string } // an `ImportFault`; it ends then
  | { readonly isDone: true; readonly findings: FindingsSummary };

/** The same, with how far it is. */
export type FromRowsThread = RowsState & RowsMessage;

/** What it is told: so many rows have been taken, or nobody wants more. */
export type ToRowsThread = number | 'end';
