import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Context } from 'aws-lambda';
import { bundle } from '../../../infra/bundle.ts';
import { FUNCTIONS } from '../../../infra/stack/functions.ts';
import { hashPassword } from '../../../lib/access/passwords/passwords.ts';
import { NEW_SITE, type Site } from '../../../lib/access/site-fields.ts';
import { newToken, tokenWrites } from '../../../lib/access/tokens.ts';
import { deliverDue } from '../../../lib/deliver/deliver.ts';
import { compact } from '../../../lib/history/compact.ts';
import type { Table } from '../../../lib/store/table.ts';
import { newUsage, type Usage } from '../../../lib/store/usage.ts';
import { loadEvents } from '../../support/generators/history.ts';
import { testDeliverer } from '../../support/mail/deliverer.ts';
import { type AwsServer, type SentMessage, startAws } from '../../support/service/aws-server.ts';
import { type Lambda, ofQueue, startLambda } from '../../support/service/lambda.ts';
import { addSite, putUser } from '../../support/service/stored-access.ts';
import { madeEvents } from '../data/history.ts';
import { median, print } from '../figures.ts';
import { processorTimeOf } from '../process-memory.ts';
import { type BenchService, engineTable, SITE, startBenchService, toEvent } from '../service.ts';
import { PRICES, priceOfWork } from './prices.ts';

const MORNING = 10_000; // sites that have a mail due at the same minute
const WITHIN = 15; // min
const EVENTS_SCALE = 0.0001; // about a thousand facts a site
const SES_RATE = 14; // mails a second that SES allows an account that has just left its sandbox
const TRIP = 5; // ms of a call to the table in AWS
const RUN_EVERY = 5; // min between two runs of the schedule
const LOOKS = 16; // sites that the schedule's run looks at side by side (lib/deliver/deliver.ts)
const SENDS = 10; // messages that it sends side by side (functions/queues.ts)
const MINUTE = 60_000; // ms
const PAUSE = 15_000; // ms between two looks for what was put off
const MOST_RUNS = 20;
const TILES = [
  { name: 'Created', request: { fields: ['case_creates'] }, shown_as: 'number' },
  { name: 'Resolved', request: { fields: ['case_resolves'] }, shown_as: 'number' },
  { name: 'By day', request: { fields: ['case_creates', 'case_resolves'], window_size: 'day' }, shown_as: 'line' },
  { name: 'By channel', request: { fields: ['case_creates'], dimension1: 'channel' }, shown_as: 'bars' },
  {
    name: 'Agents',
    request: { fields: ['case_resolves', 'avg_interactions'], dimension1: 'action_agent' },
    shown_as: 'table',
  },
  { name: 'Hours', request: { fields: ['case_creates'], window_size: 'hour' }, shown_as: 'heat' },
] as const;

/** Runs of the function `deliver` as it is deployed, and the messages that the schedule's run sent. */
interface Post {
  readonly aws: AwsServer;
  readonly lambdas: readonly Lambda[];
  readonly queue: SentMessage[];
}

/**
 * Has the mails of many sites sent that are due at the same minute, by the function `deliver` as it is deployed, ten of
 * them side by side, to a stand-in of SES that keeps a rate; and computes from it how long 10,000 take: `--sites 200`.
 */
