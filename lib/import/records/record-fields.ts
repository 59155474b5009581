import { knownLocale, normalizeLocale } from '../../access/locales.ts';
import type { Instant } from '../../history/cases/event.ts';
import { parseInstant, readIso } from '../../history/cases/instant.ts';
import { MAX_NAME, name, Rejection, shown, wellFormed } from '../../json-readers.ts';

/** Longest name of a source, in code points. */
export const MAX_SOURCE = 64;

/** Reads an event's or case's key: an integer or a non-empty text of at most 255 characters. */
export function key(value: unknown, name: string): string {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  if (typeof value !== 'string' || value === '') {
    throw new Rejection(`${name}: ${shown(value)} is neither a whole number nor a text`);
  }
  if (value.length > MAX_NAME) throw new Rejection(`${name}: longer than ${MAX_NAME} characters`);
  return wellFormed(value, name);
}

/** Reads an instant: ISO 8601 with an offset (docs/import.md). */
export function instant(value: unknown, name: string): Instant {
  if (typeof value !== 'string') throw new Rejection(`${name}: ${shown(value)} is not a time (a text in ISO 8601)`);
  const at = parseInstant(value);
  if (at !== undefined) return at;
  const read = readIso(value);
  if (read !== undefined && read.offset === undefined) {
    throw new Rejection(`${name}: ${shown(value)} has no offset (Z or, for example, +01:00)`);
  }
  throw new Rejection(
    read === undefined
      ? `${name}: ${shown(value)} is not a time in ISO 8601`
      : `${name}: ${shown(value)} is not a time that exists in the years 1970 to 2199`,
  );
}

/** Reads a language code, checking only its form; returns it as stored: lower case with underscore. */
export function language(value: unknown, field: string): string {
  const given = normalizeLocale(name(value, field));
  if (given === undefined) throw new Rejection(`${field}: ${shown(value)} is not a language code`);
  return given;
}

/**
 * Reads a locale in any accepted spelling, whose language and region exist; returns it as stored: lower case,
 * underscore.
 */
export function locale(value: unknown, field: string): string {
  const known = knownLocale(name(value, field));
  if (known === undefined) throw new Rejection(`${field}: ${shown(value)} is not a language code`);
  return known;
}
