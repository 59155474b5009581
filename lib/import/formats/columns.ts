import type { Instant } from '../../history/cases/event.ts';
import { Rejection, shown } from '../records/fields.ts';
import { ImportFault } from './import-fault.ts';
import type { Mapping, MemberListSpec, MemberSpec, SourceSpec, TimeSpec, ValueSpec } from './mapping.ts';
import type { MemberKind, Members } from './members.ts';
import { timeReader } from './times.ts';

export type Cells = readonly string[];
/** Reads something from a row's cells; throws `Rejection`. */
export type Read<T> = (cells: Cells) => T;

/** What readers of a file's cells are made with. */
export interface Columns {
  readonly names: readonly string[];
  readonly used: Set<number>; // places of those that readers have been made of
  readonly nulls: ReadonlySet<string>; // texts that mean nothing
  readonly time: Mapping['time']; // format and zone where a time names none
  readonly members: Members;
}

/** A column's place; throws `ImportFault` where the file has no such column. */
export function placeOf(columns: Columns, column: string): number {
  const place = columns.names.indexOf(column);
  if (place >= 0) {
    columns.used.add(place);
    return place;
  }
  throw new ImportFault(
    `The mapping names the column "${column}", which the file lacks: its columns are ${columns.names.join(', ')}.`,
  );
}

/** What is made of a text; null: nothing stands there. */
type Make<T> = (text: string | null) => T;

/** A source as messages name it. */
export const nameOf = ({ column, columns = [] }: SourceSpec): string => column ?? columns.join(' + ');

/** Reads the text of several columns: of their cells those that are not empty, joined. */
function joinedReader(columns: Columns, { columns: several = [], join = ' ' }: SourceSpec): Read<string> {
  const places = several.map((one) => placeOf(columns, one));
  return (cells) =>
    places
      .map((place) => (cells[place] ?? '').trim())
      .filter((text) => !columns.nulls.has(text))
      .join(join);
}

/**
 * Reads a source: its trimmed text, null for the texts that mean nothing, made into something. The last text and its
 * result are remembered, for rows of a case repeat most of their cells: reading takes half the time so.
 */
function cellReader<T>(columns: Columns, source: SourceSpec, make: Make<T>): Read<T> {
  const place = source.column === undefined ? -1 : placeOf(columns, source.column);
  const joined = joinedReader(columns, source);
  const { nulls } = columns;
  let last: { readonly cell: string; readonly made: T } | undefined;
  return (cells) => {
    const cell = place < 0 ? joined(cells) : (cells[place] ?? '');
    if (last?.cell === cell) return last.made;
    const text = cell.trim();
    const made = make(nulls.has(text) ? null : text);
    last = { cell, made };
    return made;
  };
}

/** The same reader, but what is like the last thing read is given as that one: what differs is seen at a glance. */
export function steady<T extends object>(read: Read<T>, isLike: (a: T, b: T) => boolean): Read<T> {
  let last: T | undefined;
  return (cells) => {
    const now = read(cells);
    if (last === undefined || !isLike(last, now)) last = now;
    return last;
  };
}

/** Reads a column's text. */
export function textReader(columns: Columns, column: string): Read<string | null> {
  return cellReader(columns, { column, join: '' }, (text) => text);
}

/** Reads a value, a constant or a column's text by pattern, table and default, and makes something of it. */
function specReader<T>(columns: Columns, spec: ValueSpec | undefined, make: Make<T>): Read<T> {
  if (spec === undefined || (spec.column === undefined && spec.columns === undefined)) {
    const constant = make(asText(spec?.value));
    return () => constant;
  }
  const { table, default: fallback } = spec;
  const name = nameOf(spec);
  const pattern = spec.pattern === undefined ? undefined : new RegExp(spec.pattern, 'u');
  const otherwise = asText(fallback);
  return cellReader(columns, spec, (text) => make(translated(text)));

  function translated(text: string | null): string | null {
    if (text === null) return otherwise;
    const match = pattern === undefined ? undefined : pattern.exec(text);
    if (match === null && fallback === undefined) {
      throw new Rejection(`${name}: ${shown(text)} does not match ${spec?.pattern}`);
    }
    if (match === null) return otherwise;
    const found = match === undefined ? text : (match[1] ?? match[0]);
    if (table === undefined) return found;
    if (Object.hasOwn(table, found)) return asText(table[found]);
    if (fallback === undefined) throw new Rejection(`${name}: ${shown(found)} is not in the mapping's table`);
    return otherwise;
  }
}

