import type { Instant } from '../../history/cases/event.ts';
import { boundedInstant, parseInstant } from '../../history/cases/instant.ts';
import { parsedJson } from '../../json.ts';
import { type JsonFields, Rejection, shown } from '../../json-readers.ts';

/** Reads an id, given as number or digits; null for anything else. −1 is Zendesk itself. */
export function zendeskId(value: unknown): number | null {
  const number = typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number !== 0 ? number : null;
}

/** Reads a required id above 0; throws `Rejection`. */
export function requiredId(fields: JsonFields, name: string): number {
  const id = zendeskId(fields[name]);
  if (id !== null && id > 0) return id;
  throw new Rejection(
    fields[name] === undefined ? `${name} is missing` : `${name}: ${shown(fields[name])} is not an id`,
  );
}

/** Reads a time, as ISO 8601 or in seconds since 1970; undefined for anything else. */
export function timeOf(value: unknown): Instant | undefined {
  if (typeof value === 'string') return parseInstant(value);
  return typeof value === 'number' && Number.isFinite(value)
    ? boundedInstant(Math.floor(value) * 1_000_000)
    : undefined;
}

/** Reads a time from the first of some fields that is present; throws `Rejection`. */
export function requiredTime(fields: JsonFields, ...names: readonly string[]): Instant {
  for (const name of names) {
    if (fields[name] === undefined || fields[name] === null) continue;
    const at = timeOf(fields[name]);
    if (at !== undefined) return at;
    throw new Rejection(`${name}: ${shown(fields[name])} is not a time in the years 1970 to 2199`);
  }
  throw new Rejection(`${names[0]} is missing`);
}

/** Returns a text trimmed; null for a blank text or anything else. */
export const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null;

/** Reads a list, which may be a text of JSON; empty for anything else. */
export function zendeskList(value: unknown): readonly unknown[] {
  const list = typeof value === 'string' ? parsedJson(value) : value;
  return Array.isArray(list) ? list : [];
}

/** Reads tags, given as a list or as a text with spaces or commas between them. */
export function tagsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.filter((tag) => typeof tag === 'string' && tag !== '');
  return typeof value === 'string' ? value.split(/[\s,]+/).filter((tag) => tag !== '') : [];
}
