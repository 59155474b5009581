import { certain } from '../../certain.ts';
import { addTo } from '../../group-by.ts';
import { Rejection } from '../../json-readers.ts';
import { ownJson } from '../../own-json.ts';
import {
  type CsvRow,
  cellsOf,
  columnNames,
  type Dialect,
  emptyCsv,
  pickCells,
  readCsv,
  unusedDuplicateColumns,
} from '../formats/csv.ts';
import type { Findings } from '../formats/findings.ts';
import { ImportFault } from '../formats/import-fault.ts';
import { openInput } from '../formats/input.ts';
import { splitMoment, valueAt, withMoment } from './lookup-moment.ts';
import type { Mapping } from './mapping.ts';
import type { PlainLookupSpec } from './mapping-values.ts';
import { newTextColumn, type TextColumn } from './text-column.ts';

/** The values of a lookup. */
interface LookupTable {
  readonly get: (key: string) => string | undefined;
}

/** Returns the table of a lookup; its file has been read. */
export type Lookups = (lookup: PlainLookupSpec) => LookupTable;

/** Most characters of all keys and values together; with more the import stops. */
const MOST = 200_000_000;

const nameOf = ({ file, key, value, at, when }: PlainLookupSpec): string =>
  JSON.stringify([file, key, value, at, when]);

/**
 * Reads the look-up files of a mapping; they have the dialect of its own file. Throws `ImportFault` if one is missing.
 */
export type OpenLookups = (mapping: Mapping, dialect: Dialect) => Promise<Lookups>;

/** Opens the lookups of all mappings of an import; each table is read only once. */
export function openLookups(findings: Findings): OpenLookups {
  const tables = new Map<string, LookupTable>();
  const indexes = new Map<string, Map<string, number>>(); // for each file and key column: the index of each key
  let room = MOST;
  return async (mapping, dialect) => {
    const tableName = (lookup: PlainLookupSpec): string => JSON.stringify([nameOf(lookup), dialect]);
    const byFile = new Map<string, Wanted[]>();
    for (const lookup of lookupsIn(mapping)) {
      if (tables.has(tableName(lookup))) continue;
      const { file, key } = lookup;
      const values = newTextColumn();
      const indexName = JSON.stringify([file, key, dialect]);
      const index = indexes.get(indexName) ?? new Map<string, number>();
      indexes.set(indexName, index);
      const get = (wanted: string): string | undefined => values.get(index.get(wanted) ?? -1);
      tables.set(tableName(lookup), { get: lookup.at === undefined ? get : (wanted) => getAt(get, wanted) });
      if (file !== NO_LOOKUP_FILE) addTo(byFile, file, { lookup, index, values });
    }
    for (const [file, wanted] of byFile) {
      room -= await readFile(file, wanted, dialect, findings);
      if (room < 0) throw new ImportFault(`${file} is too large to look things up in.`);
    }
    return (lookup) => tables.get(tableName(lookup)) ?? EMPTY;
  };
}

/** Gets the value that a key had at a time; both are in the text that is looked up. */
function getAt(get: LookupTable['get'], text: string): string | undefined {
  const { key, time } = splitMoment(text);
  const dated = get(key);
  return dated === undefined ? undefined : valueAt(dated, time);
}

const EMPTY: LookupTable = { get: () => undefined };

/** Stands for the file of an optional lookup if there is no such file. */
export const NO_LOOKUP_FILE = '';

interface Wanted {
  readonly lookup: PlainLookupSpec;
  readonly index: Map<string, number>; // of the keys; lookups by the same column share it
  readonly values: TextColumn;
}

/** Indexes of a lookup's cells among the picked cells of a row. */
interface Places {
  readonly key: number;
  readonly value: number;
  readonly when: number; // −1: each row counts
  readonly at: number; // −1: the last row of a key counts
}

