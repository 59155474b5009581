import { certain } from '../../certain.ts';
import type { CaseEvent, Instant } from '../../history/cases/event.ts';
import { shortInstant } from '../../history/cases/instant.ts';
import { withOrigin } from '../../history/storage/serial-events.ts';
import { Rejection } from '../../json-readers.ts';
import type { EmptyCase, Row } from '../formats/row.ts';
import { key } from '../records/record-fields.ts';
import { type HistoryRecord, isEvent } from '../records/records.ts';
import {
  anyReader,
  type Columns,
  type CsvCells,
  type Read,
  sourceLabel,
  textReader,
  timeCellReader,
  valueReader,
} from './columns.ts';
import type { HeldRow } from './held-row.ts';
import type { CaseMapping } from './mapping.ts';
import { sortedKey } from './sorted-key.ts';

/** A row of a case after sorting, with its id; a kind makes records from it. */
export interface SortedRow<R> {
  readonly line: number;
  readonly at: Instant;
  readonly id: string; // unique in its case and the same in every import; ids of one time sort like the rows
  readonly value: R;
  readonly records: HistoryRecord[]; // filled by the kind
}

/** Records why a part of a row is refused; the rest of the row is used. */
export type Refuse = (reason: string) => void;

/** How a kind of mapping turns the rows of a case into events. */
export interface MappingKind<R> {
  /** Reads a row. A refused part does not change the meaning of the case's other rows. */
  readonly read: (cells: CsvCells, refuse: Refuse) => R;
  readonly fold: (caseKey: string, rows: readonly SortedRow<R>[]) => void; // adds records to the rows
}

/** Reads the case that a row belongs to. Throws `ImportFault` if the file lacks its column, also in packs. */
export function caseReader(columns: Columns, mapping: CaseMapping): Read<string> {
  const read = valueReader({ ...columns, isLenient: false }, mapping.case);
  return (cells) => {
    const text = read(cells);
    if (text === null) throw new Rejection('the case is empty');
    return key(text, 'case');
  };
}

/** Reads a value; if it is refused, calls `refuse` and returns `instead`. */
export function attempt<T>(read: Read<T>, cells: CsvCells, refuse: Refuse, instead: T): T {
  try {
    return read(cells);
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    refuse(error.message);
    return instead;
  }
}

/** Counts over all cases of a file, for warnings. */
export interface CaseNotes {
  cases: number;
  notCreated: number; // cases without a creation
  doneSinceUnknown: number; // cases that are done, and nothing says since when
  rows: number;
  alike: number; // rows that only their line orders, because another row of the case has the same time
  readonly clocks: Set<number>; // distinct times of day, in microseconds; at most four are kept
}

export const newCaseNotes = (): CaseNotes => ({
  cases: 0,
  notCreated: 0,
  doneSinceUnknown: 0,
  rows: 0,
  alike: 0,
  clocks: new Set(),
});

const DAY = 86_400_000_000; // µs

type Placed<R> = SortedRow<R> & {
  order: string;
  id: string;
  readonly asOf: Instant | undefined;
  readonly refused: string[];
};

/** The parameters of a fold, beside the mapping. */
export interface CaseFolderOptions {
  readonly cellsOf: (row: HeldRow) => CsvCells;
  readonly notes: CaseNotes;
  readonly source: string | undefined; // source of the events; undefined: that of the import
}

