import type { Subject } from '../../../lib/history/cases/subject.ts';
import type { BegunFile } from '../../../lib/import/formats/file-places.ts';
import type { FindingsSummary } from '../../../lib/import/formats/findings.ts';
import type { RowCount } from '../../../lib/import/formats/mapped.ts';
import type { PackedRows } from '../../../lib/import/formats/packed-rows.ts';
import type { Row, WholeCases } from '../../../lib/import/formats/row.ts';
import type { CheckSummary } from '../../../lib/import/formats/zendesk/check.ts';
import type { EventsOf } from '../../../lib/import/formats/zendesk/earlier-comments.ts';

/** How far a thread that reads files is. */
export interface RowsState {
  readonly position: number; // bytes taken so far, packed
  readonly counted: RowCount | undefined; // of CSVs
}

/** What it says: batches in their order. Most are packed: what waits is no work for the garbage collector then. */
export type RowsMessage =
  | { readonly rows: readonly Row[]; readonly count: number } // of rows
  | ({ readonly packed: PackedRows; readonly isWhole: boolean; readonly count: number } & Omit<WholeCases, 'cases'>) // of whole cases, or as they come
  | { readonly asked: readonly Subject[] } // whose events of the site it waits for
  | { readonly fault: string } // an `ImportFault`; it ends then
  | { readonly isDone: true; readonly findings: FindingsSummary; readonly check: CheckSummary | undefined };

/** The same, with how far it is, and the files that it has begun since its last message. */
export type FromRowsThread = RowsState & { readonly begun: readonly BegunFile[] } & RowsMessage;

/** What it is told: so many rows have been taken, the events that it asked for, or nobody wants more. */
export type ToRowsThread = number | Awaited<ReturnType<EventsOf>> | 'end';
