import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import type { HistoryEvent } from '../../../lib/history/cases/event.ts';
import { eventRecord } from '../../../lib/import/export/event-record.ts';
import { casesOf, LAST_WEEKS, lateEvents, madeEvents } from '../data/history.ts';
import { emptySite, SITE } from '../data/made-site.ts';
import { madeSnapshots, SNAPSHOT_MAPPING } from '../data/snapshot-log.ts';
import { madeTickets, writeTicketsMapping } from '../data/tickets-export.ts';
import { writeLines } from '../data/write-lines.ts';
import { madeAudits, madeTables } from '../data/zendesk-export.ts';
import { print } from '../figures.ts';
import { fileMemoryOf, peakMemoryOf } from '../process-memory.ts';
import { startServiceProcess } from '../service-process.ts';

const PROGRAM = fileURLToPath(new URL('../../../bin/support.js', import.meta.url));
const SAMPLE = 50; // ms between two samples of a process's memory
const SNAPSHOTS = 2_400_000; // rows of a CSV of snapshots at scale 1
const TICKETS = 900_000; // rows of a CSV of tickets at scale 1

/** A file to import. */
interface Load {
  readonly name: string;
  readonly lines: () => Iterable<string>;
  readonly files?: Readonly<Record<string, () => Iterable<string>>>; // a folder of files, instead of `lines`
  readonly map?: string;
  readonly format?: string;
  readonly tickets?: number; // to print tickets per second beside events per second
}

interface Imported {
  readonly name: string;
  readonly megabytes: number; // of the file
  readonly events: number;
  readonly seconds: number; // that the whole process took
  readonly took: Took;
  readonly memory: number; // bytes, the sum of the peaks of service and import
  readonly filePages: number; // bytes of the import that were pages of files at most, which the system can reclaim
  readonly tickets?: number;
}

/**
 * Imports files by the command line while a service runs; both processes are started as users start them. `--scale 1`
 * is the size that the documented figures are for.
 */
export async function bench(words: readonly string[]): Promise<string> {
  const { values } = parseArgs({ args: [...words], options: { scale: { type: 'string', default: '1' } } });
  const scale = Number(values.scale);
  const more = scale / 20;
  const loads: readonly Load[] = [
    { name: 'NDJSON, a fresh site', lines: () => ndjson(madeEvents(scale), ({ at }) => at < LAST_WEEKS) },
    { name: 'its last weeks', lines: () => ndjson(madeEvents(scale), ({ at }) => at >= LAST_WEEKS) },
    { name: 'more cases into that site', lines: () => ndjson(madeEvents(more, 'more-')) },
    { name: 'the same file again', lines: () => ndjson(madeEvents(more, 'more-')) },
    { name: 'late events of its cases', lines: () => ndjson(lateEvents(casesOf(scale))) },
  ];
  const log: Load = {
    name: 'CSV of snapshots, a fresh site',
    lines: () => madeSnapshots(SNAPSHOTS * scale),
    map: SNAPSHOT_MAPPING,
  };
  const sets = [loads, [log], weekly(scale), [audits(scale)], [tables(scale)]];
  const found: Imported[] = [];
  for (const set of sets) found.push(...(await importInto(set)));
  console.table(found.map(shown));
  const rates = found.map(({ events, seconds }) => Math.round(events / seconds).toLocaleString('en'));
  const most = Math.max(...found.map(({ memory }) => memory));
  return `${rates[0]} events/s by NDJSON, ${rates[5]} by CSV, ${rates[9]} by Zendesk's audits and ${rates[10]} by Fivetran's tables into a fresh site (at least 50,000), ${rates[1]} and ${rates[2]} into a loaded one (at least 20,000), ${ticketRate(found[7])} tickets/s of an unchanged export (at least 100,000), ${mega(most)} MB together (at most 1,000)`;
}

/** Exports with a row for each ticket: into a fresh site, the same again, and then with a tenth changed. */
function weekly(scale: number): Load[] {
  const map = writeTicketsMapping(mkdtempSync(join(tmpdir(), 'bench-mapping-')));
  const tickets = Math.round(TICKETS * scale);
  const load = (name: string, week: 0 | 1): Load => ({ name, lines: () => madeTickets(tickets, week), map, tickets });
  return [
    load('CSV of tickets, a fresh site', 0),
    load('the same tickets a week later', 0),
    load('of which a tenth changed', 1),
  ];
}

