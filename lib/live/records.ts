import { memberId } from '../access/member-id.ts';
import { channelName } from '../import/mapping/channels.ts';
import { type HistoryRecord, parseRecord } from '../import/records/records.ts';
import { isJsonObject } from '../json.ts';
import { type JsonFields, MAX_NAME, Rejection } from '../json-readers.ts';
import type { DeskSetting } from './desk.ts';
import { DeskTrouble } from './trouble.ts';

/** A record of docs/import.md, not checked yet. Fields without a value are left out. */
export type RawRecord = Readonly<Record<string, unknown>>;

/** Checks records of a help desk's answer. Throws `DeskTrouble` that names the answer and the field. */
export function deskRecords(path: string, raw: readonly RawRecord[]): HistoryRecord[] {
  try {
    return raw.map((record) =>
      parseRecord(Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined))),
    );
  } catch (error) {
    if (error instanceof Rejection) throw new DeskTrouble('changed', `${path}: ${error.message}.`);
    throw error;
  }
}

/** A name that fits a record; `?` for none. */
export const shortName = (...names: readonly unknown[]): string => {
  const name = names.find((one) => typeof one === 'string' && one.trim() !== '');
  return typeof name === 'string' ? [...name.trim()].slice(0, MAX_NAME).join('') : '?';
};

/** A member of a list in an answer as a record. */
export const memberRecord = (type: string, fields: JsonFields, ...names: readonly unknown[]): RawRecord => ({
  type,
  id: fields.id,
  name: shortName(fields.name, ...names),
});

/** Members that help desks name by a text: their ids, and the records of those that are new. */
export function newNames() {
  const fresh = new Map<string, RawRecord>();
  const named = (type: 'label' | 'channel' | 'company' | 'custom_field', text: string): number => {
    const name = shortName(text);
    const id = memberId(type, name);
    const object = type === 'custom_field' ? { object: 'case' } : {};
    fresh.set(`${type} ${id}`, { type, id, name, ...object, updated_at: '1970-01-01T00:00:00Z' });
    return id;
  };
  return {
    label: (text: string): number => named('label', text),
    channel: (text: string): number => named('channel', channelName(text)),
    customField: (text: string): number => named('custom_field', text),
    /** The records of the names since the last call. */
    take(): RawRecord[] {
      const records = [...fresh.values()];
      fresh.clear();
      return records;
    },
  };
}

/** A time as records have it; `at` in epoch ms. */
export const isoTime = (at: number): string => new Date(at).toISOString();

/** The texts of a list. */
export const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === 'string' && entry.trim() !== '') : [];

/** A field of what may be an object; undefined: it is none, or has no such field. */
export const fieldOf = (value: unknown, field: string): unknown => (isJsonObject(value) ? value[field] : undefined);

/** The score of a good or bad rating at a site. */
export const ratingOf = (isGood: boolean, { rating }: Pick<DeskSetting, 'rating'>): number =>
  rating === 'yes_no' ? (isGood ? 1 : 0) : isGood ? 4 : 1;
