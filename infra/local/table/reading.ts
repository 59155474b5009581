import { BATCH_GET, unique } from '../../../lib/store/batches.ts';
import type { Key } from '../../../lib/store/keys.ts';
import { type Item, slot, type Table } from '../../../lib/store/table.ts';
import type { Usage } from '../../../lib/store/usage.ts';
import { checkKey } from '../../../lib/store/values.ts';
import { readUnits } from './capacity.ts';
import { decodeItem, project, storedSize } from './codec.ts';
import type { Database } from './database.ts';
import { decodeKey, encodeKey, FIRST_KEY, keyRange } from './keys.ts';
import { PAGE_BYTES } from './limits.ts';

interface Entry {
  readonly key: Buffer;
  readonly value: Buffer;
}

/**
 * The reads of a table. What they return is copied out of the memory map. Each begins with the state that was committed last,
 * by whatever process: the package itself goes on with a state for a millisecond.
 */
export function readsOf(database: Database, usage: Usage): Pick<Table, 'get' | 'batchGet' | 'query' | 'scan'> {
  function read(key: Key): Item | undefined {
    const stored = database.getBinary(encodeKey(key));
    usage.readUnits += readUnits(storedSize(stored));
    return stored && decodeItem(key, stored);
  }

  return {
    async get(key) {
      checkKey(key);
      database.resetReadTxn();
      usage.trips += 1;
      return read(key);
    },

    async batchGet(wanted) {
      const keys = unique(wanted);
      for (const key of keys) checkKey(key);
      database.resetReadTxn();
      usage.trips += Math.ceil(keys.length / BATCH_GET);
      const found = new Map(keys.map((key) => [slot(key), read(key)]));
      return wanted.map((key) => found.get(slot(key)));
    },

    async query(pk, { prefix, attributes } = {}) {
      const items: Item[] = [];
      const { start, end } = keyRange(pk, prefix);
      for (const page of pages(database, usage, start, end)) {
        for (const { key, value } of page) items.push(project(decodeItem(decodeKey(key), value), attributes));
      }
      return items;
    },

    async *scan() {
      for (const page of pages(database, usage, FIRST_KEY))
        yield page.map(({ key, value }) => decodeItem(decodeKey(key), value));
    },
  };
}

/** The stored items of a range in pages of 1 MB, each from one state of the table. */
function* pages(database: Database, usage: Usage, start: Buffer, end?: Buffer): Generator<Entry[]> {
  let from: Buffer | undefined = start;
  while (from !== undefined) {
    const page: Entry[] = [];
    let bytes = 0;
    database.resetReadTxn();
    for (const entry of database.getRange({ start: from, ...(end ? { end } : {}) })) {
      page.push(entry);
      bytes += storedSize(entry.value);
      if (bytes >= PAGE_BYTES) break;
    }
    usage.trips += 1;
    usage.readUnits += readUnits(bytes);
    const last = page.at(-1)?.key;
    from = bytes >= PAGE_BYTES && last ? Buffer.concat([last, Buffer.of(0)]) : undefined;
    yield page;
  }
}