/** Reads the tables of some lookups from their file; returns their number of characters. */
async function readFile(
  file: string,
  wanted: readonly Wanted[],
  dialect: Dialect,
  findings: Findings,
): Promise<number> {
  let cut:
    | { readonly width: number; readonly columns: readonly number[]; readonly places: readonly Places[] }
    | undefined;
  let size = 0;
  let damaged = 0;
  const input = await openInput(file);
  for await (const rows of readCsv(input.bytes, { ...dialect, skip: 0 })) {
    for (const row of rows) {
      if ('reason' in row) {
        damaged += 1;
        continue;
      }
      if (cut === undefined) {
        const header = cellsOf(row, dialect);
        const names = columnNames(header);
        cut = placesIn(names, wanted, file);
        for (const { taken, left } of unusedDuplicateColumns(header, names, new Set(cut.columns)))
          findings.warn(`${file} has several columns "${taken}": the mapping does not look in "${left}".`);
        continue;
      }
      const cells = cellsIn(row, dialect, cut);
      if (cells === undefined) {
        damaged += 1;
        continue;
      }
      for (const [at, lookup] of wanted.entries()) size += note(cells, certain(cut.places[at]), lookup);
      if (size > MOST) return size;
    }
  }
  if (cut === undefined) throw new ImportFault(emptyCsv(file));
  if (damaged > 0) findings.warn(`${file} has ${damaged} damaged rows: nothing is looked up in these.`);
  return size;
}

/** Returns the cells of a row that lookups use; undefined if the row has not as many columns as the header. */
function cellsIn(
  row: CsvRow,
  dialect: Dialect,
  { width, columns }: { readonly width: number; readonly columns: readonly number[] },
): string[] | undefined {
  try {
    return pickCells(row, dialect, columns, width);
  } catch (error) {
    if (error instanceof Rejection) return undefined;
    throw error;
  }
}

function note(cells: readonly string[], places: Places, { lookup: { when, at }, index, values }: Wanted): number {
  if (when !== undefined && !when.is.includes((cells[places.when] ?? '').trim())) return 0;
  const [key, value] = [(cells[places.key] ?? '').trim(), (cells[places.value] ?? '').trim()];
  const known = index.get(key);
  if (known === undefined) index.set(own(key), index.size);
  const place = known ?? index.size - 1;
  const time = (cells[places.at] ?? '').trim();
  values.set(place, at === undefined ? value : withMoment(values.get(place), time, value));
  return key.length + value.length;
}

/** Copies a text: V8 would keep the whole row in memory from which it was sliced. */
const own = (text: string): string => (text.length < 13 ? text : Buffer.from(text).toString());

function placesIn(header: readonly string[], wanted: readonly Wanted[], file: string) {
  const named = wanted.map(({ lookup: { key, value, at, when, optional } }) => ({
    key: placeIn(header, key, file),
    value: optional && !header.includes(value) ? -1 : placeIn(header, value, file),
    when: when === undefined ? -1 : placeIn(header, when.column, file),
    at: at === undefined ? -1 : placeIn(header, at, file),
  }));
  const columns = [...new Set(named.flatMap(({ key, value, when, at }) => [key, value, when, at]))]
    .filter((index) => index >= 0)
    .sort((a, b) => a - b);
  const among = (index: number): number => columns.indexOf(index);
  const places = named.map(({ key, value, when, at }) => ({
    key: among(key),
    value: among(value),
    when: among(when),
    at: among(at),
  }));
  return { width: header.length, columns, places };
}

function placeIn(header: readonly string[], column: string, file: string): number {
  const index = header.indexOf(column);
  if (index >= 0) return index;
  throw new ImportFault(
    `The mapping looks up the column "${column}" of ${file}, which does not have it: its columns are ${header.join(', ')}.`,
  );
}

/** Finds all lookups of a mapping, at any depth. */
export function lookupsIn(value: unknown): PlainLookupSpec[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'lookup' && Array.isArray(inner) ? [...inner, ...lookupsIn(inner)] : lookupsIn(inner),
  );
}

/** Sets the files of a mapping's lookups to the paths that `find` returns. */
export function withLookupFiles(mapping: Mapping, find: Find): Mapping {
  const isLookup = (key: string, inner: unknown): inner is readonly PlainLookupSpec[] =>
    key === 'lookup' && Array.isArray(inner);
  const text = JSON.stringify(mapping, (key, inner: unknown) =>
    isLookup(key, inner) ? inner.map((lookup) => ({ ...lookup, file: find(lookup) })) : inner,
  );
  return ownJson(text);
}

type Find = (lookup: Pick<PlainLookupSpec, 'file' | 'optional'>) => string;
