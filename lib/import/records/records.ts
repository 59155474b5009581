import type { HistoryEvent } from '../../history/cases/event.ts';
import { isJsonObject, parsedJson } from '../../json.ts';
import { type JsonFields, Rejection, shown } from '../../json-readers.ts';
import { EVENT_RECORDS } from './event-records.ts';
import type { ReferenceRecord } from './reference-record.ts';
import { REFERENCE_RECORDS } from './reference-records.ts';

export type HistoryRecord = HistoryEvent | ReferenceRecord;

/** The reader of each record type of docs/import.md. A map, not an object, so that `constructor` is no type. */
const RECORDS: ReadonlyMap<unknown, (raw: JsonFields) => HistoryRecord> = new Map([
  ...Object.entries<(raw: JsonFields) => HistoryRecord>(EVENT_RECORDS),
  ...Object.entries<(raw: JsonFields) => HistoryRecord>(REFERENCE_RECORDS),
]);

/** The record types of docs/import.md, events first. */
export const RECORD_TYPES: readonly string[] = [...Object.keys(EVENT_RECORDS), ...Object.keys(REFERENCE_RECORDS)];

const MACRO_ACTION = /^(set|append)-case-/;

/** Checks a JSON value and returns it as a record; throws `Rejection` with one line that names field and value. */
export function parseRecord(value: unknown): HistoryRecord {
  if (!isJsonObject(value)) throw new Rejection(`${shown(value)} is not an object`);
  const read = RECORDS.get(value.type);
  if (read !== undefined) return read(value);
  if (value.type === undefined) throw new Rejection('type is missing');
  // A macro action has two fields named `type` (docs/import.md). JSON keeps the last of equal keys: the action's type.
  if (typeof value.type === 'string' && MACRO_ACTION.test(value.type)) {
    return parseRecord({ ...value, action: value.type, type: 'macro_action' });
  }
  throw new Rejection(`type: ${shown(value.type)} is not a record type`);
}

/** Parses one line of NDJSON; throws `Rejection`. */
export function parseLine(line: string): HistoryRecord {
  const value = parsedJson(line);
  if (value === undefined) throw new Rejection('the line is not JSON');
  return parseRecord(value);
}

/** Whether a record is an event; all others are reference records. */
export function isEvent(record: HistoryRecord): record is HistoryEvent {
  return Object.hasOwn(EVENT_RECORDS, record.type);
}
