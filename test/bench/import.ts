import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { readEngineFile } from '../../infra/local/engine-file.ts';
import { eventRecord } from '../support/event-record.ts';
import { print } from './figures.ts';
import { madeEvents } from './history.ts';
import { emptySite, SITE } from './made-site.ts';
import { peakMemoryOf } from './process-memory.ts';
import { startServiceProcess } from './service-process.ts';

const PROGRAM = fileURLToPath(new URL('../../bin/support.js', import.meta.url));
const SAMPLE = 100; // ms between two looks at a process's memory

interface Imported {
  readonly name: string;
  readonly events: number;
  readonly added: number;
  readonly perSecond: number;
  readonly memory: number; // bytes, peak
}

/** NDJSON by the command line while a service runs: into a fresh site, into that one, and the last file again. */
export async function bench(words: readonly string[]): Promise<string> {
  const { values } = parseArgs({ args: [...words], options: { scale: { type: 'string', default: '1' } } });
  const folder = mkdtempSync(join(tmpdir(), 'bench-import-'));
  await emptySite(folder);
  const service = await startServiceProcess(folder);
  try {
    const whole = await writeEvents(join(folder, 'whole.ndjson'), Number(values.scale), '');
    const more = await writeEvents(join(folder, 'more.ndjson'), Number(values.scale) / 20, 'more-');
    const found = [
      await importFile('into a fresh site', whole, folder),
      await importFile('more into that site', more, folder),
      await importFile('the same again', more, folder),
    ];
    console.table(
      found.map(({ memory, perSecond, ...rest }) => ({ ...rest, 'events/s': Math.round(perSecond), MB: mega(memory) })),
    );
    const engine = peakMemoryOf((await readEngineFile(folder))?.pid);
    const most = Math.max(...found.map(({ memory }) => memory)) + engine + service.peakMemory();
    print(`peak memory: engine ${mega(engine)} MB, service ${mega(service.peakMemory())} MB`);
    const [fresh, loaded] = found.map(({ perSecond }) => Math.round(perSecond).toLocaleString('en'));
    return `${fresh} events/s into a fresh site (at least 50,000), ${loaded} into a loaded one (at least 20,000), ${mega(most)} MB together (at most 1,000)`;
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const mega = (bytes: number): number => Math.round(bytes / 1e6);

async function writeEvents(path: string, scale: number, prefix: string): Promise<string> {
  const file = createWriteStream(path);
  let lines: string[] = [];
  const flush = async (): Promise<void> => {
    const text = lines.join('');
    lines = [];
    if (!file.write(text)) await once(file, 'drain');
  };
  for (const event of madeEvents(scale, prefix)) {
    lines.push(`${JSON.stringify(eventRecord(event))}\n`);
    if (lines.length === 5000) await flush();
  }
  await flush();
  await finished(file.end());
  return path;
}

const Summary = z.object({ events: z.int(), added: z.int() });

async function importFile(name: string, file: string, dataDir: string): Promise<Imported> {
  const start = performance.now();
  const args = [PROGRAM, 'import', file, '--site', SITE, '--data-dir', dataDir, '--json'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  let memory = 0;
  const watch = setInterval(() => {
    memory = Math.max(memory, peakMemoryOf(child.pid));
  }, SAMPLE);
  const [code] = await once(child, 'close');
  clearInterval(watch);
  if (code !== 0) throw new Error(`the import of ${file} ended with ${code}: ${said}`);
  const { events, added } = Summary.parse(JSON.parse(said));
  return { name, events, added, perSecond: events / ((performance.now() - start) / 1000), memory };
}
