import { isMap, recordOf } from '../typed-object.ts';
import type { Condition } from './condition.ts';
import type { Key } from './keys.ts';
import type { Usage } from './usage.ts';

/** An item of the table. Readers check its attributes by a schema. */
export interface Item extends Key {
  readonly [attribute: string]: unknown;
}

/**
 * The attributes of an answer as an item; throws if they have no key. Engines give the keys of a map in any order, another
 * each time: they are sorted, so that equal items have equal texts, tags and digests.
 */
export function toItem(attributes: Readonly<Record<string, unknown>>): Item {
  const item = sortedMap(attributes);
  if (isItem(item)) return item;
  throw new Error('an item without its key');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null || !isMap(value)) return value;
  return sortedMap(value);
}

const sortedMap = (map: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  recordOf(Object.keys(map).sort(), (name) => sorted(map[name]));

const isItem = (attributes: Readonly<Record<string, unknown>>): attributes is Item =>
  typeof attributes.pk === 'string' && typeof attributes.sk === 'string';

/** One write of a transaction. */
export type Write =
  | { readonly put: Item; readonly when?: Condition | undefined }
  | { readonly delete: Key; readonly when?: Condition | undefined }
  | { readonly check: Key; readonly when: Condition };

/** One write of a batch. */
export type BatchedWrite = { readonly put: Item } | { readonly delete: Key };

export interface QueryOptions {
  readonly prefix?: string | undefined; // start of the sort key
  readonly from?: string | undefined; // first sort key, inclusive; not together with a prefix
  readonly to?: string | undefined; // last sort key, inclusive; not together with a prefix
  readonly descending?: boolean; // largest sort key first
  readonly limit?: number; // largest number of items; from 1
  readonly attributes?: readonly string[]; // attributes to fetch; pk and sk are always included
}

/**
 * One DynamoDB table as we use it: in DynamoDB (dynamodb.ts) or on this machine's disk (infra/local/table). Reads are
 * strongly consistent. Callers must not change an item they have read, as others may get the same object. Throws
 * `ConditionFailed` if a condition does not hold, `Refused` if a write breaks a rule of DynamoDB, and the `unavailable`
 * failure if the table does not answer after bounded retries, and `Damaged` where bytes are not those that were written.
 */
export interface Table {
  readonly name: string;
  readonly usage: Usage;
  /** The same table, counting into another usage. */
  metered(usage: Usage): Table;
  get(key: Key): Promise<Item | undefined>;
  /** Items in the order of the keys, `undefined` for a missing one. Any number of keys; duplicates are allowed. */
  batchGet(keys: readonly Key[]): Promise<(Item | undefined)[]>;
  /** Items of a partition in the order of their sort keys' UTF-8 bytes; without options all of them. */
  query(pk: string, options?: QueryOptions): Promise<Item[]>;
  /**
   * Every item of the table, page by page: for copies, not for requests. The keys of damaged items are given to
   * `onDamaged`, and they are left out; without it the first one is thrown.
   */
  scan(onDamaged?: (key: Key) => void): AsyncIterable<Item[]>;
  /** With `returnItem`, a `ConditionFailed` carries the stored item. */
  put(item: Item, when?: Condition, options?: { readonly returnItem?: boolean }): Promise<void>;
  delete(key: Key, when?: Condition): Promise<void>;
  /**
   * Adds to numbers of an item and sets its `ttl`, atomically, and returns it as it is then. A missing item or number
   * counts as 0. An addition whose answer gets lost may be done twice.
   */
  add(key: Key, amounts: Readonly<Record<string, number>>, ttl: number): Promise<Item>;
  /** Writes all or nothing: 1 to 100 writes of distinct items, 4 MB at most. */
  transact(writes: readonly Write[]): Promise<void>;
  /** Any number of independent puts and deletes without conditions; within each 25, keys must be distinct. */
  batchWrite(writes: readonly BatchedWrite[]): Promise<void>;
}

/** A key as one string. */
export const keyText = ({ pk, sk }: Key): string => `${pk}\n${sk}`;
