import type { Instant } from '../../history/cases/event.ts';
import { Rejection } from '../records/fields.ts';
import type { HistoryRecord } from '../records/records.ts';

/** A line of a file as it came, without its end; bytes where they are not UTF-8. A CSV's row may span lines. */
export type Raw = string | Uint8Array;

export interface LoadedRow {
  readonly line: number; // from 1, in the unpacked file; where a CSV's row starts
  readonly raw?: Raw; // absent where it is not kept: the file has it
  readonly records: readonly HistoryRecord[];
  readonly empty?: EmptyCase; // a whole case of which no row means anything
}

/** A case that a file has, without events. */
export interface EmptyCase {
  readonly case: string;
  readonly source?: string; // as in `RejectedRow`
  readonly last?: Instant; // when it changed last, as its rows say it
}

export interface RejectedRow {
  readonly line: number;
  readonly raw?: Raw; // likewise
  readonly reason: string; // one line
  readonly case?: string; // whose row it is, where that is known
  readonly source?: string; // where the events of its file come from, if not from the import's one source
}

/** What becomes of a row of a file. */
export type Row = LoadedRow | RejectedRow;

/** Rows of cases that no other batch of their file has anything of. */
export interface WholeCases {
  readonly cases: readonly Row[];
  readonly digests?: DigestedCases; // of the cases of these rows, where they are asked for
  readonly known?: DigestedCases; // further cases, which came so in the last import: their rows were not read again
  readonly last?: Instant; // when one of those changed last, where that is asked for
}

/** Cases with the digests of their rows (docs/design/versions.md), in lists of one length. */
export interface DigestedCases {
  readonly keys: readonly string[];
  readonly high: readonly number[];
  readonly low: readonly number[];
  readonly shape: readonly number[]; // of known ones, else −1
}

/** What a format reader gives, some thousand rows at a time. */
export type Batch = readonly Row[] | WholeCases;

/** The rows of a batch, of whichever kind it is. */
export const rowsIn = (batch: Batch): readonly Row[] => ('cases' in batch ? batch.cases : batch);

/** Runs `read`; its `Rejection` becomes a rejected row, any other error passes. */
export function toRow(line: number, raw: Raw, read: () => readonly HistoryRecord[]): Row {
  try {
    return { line, raw, records: read() };
  } catch (error) {
    if (error instanceof Rejection) return { line, raw, reason: error.message };
    throw error;
  }
}