export async function bench(words: readonly string[]): Promise<string> {
  const options = { sites: { type: 'string', default: '200' }, functions: { type: 'string', default: '10' } } as const;
  const { values } = parseArgs({ args: [...words], options });
  const most = Number(values.sites);
  const store = await engineTable();
  const folder = mkdtempSync(join(tmpdir(), 'bench-mails-'));
  const aws = await startAws();
  const lambdas: Lambda[] = [];
  try {
    const service = await startBenchService(store);
    const due = await fill(service, most + 1);
    const file = join(folder, 'deliver.mjs');
    await bundle('functions/deliver.ts', file);
    const env = {
      ...{ DYNAMODB_ENDPOINT: store.endpoint, TABLE_NAME: SITE, AWS_ENDPOINT_URL: aws.url, STAGE: 'bench' },
      ...{
        MAIL_URL: `${aws.url}/000000000000/Mails.fifo`,
        MAIL_FROM: 'bench@bench.example',
        PUBLIC_URL: 'https://bench',
      },
    };
    for (let place = 0; place < Number(values.functions); place += 1) lambdas.push(startLambda(file, env));
    await sleep(Math.max(0, due - Date.now()));
    const use = await ofOne(store.table, siteOf(most));
    return await measure({ aws, lambdas, queue: [] }, most, use);
  } finally {
    for (const lambda of lambdas) lambda.end();
    aws.close();
    await store.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Measures one function alone, then all side by side, then the same where SES allows half of what they could send. */
async function measure(post: Post, sites: number, usage: Usage): Promise<string> {
  const { aws, lambdas, queue } = post;
  const { trips, readUnits, writeUnits } = usage;
  const look = await runSchedule(post);
  print(
    'measured on this machine:\n| mails | functions | s | mails a minute | processor s a mail | s a mail, median |',
  );
  print('|---|---|---|---|---|---|');
  await drain({ ...post, lambdas: lambdas.slice(0, 1) }, Math.floor(sites / 10));
  const ten = await drain(post, Math.floor(sites / 4));
  const [before, rest] = [aws.throttled, queue.length];
  aws.mailsPerSecond = ten.perMinute / 60 / 2;
  const slowed = await drain(post, rest);
  const putOff = sites - aws.mails.length;
  let runs = 0;
  for (; aws.mails.length < sites && runs < MOST_RUNS; runs += 1) {
    await sleep(PAUSE);
    await runSchedule(post);
    await drain(post, queue.length, false);
  }
  const addresses = new Set(aws.mails.map(({ to }) => to)).size;
  if (aws.mails.length !== sites || addresses !== sites) throw new Error(`${aws.mails.length} mails to ${addresses}`);
  const idle = await nothingDue(lambdas[0] as Lambda);
  const used = slowed.perMinute / 60 / aws.mailsPerSecond; // of the rate
  print(
    `\nSES allowed ${aws.mailsPerSecond.toFixed(1)} mails a second, of which ${percent(used)} left: ${aws.throttled - before} tries were told to wait, ${putOff} of ${rest} mails were left to ${runs} later runs; every site got one mail`,
  );
  print(
    `the schedule's run: ${(look / sites).toFixed(1)} ms of the processor a site; a message of a site with nothing due: ${idle.toFixed(0)} ms`,
  );
  print(
    `a mail: ${trips} calls to the table, ${readUnits} read and ${writeUnits} write units, ${mean(aws).toFixed(0)} KB`,
  );
  const functions = lambdas.length;
  return told({ look: look / sites, work: ten.work, idle, used, putOff, usage, functions });
}

/** What was measured of sites and mails. */
interface Measured {
  readonly look: number; // ms of the processor, of the schedule's run, a site
  readonly work: number; // s of the processor a mail, on which a busy machine does not tell
  readonly idle: number; // ms of a message of a site whose mail has left
  readonly used: number; // the part of SES's rate that was used where functions had to wait for it
  readonly putOff: number; // mails left to a later run for that
  readonly usage: Usage; // of the table, a mail
  readonly functions: number;
}

/** What follows for 10,000 sites in the cloud, where each function has cores of its own. */
function told({ look, work, idle, used, putOff, usage, functions }: Measured): string {
  const each = 2 * work + (usage.trips * TRIP) / 1000; // s; after a mail's report a function rests for as long as it took
  const byRate = MORNING / (SES_RATE * Math.min(1, used)) / 60; // min
  // Each later run sends a message for what is not done yet, half of all on average; most find it done.
  const again = (Math.floor(byRate / RUN_EVERY) * (MORNING / 2) * idle) / 1000; // s
  const begins = ((look + TRIP / LOOKS + TRIP / SENDS) * MORNING) / 1000; // s
  const byFunctions = (begins + (each * MORNING + again) / functions) / 60; // min
  const late = putOff > 0 ? RUN_EVERY + 1 : 0; // min; what was put off is tried after a minute, by the next run
  const rate = `SES at ${SES_RATE} mails a second, of which ${percent(Math.min(1, used))} are used`;
  print(`\ncomputed for ${MORNING} mails, ${functions} functions with cores of their own:`);
  print(`| by | minutes |\n|---|---|`);
  print(
    `| the functions: ${each.toFixed(2)} s a mail, by the processor's time, rests, and ${TRIP} ms a call to the table | ${byFunctions.toFixed(1)} |`,
  );
  print(`| ${rate} | ${byRate.toFixed(1)} |\n| mails that were left to a later run | ${late} |`);
  const dollars = MORNING * priceOfWork({ ms: 1000 * each, memory: FUNCTIONS.deliver.memory, ...usage });
  const bySes = (MORNING / 1_000_000) * PRICES.mails;
  print(`SES takes $${bySes.toFixed(2)} for them, the functions and the table $${dollars.toFixed(2)}`);
  const minutes = Math.max(byFunctions, byRate) + late;
  return `${MORNING} mails leave in ${minutes.toFixed(0)} minutes, computed (target ${WITHIN})`;
}

/** Has the schedule's run send its messages to the queue; returns the ms of the processor that it took. */
async function runSchedule({ aws, lambdas, queue }: Post): Promise<number> {
  const before = aws.sent.length;
  const spent = processorTimeOf(lambdas[0]?.child.pid);
  await lambdas[0]?.call({});
  queue.push(...aws.sent.slice(before));
  return (processorTimeOf(lambdas[0]?.child.pid) - spent) / 1000;
}

/** Does so many messages of the queue; a function that is free takes the next, as the queue's consumers do. */
async function drain({ aws, lambdas, queue }: Post, count: number, isTold = true) {
  const mine = queue.splice(0, count);
  const spent = () => lambdas.reduce((sum, { child }) => sum + processorTimeOf(child.pid), 0) / 1e6; // s
  const took: number[] = [];
  const [before, processor, begun] = [aws.mails.length, spent(), performance.now()];
  await Promise.all(
    lambdas.map(async (lambda) => {
      for (let next = mine.shift(); next !== undefined; next = mine.shift()) {
        const from = performance.now();
        await lambda.call(ofQueue({ id: next.MessageId, body: next.MessageBody }));
        took.push((performance.now() - from) / 1000);
      }
    }),
  );
  const all = (performance.now() - begun) / 1000;
  const mails = aws.mails.length - before;
  const perMinute = (60 * mails) / all;
  const work = (spent() - processor) / mails; // s of the processor a mail
  const figures = [mails, lambdas.length, all.toFixed(1), perMinute.toFixed(0), work.toFixed(2)];
  if (isTold) print(`| ${[...figures, median(took).toFixed(2)].join(' | ')} |`);
  return { perMinute, work };
}

/** The median ms of messages of a site whose mail has left. */
async function nothingDue(lambda: Lambda): Promise<number> {
  const times: number[] = [];
  for (let time = 0; time < 10; time += 1) {
    const from = performance.now();
    await lambda.call(ofQueue({ id: `${time}`, body: { site: siteOf(0), because: `${time}` } }));
    times.push(performance.now() - from);
  }
  return median(times);
}

const percent = (part: number): string => `${(100 * part).toFixed(0)} %`;

const mean = ({ mails }: AwsServer): number => mails.reduce((sum, { bytes }) => sum + bytes, 0) / mails.length / 1000;

/** What the mail of one more site takes of the table, by the same code in this process. */
async function ofOne(table: Table, site: string): Promise<Usage> {
  const usage = newUsage();
  const tools = {
    ...testDeliverer(table.metered(usage), Date.now, 'smtp://127.0.0.1:9'),
    send: async () => 'sent' as const,
  };
  const { sent } = await deliverDue(tools, [site]);
  if (sent !== 1) throw new Error(`${sent} mails of ${site}`);
  return usage;
}

const siteOf = (number: number): string => `site-${number}`;

/** Makes sites with a history and a board each, which is mailed at the same minute. Returns when that is (epoch ms). */
async function fill({ table, handler }: BenchService, count: number): Promise<number> {
  const events = [...madeEvents(EVENTS_SCALE)];
  const password = await hashPassword('bench');
  const manager = { role: 'Administrator', deleted: false, password } as const;
  const subscribe: ((at: string) => Promise<unknown>)[] = [];
  for (let number = 0; number < count; number += 1) {
    const name = siteOf(number);
    const site: Site = { ...NEW_SITE, name, title: `Site ${number}`, hosts: [`${name}.localhost`] };
    await addSite(table, site);
    const context = { table, site, clock: Date.now, newId: randomUUID };
    await loadEvents(context, events);
    await compact(context);
    const login = `manager@${name}.example`;
    const user = await putUser(table, name, { ...manager, login }, true);
    const { text, token } = newToken(user, { name: 'bench' }, Date.now());
    await table.transact(tokenWrites(name, { before: undefined, after: token }));
    const post = async (path: string, body: object): Promise<{ readonly id: number }> => {
      const event = toEvent('POST', `/api/v2/${path}`, body, { Authorization: `Bearer ${text}` });
      Object.assign(event.requestContext, { domainName: `${name}.localhost` });
      const { statusCode, body: reply } = await handler(event, {} as Context);
      if (statusCode !== 201) throw new Error(`${path}: ${statusCode} ${reply}`);
      return JSON.parse(reply);
    };
    const tiles: object[] = [];
    for (const { name: title, request, shown_as } of TILES) {
      const { window_size = 'none', ...rest } = { window_size: undefined, ...request };
      const time = { min: '2025-11-01T00:00:00Z', max: '2025-12-01T00:00:00Z', window_size };
      tiles.push({
        saved_report: (await post('saved_reports', { name: title, request: { ...rest, time } })).id,
        shown_as,
      });
    }
    const { id: board } = await post('boards', { name: 'Morning', tiles });
    subscribe.push((at) => post('subscriptions', { board, every: 'day', at, recipients: [login] }));
  }
  print(`${count - 1} sites of ${events.length} events, each with a board of ${TILES.length} reports\n`);
  const due = Math.ceil((Date.now() + MINUTE / 2) / MINUTE) * MINUTE;
  for (const one of subscribe) await one(new Date(due).toISOString().slice(11, 16)); // the sites' zone is UTC
  return due;
}
