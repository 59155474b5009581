import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { listSites } from '../../lib/access/sites.ts';
import type { HistoryContext } from '../../lib/history/commits/history-context.ts';
import type { HistoryReader } from '../../lib/history/read.ts';
import { rehearse } from '../../lib/insights/rehearse.ts';
import { describeError, type Log } from '../../lib/log.ts';
import type { Table } from '../../lib/store/table.ts';

/** What is to be warm before the first report. */
export interface Warming {
  readonly table: Table;
  readonly reader: HistoryReader;
  readonly log: Log;
}

const SEGMENTS = 8; // to rehearse with: loops are compiled by then
const QUIET = 1_000; // ms without a request, after which nobody is likely to wait for what is read meanwhile

/**
 * Rehearses reports over the largest segments of the default site, before a service listens: a quarter of a second, after
 * which V8 has compiled their loops for what the columns really are. Where there is no history it rehearses over a made-up case.
 */
export async function rehearseReports({ table, reader, log }: Warming): Promise<void> {
  try {
    const [first] = await histories(table);
    const segments = first === undefined ? [] : await reader.largest(first, SEGMENTS);
    if (segments.length === 0) rehearse();
    for (const columns of segments) rehearse(columns);
  } catch (error) {
    log('warn', 'reports not rehearsed', describeError(error));
  }
}

/**
 * Reads the histories of all sites into memory while no request comes, so that reports find them there: the default site's
 * first, in parts, and on from where it was when a report came between. `quietFor` tells the ms without a request.
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

/** Of all sites, the default site's first. */
async function histories(table: Table): Promise<HistoryContext[]> {
  const sites = (await listSites(table)).sort((a, b) => Number(b.default) - Number(a.default));
  return sites.map(({ site }) => ({ table, site, clock: Date.now, newId: randomUUID }));
}
