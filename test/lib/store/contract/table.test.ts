import { ConditionFailed, Refused } from '../../../../lib/store/faults.ts';
import type { Item } from '../../../../lib/store/table.ts';
import { newUsage } from '../../../../lib/store/usage.ts';
import { freshTable, hasEngine } from '../../../support/service/table.ts';

const KB = 1024;
const REFUSED: readonly (readonly [string, unknown])[] = [
  ['half a character', '\ud800'],
  ['a date', new Date(0)],
  ['a set', new Set(['a'])],
  ['a function', () => 1],
  ['no number', Number.NaN],
  ['a number past 2^53', 2 ** 60],
  ['39 digits', 10n ** 38n + 1n],
  ['400 KB', 'x'.repeat(400 * KB)],
];

/** Read units, where the engine counts them: ministack tells none of batches and queries. */
const counted = (units: number): unknown => (process.env.UNITS === 'none' ? expect.any(Number) : units);

describe.each(hasEngine ? (['lmdb', 'engine'] as const) : (['lmdb'] as const))('a table of %s', (store) => {
  const fresh = () => freshTable(store);
  const written = async (items: readonly Item[]) => {
    const table = await fresh();
    await table.batchWrite(items.map((put) => ({ put })));
    return table;
  };

  it('returns what was put, and nothing for an absent key', async () => {
    const table = await fresh();
    const item = { pk: 'a', sk: '1', n: 7, big: 2n ** 100n, list: [1, 'ü', null, { of: [true] }], empty: '' };
    await table.put({ ...item, bytes: new Uint8Array([1, 2]), absent: undefined });
    expect(await table.get(item)).toEqual({ ...item, bytes: new Uint8Array([1, 2]) });
    expect(await table.get({ pk: 'a', sk: '2' })).toBeUndefined();
  });

  it('gives the maps of an item in one order, however it is read', async () => {
    const names = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
    const of = Object.fromEntries(names.map((name, at) => [name, [{ to: at, from: at }]]));
    const table = await written([{ pk: 'a', sk: '1', list: [{ of }] }]);
    const texts = new Set<string>();
    for (let n = 0; n < 10; n += 1)
      for (const item of [await table.get({ pk: 'a', sk: '1' }), ...(await table.query('a'))])
        texts.add(JSON.stringify(item?.list));
    expect([...texts].map((text) => JSON.parse(text))).toEqual([[{ of }]]);
  });

  it('keeps what it returned apart from what it stores', async () => {
    const table = await written([
      { pk: 'a', sk: '1', bytes: new Uint8Array(100_000).fill(1), small: Uint8Array.of(1) },
    ]);
    const [first] = await table.query('a');
    const again = await table.get({ pk: 'a', sk: '1' });
    await table.put({ pk: 'a', sk: '1', bytes: new Uint8Array(100_000).fill(2), small: Uint8Array.of(2) });
    for (let n = 0; n < 20; n += 1) await table.put({ pk: 'b', sk: `${n}`, bytes: new Uint8Array(200_000).fill(3) });
    for (const item of [first, again]) {
      expect(item?.bytes).toEqual(new Uint8Array(100_000).fill(1));
      expect(item?.small).toEqual(Uint8Array.of(1));
    }
  });

  it('reads any number of keys in their order, repeated and absent ones too', async () => {
    const table = await written(Array.from({ length: 230 }, (_, n) => ({ pk: 'many', sk: `k${n}`, n })));
    const wanted = [...Array.from({ length: 230 }, (_, n) => ({ pk: 'many', sk: `k${n}` })), { pk: 'many', sk: 'k0' }];
    const usage = newUsage();
    const items = await table.metered(usage).batchGet([...wanted, { pk: 'many', sk: 'none' }]);
    expect(items.map((item) => item?.n)).toEqual([...Array.from({ length: 230 }, (_, n) => n), 0, undefined]);
    expect(usage).toEqual({ trips: 3, readUnits: counted(231), writeUnits: 0 });
  });

  it('sorts by the UTF-8 bytes of sort keys, up to the longest', async () => {
    const sorted = ['a', 'a\0', 'ab', 'b'.repeat(KB - 1), 'b'.repeat(KB), 'ä', '\uffee', '\u{1f600}'];
    const table = await written([...sorted].reverse().map((sk) => ({ pk: 'p'.repeat(2 * KB), sk })));
    expect((await table.query('p'.repeat(2 * KB))).map(({ sk }) => sk)).toEqual(sorted);
    expect((await table.query('p'.repeat(2 * KB), { prefix: 'b' })).map(({ sk }) => sk.length)).toEqual([KB - 1, KB]);
  });

  it('keeps partitions apart whose keys begin alike', async () => {
    const table = await written([
      { pk: 'a', sk: 'bc' },
      { pk: 'ab', sk: 'c' },
    ]);
    expect(await table.query('a')).toEqual([{ pk: 'a', sk: 'bc' }]);
    expect(await table.query('ab')).toEqual([{ pk: 'ab', sk: 'c' }]);
  });

  it('queries and scans past pages of 1 MB, counting each', async () => {
    const items = Array.from({ length: 30 }, (_, n) => ({ pk: 'large', sk: `${n + 10}`, text: 'x'.repeat(90_000) }));
    const table = await written(items);
    const usage = newUsage();
    expect((await table.metered(usage).query('large')).map(({ sk }) => sk)).toEqual(items.map(({ sk }) => sk));
    expect(usage).toEqual({ trips: 3, readUnits: counted(660), writeUnits: 0 });
    const found = await table.metered(usage).query('large', { prefix: '2', attributes: ['none'] });
    expect(found).toEqual(items.slice(10, 20).map(({ pk, sk }) => ({ pk, sk })));
    let scanned = 0;
    for await (const page of table.scan()) scanned += page.length;
    expect(scanned).toBe(30);
  });

  it('writes all of a transaction or nothing, and names the conditions that failed', async () => {
    const table = await fresh();
    await table.put({ pk: 't', sk: 'there', version: 1 });
    const failed = table.transact([
      { put: { pk: 't', sk: 'new' } },
      { put: { pk: 't', sk: 'there', version: 3 }, when: { attribute: 'version', equals: 2 } },
      { check: { pk: 't', sk: 'none' }, when: { present: true } },
    ]);
    await expect(failed).rejects.toMatchObject(new ConditionFailed([1, 2]));
    expect((await table.query('t')).map((item) => item.sk)).toEqual(['there']);
  });

  it('tells what stands in the way of a put that asks', async () => {
    const table = await written([{ pk: 'a', sk: '1', owner: 'somebody' }]);
    const put = table.put({ pk: 'a', sk: '1' }, { absent: true }, { returnItem: true });
    await expect(put).rejects.toMatchObject({ failed: [0], item: { pk: 'a', sk: '1', owner: 'somebody' } });
    await expect(table.delete({ pk: 'a', sk: '1' }, { attribute: 'owner', equals: 'me' })).rejects.toMatchObject({
      failed: [0],
      item: undefined,
    });
  });

  it.each(REFUSED)('refuses %s wherever it is written, and changes nothing', async (_, value) => {
    const table = await fresh();
    const put = { pk: 'a', sk: '1', value };
    const deep = { pk: 'a', sk: '1', list: [{ value }] };
    for (const item of [put, deep]) {
      await expect(table.put(item)).rejects.toThrow(Refused);
      await expect(table.transact([{ put: { pk: 'a', sk: '2' } }, { put: item }])).rejects.toThrow(Refused);
      await expect(table.batchWrite([{ put: { pk: 'a', sk: '2' } }, { put: item }])).rejects.toThrow(Refused);
    }
    expect(await table.query('a')).toEqual([]);
  });

  it('takes an item of 400 KB and not a byte more', async () => {
    const table = await fresh();
    const most = 400 * KB - 'pka'.length - 'sk1'.length - 'text'.length;
    await table.put({ pk: 'a', sk: '1', text: 'x'.repeat(most) });
    await expect(table.put({ pk: 'a', sk: '1', text: 'x'.repeat(most + 1) })).rejects.toThrow(Refused);
  });

  it('takes a transaction of 100 writes and 4 MB and not more, and none of nothing or of one item twice', async () => {
    const table = await fresh();
    const puts = (count: number, text: string) =>
      Array.from({ length: count }, (_, n) => ({ put: { pk: 'a', sk: `${n + 100}`, text } }));
    await table.transact(puts(100, 'x'));
    await table.transact(puts(10, 'x'.repeat(400_000)));
    for (const writes of [puts(101, 'x'), puts(11, 'x'.repeat(400_000)), []])
      await expect(table.transact(writes)).rejects.toThrow(Refused);
    await expect(table.transact([...puts(1, 'x'), ...puts(1, 'y')])).rejects.toThrow(Refused);
    await expect(table.batchWrite([...puts(1, 'x'), { delete: { pk: 'a', sk: '100' } }])).rejects.toThrow(Refused);
  });

  it('counts round trips and capacity units into the usage it was given', async () => {
    const table = await fresh();
    const usage = newUsage();
    const metered = table.metered(usage);
    await metered.put({ pk: 'u', sk: '1', text: 'x'.repeat(5000) });
    await metered.put({ pk: 'u', sk: '1' });
    await metered.get({ pk: 'u', sk: '1' });
    expect(usage).toEqual({ trips: 3, readUnits: 1, writeUnits: 10 });
    await metered.transact([{ put: { pk: 'u', sk: '2' } }, { check: { pk: 'u', sk: '3' }, when: { absent: true } }]);
    await metered.delete({ pk: 'u', sk: 'none' });
    await metered.batchWrite([{ put: { pk: 'u', sk: '1', text: 'x'.repeat(3000) } }, { delete: { pk: 'u', sk: '2' } }]);
    expect(usage).toEqual({ trips: 6, readUnits: 1, writeUnits: 10 + 4 + 1 + 4 });
  });
});
