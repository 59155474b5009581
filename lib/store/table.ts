import type { ScanInput, ScanOutput, WriteRequest } from '@aws-sdk/client-dynamodb';
import { type Attributes, fromAttributes, toAttributes } from './attributes.ts';
import type { Calls } from './calls.ts';
import { type Condition, toExpression } from './condition.ts';
import { Busy, translate, unavailable } from './faults.ts';
import type { Key } from './keys.ts';
import { pause } from './pause.ts';
import { count, newUsage, type Usage } from './usage.ts';

/** An item as it lies in the table. Its attributes pass a schema where they are read. */
export interface Item extends Key {
  readonly [attribute: string]: unknown;
}

/** One write of a transaction. */
export type Write =
  | { readonly put: Item; readonly when?: Condition }
  | { readonly delete: Key; readonly when?: Condition }
  | { readonly check: Key; readonly when: Condition };

export interface QueryOptions {
  readonly prefix?: string; // of the sort key
  readonly attributes?: readonly string[]; // what to fetch; pk and sk always come
}

/**
 * One DynamoDB table. Reads are strongly consistent. Throws `ConditionFailed` where a condition did not hold, and the
 * `unavailable` failure where the table does not answer after bounded retries.
 */
export interface Table {
  readonly name: string;
  readonly usage: Usage;
  /** The same table, counting into another usage. */
  metered(usage: Usage): Table;
  get(key: Key): Promise<Item | undefined>;
  /** Items in the order of the keys, `undefined` where there is none. Keys may repeat; any number of them. */
  batchGet(keys: readonly Key[]): Promise<(Item | undefined)[]>;
  /** All items of a partition in the order of their sort keys. */
  query(pk: string, options?: QueryOptions): Promise<Item[]>;
  /** Every item of the table, page by page: for copies, not for requests. */
  scan(): AsyncIterable<Item[]>;
  /** With `tellItem`, a `ConditionFailed` bears the item that stands in the way. */
  put(item: Item, when?: Condition, options?: { readonly tellItem?: boolean }): Promise<void>;
  delete(key: Key, when?: Condition): Promise<void>;
  /** All or nothing, at most 100 writes and 4 MB. */
  transact(writes: readonly Write[]): Promise<void>;
  /** Any number of puts and deletes without conditions, each for itself. */
  batchWrite(writes: readonly ({ readonly put: Item } | { readonly delete: Key })[]): Promise<void>;
}

/** How often a busy table is asked again, with growing, jittered pauses (25 ms … 0.8 s) between. */
const TRIES = 6;
const BATCH_GET = 100; // keys a BatchGetItem takes
const BATCH_WRITE = 25; // writes a BatchWriteItem takes
type Page = Pick<ScanOutput, 'Items' | 'LastEvaluatedKey' | 'ConsumedCapacity'>;
type PageStart = Pick<ScanInput, 'ExclusiveStartKey'>; // nothing: at the beginning
const TOTAL = { ReturnConsumedCapacity: 'TOTAL' } as const;

