import type { AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { StandardRetryStrategy } from '@smithy/core/retry';
import * as z from 'zod';

/** One attempt of an SDK call. Each retry of the SDK is an attempt of its own. */
interface Attempt {
  readonly command: string; // `TransactWriteItemsCommand`
  readonly input: unknown;
  readonly chance: () => boolean; // whether the fault strikes now
}

interface Result {
  readonly output: object;
}
type Strike = (attempt: Attempt, perform: () => Promise<Result>) => Promise<Result>;

/** The SDK's own rules of what is tried again and how often; but nothing waits, which would take most of a run's time. */
const AT_ONCE = { computeNextBackoffDelay: () => 0, setDelayBase: () => {} };

const WRITES = /^(Put|Delete|Update|TransactWrite|BatchWrite)/;

/** The faults of DynamoDB and the network, by name. */
const FAULTS = {
  /** The table refuses calls, because there are too many. */
  throttle: (attempt, perform) => {
    if (attempt.chance()) throw sdkError('ProvisionedThroughputExceededException', 400);
    return perform();
  },

  /** Another transaction is writing the same items, so nothing is written. */
  conflict: ({ command, chance }, perform) => {
    if (!WRITES.test(command) || command.startsWith('Batch') || !chance()) return perform();
    if (!command.startsWith('Transact')) throw sdkError('TransactionConflictException', 400);
    const CancellationReasons = [{ Code: 'TransactionConflict' }, { Code: 'None' }];
    throw Object.assign(sdkError('TransactionCanceledException', 400), { CancellationReasons });
  },

  /** A write succeeds, but its reply is lost, so the SDK sends it again. */
  lostAnswer: async ({ command, chance }, perform) => {
    const result = await perform();
    if (WRITES.test(command) && chance()) throw sdkError('TimeoutError', 0);
    return result;
  },

  /** Only half of a batch is processed. */
  unprocessed: async (attempt, perform) => {
    const result = await perform();
    if (!attempt.chance()) return result;
    if (attempt.command === 'BatchGetItemCommand') return { output: halfRead(result.output) };
    if (attempt.command === 'BatchWriteItemCommand') return { output: halfWritten(attempt.input, result) };
    return result;
  },

  /** A replica lags behind: reads without strong consistency find no items. */
  staleReplica: async ({ command, input }, perform) => {
    const result = await perform();
    if (!/^(Get|BatchGet|Query|Scan)/.test(command) || isConsistent(input)) return result;
    return { output: { ...result.output, Item: undefined, Items: [], Responses: {} } };
  },
} as const satisfies Readonly<Record<string, Strike>>;

export type FaultName = keyof typeof FAULTS;
export const FAULT_NAMES = Object.keys(FAULTS) as FaultName[];

/**
 * Makes a fault strike a part (0 to 1) of a client's attempts; the same ones in every run. `atMost` bounds how often one
 * call of the SDK is struck: fewer times than the SDK tries, and no call fails for good.
 */
export function addFault(client: DynamoDBClient, name: FaultName, part: number, atMost = Infinity): DynamoDBClient {
  const random = randomFrom(1);
  const strike: Strike = FAULTS[name];
  const { maxAttempts } = client.config;
  let strategy: StandardRetryStrategy | undefined;
  client.config.retryStrategy = async () => {
    strategy ??= new StandardRetryStrategy({ maxAttempts: await maxAttempts(), backoff: AT_ONCE });
    return strategy;
  };
  const struck = new WeakMap<object, number>(); // by the context that all attempts of a call share
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const command = z.string().parse(context.commandName);
      const chance = (): boolean => {
        const times = struck.get(context) ?? 0;
        if (times >= atMost || random() >= part) return false;
        struck.set(context, times + 1);
        return true;
      };
      const attempt = { command, input: args.input, chance };
      let result: Awaited<ReturnType<typeof next>> | undefined;
      const { output } = await strike(attempt, async () => {
        result = await next(args);
        return { output: { ...result.output } };
      });
      return { ...result, output } as Awaited<ReturnType<typeof next>>; // the SDK's own result with another output
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

/** Moves every second item in the output of a BatchGetItem to its unprocessed keys. */
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

/** `{ PutRequest: { Item } }` or `{ DeleteRequest: { Key } }`, as it is sent to the table. */
const request = z.record(z.string(), z.record(z.string(), z.record(z.string(), z.custom<AttributeValue>())));

/**
 * The same as the document client returns it: this middleware sees the input below that client and the output above it.
 */
const plain = (sent: z.infer<typeof request>): object =>
  mapValues(sent, (parts) => mapValues(parts, (attributes) => unmarshall(attributes)));

const mapValues = <T>(record: Record<string, T>, change: (value: T) => object): object =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));

/** Reports the second half of a BatchWriteItem as unprocessed. */
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

/** A random number generator, Mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
