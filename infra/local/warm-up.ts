import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { listSites } from '../../lib/access/sites.ts';
import type { HistoryContext } from '../../lib/history/history-context.ts';
import type { HistoryReader } from '../../lib/history/read.ts';
import { rehearsals } from '../../lib/insights/rehearse.ts';
import { describeError, type Log } from '../../lib/log.ts';
import type { Table } from '../../lib/store/table.ts';

/** What is to be warm before the first report, and when there is time for that. */
export interface Service {
  readonly table: Table;
  readonly reader: HistoryReader;
  readonly log: Log;
  readonly quietFor: () => number; // ms in which no request was under way
}

const SEGMENTS = 6; // to rehearse with: loops are compiled by then, and a fifth of a second has gone
const QUIET = 50; // ms: who asks one thing after the other is not to wait for rehearsals in between
const STEP = 5; // ms
const FIRST = 1_000; // ms for those who ask at once: they shall not wait for what they do not need

/**
 * Makes the first reports of a service quick while nobody asks for any. It rehearses some over segments of the default site,
 * a few hundredths of a second at a time; and soon it reads the histories of all sites into memory, that site's first, so
 * that reports find them there. Both end by themselves as soon as a report reads.
 */
export function warmUp(service: Service, ending: AbortSignal): void {
  const { table, reader, log } = service;
  const unless = (what: string) => (error: unknown) => {
    if (!ending.aborted) log('warn', what, describeError(error));
  };

  async function warm(): Promise<void> {
    const began = performance.now();
    const sites = (await listSites(table)).sort((a, b) => Number(b.default) - Number(a.default));
    const contexts = sites.map(({ site }) => ({ table, site, clock: Date.now, newId: randomUUID }));
    const [first] = contexts;
    if (first) await rehearseOver(service, first, ending).catch(unless('reports not rehearsed'));
    await sleep(began + FIRST - performance.now(), undefined, { signal: ending, ref: false });
    for (const context of contexts) {
      if (ending.aborted) return;
      await reader.readAhead(context, ending);
    }
  }

  warm().catch(unless('histories not read ahead'));
}

async function rehearseOver({ reader, quietFor }: Service, context: HistoryContext, ending: AbortSignal) {
  const before = reader.reads();
  const isQuiet = async (): Promise<boolean> => {
    do await sleep(STEP, undefined, { signal: ending, ref: false });
    while (quietFor() < QUIET);
    return reader.reads() === before;
  };
  if (!(await isQuiet())) return;
  for (const columns of await reader.largest(context, SEGMENTS)) {
    for (const _ of rehearsals(columns)) if (!(await isQuiet())) return;
  }
}