/** Reads a value's text. */
export function valueReader(columns: Columns, spec: ValueSpec | undefined): Read<string | null> {
  return specReader(columns, spec, (text) => text);
}

/** Reads a truth; nothing is false. */
export function truthReader(columns: Columns, spec: ValueSpec | undefined, field: string): Read<boolean> {
  return specReader(columns, spec, (text) => {
    if (text === null || /^(false|no|n|f|0|0\.0)$/i.test(text)) return false;
    if (/^(true|yes|y|t|1|1\.0)$/i.test(text)) return true;
    throw new Rejection(`${field}: ${shown(text)} is neither true nor false`);
  });
}

/** Reads a whole number from `min` to `max`. */
export function numberReader(
  columns: Columns,
  spec: ValueSpec | undefined,
  field: string,
  min: number,
  max: number,
): Read<number | null> {
  return specReader(columns, spec, (text) => {
    if (text === null) return null;
    const number = Number(text);
    if (Number.isInteger(number) && number >= min && number <= max) return number;
    throw new Rejection(`${field}: ${shown(text)} is no whole number from ${min} to ${max}`);
  });
}

/** Reads one of some words. */
export function wordReader<const T extends string>(
  columns: Columns,
  spec: ValueSpec | undefined,
  field: string,
  words: readonly T[],
): Read<T | null> {
  return specReader(columns, spec, (text) => {
    if (text === null) return null;
    const word = words.find((known) => known === text);
    if (word === undefined) throw new Rejection(`${field}: ${shown(text)} is none of ${words.join(', ')}`);
    return word;
  });
}

/** Reads a member's id: the text is its name, or with `is_id` the id itself. */
export function memberReader(columns: Columns, kind: MemberKind, spec: MemberSpec | undefined): Read<number | null> {
  const idOf = memberOf(columns, kind, spec);
  return specReader(columns, spec, (text) => (text === null ? null : idOf(text)));
}

/** Reads a list of members' ids, ascending, each once; `split` separates their names in the cell. */
export function memberListReader(
  columns: Columns,
  kind: MemberKind,
  spec: MemberListSpec | undefined,
): Read<readonly number[]> {
  const idOf = memberOf(columns, kind, spec);
  return specReader(columns, spec, (text) => {
    if (text === null) return [];
    const names = spec?.split === undefined ? [text] : text.split(spec.split).map((part) => part.trim());
    const ids = names.filter((name) => !columns.nulls.has(name)).map(idOf);
    return ids.length < 2 ? ids : [...new Set(ids)].sort((a, b) => a - b);
  });
}

function memberOf(columns: Columns, kind: MemberKind, spec: MemberSpec | undefined): (text: string) => number {
  if (!spec?.is_id) return (text) => columns.members.id(kind, text, spec?.ids);
  return (text) => {
    const id = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (Number.isSafeInteger(id) && (id > 0 || kind === 'channel')) return id;
    throw new Rejection(`${kind}: ${shown(text)} is no id (a positive whole number)`);
  };
}

/** Reads an instant; null for an empty cell. */
export function timeCellReader(columns: Columns, spec: TimeSpec): Read<Instant | null> {
  const parse = timeReader([spec.format ?? columns.time.format ?? 'iso'].flat(), spec.zone ?? columns.time.zone);
  const name = nameOf(spec);
  return cellReader(columns, spec, (text) => (text === null ? null : parse(text, name)));
}

function asText(value: string | number | boolean | null | undefined): string | null {
  return value === undefined || value === null ? null : String(value);
}
