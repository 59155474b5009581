import { type MadeOnce, newMadeOnce } from '../memo.ts';
import { putLast } from '../put-last.ts';
import { ConditionFailed, unavailable } from './faults.ts';
import { type Key, keys, type Partition } from './keys.ts';
import { type Done, type ExtraWrites, transactOnce } from './once.ts';
import { pause } from './pause.ts';
import type { Item, Table, Write } from './table.ts';

/**
 * The members of a list at one version (ARCHITECTURE.md, Collections). When this process writes a collection, it
 * changes the object in memory, so no code may keep its maps across an `await`.
 */
export interface Collection {
  readonly pk: string;
  readonly added?: number | undefined; // epoch ms; when its site was added
  version: number; // 0: never written
  order: readonly number[]; // ids of the members, first to last
  readonly items: Map<string, Item>; // by sort key
  views: MadeOnce; // derived from this version (see `perVersion`)
}

/** The members of a collection, or of what it becomes, by sort key. */
export interface StoredItems {
  readonly items: Pick<ReadonlyMap<string, Item>, 'get'>;
}

/** The changes of one write to one collection. */
export interface Change {
  readonly collection: Collection;
  readonly put?: readonly Item[];
  readonly remove?: readonly string[]; // sort keys
  readonly order?: readonly number[];
  readonly version?: number; // the new version; default: the next one
  readonly close?: true; // deletes the collection: its head and order
}

export interface Collections {
  /** The version in a head item; 0 without an item. */
  version(head: Item | undefined): number;
  /**
   * Returns the collection at the version of `head` or a later one. Loads it if this process does not have that, or has
   * the collection of an earlier site of the same name (its `added` differs).
   */
  open(table: Table, partition: Partition, head: Item | undefined, added?: number): Promise<Collection>;
  /**
   * Writes changes to collections, and `beside` with them, in one transaction. Throws `ConditionFailed` if another
   * write came first.
   */
  commit(table: Table, changes: readonly Change[], beside?: ExtraWrites): Promise<void>;
  /** Removes a partition's collection from memory. */
  forget(partition: Partition): void;
}

const REMEMBERED = 500; // collections in memory; the least recently opened is evicted first
const LOADS = 8; // attempts to load a collection that other processes keep writing
/** Removals of a change that are in its transaction, besides heads, orders and puts; the rest is deleted after it. */
export const IN_TRANSACTION = 90;

/** The collections of one process. */
export function createCollections(): Collections {
  const cache = new Map<string, Collection>();

  function remember(collection: Collection): Collection {
    putLast(cache, collection.pk, collection, REMEMBERED);
    return collection;
  }

  async function open(table: Table, { pk }: Partition, head: Item | undefined, added?: number): Promise<Collection> {
    let version = versionOf(head);
    for (let attempt = 1; attempt <= LOADS; attempt += 1) {
      const cached = cache.get(pk);
      if (cached && cached.added === added && cached.version >= version) return remember(cached);
      if (version === 0) return { pk, added, version, order: [], items: new Map(), views: newMadeOnce() };
      const items = await table.query(pk);
      const after = versionOf(await table.get(keys.head({ pk })));
      if (after === version) return remember(load({ pk, added, version }, items));
      version = after;
      await pause(attempt);
    }
    throw unavailable(new Error(`${pk} changed during every attempt to read it`));
  }

  async function commit(table: Table, changes: readonly Change[], beside?: ExtraWrites): Promise<void> {
    const later: Key[] = [];
    const writes = changes.flatMap((change) => toWrites(change, later));
    const forget = (): void => changes.forEach(({ collection }) => void cache.delete(collection.pk));
    let done: Done;
    try {
      done = await transactOnce(table, writes, beside);
    } catch (error) {
      if (error instanceof ConditionFailed) forget();
      throw error;
    }
    for (const change of changes) {
      apply(change);
      if (change.close) cache.delete(change.collection.pk);
      else remember(change.collection);
    }
    if (done === 'before') forget(); // another process may have written since
    // The rest is invisible already, as its parent is gone: a crash here leaves nothing to see.
    if (later.length > 0) await table.batchWrite(later.map((key) => ({ delete: key })));
  }

  return { version: versionOf, open, commit, forget: ({ pk }) => void cache.delete(pk) };
}

/** Returns `build(collection)`, computed once a version. `build` itself is the key, so it must be a named function. */
export function perVersion<T>(collection: Collection, build: (collection: Collection) => T): T {
  return collection.views(build, () => build(collection));
}

function versionOf(head: Item | undefined): number {
  return typeof head?.version === 'number' ? head.version : 0;
}

function load(of: Pick<Collection, 'pk' | 'added' | 'version'>, all: readonly Item[]): Collection {
  const items = new Map<string, Item>();
  let order: readonly number[] = [];
  for (const item of all) {
    if (item.sk === 'order') order = parseOrder(item.ids);
    else if (item.sk !== 'head') items.set(item.sk, item);
  }
  return { ...of, order, items, views: newMadeOnce() };
}

const parseOrder = (ids: unknown): number[] =>
  typeof ids === 'string' && ids !== '' ? ids.split(',').map(Number) : [];

function toWrites({ collection, put = [], remove = [], order, version, close }: Change, later: Key[]): Write[] {
  const { pk } = collection;
  const when =
    collection.version === 0 ? ({ absent: true } as const) : { attribute: 'version', equals: collection.version };
  const removedKeys = remove.map((sk) => ({ pk, sk }));
  later.push(...removedKeys.slice(IN_TRANSACTION));
  const removals = removedKeys.slice(0, IN_TRANSACTION).map((key) => ({ delete: key }));
  if (close) return [{ delete: keys.head({ pk }), when }, { delete: keys.order({ pk }) }, ...removals];
  return [
    { put: { ...keys.head({ pk }), version: version ?? collection.version + 1 }, when },
    ...(order ? [{ put: { ...keys.order({ pk }), ids: order.join(',') } }] : []),
    ...put.map((item) => ({ put: item })),
    ...removals,
  ];
}

function apply({ collection, put = [], remove = [], order, version }: Change): void {
  collection.version = version ?? collection.version + 1;
  for (const item of put) collection.items.set(item.sk, item);
  for (const sk of remove) collection.items.delete(sk);
  if (order) collection.order = order;
  collection.views = newMadeOnce();
}
