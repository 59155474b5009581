import { readSerial, type SerialReader, type SerialWriter, writeSerial } from '../../history/storage/serial-events.ts';
import { ownJson } from '../../own-json.ts';
import { type HistoryRecord, isEvent } from '../records/records.ts';
import type { EmptyCase, Row } from './row.ts';

/** Rows in a few large values: to send them between threads takes a third of the time of JSON. */
export interface PackedRows {
  readonly numbers: Float64Array;
  readonly members: Float64Array; // in order of appearance
  readonly text: string; // all texts, one after the other; their lengths are in `numbers`
}

const REJECTED = -1; // in the position of a count of records
const REFERENCE = -1; // in the position of an event's first number

/** Packs rows without their raw text. */
export function packRows(rows: readonly Row[]): PackedRows {
  const numbers: number[] = [];
  const members: number[] = [];
  let text = '';
  let owner = ''; // owner of the last event; the same owner is written as an empty text
  const put = (value: string): void => {
    numbers.push(value.length);
    text += value;
  };
  const number = (value: number): void => void numbers.push(value);
  const out: SerialWriter = {
    number,
    id: put,
    owner: (key) => {
      if (key === owner) number(0);
      else put((owner = key));
    },
    put: (_, value) => number(value),
    text: (value) => put(JSON.stringify(value)),
    index: (_, member) => members.push(member) - 1,
  };
  const putRecord = (record: HistoryRecord): void => {
    if (!isEvent(record)) {
      numbers.push(REFERENCE);
      put(JSON.stringify(record));
      return;
    }
    writeSerial(record, out);
  };

  for (const row of rows) {
    numbers.push(row.line);
    if ('reason' in row) {
      numbers.push(REJECTED);
      put(row.reason);
      put(row.case ?? '');
      put(row.source ?? '');
      continue;
    }
    numbers.push(row.records.length);
    for (const record of row.records) putRecord(record);
    number(row.empty === undefined ? 0 : 1);
    if (row.empty !== undefined) put(JSON.stringify(row.empty));
  }
  return { numbers: Float64Array.from(numbers), members: Float64Array.from(members), text };
}

/** Returns the rows that `packRows` packed. */
export function unpackRows({ numbers, members, text }: PackedRows): Row[] {
  const rows: Row[] = [];
  let at = 0; // index of the next number
  let end = 0; // end of the last text
  let owner = '';
  const next = (): number => numbers[at++]!;
  const nextText = (): string => {
    const length = next();
    return text.slice(end, (end += length));
  };
  const source: SerialReader = {
    number: next,
    id: nextText,
    owner: () => (owner = nextText() || owner),
    next,
    text: () => JSON.parse(nextText()),
    member: (_, index) => members[index]!,
  };
  const nextRecord = (): HistoryRecord => {
    const kind = next();
    if (kind === REFERENCE) return ownJson<HistoryRecord>(nextText());
    return readSerial(kind, source);
  };

  while (at < numbers.length) {
    const line = next();
    const count = next();
    if (count === REJECTED) {
      const [reason, key, source] = [nextText(), nextText(), nextText()];
      rows.push({ line, reason, case: key || undefined, source: source || undefined });
      continue;
    }
    const records: HistoryRecord[] = [];
    for (let index = 0; index < count; index += 1) records.push(nextRecord());
    rows.push(next() === 0 ? { line, records } : { line, records, empty: ownJson<EmptyCase>(nextText()) });
  }
  return rows;
}