/** Makes the function that turns the rows of a case, in any order, into rows with records. */
export function caseFolder<R>(
  columns: Columns,
  mapping: CaseMapping,
  kind: MappingKind<R>,
  { cellsOf, notes, source }: CaseFolderOptions,
): (held: readonly HeldRow[]) => Row[] {
  const time = mapping.kind === 'tickets' ? mapping.created : mapping.at;
  const timeOf = timeCellReader(columns, time);
  const orders = mapping.order.columns.map((column) => textReader(columns, column));
  const asOfCell = mapping.as_of && timeCellReader(columns, mapping.as_of);
  const isGone = mapping.gone === undefined ? () => false : anyReader(columns, mapping.gone, 'gone');
  const byLine = mapping.order.lines === 'descending' ? -1 : 1;

  function place(row: HeldRow, cells: CsvCells): Placed<R> {
    const at = timeOf(cells);
    if (at === null) throw new Rejection(`${sourceLabel(time)} is empty`);
    const order = sortedKey(orders.map((read) => read(cells) ?? ''));
    const refused: string[] = [];
    const value = kind.read(cells, (reason) => void refused.push(reason));
    const asOf = asOfCell?.(cells) ?? undefined;
    return { line: row.line, at, asOf, order, id: '', value, refused, records: columns.members.take() };
  }

  return (held) => {
    const { caseKey } = certain(held[0]); // every case has a row
    const rows: Row[] = [];
    const placed: Placed<R>[] = [];
    const met = new Set<string>();
    const gone: { line: number; asOf: Instant | undefined }[] = [];
    for (const row of held) {
      if (mapping.repeats === 'ignore') {
        if (met.has(row.text)) {
          columns.findings.ignore('row that repeats another one');
          continue;
        }
        met.add(row.text);
      }
      try {
        const cells = cellsOf(row);
        if (isGone(cells)) {
          columns.findings.ignore('deleted row');
          gone.push({ line: row.line, asOf: asOfCell?.(cells) ?? undefined });
          continue;
        }
        placed.push(place(row, cells));
      } catch (error) {
        if (!(error instanceof Rejection)) throw error;
        rows.push({ line: row.line, reason: error.message, case: caseKey, source });
      }
    }
    placed.sort((a, b) => a.at - b.at || byText(a.order, b.order) || (a.line - b.line) * byLine);
    identify(placed, mapping.source);
    if (placed.length > 0) kind.fold(caseKey, placed);
    const last = lastOf([...placed, ...gone]);
    date(placed, source, last);
    for (const { line, records, refused } of placed) {
      if (records.length > 0 || refused.length === 0) rows.push({ line, records });
      for (const reason of refused) rows.push({ line, reason, case: caseKey, source });
    }
    for (const { line } of gone) rows.push({ line, records: [] });
    take(placed, notes, mapping);
    return withEmpty(rows, { case: caseKey, source, last });
  };
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Returns when a case last changed: the largest `as_of` of its rows. */
function lastOf(placed: readonly { readonly asOf: Instant | undefined }[]): Instant | undefined {
  let last: Instant | undefined;
  for (const { asOf } of placed) if (asOf !== undefined && (last === undefined || asOf > last)) last = asOf;
  return last;
}

/** Marks the first row of a case as `empty` if no row was refused and none has an event. */
export function withEmpty(rows: readonly Row[], empty: EmptyCase): Row[] {
  const means = rows.some((row) => 'reason' in row || row.records.some(isEvent));
  const [first, ...others] = rows;
  if (means || first === undefined || 'reason' in first) return [...rows];
  return [{ ...first, empty }, ...others];
}

/** Sets source and last change in the events of a case, in place: nothing else uses these objects. */
function date<R>(placed: readonly Placed<R>[], source: string | undefined, last: Instant | undefined): void {
  if (last === undefined && source === undefined) return;
  const asOf = last === undefined ? undefined : [last];
  for (const { records } of placed) for (const record of records) if (isEvent(record)) withOrigin(record, source, asOf);
}

function creationIn<R>(placed: readonly Placed<R>[]): Extract<CaseEvent, { type: 'case.created' }> | undefined {
  for (const { records } of placed)
    for (const record of records) if (isEvent(record) && record.type === 'case.created') return record;
  return undefined;
}

/** Adds a case to the counts. */
function take<R>(placed: readonly Placed<R>[], notes: CaseNotes, { order, kind }: CaseMapping): void {
  if (placed.length === 0) return;
  notes.cases += 1;
  notes.rows += placed.length;
  const creation = creationIn(placed);
  if (creation === undefined) notes.notCreated += 1;
  else if (creation.status === 'resolved' || creation.status === 'closed') notes.doneSinceUnknown += 1;
  for (const { at } of placed) if (notes.clocks.size < 4) notes.clocks.add(at % DAY);
  if (kind === 'tickets' || order.columns.length > 0 || order.lines === 'descending') return;
  for (const [index, { at }] of placed.entries()) if (index > 0 && placed[index - 1]?.at === at) notes.alike += 1;
}

/** Sets the id of each row; rows of the same time and order are numbered. */
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
