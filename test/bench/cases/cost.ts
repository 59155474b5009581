import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { FUNCTIONS } from '../../../infra/stack/functions.ts';
import { compact } from '../../../lib/history/compact.ts';
import { ingest } from '../../../lib/history/live.ts';
import { readManifest } from '../../../lib/history/storage/commit.ts';
import type { Route } from '../../../lib/http/route.ts';
import { loadHistory } from '../../../lib/import/load.ts';
import { groups } from '../../../lib/routes.ts';
import { newUsage, type Usage } from '../../../lib/store/usage.ts';
import { madeEvents, rowsOf } from '../data/history.ts';
import { median, print } from '../figures.ts';
import { type BenchService, engineTable, SITE, startBenchService } from '../service.ts';
import { createRequests, type RequestOf } from './endpoints.ts';
import { idleFigures } from './idle.ts';
import { checkFigures, type Figure } from './page.ts';
import { PRICES, priceOfRequest, priceOfWork, type Use } from './prices.ts';

const MILLION = 1_000_000;
const SIZES = [1, 10, 100]; // millions of facts that a report reads

/** Computes the cost of requests, reports and history: measures their use here, and takes prices from `prices.ts`. */
export async function bench(options: readonly string[]): Promise<string> {
  const scale = Number(options[options.indexOf('--scale') + 1] ?? Number.NaN) || 0.08; // scale 1 has 12.8 million facts
  print(`prices: ${PRICES.region}, ${PRICES.asOf}, US dollars\n`);
  const { dearest, figures } = await requests();
  const service = await startBenchService();
  try {
    const stored = await history(service, scale);
    await reports(service, await createRequests(service), stored.facts);
    checkFigures(readFileSync('docs/cost.md', 'utf8'), figures);
    return `the dearest endpoint costs $${dearest.toFixed(2)} a million, 10 million events a month $${stored.dollars.toFixed(2)}`;
  } finally {
    await service.end();
  }
}

/** The cost of requests, and the figures of the page, by a table like DynamoDB: a function waits for its table. */
async function requests(): Promise<{ readonly dearest: number; readonly figures: readonly Figure[] }> {
  const store = await engineTable();
  try {
    const service = await startBenchService(store);
    const { dearest, units } = await endpoints(service, await createRequests(service));
    return { dearest, figures: [...units, ...(await idleFigures(service, store.endpoint))] };
  } finally {
    await store.end();
  }
}

/** Prints the cost of a million warm requests to each endpoint; returns the highest one, and the units that the page tells of. */
async function endpoints(
  service: BenchService,
  requestOf: RequestOf,
): Promise<{ readonly dearest: number; readonly units: readonly Figure[] }> {
  const units: Figure[] = [];
  print('| a million requests | ms | read units | write units | $ |\n|---|---|---|---|---|');
  let dearest = 0;
  for (const [name, routes] of Object.entries(groups)) {
    for (const route of routes) {
      if (!requestOf.knows(route)) continue; // linked pages cost the same as lists; imports have a row of their own
      const { memory } = FUNCTIONS[name as keyof typeof groups];
      await measure(service, requestOf, route, 1); // the cold request
      const use = { memory, ...(await measure(service, requestOf, route, REPEATS)) };
      const dollars = priceOfRequest(use) * MILLION;
      dearest = Math.max(dearest, dollars);
      const title = route.name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
      units.push({
        what: `units of ${title}`,
        told: new RegExp(`^\\| ${title} \\| [\\d.]+ \\| (\\d+) `, 'm'),
        is: use.readUnits,
      });
      print(`| ${title} | ${use.ms.toFixed(1)} | ${use.readUnits} | ${use.writeUnits} | ${dollars.toFixed(2)} |`);
    }
  }
  return { dearest, units };
}

const REPEATS = 15;

/** The use of requests to an endpoint: the median of their times, and the units of the last request. */
async function measure(
  { ask, lines }: BenchService,
  requestOf: RequestOf,
  route: Route,
  repeats: number,
): Promise<Omit<Use, 'memory'>> {
  const times: number[] = [];
  for (let n = 0; n < repeats; n += 1) {
    const { target, body } = await requestOf(route);
    const begun = performance.now();
    const { statusCode } = await ask(route.method, target, body);
    times.push(performance.now() - begun);
    if (statusCode !== route.success) throw new Error(`${route.name} answers ${statusCode}`);
  }
  const { readUnits, writeUnits } = lines.at(-1) ?? newUsage();
  return { ms: median(times), readUnits, writeUnits };
}

