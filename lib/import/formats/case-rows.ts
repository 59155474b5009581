import type { Instant } from '../../history/cases/event.ts';
import { shortInstant } from '../../history/cases/instant.ts';
import { key, Rejection } from '../records/fields.ts';
import type { HistoryRecord } from '../records/records.ts';
import { type Cells, type Columns, nameOf, type Read, textReader, timeCellReader, valueReader } from './columns.ts';
import type { HeldRow } from './held-row.ts';
import type { Mapping } from './mapping.ts';
import type { Row } from './row.ts';
import { sortedKey } from './sorted-key.ts';

/** A row of a case in its place: what a kind makes records from. */
export interface PlacedRow<R> {
  readonly line: number;
  readonly at: Instant;
  readonly id: string; // of the row in its case: sorts as the rows of one time do, the same in every import
  readonly value: R;
  readonly records: HistoryRecord[]; // to be filled by the kind
}

/** What a kind of mapping does with a case. */
export interface Kind<R> {
  readonly read: Read<R>;
  readonly fold: (caseKey: string, rows: readonly PlacedRow<R>[]) => void; // adds records to the rows
}

/** Reads the case that a row belongs to. */
export function caseReader(columns: Columns, mapping: Mapping): Read<string> {
  const read = valueReader(columns, mapping.case);
  return (cells) => {
    const text = read(cells);
    if (text === null) throw new Rejection('the case is empty');
    return key(text, 'case');
  };
}

/** Makes the function that turns a case's rows, in any order, into rows with records. */
export function caseFolder<R>(
  columns: Columns,
  mapping: Mapping,
  kind: Kind<R>,
  cellsOf: (row: HeldRow) => Cells,
): (held: readonly HeldRow[]) => Row[] {
  const timeOf = timeCellReader(columns, mapping.at);
  const orders = mapping.order.map((column) => textReader(columns, column));
  return (held) => {
    const rows: Row[] = [];
    const placed: (PlacedRow<R> & { order: string; id: string })[] = [];
    for (const row of held) {
      const { line } = row;
      try {
        const cells = cellsOf(row);
        const at = timeOf(cells);
        if (at === null) throw new Rejection(`${nameOf(mapping.at)} is empty`);
        const order = sortedKey(orders.map((read) => read(cells) ?? ''));
        placed.push({ line, at, order, id: '', value: kind.read(cells), records: columns.members.take() });
      } catch (error) {
        if (!(error instanceof Rejection)) throw error;
        rows.push({ line, reason: error.message });
      }
    }
    placed.sort((a, b) => a.at - b.at || (a.order < b.order ? -1 : a.order > b.order ? 1 : a.line - b.line));
    identify(placed, mapping.source);
    if (placed.length > 0) kind.fold(held[0]!.caseKey, placed);
    for (const { line, records } of placed) rows.push({ line, records });
    return rows;
  };
}

/** Gives each row its id; rows alike in time and order are told apart by their place among themselves. */
function identify(rows: readonly { at: Instant; order: string; id: string }[], source: string): void {
  let alike = 0;
  let before: { at: Instant; order: string } | undefined;
  for (const row of rows) {
    alike = before?.at === row.at && before.order === row.order ? alike + 1 : 0;
    before = row;
    const order = row.order === '' ? '' : `-${row.order}`;
    row.id = `${source}${shortInstant(row.at)}${order}${alike === 0 ? '' : `~${sortedKey([alike])}`}`;
  }
}
