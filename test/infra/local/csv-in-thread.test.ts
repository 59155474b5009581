import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readMappedInThread } from '../../../infra/local/csv-in-thread.ts';
import { openInput } from '../../../lib/history/formats/input.ts';
import { type MappedCsv, readMapped } from '../../../lib/history/formats/mapped.ts';
import type { Mapping } from '../../../lib/history/formats/mapping.ts';
import { parseMapping } from '../../../lib/history/formats/parse-mapping.ts';
import { ImportFault } from '../../../lib/history/import-fault.ts';

const CSV = 'test/data/requests.csv';
let mapping: Mapping;
let folder: string;
beforeAll(async () => {
  mapping = parseMapping(await readFile('test/data/requests.mapping.json', 'utf8'), 'map.json');
  folder = await mkdtemp(join(tmpdir(), 'thread-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function allOf({ batches, header, rows }: MappedCsv) {
  const all: unknown[] = [];
  for await (const batch of batches) {
    if ('cases' in batch) all.push(batch.cases);
    else all.push(...batch.map((row) => ({ ...row, raw: Buffer.from(row.raw ?? '').toString('latin1') }))); // a Buffer arrives as Uint8Array
  }
  return { all, header: header(), rows: rows() };
}

describe('a CSV read in a thread', () => {
  it('gives what it gives without one', async () => {
    const wrong = Uint8Array.from([0xff, 0x0a]); // a line that comes as bytes
    const path = join(folder, 'requests.csv');
    await writeFile(path, Buffer.concat([await readFile(CSV), wrong]));
    const threaded = readMappedInThread({ path, mapping, folder });
    const { bytes } = await openInput(path);
    const expected = await allOf(readMapped(bytes, mapping, folder));
    expect(await allOf(threaded)).toEqual(expected);
    expect([expected.rows, expected.all.length]).toEqual([{ read: 14, given: 14 }, 4]);
    expect(threaded.position()).toBe((await stat(path)).size);
  });

  it("tells a person's mistake in one sentence", async () => {
    const path = join(folder, 'other.csv');
    await writeFile(path, 'a,b\n1,2\n');
    const reading = allOf(readMappedInThread({ path, mapping, folder }));
    await expect(reading).rejects.toThrow(ImportFault);
    await expect(reading).rejects.toThrow(/^The mapping names the column ".*", which the file lacks/);
  });

  it('fails where the thread does, and ends with who asks for batches', async () => {
    const broken = { ...mapping, at: null } as unknown as Mapping;
    await expect(allOf(readMappedInThread({ path: CSV, mapping: broken, folder }))).rejects.toThrow(/reading 'format'/);
    for await (const _ of readMappedInThread({ path: CSV, mapping, folder }).batches) break;
    expect((await readdir(folder)).sort()).toEqual(['other.csv', 'requests.csv']);
  });
});