/** Loads a made-up history; prints the cost of importing and storing 10 million events a month. */
async function history({ table }: BenchService, scale: number): Promise<{ facts: number; dollars: number }> {
  const events = [...madeEvents(scale)];
  const usage: Usage = newUsage();
  const context = { table: table.metered(usage), site: { name: SITE }, clock: Date.now, newId: randomUUID };
  const begun = performance.now();
  await loadHistory(context, rowsOf(events), {
    spillFolder: tmpdir(),
    onReference: () => undefined,
    onRejected: () => undefined,
    onConflict: () => undefined,
  });
  await compact(context);
  const ms = performance.now() - begun;
  const { segments } = await readManifest(table, SITE);
  const facts = segments.reduce((sum, segment) => sum + segment.facts, 0);
  const each = (count: number) => (count / events.length) * 10 * MILLION;
  const imported = priceOfWork({
    ms: each(ms),
    memory: FUNCTIONS.compact.memory,
    readUnits: each(usage.readUnits),
    writeUnits: each(usage.writeUnits),
  });
  const sent = sentDollars({ ms: each(ms), readUnits: each(usage.readUnits), writeUnits: each(usage.writeUnits) });
  const live = await liveDollars(context, events.slice(0, 500));
  const gigabytes = (10 * MILLION * BYTES_AN_EVENT) / 1e9;
  const kept = gigabytes * (PRICES.tableGigabyteMonth + PRICES.recoveryGigabyteMonth);
  print(`\n${events.length} events, ${facts} facts loaded and folded in ${(ms / 1000).toFixed(1)} s`);
  print('| 10 million events | $ |\n|---|---|');
  print(`| imported from files and folded | ${imported.toFixed(2)} |`);
  print(`| sent by a browser: tried, then loaded by a function in steps | ${sent.toFixed(2)} |`);
  print(`| or sent one by one to the queue (an event a case and batch of 10) | ${live.toFixed(2)} |`);
  print(`| kept for a month, with point-in-time recovery | ${kept.toFixed(2)} |`);
  return { facts, dollars: imported + kept };
}

/**
 * The cost of a file that is imported in the console: a function checks it, which takes at most as long as loading it,
 * and loads it. The file is stored for a week.
 */
function sentDollars({ ms, readUnits, writeUnits }: Omit<Use, 'memory'>): number {
  const { memory, disk } = FUNCTIONS.load;
  const work = priceOfWork({ ms: 2 * ms, memory, readUnits: 2 * readUnits, writeUnits });
  const diskGigabytes = (disk?.toGibibytes() ?? 0) - 0.5;
  return work + ((2 * ms) / 1000) * diskGigabytes * PRICES.diskGigabyteSecond + PRICES.fileGigabyteMonth / 4;
}

const BYTES_AN_EVENT = 40; // in the whole table: the limit that `npm run bench -- import` checks

/** The cost of 10 million events from the queue, 10 in each call. */
async function liveDollars(
  context: Parameters<typeof ingest>[0],
  events: Parameters<typeof ingest>[1],
): Promise<number> {
  const usage = newUsage();
  const metered = { ...context, table: context.table.metered(usage) };
  const again = events.map((event) => ({ ...event, id: `live ${event.id}` }));
  const begun = performance.now();
  for (let at = 0; at < again.length; at += 10) await ingest(metered, again.slice(at, at + 10));
  const calls = (10 * MILLION) / 10;
  const part = calls / Math.ceil(again.length / 10);
  const use = {
    ms: (performance.now() - begun) / Math.ceil(again.length / 10),
    memory: FUNCTIONS.ingest.memory,
    readUnits: (usage.readUnits * part) / calls,
    writeUnits: (usage.writeUnits * part) / calls,
  };
  const queue = (3 * 10 * PRICES.queueRequests) / 10; // sent one by one, received and deleted by tens
  return priceOfWork(use) * calls + queue + 10 * PRICES.queueRequests;
}

/** Prints the cost of a report over many facts: measured for the loaded facts, and in proportion for more. */
async function reports(service: BenchService, requestOf: RequestOf, facts: number): Promise<void> {
  const { memory } = FUNCTIONS.insights;
  const route = groups.insights.find(({ name }) => name === 'createReport');
  if (route === undefined) throw new Error('there is no report');
  const cold = { memory, ...(await measure(service, requestOf, route, 1)) }; // no process has read its segments yet
  const warm = { memory, ...(await measure(service, requestOf, route, REPEATS)) };
  print(`\na report over ${facts} facts: cold ${cold.ms.toFixed(0)} ms, warm ${warm.ms.toFixed(0)} ms`);
  print('| a report over | cold: ms | read units | $ | warm: ms | $ |\n|---|---|---|---|---|---|');
  for (const millions of SIZES) {
    const times = (millions * MILLION) / facts;
    const grown = (use: Use): Use => ({ ...use, ms: use.ms * times, readUnits: use.readUnits * times });
    const [first, again] = [grown(cold), { ...warm, ms: warm.ms * times }];
    const dollars = (use: Use) => priceOfRequest(use).toFixed(6);
    print(
      `| ${millions} million facts | ${first.ms.toFixed(0)} | ${first.readUnits.toFixed(0)} | ${dollars(first)} | ${again.ms.toFixed(0)} | ${dollars(again)} |`,
    );
  }
}
