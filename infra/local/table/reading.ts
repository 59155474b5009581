import type { RangeOptions } from 'lmdb';
import { certain } from '../../../lib/certain.ts';
import { newSpell } from '../../../lib/spell.ts';
import { BATCH_GET } from '../../../lib/store/batches.ts';
import { Damaged } from '../../../lib/store/faults.ts';
import type { Key } from '../../../lib/store/keys.ts';
import type { Item, Table } from '../../../lib/store/table.ts';
import type { Usage } from '../../../lib/store/usage.ts';
import { checkRange } from '../../../lib/store/values.ts';
import { readUnits } from './capacity.ts';
import { decodeItem, pickAttributes, storedSize } from './codec.ts';
import type { Database } from './database.ts';
import type { CacheEntry, ItemMemory } from './item-memory.ts';
import { decodeKey, FIRST_KEY, keyRange, keysBetween } from './keys.ts';
import { PAGE_BYTES } from './limits.ts';
import { fileOf, type TableFiles } from './locks.ts';

interface Entry {
  readonly key: Buffer;
  readonly value: Buffer;
}

/**
 * The reads of a table. They copy items out of the memory map. Each read begins with `resetReadTxn`, to see the last
 * commit of any process: without it the package reuses its snapshot for a millisecond.
 */
export function readsOf(
  files: TableFiles,
  memory: ItemMemory,
  usage: Usage,
): Pick<Table, 'get' | 'batchGet' | 'query' | 'scan'> {
  function begin(keys: readonly Key[]): CacheEntry[] {
    memory.bound();
    const wanted = keys.map(memory.at);
    for (const { root } of new Set(wanted.map(({ key }) => fileOf(files, key.pk)))) root.resetReadTxn();
    return wanted;
  }

  function read(entry: CacheEntry): Item | undefined {
    const { key, keyBytes, last } = entry;
    const { root } = fileOf(files, key.pk);
    const same = last && isSame(last.stored, root.getBinaryFast(keyBytes)) ? last : undefined;
    const stored = same?.stored ?? root.getBinary(keyBytes);
    usage.readUnits += readUnits(storedSize(stored));
    if (stored === undefined || same) return same?.item;
    const item = decodeItem(key, keyBytes, stored);
    memory.keep(entry, stored, item);
    return item;
  }

  return {
    async get(key) {
      const [entry] = begin([key]);
      usage.trips += 1;
      return read(certain(entry));
    },

    async batchGet(keys) {
      const wanted = begin(keys);
      const items = new Map<CacheEntry, Item | undefined>();
      for (const entry of wanted) if (!items.has(entry)) items.set(entry, read(entry));
      usage.trips += Math.ceil(items.size / BATCH_GET);
      return wanted.map((entry) => items.get(entry));
    },

    async query(pk, options = {}) {
      checkRange(options);
      const { prefix, from, to, attributes, descending, limit } = options;
      const spell = newSpell();
      const items: Item[] = [];
      const range = prefix === undefined ? keysBetween(pk, from, to) : keyRange(pk, prefix);
      for (const page of pages(fileOf(files, pk), usage, { ...range, descending, limit })) {
        for (const entry of page) {
          items.push(pickAttributes(toItem(entry), attributes));
          const pause = spell.pause();
          if (pause) await pause;
        }
      }
      return items;
    },

    async *scan(onDamaged) {
      const locks = lockEntries(files);
      if (locks.length > 0) yield toItems(locks, onDamaged);
      const bytes = locks.reduce((sum, { value }) => sum + storedSize(value), 0);
      for (const page of pages(files.items, usage, { start: FIRST_KEY, bytes }))
        yield toItems(page, onDamaged).filter(({ pk }) => fileOf(files, pk) === files.items); // earlier versions left locks there
    },
  };
}

/** Whether the bytes, in a buffer that the next read overwrites, equal the stored ones. */
const isSame = (stored: Buffer, bytes: Buffer | undefined): boolean =>
  bytes?.length === stored.length && stored.compare(bytes, 0, stored.length) === 0;

const toItem = ({ key, value }: Entry): Item => decodeItem(decodeKey(key), key, value);

/** Decodes the items of a page; the keys of damaged ones are given to `onDamaged`, if there is one, and they are left out. */
function toItems(page: readonly Entry[], onDamaged?: (key: Key) => void): Item[] {
  return page.flatMap((entry) => {
    try {
      return [toItem(entry)];
    } catch (error) {
      if (!(error instanceof Damaged) || onDamaged === undefined) throw error;
      onDamaged(error.key);
      return [];
    }
  });
}

/** The stored locks, which are few; none if they are among the items. */
function lockEntries({ items, locks }: TableFiles): Entry[] {
  locks.root.resetReadTxn();
  return items === locks ? [] : [...locks.root.getRange({ start: FIRST_KEY })];
}

/** A range of keys, and the direction and limit of the read. */
interface Range {
  readonly start: Buffer;
  readonly end?: Buffer; // exclusive
  readonly descending?: boolean | undefined;
  readonly limit?: number | undefined; // largest number of items
  readonly bytes?: number; // read before the first page and counted with it; default 0
}

/** The stored items of a range in pages of 1 MB; each page is one snapshot of the table. */
function* pages(database: Database, usage: Usage, range: Range): Generator<Entry[]> {
  const { limit = Number.POSITIVE_INFINITY } = range;
  let before = range.bytes ?? 0;
  let left = limit;
  let last: Buffer | undefined;
  for (let isWhole = false; !isWhole && left > 0; ) {
    const page: Entry[] = [];
    let bytes = before;
    before = 0;
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

/** The range for LMDB: the whole range, or the rest after the key that was read last. */
function toRange({ start, end, descending = false }: Range, last: Buffer | undefined): RangeOptions {
  if (!descending) return { start: last ? Buffer.concat([last, Buffer.of(0)]) : start, ...(end && { end }) };
  const high = last ?? end;
  return { reverse: true, ...(high && { start: high, exclusiveStart: true }), end: start, inclusiveEnd: true };
}
