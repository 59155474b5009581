import { byCodePoint } from '../text.ts';
import type { Key } from './keys.ts';
import { type Item, keyText, type Table, type Write } from './table.ts';

/**
 * A table for dry runs that keeps writes in memory: reads see the stored items with these writes applied, as in a real
 * run. Conditions count as true, since no other process writes here. `batchWrite` is dropped to save memory: it carries
 * texts and deletions that no writer reads again.
 */
export function rehearse(table: Table, written: Map<string, Item | undefined> = new Map()): Table {
  const seen = (key: Key, stored: Item | undefined): Item | undefined =>
    written.has(keyText(key)) ? written.get(keyText(key)) : stored;
  const write = (one: Write): void => {
    if ('put' in one) written.set(keyText(one.put), one.put);
    if ('delete' in one) written.set(keyText(one.delete), undefined);
  };
  return {
    ...table,
    metered: (usage) => rehearse(table.metered(usage), written),
    get: async (key) => seen(key, await table.get(key)),
    batchGet: async (keys) => {
      const items = await table.batchGet(keys);
      return keys.map((key, index) => seen(key, items[index]));
    },
    query: async (pk, options = {}) => {
      const items = new Map((await table.query(pk, options)).map((item) => [item.sk, item]));
      for (const [key, item] of written) {
        const [partition, sk = ''] = key.split('\n');
        if (partition !== pk || !sk.startsWith(options.prefix ?? '')) continue;
        if (item === undefined) items.delete(sk);
        else items.set(sk, item);
      }
      return [...items.values()].sort((a, b) => byCodePoint(a.sk, b.sk));
    },
    put: async (item) => write({ put: item }),
    delete: async (key) => write({ delete: key }),
    add: async (key) => {
      throw new Error(`nothing adds to ${key.pk} in a dry run`);
    },
    transact: async (writes) => writes.forEach(write),
    batchWrite: async () => undefined,
  };
}