const ZENDESK_TICKETS = 400_000; // at scale 1; they make 8 million events

/** Tickets from Zendesk's own API. */
const audits = (scale: number): Load => ({
  ...{ name: "Zendesk's audits, a fresh site", format: 'zendesk' },
  lines: () => madeAudits(Math.round(ZENDESK_TICKETS * scale)),
});

/** The same tickets from a data warehouse. */
const tables = (scale: number): Load => ({
  ...{ name: "Fivetran's tables, a fresh site", format: 'fivetran-zendesk', lines: () => [] },
  files: madeTables(Math.round(ZENDESK_TICKETS * scale)),
});

const ticketRate = (found: Imported | undefined): string =>
  Math.round((found?.tickets ?? 0) / (found?.seconds ?? 1)).toLocaleString('en');

function shown({ name, megabytes, events, seconds, took, memory, filePages, tickets }: Imported) {
  const { reading, storing, folding } = took;
  return {
    ...{ name, MB: megabytes, events, s: oneDigit(seconds), 'events/s': Math.round(events / seconds) },
    ...{ reading: oneDigit(reading / 1000), storing: oneDigit(storing / 1000), folding: oneDigit(folding / 1000) },
    ...{ 'peak MB': mega(memory), 'file pages MB': mega(filePages) },
    ...(tickets === undefined ? {} : { 'tickets/s': Math.round(tickets / seconds) }),
  };
}

const mega = (bytes: number): number => Math.round(bytes / 1e6);
const oneDigit = (value: number): number => Math.round(value * 10) / 10;

function* ndjson(events: Iterable<HistoryEvent>, takes: (event: HistoryEvent) => boolean = () => true) {
  for (const event of events) if (takes(event)) yield `${JSON.stringify(eventRecord(event))}\n`;
}

/** Imports one file after the other into one site, while its service runs. */
async function importInto(loads: readonly Load[]): Promise<Imported[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-import-'));
  await emptySite(folder);
  const service = await startServiceProcess(folder);
  try {
    const found: Imported[] = [];
    for (const load of loads) {
      const file = join(folder, 'file');
      rmSync(file, { recursive: true, force: true });
      if (load.files) await writeFiles(file, load.files);
      else await writeLines(file, load.lines());
      const imported = await importFile(load, file, folder);
      print(`${load.name}: import ${mega(imported.memory)} MB, service ${mega(service.peakMemory())} MB`);
      found.push({ ...imported, memory: imported.memory + service.peakMemory() });
    }
    return found;
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function writeFiles(folder: string, files: NonNullable<Load['files']>): Promise<void> {
  mkdirSync(folder);
  for (const [name, lines] of Object.entries(files)) await writeLines(join(folder, name), lines());
}

const megabytesOf = (path: string): number =>
  mega(
    statSync(path).isDirectory()
      ? readdirSync(path).reduce((sum, name) => sum + statSync(join(path, name)).size, 0)
      : statSync(path).size,
  );

const Took = z.object({ reading: z.number(), storing: z.number(), folding: z.number() }); // ms
type Took = z.infer<typeof Took>;
const Summary = z.object({ events: z.int(), took: Took });

async function importFile({ name, map, format, tickets }: Load, file: string, dataDir: string): Promise<Imported> {
  const start = performance.now();
  const mapped = [...(map === undefined ? [] : ['--map', map]), ...(format === undefined ? [] : ['--format', format])];
  const args = [PROGRAM, 'import', file, '--site', SITE, '--data-dir', dataDir, '--json', ...mapped];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  let memory = 0;
  let filePages = 0;
  const watch = setInterval(() => {
    memory = Math.max(memory, peakMemoryOf(child.pid));
    filePages = Math.max(filePages, fileMemoryOf(child.pid));
  }, SAMPLE);
  const [code] = await once(child, 'close');
  clearInterval(watch);
  const seconds = (performance.now() - start) / 1000;
  if (code !== 0) throw new Error(`the import "${name}" ended with ${code}: ${said}`);
  const { events, took } = Summary.parse(JSON.parse(said));
  const counted = tickets === undefined ? {} : { tickets };
  return { name, megabytes: megabytesOf(file), events, seconds, took, memory, filePages, ...counted };
}
