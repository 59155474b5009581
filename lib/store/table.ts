import type { Condition } from './condition.ts';
import type { Key } from './keys.ts';
import type { Usage } from './usage.ts';

/** An item as it lies in the table. Its attributes pass a schema where they are read. */
export interface Item extends Key {
  readonly [attribute: string]: unknown;
}

/** What a table told, as an item; throws for attributes without a key. */
export function toItem(attributes: Readonly<Record<string, unknown>>): Item {
  if (isItem(attributes)) return attributes;
  throw new Error('an item without its key');
}

const isItem = (attributes: Readonly<Record<string, unknown>>): attributes is Item =>
  typeof attributes.pk === 'string' && typeof attributes.sk === 'string';

/** One write of a transaction. */
export type Write =
  | { readonly put: Item; readonly when?: Condition }
  | { readonly delete: Key; readonly when?: Condition }
  | { readonly check: Key; readonly when: Condition };

/** One write of a batch. */
export type BatchedWrite = { readonly put: Item } | { readonly delete: Key };

export interface QueryOptions {
  readonly prefix?: string; // of the sort key
  readonly from?: string; // the first sort key, inclusive; not beside a prefix
  readonly to?: string; // the last one, inclusive; not beside a prefix
  readonly descending?: boolean; // the last sort key first
  readonly limit?: number; // items at most; from 1
  readonly attributes?: readonly string[]; // what to fetch; pk and sk always come
}

/**
 * One DynamoDB table as we use it: in DynamoDB (dynamodb.ts) or on this machine's disk (infra/local/table). Reads are
 * strongly consistent; who reads an item does not change it, as others may be given the same object while it stays unchanged. Throws `ConditionFailed` where a condition did not hold, `Refused` where a write breaks a rule of
 * DynamoDB, and the `unavailable` failure where the table does not answer after bounded retries.
 */
export interface Table {
  readonly name: string;
  readonly usage: Usage;
  /** The same table, counting into another usage. */
  metered(usage: Usage): Table;
  get(key: Key): Promise<Item | undefined>;
  /** Items in the order of the keys, `undefined` where there is none. Keys may repeat; any number of them. */
  batchGet(keys: readonly Key[]): Promise<(Item | undefined)[]>;
  /** Items of a partition in the order of their sort keys' UTF-8 bytes; all of them where the options say nothing. */
  query(pk: string, options?: QueryOptions): Promise<Item[]>;
  /** Every item of the table, page by page: for copies, not for requests. */
  scan(): AsyncIterable<Item[]>;
  /** With `tellItem`, a `ConditionFailed` bears the item that stands in the way. */
  put(item: Item, when?: Condition, options?: { readonly tellItem?: boolean }): Promise<void>;
  delete(key: Key, when?: Condition): Promise<void>;
  /** All or nothing: 1 to 100 writes of distinct items, 4 MB at most. */
  transact(writes: readonly Write[]): Promise<void>;
  /** Any number of puts and deletes without conditions, each for itself; of each 25 no two are of one item. */
  batchWrite(writes: readonly BatchedWrite[]): Promise<void>;
}

/** One text for a key. */
export const slot = ({ pk, sk }: Key): string => `${pk}\n${sk}`;
