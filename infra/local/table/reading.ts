import { BATCH_GET, unique } from '../../../lib/store/batches.ts';
import type { Key } from '../../../lib/store/keys.ts';
import { type Item, type QueryOptions, slot, type Table } from '../../../lib/store/table.ts';
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

  /** The stored items of a range in pages of 1 MB, each from one state of the table. */
  function* pages(start: Buffer, end: Buffer | undefined): Generator<Entry[]> {
    let from: Buffer | undefined = start;
    while (from !== undefined) {
      const { page, bytes } = readPage(from, end);
      usage.trips += 1;
      usage.readUnits += readUnits(bytes);
      const last = page.at(-1)?.key;
      from = bytes >= PAGE_BYTES && last ? Buffer.concat([last, Buffer.of(0)]) : undefined;
      yield page;
    }
  }

  function readPage(from: Buffer, end: Buffer | undefined): { readonly page: Entry[]; readonly bytes: number } {
    const page: Entry[] = [];
    let bytes = 0;
    database.resetReadTxn();
    for (const entry of database.getRange({ start: from, ...(end ? { end } : {}) })) {
      page.push(entry);
      bytes += storedSize(entry.value);
      if (bytes >= PAGE_BYTES) break;
    }
    return { page, bytes };
  }

  async function get(key: Key): Promise<Item | undefined> {
    checkKey(key);
    database.resetReadTxn();
    usage.trips += 1;
    return read(key);
  }

  async function batchGet(wanted: readonly Key[]): Promise<(Item | undefined)[]> {
    const keys = unique(wanted);
    for (const key of keys) checkKey(key);
    database.resetReadTxn();
    usage.trips += Math.ceil(keys.length / BATCH_GET);
    const found = new Map(keys.map((key) => [slot(key), read(key)]));
    return wanted.map((key) => found.get(slot(key)));
  }

  async function query(pk: string, { prefix, attributes }: QueryOptions = {}): Promise<Item[]> {
    const items: Item[] = [];
    const { start, end } = keyRange(pk, prefix);
    for (const page of pages(start, end)) {
      for (const { key, value } of page) items.push(project(decodeItem(decodeKey(key), value), attributes));
    }
    return items;
  }

  async function* scan(): AsyncGenerator<Item[]> {
    for (const page of pages(FIRST_KEY, undefined))
      yield page.map(({ key, value }) => decodeItem(decodeKey(key), value));
  }

  return { get, batchGet, query, scan };
}
