import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { listSites } from '../../lib/access/sites.ts';
import { isAhead } from '../../lib/ahead.ts';
import { compactIfNeeded, FOLD_MS } from '../../lib/history/compact.ts';
import { describeError, type Log } from '../../lib/log.ts';
import { removeExpired } from '../../lib/store/expiry.ts';
import type { Table } from '../../lib/store/table.ts';
import { projectPath } from '../project.ts';
import { repeat } from './repeat.ts';
import { whyFailed } from './table/processes.ts';

const EVERY = 30_000; // ms between two checks
const SWEPT_EVERY = 3_600_000; // ms between two removals of expired items
const PROGRAM = projectPath('bin/support.js');

/**
 * Keeps the histories of a table folded and removes expired items while the service runs. Checks every half minute and
 * folds in another process, so that requests do not wait. Returns a function that stops it; a folding that is cut short
 * loses nothing.
 */
export function keepCompact(table: Table, place: readonly string[], log: Log): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  let swept = 0; // epoch ms

  async function check(): Promise<void> {
    const isDue = Date.now() - swept >= SWEPT_EVERY || isAhead(swept, Date.now());
    if (isDue) swept = Date.now();
    for (const { site } of await listSites(table)) {
      if (signal.aborted) return;
      if (isDue) await removeExpired(table, site.name, Date.now());
      const context = { table, site, clock: Date.now, newId: randomUUID };
      await compactIfNeeded(context, { fold: () => foldApart(site.name, { place, log, signal }) });
    }
  }

  const stop = repeat(EVERY, check, (error) => {
    if (!signal.aborted) log('warn', 'compaction put off', describeError(error));
  });
  return () => {
    stop();
    ending.abort();
  };
}

/** How a history is folded in another process. */
interface FoldOptions {
  readonly place: readonly string[]; // the table, as options of the command
  readonly log: Log;
  readonly signal: AbortSignal; // ends the process
  readonly longest?: number; // ms; by then the process has lost its lease
}

/** Folds a site's history in another process, which is killed if it takes too long. Returns whether it did its work. */
export async function foldApart(
  site: string,
  { place, log, signal, longest: timeout = FOLD_MS }: FoldOptions,
): Promise<boolean> {
  const options = { stdio: 'ignore', signal, timeout, killSignal: 'SIGKILL' } as const;
  const child = spawn(process.execPath, [PROGRAM, 'compact', '--site', site, ...place], options);
  const [code] = await once(child, 'exit');
  if (code !== 0) log('warn', 'compaction put off', { site, problem: whyFailed(code) });
  return code === 0;
}
