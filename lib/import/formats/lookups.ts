import { certain } from '../../certain.ts';
import { Rejection } from '../records/fields.ts';
import { type CsvRow, cellsOf, columnNames, type Dialect, leftColumns, pickCells, readCsv } from './csv.ts';
import type { Findings } from './findings.ts';
import { ImportFault } from './import-fault.ts';
import { openInput } from './input.ts';
import type { Mapping } from './mapping.ts';
import type { LookupSpec } from './mapping-values.ts';

/** What a lookup finds: key to value. */
export type LookupTable = ReadonlyMap<string, string>;
/** The files that a mapping looks things up in, read. */
export type Lookups = (lookup: LookupSpec) => LookupTable;

/** Characters of all keys and values that are kept: past it a lookup is refused. */
const MOST = 200_000_000;

const nameOf = ({ file, key, value, when }: LookupSpec): string => JSON.stringify([file, key, value, when]);

/** Reads the files that a mapping looks things up in, which are written as its own. Throws `ImportFault` where one is missing. */
export type OpenLookups = (mapping: Mapping, dialect: Dialect) => Promise<Lookups>;

/** Lookups of the mappings of an import: what several of them look up is read once. */
export function openLookups(findings: Findings): OpenLookups {
  const tables = new Map<string, Map<string, string>>();
  let room = MOST;
  return async (mapping, dialect) => {
    const tableName = (lookup: LookupSpec): string => JSON.stringify([nameOf(lookup), dialect]);
    const byFile = new Map<string, Wanted[]>();
    for (const lookup of lookupsIn(mapping)) {
      if (tables.has(tableName(lookup))) continue;
      const found = new Map<string, string>();
      tables.set(tableName(lookup), found);
      const { file } = lookup;
      if (file !== NOT_THERE) byFile.set(file, [...(byFile.get(file) ?? []), { lookup, found }]);
    }
    for (const [file, wanted] of byFile) {
      room -= await readFile(file, wanted, dialect, findings);
      if (room < 0) throw new ImportFault(`${file} is too large to look things up in.`);
    }
    return (lookup) => tables.get(tableName(lookup)) ?? new Map();
  };
}

/** The file of a lookup that is optional, where there is none. */
export const NOT_THERE = '';

interface Wanted {
  readonly lookup: LookupSpec;
  readonly found: Map<string, string>;
}

/** Where a lookup finds its cells among those of its file that are cut. */
interface Places {
  readonly key: number;
  readonly value: number;
  readonly when: number; // -1: each row counts
}

/** Reads what some lookups want of a file; returns how many characters that is. */
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
  const input = await openInput(file);
  for await (const rows of readCsv(input.bytes, { ...dialect, skip: 0 })) {
    for (const row of rows) {
      if ('reason' in row) continue;
      if (cut === undefined) {
        const header = cellsOf(row, dialect);
        const names = columnNames(header);
        cut = placesIn(names, wanted, file);
        for (const { taken, left } of leftColumns(header, names, new Set(cut.columns)))
          findings.warn(`${file} has several columns "${taken}": the mapping does not look in "${left}".`);
        continue;
      }
      const cells = cellsIn(row, dialect, cut);
      if (cells === undefined) continue;
      for (const [at, { lookup, found }] of wanted.entries())
        size += note(cells, certain(cut.places[at]), lookup, found);
      if (size > MOST) return size;
    }
  }
  await input.close();
  return size;
}

/** The cells of a row that lookups want; undefined where it has other columns than its header. */
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

function note(cells: readonly string[], places: Places, { when }: LookupSpec, found: Map<string, string>): number {
  if (when !== undefined && !when.is.includes((cells[places.when] ?? '').trim())) return 0;
  const [key, value] = [(cells[places.key] ?? '').trim(), (cells[places.value] ?? '').trim()];
  found.set(own(key), key === value ? own(key) : own(value));
  return key.length + value.length;
}

/** The same text without the row that it was cut from, which V8 would keep with it. */
const own = (text: string): string => (text.length < 13 ? text : Buffer.from(text).toString());

function placesIn(header: readonly string[], wanted: readonly Wanted[], file: string) {
  const named = wanted.map(({ lookup: { key, value, when } }) => ({
    key: placeIn(header, key, file),
    value: placeIn(header, value, file),
    when: when === undefined ? -1 : placeIn(header, when.column, file),
  }));
  const columns = [...new Set(named.flatMap(({ key, value, when }) => [key, value, when]))]
    .filter((place) => place >= 0)
    .sort((a, b) => a - b);
  const among = (place: number): number => columns.indexOf(place);
  const places = named.map(({ key, value, when }) => ({ key: among(key), value: among(value), when: among(when) }));
  return { width: header.length, columns, places };
}

function placeIn(header: readonly string[], column: string, file: string): number {
  const place = header.indexOf(column);
  if (place >= 0) return place;
  throw new ImportFault(
    `The mapping looks up the column "${column}" of ${file}, which does not have it: its columns are ${header.join(', ')}.`,
  );
}

/** All lookups of a mapping, wherever they stand in it. */
export function lookupsIn(value: unknown): LookupSpec[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'lookup' && Array.isArray(inner) ? inner : lookupsIn(inner),
  );
}

/** The mapping with the files of its lookups where `find` says that they are. */
export function withLookupFiles(mapping: Mapping, find: Find): Mapping {
  const isLookup = (key: string, inner: unknown): inner is readonly LookupSpec[] =>
    key === 'lookup' && Array.isArray(inner);
  return JSON.parse(JSON.stringify(mapping), (key, inner) =>
    isLookup(key, inner) ? inner.map((lookup) => ({ ...lookup, file: find(lookup) })) : inner,
  );
}

type Find = (lookup: Pick<LookupSpec, 'file' | 'optional'>) => string;
