import { describe, expect, it } from '@jest/globals';
import { ConditionFailed } from '../../../lib/store/faults.ts';
import { newUsage } from '../../../lib/store/usage.ts';
import { freshTable } from '../../support/service/table.ts';

const table = await freshTable();

describe('table', () => {
  it('gives back what was put, and nothing for an absent key', async () => {
    await table.put({ pk: 'a', sk: '1', bytes: new Uint8Array([1, 2]), n: 7, absent: undefined });
    expect(await table.get({ pk: 'a', sk: '1' })).toEqual({ pk: 'a', sk: '1', bytes: new Uint8Array([1, 2]), n: 7 });
    expect(await table.get({ pk: 'a', sk: '2' })).toBeUndefined();
  });

  it('reads any number of keys in their order, repeated and absent ones too', async () => {
    await table.batchWrite(Array.from({ length: 230 }, (_, n) => ({ put: { pk: 'many', sk: `k${n}`, n } })));
    const wanted = [...Array.from({ length: 230 }, (_, n) => ({ pk: 'many', sk: `k${n}` })), { pk: 'many', sk: 'k0' }];
    const items = await table.batchGet([...wanted, { pk: 'many', sk: 'none' }]);
    expect(items.map((item) => item?.n)).toEqual([...Array.from({ length: 230 }, (_, n) => n), 0, undefined]);
  });

  it('queries a partition past a page of 1 MB', async () => {
    const text = 'x'.repeat(300_000);
    await table.batchWrite(['a', 'b', 'c', 'd', 'e'].map((sk) => ({ put: { pk: 'large', sk, text } })));
    expect((await table.query('large')).map((item) => item.sk)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(await table.query('large', { prefix: 'c', attributes: ['none'] })).toEqual([{ pk: 'large', sk: 'c' }]);
  });

  it('writes all of a transaction or nothing, and names the condition that failed', async () => {
    await table.put({ pk: 't', sk: 'there', version: 1 });
    const failed = table.transact([
      { put: { pk: 't', sk: 'new' } },
      { put: { pk: 't', sk: 'there', version: 3 }, when: { attribute: 'version', equals: 2 } },
    ]);
    await expect(failed).rejects.toMatchObject(new ConditionFailed([1]));
    expect((await table.query('t')).map((item) => item.sk)).toEqual(['there']);
  });

  it('counts round trips and capacity units into the usage it was given', async () => {
    const usage = newUsage();
    const metered = table.metered(usage);
    await metered.put({ pk: 'u', sk: '1' });
    await metered.get({ pk: 'u', sk: '1' });
    expect(usage).toEqual({ trips: 2, readUnits: 1, writeUnits: 1 });
  });
});
