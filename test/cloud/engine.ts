import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { GetObjectCommand, PutObjectCommand, paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3';
import { type AthenaServer, startAthena } from '../support/service/athena-server.ts';
import type { Outgoing } from '../support/service/edge.ts';
import type { AwsOptions } from './aws.ts';
import type { Checks } from './checks.ts';
import type { Client } from './client.ts';
import { WHOLE_TIME } from './golden.ts';
import type { Stream } from './queue.ts';

/** A stand-in of Athena: that of the emulator reads no lists of files, and knows no words of Trino. */
export interface CloudAthena extends AthenaServer {
  /** Has it read and write a bucket of a deployment. */
  open(bucket: string, aws: AwsOptions): void;
}

/** Starts it; functions find it by `AWS_ENDPOINT_URL_ATHENA`. */
export async function openAthena(): Promise<CloudAthena> {
  const folder = await mkdtemp(join(tmpdir(), 'cloud-athena-'));
  let place: { readonly Bucket: string; readonly s3: S3Client } | undefined;
  const opened = () => {
    if (place === undefined) throw new Error('no bucket is open');
    return place;
  };
  const bytes = async (Key: string): Promise<Uint8Array> => {
    const { s3, Bucket } = opened();
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
    return (await Body?.transformToByteArray()) ?? new Uint8Array();
  };
  const server = await startAthena({
    get name() {
      return opened().Bucket;
    },
    async list(Prefix) {
      const { s3, Bucket } = opened();
      const keys: string[] = [];
      for await (const { Contents = [] } of paginateListObjectsV2({ client: s3 }, { Bucket, Prefix }))
        keys.push(...Contents.flatMap(({ Key }) => Key ?? []));
      return keys;
    },
    read: async (key) => ({ type: 'text/plain', text: Buffer.from(await bytes(key)).toString(), isCut: false }),
    async pathOf(key) {
      const path = join(folder, key.replaceAll('/', '_'));
      await writeFile(path, await bytes(key));
      return path;
    },
    async put(Key, Body) {
      const { s3, Bucket } = opened();
      await s3.send(new PutObjectCommand({ Bucket, Key, Body }));
    },
  });
  const { close } = server;
  return Object.assign(server, {
    open(Bucket: string, aws: AwsOptions): void {
      place = { Bucket, s3: new S3Client({ ...aws, forcePathStyle: 'endpoint' in aws }) };
    },
    close: async () => {
      await close();
      await rm(folder, { recursive: true, force: true });
    },
  });
}

const REPORTS = '/api/v2/insights3/reports';
const ALL = { ...WHOLE_TIME, max: '2030-01-01T00:00:00Z' };
const REASON = 'what operators alone read';

/** Reports of all kinds of parts: sums, distinct cases, last facts, percentiles, backlog, totals, a comparison, filters. */
const ASKED: readonly object[] = [
  { fields: ['case_creates', 'resolved_cases', 'case_reopens', 'avg_time_to_resolution'], time: ALL },
  { fields: ['case_creates'], time: { ...ALL, window_size: 'month' }, dimension1: 'channel', totals: true },
  {
    fields: ['resolved_cases', 'time_to_resolution:p90'],
    time: ALL,
    dimension1: 'assigned_group',
    dimension2: 'priority',
  },
  {
    fields: ['open_cases'],
    time: { ...ALL, min: '2016-01-01T00:00:00Z', max: '2016-07-01T00:00:00Z', window_size: 'week' },
  },
  {
    fields: ['case_resolves', 'avg_interactions'],
    time: { min: '2016-03-01T00:00:00Z', max: '2016-04-01T00:00:00Z', window_size: 'day', compare: 'previous_period' },
    filters: [[['Exclude', 'Priorities', [{ id: '1' }]]]],
  },
];

/** Has the reports of a site counted by the warehouse, and compares them with those of a scan. */
export async function tryEngine(
  checks: Checks,
  { client, stream, athena }: { readonly client: Client; readonly stream: Stream; readonly athena: CloudAthena },
): Promise<void> {
  const by = (engine: string) => client.ask('PATCH', '/api/v2/site', { engine });
  const post = (body: object) => client.once('POST', REPORTS, body);
  const counted = async (engine: string, body: object): Promise<string> => {
    await by(engine);
    return (await client.ask('POST', REPORTS, body)).text;
  };
  const same = async (body: object): Promise<void> => {
    const [scanned, found] = [await counted('scan', body), await counted('warehouse', body)];
    if (found !== scanned) throw new Error(`${JSON.stringify(body)}: ${scanned}\nbut the warehouse ${found}`);
  };
  const [first = {}, other = {}] = ASKED;
  const begun = async (queries: number): Promise<void> => {
    for (const until = Date.now() + 60_000; athena.queries.length < queries; await sleep(50))
      if (Date.now() > until) throw new Error('no query has begun');
  };
  /** A report whose query is held back until its request ends. */
  const late = async (body: object): Promise<Outgoing> => {
    athena.fates = ['RUNNING'];
    return post(body);
  };

  await checks.step(`${ASKED.length} reports by the warehouse are those of a scan to the byte`, async () => {
    for (const body of ASKED) await same(body);
    if (athena.queries.length < ASKED.length) throw new Error(`${athena.queries.length} queries`);
  });
  await checks.step('an event that a scan counts is counted by the warehouse at once', async () => {
    const time = { min: '2028-03-01T00:00:00Z', max: '2028-03-02T00:00:00Z', window_size: 'none' };
    const body = { fields: ['case_creates'], time };
    const before = await counted('scan', body);
    await stream.send(
      { type: 'case.created', id: 'e', at: '2028-03-01T09:00:00Z', case: `engine-${Date.now()}` },
      'engine',
    );
    for (const until = Date.now() + 30_000; (await counted('scan', body)) === before; await sleep(100))
      if (Date.now() > until) throw new Error('the event does not arrive');
    await same(body);
  });
  await checks.step('a second report is 429; a query held back is 503, and answers the next POST', async () => {
    const queries = athena.queries.length;
    const held = late(first);
    await begun(queries + 1);
    expectStatus(await post(other), 429);
    expectStatus(await held, 503, '10');
    const [query] = athena.queries.slice(-1);
    if (query === undefined) throw new Error('no query');
    await athena.finish(query);
    expectStatus(await post(first), 200);
    if (athena.queries.length !== queries + 1) throw new Error(`${athena.queries.length - queries} queries`);
  });
  await checks.step('another report stops a query that is late', async () => {
    const queries = athena.queries.length;
    expectStatus(await late(first), 503, '10');
    expectStatus(await post(other), 200);
    const states = athena.queries.slice(queries).map(({ state }) => state);
    if (states.join() !== 'CANCELLED,SUCCEEDED') throw new Error(states.join());
  });
  await checks.step('an engine that takes no calls, or fails, is 503 and no 500', async () => {
    athena.throttled = 20;
    expectStatus(await post(first), 503, '10');
    athena.throttled = 0;
    athena.fates = [{ fails: REASON, isRetryable: false }];
    const failed = await post(first);
    expectStatus(failed, 503, '10');
    if (failed.text.includes(REASON)) throw new Error(failed.text);
    await sleep(1_000); // in the same second it would be the same query
    expectStatus(await post(first), 200);
  });
  await checks.step('the site is scanned again', () => by('auto'));
}

function expectStatus({ status, headers, text }: Outgoing, expected: number, after?: string): void {
  if (status === expected && (after === undefined || headers['retry-after'] === after)) return;
  throw new Error(`expected ${expected}, got ${status} (${headers['retry-after']}): ${text}`);
}