/** Opens a table that is reached by such calls; `usage` counts what is asked of it. */
export function openTable(calls: Calls, name: string, usage: Usage = newUsage()): Table {
  /** Sends what `command` makes, again while the table is busy. */
  async function send<T extends { ConsumedCapacity?: unknown }>(
    kind: 'read' | 'write',
    command: () => Promise<T>,
  ): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const answer = await command();
        count(usage, kind, answer.ConsumedCapacity);
        return answer;
      } catch (error) {
        const known = translate(error);
        if (!(known instanceof Busy)) throw known;
        if (attempt === TRIES) throw unavailable(known);
        await pause(attempt);
      }
    }
  }

  /** Calls `step` with what is left until nothing is: for the calls that may leave a part undone. */
  async function drain<T>(first: readonly T[], step: (left: readonly T[]) => Promise<readonly T[]>): Promise<void> {
    let left = first;
    for (let attempt = 1; left.length > 0; attempt += 1) {
      const before = left.length;
      left = await step(left);
      if (left.length === 0) return;
      if (left.length < before) attempt = 1;
      if (attempt === TRIES) throw unavailable(new Error(`${left.length} parts of a batch stayed undone`));
      await pause(attempt);
    }
  }

  async function getChunk(chunk: readonly Key[], found: Map<string, Item>): Promise<void> {
    await drain(chunk, async (left) => {
      const answer = await send('read', () =>
        calls.batchGetItem({
          RequestItems: { [name]: { Keys: left.map(keyAttributes), ConsistentRead: true } },
          ...TOTAL,
        }),
      );
      for (const item of (answer.Responses?.[name] ?? []).map(toItem)) found.set(slot(item), item);
      return (answer.UnprocessedKeys?.[name]?.Keys ?? []).map(toItem);
    });
  }

  /** The items of a query or scan, page by page. */
  async function* pages(ask: (from: PageStart) => Promise<Page>): AsyncGenerator<Item[]> {
    let from: PageStart = {};
    do {
      const { Items, LastEvaluatedKey } = await send('read', () => ask(from));
      yield (Items ?? []).map(toItem);
      from = LastEvaluatedKey ? { ExclusiveStartKey: LastEvaluatedKey } : {};
    } while (from.ExclusiveStartKey);
  }

  return {
    name,
    usage,
    metered: (other) => openTable(calls, name, other),

    async get(key) {
      const answer = await send('read', () =>
        calls.getItem({ TableName: name, Key: keyAttributes(key), ConsistentRead: true, ...TOTAL }),
      );
      return answer.Item && toItem(answer.Item);
    },

    async batchGet(wanted) {
      const found = new Map<string, Item>();
      const unique = [...new Map(wanted.map((key) => [slot(key), key])).values()];
      await Promise.all(chunks(unique, BATCH_GET).map((chunk) => getChunk(chunk, found)));
      return wanted.map((key) => found.get(slot(key)));
    },

    async query(pk, { prefix, attributes } = {}) {
      const items: Item[] = [];
      const projected = attributes && ['pk', 'sk', ...attributes];
      const ask = (from: PageStart): Promise<Page> =>
        calls.query({
          TableName: name,
          ConsistentRead: true,
          KeyConditionExpression: prefix === undefined ? '#pk = :pk' : '#pk = :pk AND begins_with(#sk, :prefix)',
          ExpressionAttributeNames: {
            '#pk': 'pk',
            ...(prefix === undefined ? {} : { '#sk': 'sk' }),
            ...Object.fromEntries((projected ?? []).map((attribute, place) => [`#a${place}`, attribute])),
          },
          ExpressionAttributeValues: toAttributes({ ':pk': pk, ':prefix': prefix }),
          ...(projected ? { ProjectionExpression: projected.map((_, place) => `#a${place}`).join(', ') } : {}),
          ...from,
          ...TOTAL,
        });
      for await (const page of pages(ask)) for (const item of page) items.push(item);
      return items;
    },

    scan: () => pages((from) => calls.scan({ TableName: name, ConsistentRead: true, ...from, ...TOTAL })),

    async put(item, when, { tellItem } = {}) {
      await send('write', () =>
        calls.putItem({
          TableName: name,
          Item: toAttributes(item),
          ...toExpression(when),
          ...(tellItem ? { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } : {}),
          ...TOTAL,
        }),
      );
    },

    async delete(key, when) {
      await send('write', () =>
        calls.deleteItem({ TableName: name, Key: keyAttributes(key), ...toExpression(when), ...TOTAL }),
      );
    },

    async transact(writes) {
      await send('write', () =>
        calls.transactWriteItems({ TransactItems: writes.map((write) => toRequest(name, write)), ...TOTAL }),
      );
    },

    async batchWrite(writes) {
      for (const chunk of chunks(writes, BATCH_WRITE)) {
        const requests = chunk.map((write) =>
          'put' in write
            ? { PutRequest: { Item: toAttributes(write.put) } }
            : { DeleteRequest: { Key: keyAttributes(write.delete) } },
        );
        await drain<WriteRequest>(requests, async (left) => {
          const answer = await send('write', () =>
            calls.batchWriteItem({ RequestItems: { [name]: [...left] }, ...TOTAL }),
          );
          return answer.UnprocessedItems?.[name] ?? [];
        });
      }
    },
  };
}

/** One text for a key. */
export const slot = ({ pk, sk }: Key): string => `${pk}\n${sk}`;

/** Of a key, or of an item, whose other attributes are left out. */
const keyAttributes = ({ pk, sk }: Key): Attributes => ({ pk: { S: pk }, sk: { S: sk } });
const toItem = (attributes: Attributes): Item => fromAttributes(attributes) as Item;

function chunks<T>(all: readonly T[], size: number): T[][] {
  const parts: T[][] = [];
  for (let at = 0; at < all.length; at += size) parts.push(all.slice(at, at + size));
  return parts;
}

function toRequest(TableName: string, write: Write) {
  const expression = toExpression(write.when);
  if ('put' in write) return { Put: { TableName, Item: toAttributes(write.put), ...expression } };
  if ('delete' in write) return { Delete: { TableName, Key: keyAttributes(write.delete), ...expression } };
  return { ConditionCheck: { TableName, Key: keyAttributes(write.check), ConditionExpression: '', ...expression } };
}
