import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  type BatchWriteCommandInput,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { BATCH_GET, BATCH_WRITE, chunks, refuseRepeats, unique } from './batches.ts';
import { toExpression } from './condition.ts';
import { Busy, unavailable } from './faults.ts';
import type { Key } from './keys.ts';
import { pause } from './pause.ts';
import { type BatchedWrite, type Item, keyText, type QueryOptions, type Table, toItem, type Write } from './table.ts';
import { translate } from './translate.ts';
import { addUsage, type Consumed, newUsage, type Usage } from './usage.ts';
import { checkKey, checkRange, checkValues, checkWrite } from './values.ts';

type Request = NonNullable<BatchWriteCommandInput['RequestItems']>[string][number];

/** One page of a query's or scan's answer. */
interface Page {
  readonly Items?: Record<string, unknown>[] | undefined;
  readonly LastEvaluatedKey?: Record<string, unknown> | undefined;
  readonly ConsumedCapacity?: Consumed;
}
type PageStart = { readonly ExclusiveStartKey?: Record<string, unknown> }; // empty: at the beginning

/** Attempts on a busy table, with growing, jittered pauses (25 ms … 0.8 s) between them. */
const TRIES = 6;
const TOTAL = { ReturnConsumedCapacity: 'TOTAL' } as const;

/** A table of DynamoDB or of a compatible engine; `usage` counts its calls. */
export function openTable(client: DynamoDBClient, name: string, usage: Usage = newUsage()): Table {
  const documents = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
  return tableOf(documents, name, usage);
}

function tableOf(documents: DynamoDBDocumentClient, name: string, usage: Usage): Table {
  const call = { documents, name, send: senderOf(usage) };
  return {
    name,
    usage,
    metered: (other) => tableOf(documents, name, other),
    ...readsOf(call),
    ...writesOf(call),
  };
}

/** What every call needs: the client, the table's name, and `send`, which retries and counts. */
interface TableCall {
  readonly documents: DynamoDBDocumentClient;
  readonly name: string;
  readonly send: Send;
}

type Send = <T extends { ConsumedCapacity?: Consumed }>(kind: 'read' | 'write', call: () => Promise<T>) => Promise<T>;

/** Makes calls and retries them while the table is busy. */
function senderOf(usage: Usage): Send {
  return async (kind, call) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const answer = await call();
        addUsage(usage, kind, answer.ConsumedCapacity);
        return answer;
      } catch (error) {
        const fault = translate(error);
        if (!(fault instanceof Busy)) throw fault;
        if (attempt === TRIES) throw unavailable(fault);
        await pause(attempt);
      }
    }
  };
}

function readsOf(call: TableCall): Pick<Table, 'get' | 'batchGet' | 'query' | 'scan'> {
  const { documents, name: TableName, send } = call;
  return {
    async get(key) {
      checkKey(key);
      const input = { TableName, Key: onlyKey(key), ConsistentRead: true, ...TOTAL };
      const answer = await send('read', () => documents.send(new GetCommand(input)));
      return answer.Item && toItem(answer.Item);
    },

    async batchGet(wanted) {
      wanted.forEach(checkKey);
      const items = new Map<string, Item>();
      await Promise.all(chunks(unique(wanted), BATCH_GET).map((chunk) => getChunk(call, chunk, items)));
      return wanted.map((key) => items.get(keyText(key)));
    },

    async query(pk, options = {}) {
      checkRange(options);
      const items: Item[] = [];
      const input = { TableName, ConsistentRead: true, ...toQuery(pk, options), ...TOTAL };
      const { limit = Number.POSITIVE_INFINITY } = options;
      const ask = (from: PageStart) =>
        documents.send(new QueryCommand({ ...input, ...from, ...toLimit(limit - items.length) }));
      for await (const page of pages(send, ask)) {
        for (const item of page) items.push(item);
        if (items.length >= limit) break;
      }
      return items;
    },

    scan() {
      const input = { TableName, ConsistentRead: true, ...TOTAL };
      return pages(send, (from) => documents.send(new ScanCommand({ ...input, ...from })));
    },
  };
}

