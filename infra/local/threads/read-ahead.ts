import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { listSites } from '../../../lib/access/sites.ts';
import type { HistoryReader } from '../../../lib/history/read.ts';
import type { HistoryContext } from '../../../lib/history/storage/history-context.ts';
import { describeError, type Log } from '../../../lib/log.ts';
import type { Table } from '../../../lib/store/table.ts';

/** The reader, its table, and a log for errors. */
export interface Warming {
  readonly table: Table;
  readonly reader: Pick<HistoryReader, 'readAhead'>;
  readonly log: Log;
}

const QUIET = 1_000; // ms without a request, after which reading ahead is unlikely to delay one

/**
 * Reads the histories of all sites into memory while the service is idle, so that reports find them there. Starts with
 * the default site and reads in parts; after a report it goes on from where it stopped. `quietFor` returns the ms since
 * the last request.
 */
export function readAhead({ table, reader, log }: Warming, quietFor: () => number, ending: AbortSignal): void {
  async function quiet(): Promise<void> {
    do await sleep(Math.max(1, QUIET - quietFor()), undefined, { signal: ending, ref: false });
    while (quietFor() < QUIET);
  }

  async function readAll(): Promise<void> {
    for (const context of await histories(table)) {
      do await quiet();
      while (!(await reader.readAhead(context, ending)));
    }
  }

  readAll().catch((error) => {
    if (!ending.aborted) log('warn', 'histories not read ahead', describeError(error));
  });
}

/** The histories of all sites, the default site's first. */
async function histories(table: Table): Promise<HistoryContext[]> {
  const sites = (await listSites(table)).sort((a, b) => Number(b.default) - Number(a.default));
  return sites.map(({ site }) => ({ table, site, clock: Date.now, newId: randomUUID }));
}
