import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { bundle } from '../../../infra/bundle.ts';
import { ACCESS_LINE } from '../../../infra/stack/api.ts';
import { NEW_SITE } from '../../../lib/access/site-fields.ts';
import { compactIfNeeded } from '../../../lib/history/compact.ts';
import { readManifest } from '../../../lib/history/storage/commit.ts';
import { lookAtConnections } from '../../../lib/live/due.ts';
import { newUsage } from '../../../lib/store/usage.ts';
import { loadEvents } from '../../support/generators/history.ts';
import { startLambda } from '../../support/service/lambda.ts';
import { addSite } from '../../support/service/stored-access.ts';
import { madeEvents } from '../data/history.ts';
import { print } from '../figures.ts';
import { type BenchService, SITE, toEvent } from '../service.ts';
import type { Figure } from './page.ts';

const SITES = 10;
const POLLERS = 5; // of an idle queue, by Lambda
const POLL = 20; // s
const MONTH = 30 * 24 * 3_600; // s

/** What the gateway writes for each name of its line, at its longest usual. */
const VALUES: Readonly<Record<string, string>> = {
  requestId: randomUUID(),
  requestTime: '28/Nov/2026:20:02:28 +0000',
  domainName: 'acme.support.example.com',
  resourcePath: '/api/v2/topics',
  identity: '203.0.113.17',
};
/** Lambda's own lines at the start and the end of a call, in its format JSON. */
const LAMBDA_LINES = [
  `{"time":"2026-11-28T20:02:28.000Z","type":"platform.start","record":{"requestId":"${randomUUID()}","functionArn":"arn:aws:lambda:eu-west-1:123456789012:function:SupportService-prod-Topics0A1B2C3D-0123456789ab:live","version":"12"}}`,
  `{"time":"2026-11-28T20:02:28.000Z","type":"platform.report","record":{"requestId":"${randomUUID()}","metrics":{"durationMs":12.345,"billedDurationMs":13,"memorySizeMB":1769,"maxMemoryUsedMB":120},"status":"success"}}`,
];
const ENTRY = 26; // bytes that CloudWatch adds to each line

/** The figures of docs/cost.md beside those of requests: what is logged, what an idle stage reads and polls, a reply. */
export async function idleFigures(service: BenchService, endpoint: string): Promise<readonly Figure[]> {
  const logged = await logBytes(endpoint);
  const list = await listBytes(service);
  const { compaction, connections } = await idleUnits(service);
  print(`\na request logs ${logged} bytes; a list of 30 topics is ${list} bytes compressed`);
  print(`idle, a site: a run of compaction reads ${compaction} units, a look at connections ${connections}`);
  return [
    { what: 'bytes logged a request', told: /log \(([\d,]+) bytes a request/, is: logged },
    { what: 'units of a run of compaction', told: /8,640 runs, each reads (\d+) units a site/, is: compaction },
    { what: 'units of a look at connections', told: /of about 30 ms, each reads (\d+) units a site/, is: connections },
    {
      what: 'requests of an idle queue',
      told: /idle queues, about ([\d,]+) requests each/,
      is: (POLLERS * MONTH) / POLL,
    },
    { what: 'KB of a list', told: /a list of 30 topics is ([\d.]+) KB compressed/, is: list / 1000 },
  ];
}

/** The read units of what the schedules do of sites that nobody uses, each with a history that is folded. */
async function idleUnits({
  table,
}: BenchService): Promise<{ readonly compaction: number; readonly connections: number }> {
  const events = [...madeEvents(0.0001)];
  const sites = Array.from({ length: SITES }, (_, place) => {
    return { ...NEW_SITE, name: `idle-${place}`, title: 'Idle', hosts: [`idle-${place}.localhost`] };
  });
  const used = newUsage();
  for (const site of sites) {
    await addSite(table, site);
    const context = { table, site, clock: Date.now, newId: randomUUID };
    await loadEvents(context, events);
    while (await compactIfNeeded(context));
    await compactIfNeeded({ ...context, table: table.metered(used) });
    await readManifest(table.metered(used), site.name);
  }
  const looked = newUsage();
  await lookAtConnections(table.metered(looked), Date.now());
  return { compaction: used.readUnits / SITES, connections: looked.readUnits / (SITES + 1) };
}

/** The bytes of all lines of a request: the function's as it is deployed, the gateway's, and Lambda's. */
async function logBytes(endpoint: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-idle-'));
  const file = join(folder, 'topics.mjs');
  await bundle('functions/topics.ts', file);
  const lambda = startLambda(file, { DYNAMODB_ENDPOINT: endpoint, TABLE_NAME: SITE, STAGE: 'prod' });
  try {
    await lambda.call(toEvent('GET', '/api/v2/topics'));
    const own = lambda.lines.filter(({ message }) => message === 'request').map((line) => JSON.stringify(line));
    if (own.length !== 1) throw new Error(`${own.length} lines of a request`);
    const gateway = ACCESS_LINE.replace(/\$context\.(\w+)[\w.]*/g, (_all, name: string) => VALUES[name] ?? '200');
    const all = [...own, gateway, ...LAMBDA_LINES];
    return all.reduce((sum, line) => sum + Buffer.byteLength(line) + ENTRY, 0);
  } finally {
    lambda.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The bytes of a list of 30 topics, compressed as by the gateway. */
async function listBytes({ ask }: BenchService): Promise<number> {
  for (let number = 0; number < 30; number += 1)
    await ask('POST', '/api/v2/topics', {
      name: `How to return an order of kind ${number}`,
      description: `Shipping, labels and refunds of ${number}`,
    });
  const { body } = await ask('GET', '/api/v2/topics?per_page=30');
  return gzipSync(body).length;
}