function writesOf(call: TableCall): Pick<Table, 'put' | 'delete' | 'add' | 'transact' | 'batchWrite'> {
  const { documents, name: TableName, send } = call;
  return {
    async put(item, when, { returnItem } = {}) {
      checkValues(item);
      const returning = returnItem ? ({ ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const) : {};
      const input = { TableName, Item: item, ...toExpression(when), ...returning, ...TOTAL };
      await send('write', () => documents.send(new PutCommand(input)));
    },

    async delete(key, when) {
      checkKey(key);
      const input = { TableName, Key: onlyKey(key), ...toExpression(when), ...TOTAL };
      await send('write', () => documents.send(new DeleteCommand(input)));
    },

    async add(key, amounts, ttl) {
      checkValues({ ...amounts, ...onlyKey(key), ttl });
      const input = {
        TableName,
        Key: onlyKey(key),
        ...toAddition(amounts, ttl),
        ReturnValues: 'ALL_NEW',
        ...TOTAL,
      } as const;
      const { Attributes } = await send('write', () => documents.send(new UpdateCommand(input)));
      return toItem(Attributes ?? {});
    },

    async transact(writes) {
      writes.forEach(checkWrite);
      refuseRepeats(writes);
      const TransactItems = writes.map((write) => toRequest(TableName, write));
      await send('write', () => documents.send(new TransactWriteCommand({ TransactItems, ...TOTAL })));
    },

    async batchWrite(writes) {
      const parts = chunks(writes, BATCH_WRITE);
      writes.forEach(checkWrite);
      for (const part of parts) refuseRepeats(part);
      for (const part of parts) await writeChunk(call, part);
    },
  };
}

async function getChunk({ documents, name, send }: TableCall, chunk: readonly Key[], items: Map<string, Item>) {
  await drain(chunk, async (left) => {
    const RequestItems = { [name]: { Keys: left.map(onlyKey), ConsistentRead: true } };
    const answer = await send('read', () => documents.send(new BatchGetCommand({ RequestItems, ...TOTAL })));
    for (const item of (answer.Responses?.[name] ?? []).map(toItem)) items.set(keyText(item), item);
    return (answer.UnprocessedKeys?.[name]?.Keys ?? []).map(toItem);
  });
}

async function writeChunk({ documents, name, send }: TableCall, chunk: readonly BatchedWrite[]): Promise<void> {
  await drain<Request>(chunk.map(toBatched), async (left) => {
    const RequestItems = { [name]: [...left] };
    const answer = await send('write', () => documents.send(new BatchWriteCommand({ RequestItems, ...TOTAL })));
    return answer.UnprocessedItems?.[name] ?? [];
  });
}

/** The items of a query or scan, one page at a time. */
async function* pages(send: Send, ask: (from: PageStart) => Promise<Page>): AsyncGenerator<Item[]> {
  let from: PageStart = {};
  do {
    const { Items, LastEvaluatedKey } = await send('read', () => ask(from));
    yield (Items ?? []).map(toItem);
    from = LastEvaluatedKey ? { ExclusiveStartKey: LastEvaluatedKey } : {};
  } while (from.ExclusiveStartKey);
}

/** Calls `step` with the unprocessed elements until none are left, for calls that may process only a part. */
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

/** The key of an item, without its other attributes. */
const onlyKey = ({ pk, sk }: Key): { pk: string; sk: string } => ({ pk, sk });

function toAddition(amounts: Readonly<Record<string, number>>, ttl: number) {
  const entries = Object.entries(amounts);
  return {
    UpdateExpression: `ADD ${entries.map((_, index) => `#a${index} :a${index}`).join(', ')} SET #ttl = :ttl`,
    ExpressionAttributeNames: {
      '#ttl': 'ttl',
      ...Object.fromEntries(entries.map(([name], index) => [`#a${index}`, name])),
    },
    ExpressionAttributeValues: {
      ':ttl': ttl,
      ...Object.fromEntries(entries.map(([, by], index) => [`:a${index}`, by])),
    },
  };
}

const toLimit = (left: number) => (Number.isFinite(left) ? { Limit: left } : {});

function toQuery(pk: string, { prefix, from, to, attributes, descending = false }: QueryOptions) {
  const projected = attributes && ['pk', 'sk', ...attributes];
  const range = toRange({ prefix, from, to });
  return {
    KeyConditionExpression: range === undefined ? '#pk = :pk' : `#pk = :pk AND ${range.condition}`,
    ExpressionAttributeNames: {
      '#pk': 'pk',
      ...(range !== undefined && { '#sk': 'sk' }),
      ...Object.fromEntries((projected ?? []).map((attribute, index) => [`#a${index}`, attribute])),
    },
    ExpressionAttributeValues: { ':pk': pk, ...range?.values },
    ...(projected && { ProjectionExpression: projected.map((_, index) => `#a${index}`).join(', ') }),
    ...(descending && { ScanIndexForward: false }),
  };
}

/** The condition on sort keys; DynamoDB allows only one. */
function toRange({ prefix, from, to }: { readonly [K in 'prefix' | 'from' | 'to']: string | undefined }) {
  if (prefix !== undefined) return { condition: 'begins_with(#sk, :prefix)', values: { ':prefix': prefix } };
  if (from !== undefined && to !== undefined)
    return { condition: '#sk BETWEEN :from AND :to', values: { ':from': from, ':to': to } };
  if (from !== undefined) return { condition: '#sk >= :from', values: { ':from': from } };
  return to === undefined ? undefined : { condition: '#sk <= :to', values: { ':to': to } };
}

function toRequest(TableName: string, write: Write) {
  const expression = toExpression(write.when);
  if ('put' in write) return { Put: { TableName, Item: write.put, ...expression } };
  if ('delete' in write) return { Delete: { TableName, Key: onlyKey(write.delete), ...expression } };
  return { ConditionCheck: { TableName, Key: onlyKey(write.check), ConditionExpression: '', ...expression } };
}

const toBatched = (write: BatchedWrite): Request =>
  'put' in write ? { PutRequest: { Item: write.put } } : { DeleteRequest: { Key: onlyKey(write.delete) } };
