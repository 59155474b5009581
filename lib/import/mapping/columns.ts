import type { MemberKind } from '../../access/member-id.ts';
import type { Instant } from '../../history/cases/event.ts';
import { boundedInstant } from '../../history/cases/instant.ts';
import { oneOf, Rejection, shown } from '../../json-readers.ts';
import type { Findings } from '../formats/findings.ts';
import { ImportFault } from '../formats/import-fault.ts';
import { durationMicros } from '../language/durations.ts';
import { timeReader } from '../language/times.ts';
import { channelName } from './channels.ts';
import { splitMoment } from './lookup-moment.ts';
import type { Lookups } from './lookups.ts';
import type { Mapping } from './mapping.ts';
import type {
  ConditionSpec,
  LookupSpec,
  MemberListSpec,
  MemberSpec,
  SourceSpec,
  TimeSpec,
  ValueSpec,
} from './mapping-values.ts';
import type { Members } from './member-ids.ts';
import { compilePattern } from './pattern.ts';

export type CsvCells = readonly string[];
/** Reads something from a row's cells; throws `Rejection`. */
export type Read<T> = (cells: CsvCells) => T;

/** The columns of a file, and all else that readers of its cells need. */
export interface Columns {
  readonly names: readonly string[];
  readonly used: Set<number>; // indexes of the columns that some reader uses
  readonly nulls: ReadonlySet<string>; // texts that count as an empty cell
  readonly time: Mapping['time']; // default format and zone of times
  readonly members: Members;
  readonly lookups: Lookups;
  readonly findings: Findings;
  readonly isLenient: boolean; // a column that the file lacks counts as empty
  readonly unused: Map<string, Set<string>>; // by table of the mapping: its keys that no row has used yet
}

/** Returns a column's index; throws `ImportFault` if the file has no such column. */
function columnIndex(columns: Columns, column: string, optional = false): number {
  const index = columns.names.indexOf(column);
  if (index >= 0) {
    columns.used.add(index);
    return index;
  }
  if (columns.isLenient || optional) {
    if (!optional) columns.findings.warn(`The file has no column "${column}", so its values are left out.`);
    return columns.names.length; // no row has a cell there
  }
  throw new ImportFault(
    `The mapping names the column "${column}", which the file does not have: its columns are ${columns.names.join(', ')}. (A constant is written {"value": ${JSON.stringify(column)}}.)`,
  );
}

/** Makes a value from a text; null stands for an empty cell. */
type Make<T> = (text: string | null) => T;

/** Returns a source's name for messages. */
export const sourceLabel = ({ column, columns = [] }: SourceSpec): string => column ?? columns.join(' + ');

/** Reads the text of several columns: their cells that are not empty, joined. */
function joinedReader(columns: Columns, { columns: several = [], join = ' ' }: SourceSpec): Read<string> {
  const indexes = several.map((one) => columnIndex(columns, one));
  return (cells) =>
    indexes
      .map((index) => (cells[index] ?? '').trim())
      .filter((text) => !columns.nulls.has(text))
      .join(join);
}

/**
 * Reads a source and makes a value from its trimmed text, or from null if the text counts as empty. The last text and
 * its value are cached, because rows of a case repeat most cells: this halves the time. If the last text was ignored,
 * `droppedBy` returns its name for the findings.
 */
function cellReader<T>(
  columns: Columns,
  source: SourceSpec,
  make: Make<T>,
  droppedBy: () => string | undefined = () => undefined,
): Read<T> {
  const index = source.column === undefined ? -1 : columnIndex(columns, source.column, source.optional);
  const joined = joinedReader(columns, source);
  const { nulls } = columns;
  let last: { readonly cell: string; readonly made: T; readonly dropped: string | undefined } | undefined;
  return (cells) => {
    const cell = index < 0 ? joined(cells) : (cells[index] ?? '');
    if (last?.cell !== cell) {
      const text = cell.trim();
      const made = make(nulls.has(text) ? null : text);
      last = { cell, made, dropped: droppedBy() };
    }
    if (last.dropped !== undefined) columns.findings.ignore(last.dropped);
    return last.made;
  };
}

