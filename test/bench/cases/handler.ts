import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { keys } from '../../../lib/store/keys.ts';
import { inTurns, print } from '../figures.ts';
import { engineTable, SITE, startBenchService, toEvent } from '../service.ts';

const CALLS = 1500; // in each round
const ROUNDS = 9;

/** Measures how much more CPU time a warm GET takes than a bare handler that makes the same SDK call. */
export async function bench(): Promise<string> {
  const store = await engineTable();
  const service = await startBenchService(store);
  try {
    const topic = JSON.parse((await service.ask('POST', '/api/v2/topics', { name: 'Warm' })).body);
    const target = `/api/v2/topics/${topic.id}`;
    await service.ask('GET', target);
    const wanted = await batchOf(service, target);
    const client = bareClient(store.endpoint);
    const bare = async () => {
      const answer = await client.send(
        new BatchGetCommand({
          RequestItems: { [SITE]: { Keys: wanted, ConsistentRead: true } },
          ReturnConsumedCapacity: 'TOTAL',
        }),
      );
      return { statusCode: 200, headers: {}, body: JSON.stringify(answer.Responses?.[SITE]?.[0]) };
    };
    const ours = () => service.handler(toEvent('GET', target), {} as never);
    await cpuOf(ours);
    await cpuOf(bare);
    const { a, b, ratio } = await inTurns(
      ROUNDS,
      () => cpuOf(ours),
      () => cpuOf(bare),
    );
    print(
      `service ${a.toFixed(1)} µs, bare handler ${b.toFixed(1)} µs of CPU a call; ${wanted.length} keys in the call`,
    );
    return `${ratio.toFixed(2)}x a bare handler (target 1.3x)`;
  } finally {
    await service.end();
  }
}

/** The client of the bare handler, made as the SDK's manual says. */
const bareClient = (endpoint: string): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(
    new DynamoDBClient({
      endpoint,
      region: 'local',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    }),
  );

/** The keys that the service reads for this request, observed at its table. */
async function batchOf(service: Awaited<ReturnType<typeof startBenchService>>, target: string) {
  const seen: Record<string, string>[] = [];
  const { batchGet } = service.table;
  const metered = service.table.metered;
  Object.assign(service.table, {
    metered: (usage: Parameters<typeof metered>[0]) => {
      const table = metered(usage);
      return {
        ...table,
        batchGet: (all: Parameters<typeof batchGet>[0]) => {
          seen.push(...all.map(({ pk, sk }) => ({ pk, sk })));
          return table.batchGet(all);
        },
      };
    },
  });
  await service.ask('GET', target);
  Object.assign(service.table, { metered });
  if (!seen.some(({ pk }) => pk === keys.topics(SITE).pk)) throw new Error('the request did not read its topics');
  return seen;
}

/** The CPU time of a call in this process, in µs. */
async function cpuOf(call: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  for (let n = 0; n < CALLS; n += 1) await call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / CALLS;
}
