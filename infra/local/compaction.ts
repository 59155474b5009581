import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { listSites } from '../../lib/access/sites.ts';
import { compactIfNeeded } from '../../lib/history/compact.ts';
import { describeError, type Log } from '../../lib/log.ts';
import { removeEnded } from '../../lib/store/expiry.ts';
import type { Table } from '../../lib/store/table.ts';
import { projectPath } from '../project.ts';

const EVERY = 30_000; // ms between two looks
const SWEPT_EVERY = 3_600_000; // ms between two removals of what has ended
const PROGRAM = projectPath('bin/support.js');

/**
 * Keeps the histories of a table folded while the service runs, and removes what has ended: looks every half minute, and leaves what takes long to a
 * process of its own, so that requests do not wait. Returns what ends it; a folding cut short loses nothing.
 */
export function keepCompact(table: Table, place: readonly string[], log: Log): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  let looking = false;

  let swept = 0; // epoch ms

  async function look(): Promise<void> {
    const isDue = Date.now() - swept >= SWEPT_EVERY;
    if (isDue) swept = Date.now();
    for (const { site } of await listSites(table)) {
      if (signal.aborted) return;
      if (isDue) await removeEnded(table, site.name, Date.now());
      const context = { table, site, clock: Date.now, newId: randomUUID };
      await compactIfNeeded(context, { fold: () => foldApart(site.name) });
    }
  }

  async function foldApart(site: string): Promise<boolean> {
    const child = spawn(process.execPath, [PROGRAM, 'compact', '--site', site, ...place], { stdio: 'ignore', signal });
    const [code] = await once(child, 'exit');
    return code === 0;
  }

  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    look()
      .catch((error) => {
        if (!signal.aborted) log('warn', 'compaction put off', describeError(error));
      })
      .finally(() => {
        looking = false;
      });
  }, EVERY);
  return () => {
    clearInterval(timer);
    ending.abort();
  };
}