/** Wraps a reader: a value equal to the last one is returned as the same object, so that `===` finds differences. */
export function reuseEqual<T extends object>(read: Read<T>, isLike: (a: T, b: T) => boolean): Read<T> {
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

/**
 * Reads a value as its spec says, a constant or a column's text after pattern, lookups and table, and passes it to
 * `make`.
 */
function specReader<T>(
  columns: Columns,
  spec: ValueSpec | undefined,
  make: Make<T>,
  tellsDefault = false, // counts the texts that are read as the default
): Read<T> {
  if (spec === undefined || (spec.column === undefined && spec.columns === undefined)) {
    const constant = make(asText(spec?.value));
    return () => constant;
  }
  if (spec.equals !== undefined || spec.else !== undefined) return compositeReader(columns, spec, make);
  const steps = stepsOf(columns, spec);
  const { default: fallback } = spec;
  const otherwise = asText(fallback);
  const name = sourceLabel(spec);
  let dropped: string | undefined;
  return cellReader(
    columns,
    spec,
    (text) => make(translated(text)),
    () => dropped,
  );

  function translated(text: string | null): string | null {
    dropped = undefined;
    let found = text;
    for (const step of steps) {
      if (found === null) break;
      const next = step(found);
      if (next === undefined) return otherwise;
      if (typeof next === 'object' && next !== null) {
        if (fallback === undefined) throw new Rejection(`${name}: ${next.wrong}`);
        if (otherwise === null && !next.isLookup) dropped = `${name} ${text}`;
        else if (otherwise !== null && tellsDefault) dropped = `${name} ${text} (read as ${otherwise})`;
        return otherwise;
      }
      found = next;
    }
    return found ?? (steps.length === 0 || text === null ? otherwise : found);
  }
}

/** Reads a value that is compared with another one (`equals`), or replaced by another one if it is empty (`else`). */
function compositeReader<T>(columns: Columns, spec: ValueSpec, make: Make<T>): Read<T> {
  const { equals, else: instead, ...plain } = spec;
  const other = instead === undefined ? () => null : valueReader(columns, instead);
  if (equals === undefined) {
    const read = valueReader(columns, plain);
    return (cells) => make(read(cells) ?? other(cells));
  }
  const { table = {}, default: fallback, ...source } = plain;
  const [one, two] = [valueReader(columns, source), valueReader(columns, equals)];
  return (cells) => {
    const [a, b] = [one(cells), two(cells)];
    const said = a === null || b === null ? undefined : table[String(a === b)];
    return make(asText(said) ?? other(cells) ?? asText(fallback));
  };
}

/** One step of reading a text: undefined for an empty cell of another file; `wrong` is the reason if it fails. */
type Step = (text: string) => string | null | undefined | { readonly wrong: string; readonly isLookup?: boolean };

/** Returns the steps that a value's spec applies to a cell's text, in this order: pattern, lookups, table. */
function stepsOf(columns: Columns, { pattern, lookup = [], table, ...source }: ValueSpec): Step[] {
  const steps: Step[] = [];
  if (pattern !== undefined) {
    const { find } = compilePattern(pattern);
    steps.push((text) => find(text) ?? { wrong: `${shown(text)} does not match ${pattern}` });
  }
  for (const one of lookup) steps.push(lookupStep(columns, one));
  if (table !== undefined) {
    const unused = new Set(Object.keys(table));
    columns.unused.set(`table of ${sourceLabel(source)}`, unused);
    const anyCase = new Map(columns.isLenient ? Object.keys(table).map((key) => [key.toLowerCase(), key]) : []);
    steps.push((text) => {
      const key = Object.hasOwn(table, text) ? text : anyCase.get(text.toLowerCase());
      if (key === undefined) return { wrong: `${shown(text)} is not in the mapping's table` };
      unused.delete(key);
      return asText(table[key]);
    });
  }
  return steps;
}

function lookupStep(columns: Columns, lookup: LookupSpec): Step {
  const lookupTable = columns.lookups(lookup);
  const otherwise = lookup.else?.lookup.map((one) => lookupStep(columns, one));
  return (text) => {
    const value = lookupTable.get(text);
    if (value === undefined && otherwise !== undefined) {
      let next: ReturnType<Step> = lookup.at === undefined ? text : splitMoment(text).key;
      for (const step of otherwise) if (typeof next === 'string') next = step(next);
      return next;
    }
    if (value === undefined && lookup.optional) return null;
    if (value === undefined)
      return { wrong: `${shown(text)} is not in the column ${lookup.key} of ${lookup.file}`, isLookup: true };
    return value === '' ? undefined : value;
  };
}

/** Reads whether a condition holds; without a condition it always does. In packs capital and small letters are equal. */
export function conditionReader(columns: Columns, spec: ConditionSpec | undefined): Read<boolean> {
  if (spec === undefined) return () => true;
  const { is, not, ...value } = spec;
  const read = valueReader(columns, value);
  const plain = (text: string): string => (columns.isLenient ? text.toLowerCase() : text);
  const listed = (is ?? not ?? []).map(plain);
  return (cells) => listed.includes(plain(read(cells) ?? '')) === (is !== undefined);
}

/** Reads whether any of some values says true. */
export function anyReader(columns: Columns, specs: readonly ValueSpec[], field: string): Read<boolean> {
  const reads = specs.map((spec) => booleanReader(columns, spec, field));
  return (cells) => reads.some((read) => read(cells));
}

/** Reads a value's text. */
export function valueReader(columns: Columns, spec: ValueSpec | undefined): Read<string | null> {
  return specReader(columns, spec, (text) => text);
}

/** Reads true or false; an empty cell is false. */
export function booleanReader(columns: Columns, spec: ValueSpec | undefined, field: string): Read<boolean> {
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
  [min, max]: readonly [number, number],
): Read<number | null> {
  return specReader(columns, spec, (text) => {
    if (text === null) return null;
    const number = Number(text);
    if (Number.isInteger(number) && number >= min && number <= max) return number;
    throw new Rejection(`${field}: ${shown(text)} is not a whole number from ${min} to ${max}`);
  });
}

/** Reads one of some words. Of a pack, whose tables are not the user's, it tells which texts are read as the default. */
export function wordReader<const T extends string>(
  columns: Columns,
  spec: ValueSpec | undefined,
  field: string,
  words: readonly T[],
): Read<T | null> {
  const read = oneOf(words);
  return specReader(columns, spec, (text) => (text === null ? null : read(text, field)), columns.isLenient);
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
  if (!spec?.is_id) return (text) => columns.members.id(kind, spec?.usual ? channelName(text) : text, spec?.ids);
  return (text) => {
    const id = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (Number.isSafeInteger(id) && (id > 0 || kind === 'channel')) return id;
    throw new Rejection(`${kind}: ${shown(text)} is not an id (a positive whole number)`);
  };
}

/** Reads an instant; null for an empty cell. */
export function timeCellReader(columns: Columns, spec: TimeSpec): Read<Instant | null> {
  const parse = timeReader([spec.format ?? columns.time.format ?? 'iso'].flat(), spec.zone ?? columns.time.zone);
  const name = sourceLabel(spec);
  const steps = (spec.lookup ?? []).map((lookup) => lookupStep(columns, lookup));
  const read = cellReader(columns, spec, (text) => {
    const found = lookedUp(text, steps, name);
    return found === null ? null : parse(found, name);
  });
  if (spec.unless !== undefined && spec.column !== undefined) {
    const [own, other] = [columnIndex(columns, spec.column), columnIndex(columns, spec.unless)];
    return (cells) => (cells[own]?.trim() === cells[other]?.trim() ? null : read(cells));
  }
  if (spec.plus === undefined) return read;
  const { column, unit, null: none = [] } = spec.plus;
  const later = cellReader(columns, { column, join: '', optional: spec.optional }, (text) =>
    text === null || none.includes(text) ? null : durationMicros(text, unit, column),
  );
  return (cells) => {
    const [at, plus] = [read(cells), later(cells)];
    return at === null || plus === null ? null : (boundedInstant(at + plus) ?? null);
  };
}

function lookedUp(text: string | null, steps: readonly Step[], name: string): string | null {
  let found = text;
  for (const step of steps) {
    const next = found === null ? null : (step(found) ?? null);
    if (typeof next === 'object' && next !== null) throw new Rejection(`${name}: ${next.wrong}`);
    found = next;
  }
  return found;
}

function asText(value: string | number | boolean | null | undefined): string | null {
  return value === undefined || value === null ? null : String(value);
}
