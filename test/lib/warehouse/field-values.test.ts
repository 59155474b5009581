import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Site } from '../../../lib/access/site-fields.ts';
import { openBucket } from '../../../lib/warehouse/bucket.ts';
import { doDueExport } from '../../../lib/warehouse/due.ts';
import { readFieldValues } from '../../../lib/warehouse/field-values.ts';
import { openFolder } from '../../../lib/warehouse/folder.ts';
import type { WarehousePlace } from '../../../lib/warehouse/place.ts';
import { folderObjects } from '../../support/service/folder-objects.ts';
import { importRecords } from '../../support/service/import.ts';
import { newSite } from '../../support/service/service.ts';
import { freshTable } from '../../support/service/table.ts';

const AT = '2026-02-01T10:00:00Z';
const ODD = ['it\'s -- "😀"', 'a\0b', 'line\nbreak', ' Straße '];

/** A site with a listed field 12 and another one 13, and the values that its exports have of fields. */
async function newValues(place: () => Promise<WarehousePlace>) {
  const table = await freshTable();
  const site: Site = await newSite(table, { name: 'values' });
  const load = async (...records: object[]): Promise<void> => {
    const { rejected } = await importRecords(table, site, records);
    expect(rejected).toEqual([]);
  };
  const of = (id: number, value: string): object => ({
    ...{ type: 'case.created', id: `c${id}`, at: AT, case: id, custom_fields: { 12: value, 13: `text ${id}` } },
  });
  await load(
    { type: 'custom_field', id: 12, name: 'tier', object: 'case', values: ['gold'] },
    { type: 'custom_field', id: 13, name: 'note', object: 'case' },
    of(1, 'gold'),
    of(2, 'gold'),
    ...ODD.map((value, place) => of(3 + place, value)),
  );
  const tools = { table, clock: Date.now, newId: randomUUID, place, send: async () => undefined };
  return {
    load,
    of,
    values: async (...fields: number[]): Promise<string[]> => {
      await doDueExport(tools, { site: site.name, because: 'a test' });
      const found = await readFieldValues(place, site.name, new Set(fields));
      return found.map(({ field, value }) => `${field} ${value}`).sort();
    },
  };
}

const shown = (field: number, ...values: string[]): string[] => values.map((value) => `${field} ${value}`).sort();

const PLACES = {
  folder: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'values-'));
    return () => openFolder(folder);
  },
  bucket: async () => {
    const objects = folderObjects(await mkdtemp(join(tmpdir(), 'values-')));
    return () => openBucket(objects, 'facts', '');
  },
};

it.each(['folder', 'bucket'] as const)(
  'an export to a %s has the values that cases have in listed fields',
  async (kind) => {
    const { values, load } = await newValues(await PLACES[kind]());
    expect(await values(12, 13)).toEqual(shown(12, 'gold', ...ODD));
    expect(await values(13)).toEqual([]); // has no list
    await load({
      ...{ type: 'case.custom_field', id: 'later', at: '2026-02-02T10:00:00Z' },
      ...{ case: 3, field: 12, value: 'tin' },
    });
    expect(await values(12)).toEqual(shown(12, 'gold', 'tin', ...ODD.slice(1))); // no case has the first one any more
    await load({ type: 'custom_field', id: 13, name: 'note', object: 'case', values: ['text 1'] });
    expect(await values(13)).toEqual(shown(13, ...[1, 2, 3, 4, 5, 6].map((id) => `text ${id}`)));
  },
);
