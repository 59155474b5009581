import { hash } from 'node:crypto';
import { parquetReadObjects } from 'hyparquet';
import { oneFault } from '../errors.ts';
import type { CustomValue } from '../history/cases/case-row.ts';
import type { LiveSegment } from '../history/read.ts';
import { openSegment } from '../history/segments/segment.ts';
import { type ColumnValues, type FileRows, textWithWholes } from './columns.ts';
import { manifestPath, parseManifest } from './manifest.ts';
import type { WarehousePlace } from './place.ts';

/** Gathers the values that cases of segments have in some custom fields. */
export function createFieldValues(fields: readonly number[]) {
  const wanted = new Set(fields);
  const found = new Map<string, CustomValue>();
  return {
    add(segment: LiveSegment): void {
      if (wanted.size === 0) return;
      for (const each of liveValues(segment)) if (wanted.has(each.field)) found.set(keyOf(each), each);
    },
    /** Returns each value once, by field; undefined if there are none. */
    finish(): FileRows | undefined {
      if (found.size === 0) return undefined;
      const all = [...found.values()].sort((a, b) => a.field - b.field || (a.value < b.value ? -1 : 1));
      const [field, value] = [all.map((each) => BigInt(each.field)), all.map((each) => each.value)];
      const values = (site: string, from: number, to: number): ColumnValues => ({
        site: all.slice(from, to).map(() => site),
        ...{ field: field.slice(from, to), value: value.slice(from, to) },
      });
      return {
        digest: hash('sha256', textWithWholes([field, value]), 'hex'),
        sections: [{ rows: all.length, values }],
      };
    },
  };
}

const keyOf = ({ field, value }: CustomValue): string => `${field}:${value}`;

/** The values of custom fields in the rows of a segment that count. */
function liveValues({ columns, dead }: LiveSegment): CustomValue[] {
  const segment = openSegment(columns);
  const values = segment.customValues();
  const list = segment.list('customValues');
  const [gone, rows, met] = [new Set(dead), list.rows(), new Set<number>()];
  for (const [entry, member] of list.members().entries()) if (!gone.has(rows[entry] ?? -1)) met.add(member);
  return values.filter((_, place) => met.has(place + 1));
}

const MOST = 1_000_000; // values that are read for a filter
const TOO_MANY = `Custom fields with a list have more than ${MOST} values, too many to look for a text in. Filters by other things fit.`;

/** The values of some custom fields in the warehouse that `open` opens. Throws the 422 `too_large` if there are very many. */
export async function readFieldValues(
  open: () => Promise<WarehousePlace>,
  site: string,
  fields: ReadonlySet<number>,
): Promise<CustomValue[]> {
  const place = await open();
  try {
    return await valuesIn(place, site, fields);
  } finally {
    await place.close();
  }
}

async function valuesIn(place: WarehousePlace, site: string, fields: ReadonlySet<number>): Promise<CustomValue[]> {
  const { files = {} } = parseManifest(await place.read(manifestPath(site))) ?? {};
  const own = Object.entries(files).flatMap(([name, file]) => (name.startsWith('field_values/') ? [file] : []));
  if (own.reduce((sum, { rows }) => sum + rows, 0) > MOST) throw oneFault('too_large', ['filters'], TOO_MANY);
  const found = new Map<string, CustomValue>();
  for (const path of new Set(own.map((each) => each.path)))
    for (const each of await rowsOf(await place.bytes(path))) if (fields.has(each.field)) found.set(keyOf(each), each);
  return [...found.values()];
}

async function rowsOf(bytes: Uint8Array | undefined): Promise<CustomValue[]> {
  if (bytes === undefined) throw new Error('a list of values is not there'); // replaced since the manifest was read
  const file = {
    byteLength: bytes.length,
    slice: (from: number, to?: number) => new Uint8Array(bytes.slice(from, to)).buffer,
  };
  const rows = await parquetReadObjects({ file, columns: ['field', 'value'] });
  return rows.map(({ field, value }) => ({ field: Number(field), value: String(value) }));
}
