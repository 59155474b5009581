import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { openDatabase } from '../../../../infra/local/table/database.ts';
import { openLmdbTable } from '../../../../infra/local/table/lmdb-table.ts';

const database = openDatabase(join(mkdtempSync(join(tmpdir(), 'memory-')), 'table.mdb'));
const open = () => openLmdbTable(database, () => true);
afterAll(() => database.close());

describe('an item that is read again', () => {
  it('is the same object while nobody writes another', async () => {
    const [table, other] = [open(), open()];
    const key = { pk: 'a', sk: 'same' };
    expect(await table.get(key)).toBeUndefined();
    await other.put({ ...key, n: 1 });
    const first = await table.get(key);
    expect(first).toEqual({ ...key, n: 1 });
    expect(await table.get(key)).toBe(first);
    expect((await table.batchGet([key, key]))[1]).toBe(first);
    await other.put({ ...key, n: 2 });
    expect(await table.get(key)).toEqual({ ...key, n: 2 });
    await other.put({ ...key, n: 1 });
    expect(await table.get(key)).toEqual(first);
    await other.delete(key);
    expect(await table.get(key)).toBeUndefined();
  });

  it('cannot be changed by who reads it', async () => {
    const table = open();
    const key = { pk: 'a', sk: 'frozen' };
    await table.put({ ...key, inside: { list: [{ n: 1 }] } });
    const { inside } = z.object({ inside: z.custom<{ list: { n: number }[] }>() }).parse(await table.get(key));
    expect(() => inside.list.push({ n: 2 })).toThrow(TypeError);
    expect(() => Object.assign(inside.list[0]!, { n: 2 })).toThrow(TypeError);
  });

  it('is a copy of its own where it is large or holds bytes', async () => {
    const table = open();
    const large = { pk: 'a', sk: 'large', text: 'x'.repeat(50_000) };
    const bytes = { pk: 'a', sk: 'bytes', inside: [Uint8Array.of(1)] };
    for (const item of [large, bytes]) {
      await table.put(item);
      const first = await table.get(item);
      expect(first).toEqual(item);
      const second = await table.get(item);
      expect(second).not.toBe(first);
      expect(second).toEqual(item);
    }
    await table.put({ ...large, text: 'small' });
    await table.get(large);
    await table.put(large);
    expect(await table.get(large)).toEqual(large);
  });

  it('tells keys apart, whatever they hold, and is read well when thousands were', async () => {
    const table = open();
    const keys = [
      { pk: 'a\nb', sk: 'c' },
      { pk: 'a', sk: 'b\nc' },
    ];
    for (const [n, key] of keys.entries()) await table.put({ ...key, n });
    for (const _ of [1, 2]) expect((await table.batchGet(keys)).map((item) => item?.n)).toEqual([0, 1]);
    const many = Array.from({ length: 3_000 }, (_, n) => ({ pk: 'many', sk: `${n}` }));
    await table.batchWrite(many.map((key) => ({ put: { ...key, text: key.sk } })));
    for (const _ of [1, 2])
      expect((await table.batchGet(many)).map((item) => item?.text)).toEqual(many.map(({ sk }) => sk));
    expect((await table.get(keys[1]!))?.n).toBe(1);
  });
});
