import type { Instant } from '../../history/cases/event.ts';
import { Rejection } from '../records/fields.ts';
import type { HistoryRecord } from '../records/records.ts';

/** The unchanged text of a line, without its end; bytes if it is not UTF-8. A CSV's row may span lines. */
export type Raw = string | Uint8Array;

export interface LoadedRow {
  readonly line: number; // from 1, in the unpacked file; the first line of a CSV's row
  readonly raw?: Raw; // absent: read it from the file again if it is needed
  readonly records: readonly HistoryRecord[];
  readonly empty?: EmptyCase; // in the first row of a case without any events
}

/** A case in a file without events. */
export interface EmptyCase {
  readonly case: string;
  readonly source?: string; // as in `RejectedRow`
  readonly last?: Instant; // when it last changed, according to its rows
}

export interface RejectedRow {
  readonly line: number;
  readonly raw?: Raw; // as in `LoadedRow`
  readonly reason: string; // one line
  readonly case?: string; // the row's case, if known
  readonly source?: string; // source of its file's events; absent: that of the import
}

/** A row of a file after reading. */
export type Row = LoadedRow | RejectedRow;

/** A batch with all rows of its cases. */
export interface WholeCases {
  readonly cases: readonly Row[];
  readonly digests?: DigestedCases; // digests of these cases, if the reader was given known cases
  readonly known?: DigestedCases; // further cases with the same rows as in the last import; they were not read again
  readonly last?: Instant; // when the last of the known cases changed, if the import wants it
}

/** Cases with the digests of their rows (docs/design/versions.md); all lists have the same length. */
export interface DigestedCases {
  readonly keys: readonly string[];
  readonly high: readonly number[];
  readonly low: readonly number[];
  readonly shape: readonly number[]; // number of the shape; −1 for a case that is not known
}

/** What a format reader yields, up to some thousand rows at a time. */
export type Batch = readonly Row[] | WholeCases;

/** Returns the rows of a batch. */
export const rowsIn = (batch: Batch): readonly Row[] => ('cases' in batch ? batch.cases : batch);

/** Runs `read`; turns a `Rejection` into a rejected row and throws any other error. */
export function toRow(line: number, raw: Raw, read: () => readonly HistoryRecord[]): Row {
  try {
    return { line, raw, records: read() };
  } catch (error) {
    if (error instanceof Rejection) return { line, raw, reason: error.message };
    throw error;
  }
}
