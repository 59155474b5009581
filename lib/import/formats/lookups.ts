import { cellsOf, type Dialect, readCsv } from './csv.ts';
import { ImportFault } from './import-fault.ts';
import { openInput } from './input.ts';
import type { Mapping } from './mapping.ts';
import type { LookupSpec } from './mapping-values.ts';

/** What a lookup finds: key to value. */
export type Found = ReadonlyMap<string, string>;
/** The files that a mapping looks things up in, read. */
export type Lookups = (lookup: LookupSpec) => Found;

/** Characters of all keys and values that are kept: past it a lookup is refused. */
const MOST = 200_000_000;

const nameOf = ({ file, key, value, when }: LookupSpec): string => JSON.stringify([file, key, value, when]);

/** Reads the files that a mapping looks things up in, which are written as its own. Throws `ImportFault` where one is missing. */
export async function readLookups(mapping: Mapping, dialect: Dialect): Promise<Lookups> {
  const tables = new Map<string, Found>();
  let size = 0;
  for (const lookup of lookupsIn(mapping)) {
    if (tables.has(nameOf(lookup))) continue;
    const found = await readLookup(lookup, dialect);
    for (const [key, value] of found) size += key.length + value.length;
    if (size > MOST) throw new ImportFault(`${lookup.file} is too large to look something up in it.`);
    tables.set(nameOf(lookup), found);
  }
  return (lookup) => tables.get(nameOf(lookup)) ?? new Map();
}

async function readLookup({ file, key, value, when }: LookupSpec, dialect: Dialect): Promise<Found> {
  const found = new Map<string, string>();
  let places: { readonly key: number; readonly value: number; readonly when: number } | undefined;
  const input = await openInput(file);
  for await (const rows of readCsv(input.bytes, { ...dialect, skip: 0 })) {
    for (const row of rows) {
      if ('reason' in row) continue;
      const cells = cellsOf(row, dialect).map((cell) => cell.trim());
      if (places === undefined) {
        const condition = when === undefined ? -1 : placeIn(cells, when.column, file);
        places = { key: placeIn(cells, key, file), value: placeIn(cells, value, file), when: condition };
      } else if (when === undefined || when.is.includes(cells[places.when] ?? ''))
        found.set(cells[places.key] ?? '', cells[places.value] ?? '');
    }
  }
  return found;
}

function placeIn(header: readonly string[], column: string, file: string): number {
  const place = header.indexOf(column);
  if (place >= 0) return place;
  throw new ImportFault(
    `The mapping looks up the column "${column}" of ${file}, which lacks it: its columns are ${header.join(', ')}.`,
  );
}

/** All lookups of a mapping, wherever they stand in it. */
export function lookupsIn(value: unknown): LookupSpec[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'lookup' && Array.isArray(inner) ? (inner as LookupSpec[]) : lookupsIn(inner),
  );
}

/** The mapping with the files of its lookups where `find` says that they are. */
export const withLookupFiles = (mapping: Mapping, find: (file: string) => string): Mapping =>
  lookupsIn(mapping).length === 0 ? mapping : (found(mapping, find) as Mapping);

function found(value: unknown, find: (file: string) => string): unknown {
  if (Array.isArray(value)) return value.map((inner) => found(inner, find));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === 'lookup' && Array.isArray(inner)
        ? inner.map((lookup: LookupSpec) => ({ ...lookup, file: find(lookup.file) }))
        : found(inner, find),
    ]),
  );
}
