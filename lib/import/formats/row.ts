import type { Instant } from '../../history/cases/event.ts';
import { Rejection } from '../../json-readers.ts';
import type { Telling } from '../../vocabulary.ts';
import type { DigestedCase } from '../known/known-cases.ts';
import type { HistoryRecord } from '../records/records.ts';

/** The unchanged text of a line, without its end; bytes if it is not UTF-8. A CSV's row may span lines. */
export type Raw = string | Uint8Array;

interface LoadedRow {
  readonly line: number; // from 1, in the unpacked file; the first line of a CSV's row
  readonly raw?: Raw | undefined; // absent: read it from the file again if it is needed
  readonly records: readonly HistoryRecord[];
  readonly empty?: EmptyCase | undefined; // in the first row of a case without any events
}

/** A case in a file without events. */
export interface EmptyCase {
  readonly case: string;
  readonly source?: string | undefined; // as in `RejectedRow`
  readonly last?: Instant | undefined; // when it last changed, according to its rows
}

export interface RejectedRow {
  readonly line: number;
  readonly raw?: Raw | undefined; // as in `LoadedRow`
  readonly reason: string; // one line
  readonly case?: string | undefined; // the row's case, if known
  readonly source?: string | undefined; // source of its file's events; absent: that of the import
}

/** A row of a file after reading. */
export type Row = LoadedRow | RejectedRow;

/** A batch with all rows of its cases. */
export interface WholeCases {
  readonly cases: readonly Row[];
  readonly digests?: readonly DigestedCase[] | undefined; // digests of these cases, if the reader was given known cases
  readonly known?: readonly DigestedCase[] | undefined; // further cases with the same rows as in the last import; they were not read again
  readonly changed?: readonly LastChange[] | undefined; // of each file whose rows say when their case changed
  readonly tells?: readonly Telling[] | undefined; // what the files can tell, where only reading them says it
}

/** When the last case of a file changed, according to its rows. */
export interface LastChange {
  readonly source: string | undefined; // of the file's events; undefined: that of the import
  readonly at: Instant;
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
