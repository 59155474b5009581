import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import type { HistoryEvent } from '../../../lib/history/cases/event.ts';
import { loadEvents } from '../../support/generators/history.ts';
import { LAST_WEEKS, madeEvents } from '../data/history.ts';
import { madeSite, withHistory } from '../data/made-site.ts';
import { ownMemoryOf } from '../process-memory.ts';

const PROGRAM = fileURLToPath(new URL('../../../bin/support.js', import.meta.url));
const HEAP = 256; // MB of objects that the process may hold: what it needs is measured, not what a larger heap lets lie
const SAMPLE = 50; // ms between two samples of the process's memory
const MORE = 20; // part of a history that the last weeks bring
const DAY = 1_000; // part of a history that a day brings

const output = z.object({
  sites: z.array(
    z.object({
      rows: z.record(z.string(), z.number()),
      bytes: z.number(),
      written: z.number(),
      writtenBytes: z.number(),
    }),
  ),
});

/**
 * Exports a made-up year by the command line: all of it, again, after a day's worth of facts in its last weeks, after one
 * event of its first case, and after some weeks more. `--scale 1`: 13 million facts.
 */
export async function bench(words: readonly string[]): Promise<string> {
  const { values } = parseArgs({
    args: [...words],
    options: { scale: { type: 'string', default: '1' }, data: { type: 'string' } },
  });
  const scale = Number(values.scale);
  const made = await madeSite(scale, values.data);
  const to = mkdtempSync(join(tmpdir(), 'bench-warehouse-'));
  try {
    const first = await exported('all of it', made.dataDir, to);
    const again = await exported('again', made.dataDir, to);
    const add = (events: readonly HistoryEvent[]) =>
      withHistory(made.dataDir, (context) => loadEvents(context, events));
    const weeks = [...madeEvents(scale / MORE, 'more-')].filter(({ at }) => at >= LAST_WEEKS);
    const few = Math.ceil(made.loaded.events / DAY);
    await add(weeks.slice(0, few));
    const day = await exported('a day more', made.dataDir, to);
    await add([{ type: 'interaction', id: 'late', at: LAST_WEEKS, case: '1', direction: 'inbound' }]);
    const late = await exported('an event of the first case', made.dataDir, to);
    await add(weeks.slice(few));
    const more = await exported('some weeks more', made.dataDir, to);
    console.table([first, again, day, late, more]);
    const share = ((100 * day['MB written']) / day.MB).toFixed(1);
    console.log(`a day more: ${share} % of the bytes written (at most 2)`);
    return `${Math.round(first.facts / first.seconds).toLocaleString('en')} facts/s, ${first.facts} in ${first.seconds} s (13 million in at most 60 s), ${first.memory} MB (at most 512), some weeks more in ${more.seconds} s and ${more.written} files`;
  } finally {
    made.remove();
    rmSync(to, { recursive: true, force: true });
  }
}

/** One export, as a process of its own. */
async function exported(name: string, dataDir: string, to: string) {
  const start = performance.now();
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${HEAP}`, PROGRAM, 'warehouse', 'export', '--to', to, '--data-dir', dataDir, '--json'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let memory = 0;
  const timer = setInterval(() => {
    memory = Math.max(memory, ownMemoryOf(child.pid));
  }, SAMPLE);
  let out = '';
  child.stdout.on('data', (part) => {
    out += part;
  });
  await once(child, 'close');
  clearInterval(timer);
  const [site] = output.parse(JSON.parse(out)).sites;
  const { rows = {}, bytes = 0, written = 0, writtenBytes = 0 } = site ?? {};
  return {
    name,
    seconds: Number(((performance.now() - start) / 1000).toFixed(1)),
    memory: Math.round(memory / 1e6),
    ...{ facts: rows.facts ?? 0, events: rows.events ?? 0, MB: bytes / 1e6, written, 'MB written': writtenBytes / 1e6 },
  };
}
