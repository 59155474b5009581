import type { AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod';

/** One call of the SDK on its way to the table, below the SDK's own repetitions. */
interface Attempt {
  readonly command: string; // `TransactWriteItemsCommand`
  readonly input: unknown;
  readonly chance: () => boolean; // whether the fault strikes now
}

interface Result {
  readonly output: object;
}
type Strike = (attempt: Attempt, perform: () => Promise<Result>) => Promise<Result>;

const WRITES = /^(Put|Delete|Update|TransactWrite|BatchWrite)/;

/** The faults that DynamoDB and the network have in store, by name. */
export const FAULTS = {
  /** The table turns calls away. */
  throttle: (attempt, perform) => {
    if (attempt.chance()) throw sdkError('ProvisionedThroughputExceededException', 400);
    return perform();
  },

  /** Another transaction is at the same items: nothing is written. */
  conflict: ({ command, chance }, perform) => {
    if (!WRITES.test(command) || command.startsWith('Batch') || !chance()) return perform();
    if (!command.startsWith('Transact')) throw sdkError('TransactionConflictException', 400);
    const CancellationReasons = [{ Code: 'TransactionConflict' }, { Code: 'None' }];
    throw Object.assign(sdkError('TransactionCanceledException', 400), { CancellationReasons });
  },

  /** A write happens, but its answer gets lost: the SDK repeats it. */
  lostAnswer: async ({ command, chance }, perform) => {
    const result = await perform();
    if (WRITES.test(command) && chance()) throw sdkError('TimeoutError', 0);
    return result;
  },

  /** A batch comes back half done. */
  unprocessed: async (attempt, perform) => {
    const result = await perform();
    if (!attempt.chance()) return result;
    if (attempt.command === 'BatchGetItemCommand') return { output: halfRead(result.output) };
    if (attempt.command === 'BatchWriteItemCommand') return { output: halfWritten(attempt.input, result) };
    return result;
  },

  /** A replica lags behind: whoever does not ask for strong consistency sees nothing of what was written. */
  staleReplica: async ({ command, input }, perform) => {
    const result = await perform();
    if (!/^(Get|BatchGet|Query|Scan)/.test(command) || isConsistent(input)) return result;
    return { output: { ...result.output, Item: undefined, Items: [], Responses: {} } };
  },
} as const satisfies Readonly<Record<string, Strike>>;

export type FaultName = keyof typeof FAULTS;
export const FAULT_NAMES = Object.keys(FAULTS) as FaultName[];

/** Lets a fault strike a part of a client's calls, from 0 to 1; in the same order every time. */
export function addFault(client: DynamoDBClient, name: FaultName, part: number): DynamoDBClient {
  const random = randomFrom(1);
  const strike: Strike = FAULTS[name];
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const command = z.string().parse(context.commandName);
      const attempt = { command, input: args.input, chance: () => random() < part };
      let result: Awaited<ReturnType<typeof next>> | undefined;
      const { output } = await strike(attempt, async () => {
        result = await next(args);
        return { output: { ...result.output } };
      });
      return { ...result, output } as Awaited<ReturnType<typeof next>>; // the SDK's own answer, with parts taken out
    },
    { step: 'deserialize', priority: 'high', name: `fault-${name}` },
  );
  return client;
}

function sdkError(name: string, httpStatusCode: number): Error {
  const error = new Error(`${name}, injected`);
  return Object.assign(error, { name, $fault: 'client', $metadata: { httpStatusCode } });
}

const items = z.record(z.string(), z.array(z.looseObject({ pk: z.unknown(), sk: z.unknown() })));

/** Moves every other item of a BatchGetItem's answer among the unprocessed keys. */
function halfRead(output: object): object {
  const { Responses } = z.object({ Responses: items }).parse(output);
  const halves = Object.entries(Responses).map(([table, all]) => ({
    table,
    read: all.filter((_, place) => place % 2 === 0),
    left: all.filter((_, place) => place % 2 === 1).map(({ pk, sk }) => ({ pk, sk })),
  }));
  const undone = halves.filter(({ left }) => left.length > 0);
  return {
    ...output,
    Responses: Object.fromEntries(halves.map(({ table, read }) => [table, read])),
    UnprocessedKeys: Object.fromEntries(undone.map(({ table, left }) => [table, { Keys: left, ConsistentRead: true }])),
  };
}

/** `{ PutRequest: { Item } }` or `{ DeleteRequest: { Key } }`, as it goes to the table. */
const request = z.record(z.string(), z.record(z.string(), z.record(z.string(), z.custom<AttributeValue>())));

/** The same as the document client hands it back: this middleware sees calls below that client, and answers above it. */
const plain = (sent: z.infer<typeof request>): object =>
  mapValues(sent, (parts) => mapValues(parts, (attributes) => unmarshall(attributes)));

const mapValues = <T>(record: Record<string, T>, change: (value: T) => object): object =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));

/** Says of the second half of a BatchWriteItem that it was not done. */
function halfWritten(input: unknown, { output }: Result): object {
  const { RequestItems } = z.object({ RequestItems: z.record(z.string(), z.array(request)) }).parse(input);
  const left = Object.entries(RequestItems).flatMap(([table, all]) => {
    const half = all.slice(Math.ceil(all.length / 2)).map(plain);
    return half.length > 0 ? [[table, half] as const] : [];
  });
  return { ...output, UnprocessedItems: Object.fromEntries(left) };
}

const consistent = z.looseObject({ ConsistentRead: z.literal(true) });
const batch = z.looseObject({ RequestItems: z.record(z.string(), consistent) });
const isConsistent = (input: unknown): boolean => consistent.safeParse(input).success || batch.safeParse(input).success;

/** Mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
