import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readInThread, type ThreadedRows } from '../../../../infra/local/threads/rows-in-thread.ts';
import { newFindings } from '../../../../lib/import/formats/findings.ts';
import { ImportFault } from '../../../../lib/import/formats/import-fault.ts';
import { openInput } from '../../../../lib/import/formats/input.ts';
import { readMapped } from '../../../../lib/import/formats/mapped.ts';
import type { Mapping } from '../../../../lib/import/formats/mapping.ts';
import { readNdjson } from '../../../../lib/import/formats/ndjson.ts';
import { parseMapping } from '../../../../lib/import/formats/parse-mapping.ts';

const CSV = 'test/data/requests.csv';
let mapping: Mapping;
let folder: string;
beforeAll(async () => {
  mapping = parseMapping(await readFile('test/data/requests.mapping.json', 'utf8'), 'map.json');
  folder = await mkdtemp(join(tmpdir(), 'thread-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function allOf({ batches, header, rows }: Pick<ThreadedRows, 'batches' | 'header' | 'rows'>) {
  const all: unknown[] = [];
  for await (const batch of batches) {
    if ('cases' in batch) all.push(batch.cases);
    else all.push(...batch.map((row) => ({ ...row, raw: Buffer.from(row.raw ?? '').toString('latin1') }))); // a Buffer arrives as Uint8Array
  }
  return { all, header: header(), rows: rows() };
}

describe('a file read in a thread', () => {
  it('gives of a CSV what it gives without one', async () => {
    const wrong = Uint8Array.from([0xff, 0x0a]); // a line that comes as bytes
    const path = join(folder, 'requests.csv');
    await writeFile(path, Buffer.concat([await readFile(CSV), wrong]));
    const threaded = readInThread({ path, mapping, folder });
    const { bytes } = await openInput(path);
    const expected = await allOf(readMapped(bytes, mapping, { folder, findings: newFindings() }));
    expect(await allOf(threaded)).toEqual(expected);
    expect([expected.rows, expected.all.length]).toEqual([{ read: 14, given: 14 }, 4]);
    expect(threaded.position()).toBe((await stat(path)).size);
  });

  it('gives of NDJSON all but the text of its lines', async () => {
    const path = join(folder, 'records.ndjson');
    const created = { type: 'case.created', id: 1, at: '2026-01-01T00:00:00Z', case: 'größer', labels: [2] };
    const lines = [JSON.stringify(created), '', '{"type":"label","id":7,"name":"seven"}', '{"type":"note"}'];
    await writeFile(path, lines.join('\n'));
    const { bytes } = await openInput(path);
    const expected: unknown[] = [];
    for await (const batch of readNdjson(bytes)) expected.push(...batch.map(({ raw: _, ...row }) => row));
    const threaded = readInThread({ path, mapping: undefined, folder });
    const found: unknown[] = [];
    for await (const batch of threaded.batches) found.push(...('cases' in batch ? [] : batch));
    expect(found).toEqual(expected);
    expect([found.length, threaded.position()]).toEqual([3, (await stat(path)).size]);
    await rm(path);
  });

  it("tells a person's mistake in one sentence", async () => {
    const path = join(folder, 'other.csv');
    await writeFile(path, 'a,b\n1,2\n');
    const reading = allOf(readInThread({ path, mapping, folder }));
    await expect(reading).rejects.toThrow(ImportFault);
    await expect(reading).rejects.toThrow(/^The mapping names the column ".*", which the file does not have/);
  });

  it('fails where the thread does, and ends with who asks for batches', async () => {
    const broken = { ...mapping, at: null } as unknown as Mapping;
    await expect(allOf(readInThread({ path: CSV, mapping: broken, folder }))).rejects.toThrow(/reading 'format'/);
    for await (const _ of readInThread({ path: CSV, mapping, folder }).batches) break;
    expect((await readdir(folder)).sort()).toEqual(['other.csv', 'requests.csv']);
  });
});
