import type { RangeOptions } from 'lmdb';
import { BATCH_GET, unique } from '../../../lib/store/batches.ts';
import type { Key } from '../../../lib/store/keys.ts';
import { type Item, slot, type Table } from '../../../lib/store/table.ts';
import type { Usage } from '../../../lib/store/usage.ts';
import { checkKey, checkRange } from '../../../lib/store/values.ts';
import { readUnits } from './capacity.ts';
import { decodeItem, project, storedSize } from './codec.ts';
import type { Database } from './database.ts';
import { decodeKey, encodeKey, FIRST_KEY, keyRange, keysBetween } from './keys.ts';
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
    const stored = database.root.getBinary(encodeKey(key));
    usage.readUnits += readUnits(storedSize(stored));
    return stored && decodeItem(key, stored);
  }

  return {
    async get(key) {
      checkKey(key);
      database.root.resetReadTxn();
      usage.trips += 1;
      return read(key);
    },

    async batchGet(wanted) {
      const keys = unique(wanted);
      for (const key of keys) checkKey(key);
      database.root.resetReadTxn();
      usage.trips += Math.ceil(keys.length / BATCH_GET);
      const found = new Map(keys.map((key) => [slot(key), read(key)]));
      return wanted.map((key) => found.get(slot(key)));
    },

    async query(pk, options = {}) {
      checkRange(options);
      const { prefix, from, to, attributes, descending, limit } = options;
      const items: Item[] = [];
      const range = prefix === undefined ? keysBetween(pk, from, to) : keyRange(pk, prefix);
      const way = { ...(descending && { descending }), ...(limit && { limit }) };
      for (const page of pages(database, usage, { ...range, ...way })) {
        for (const { key, value } of page) items.push(project(decodeItem(decodeKey(key), value), attributes));
      }
      return items;
    },

    async *scan() {
      for (const page of pages(database, usage, { start: FIRST_KEY }))
        yield page.map(({ key, value }) => decodeItem(decodeKey(key), value));
    },
  };
}

/** A part of the keys, and how to go through it. */
interface Range {
  readonly start: Buffer;
  readonly end?: Buffer; // exclusive
  readonly descending?: boolean;
  readonly limit?: number; // items at most
}

/** The stored items of a range in pages of 1 MB, each from one state of the table. */
function* pages(database: Database, usage: Usage, range: Range): Generator<Entry[]> {
  const { limit = Number.POSITIVE_INFINITY } = range;
  let left = limit;
  let last: Buffer | undefined;
  for (let isWhole = false; !isWhole && left > 0; ) {
    const page: Entry[] = [];
    let bytes = 0;
    isWhole = true;
    database.root.resetReadTxn();
    for (const entry of database.root.getRange(toRange(range, last))) {
      page.push(entry);
      bytes += storedSize(entry.value);
      isWhole = bytes < PAGE_BYTES && page.length < left;
      if (!isWhole) break;
    }
    left -= page.length;
    last = page.at(-1)?.key;
    usage.trips += 1;
    usage.readUnits += readUnits(bytes);
    yield page;
  }
}

/** What LMDB is asked for: a range, or what of it comes after the key that was read last. */
function toRange({ start, end, descending = false }: Range, last: Buffer | undefined): RangeOptions {
  if (!descending) return { start: last ? Buffer.concat([last, Buffer.of(0)]) : start, ...(end ? { end } : {}) };
  const high = last ?? end;
  return { reverse: true, ...(high ? { start: high, exclusiveStart: true } : {}), end: start, inclusiveEnd: true };
}
