import type { Subject } from '../../../lib/history/cases/subject.ts';
import type { FindingsSummary } from '../../../lib/import/formats/findings.ts';
import type { NumberedFile } from '../../../lib/import/formats/line-numbers.ts';
import type { PackedRows } from '../../../lib/import/formats/packed-rows.ts';
import type { Row, WholeCases } from '../../../lib/import/formats/row.ts';
import type { RowCount } from '../../../lib/import/mapping/mapped.ts';
import type { ReadStoredEvents } from '../../../lib/import/zendesk/earlier-comments.ts';

/** The progress of a thread that reads files. */
export interface RowsState {
  readonly position: number; // bytes read so far, compressed
  readonly counted: RowCount | undefined; // for CSVs
}

/**
 * A message of the thread. Batches come in order, most of them packed, so that waiting rows cost the garbage collector
 * nothing.
 */
export type RowsMessage =
  | { readonly rows: readonly Row[]; readonly count: number } // single rows
  | ({ readonly packed: PackedRows; readonly isWhole: boolean; readonly count: number } & Omit<WholeCases, 'cases'>) // of whole cases, or in file order
  | { readonly asked: readonly Subject[] } // waits for the events of these subjects
  | { readonly fault: string } // an `ImportFault`; the thread ends
  | { readonly isDone: true; readonly findings: FindingsSummary };

/** A message with the thread's progress, and the files begun since its last message. */
export type FromRowsThread = RowsState & { readonly begun: readonly NumberedFile[] } & RowsMessage;

/** A message to the thread: the number of rows taken, the requested events, or that no more are wanted. */
export type ToRowsThread = number | Awaited<ReturnType<ReadStoredEvents>> | 'end';
