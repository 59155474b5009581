import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { listSites } from '../../lib/access/sites.ts';
import type { HistoryReader } from '../../lib/history/read.ts';
import { describeError, type Log } from '../../lib/log.ts';
import type { Table } from '../../lib/store/table.ts';

const FIRST = 1_000; // ms for those who ask at once: they shall not wait for what they do not need

/**
 * Soon begins to read the histories of a table's sites into memory, the default site's first, so that the first report
 * finds them there. It ends by itself as soon as a report reads. Returns what ends it.
 */
export function readAhead(table: Table, reader: HistoryReader, log: Log): () => void {
  const ending = new AbortController();
  const { signal } = ending;

  async function readAll(): Promise<void> {
    await sleep(FIRST, undefined, { signal, ref: false });
    const sites = await listSites(table);
    for (const { site } of sites.sort((a, b) => Number(b.default) - Number(a.default))) {
      if (signal.aborted) return;
      await reader.readAhead({ table, site, clock: Date.now, newId: randomUUID }, signal);
    }
  }

  readAll().catch((error) => {
    if (!signal.aborted) log('warn', 'histories not read ahead', describeError(error));
  });
  return () => ending.abort();
}
