import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from '@jest/globals';
import { type Service, warmUp } from '../../../infra/local/warm-up.ts';
import { addSite, NEW_SITE } from '../../../lib/access/sites.ts';
import { caseRow } from '../../../lib/history/facts.ts';
import type { HistoryReader } from '../../../lib/history/read.ts';
import { encodeSegment } from '../../../lib/history/segment-encode.ts';
import { freshTable } from '../../support/table.ts';

const table = await freshTable();
for (const name of ['acme', 'zeta']) {
  await addSite(table, { ...NEW_SITE, name, title: name, hosts: [] }, { default: name === 'zeta' });
}

let ending = new AbortController();
afterEach(() => {
  ending.abort();
  ending = new AbortController();
});

/** A service that notes what is done with its sites, and the end of it. */
function noting({ largest, readAhead, quietFor = () => 1_000 }: Partial<HistoryReader & Service> = {}) {
  const done: string[] = [];
  let reads = 0;
  const service: Service = {
    table,
    log: (level, message) => void done.push(`${level}: ${message}`),
    quietFor,
    reader: {
      read: () => Promise.reject(new Error('nobody asked')),
      reads: () => reads,
      largest: async (context, count) => {
        done.push(`rehearse ${context.site.name}`);
        return largest?.(context, count) ?? [];
      },
      readAhead: async (context, signal) => {
        done.push(`read ${context.site.name}`);
        await readAhead?.(context, signal);
      },
    },
  };
  return { service, done, beginRead: () => void (reads += 1) };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(5);
}

it('rehearses with the default site, then reads the histories of all, that site first', async () => {
  const { service, done } = noting();
  warmUp(service, ending.signal);
  await until(() => done.length === 3);
  expect(done).toEqual(['rehearse zeta', 'read zeta', 'read acme']);
});

it('waits with rehearsals until it is quiet, and does nothing once it is ended', async () => {
  let quiet = 0;
  const { service, done } = noting({ quietFor: () => quiet });
  warmUp(service, ending.signal);
  await sleep(100);
  expect(done).toEqual([]);
  quiet = 1_000;
  await until(() => done.length === 1);
  ending.abort();
  await sleep(1_200);
  expect(done).toEqual(['rehearse zeta']);
});

it('ends rehearsals when a report reads', async () => {
  const columns = encodeSegment([caseRow('one', [{ type: 'case.created', id: 'a', at: 1e15, case: 'one' }])]);
  let looks = 0;
  const { service, done, beginRead } = noting({
    largest: async () => [columns, columns, columns],
    quietFor: () => {
      looks += 1;
      if (looks === 3) beginRead();
      return 1_000;
    },
  });
  warmUp(service, ending.signal);
  await until(() => done.length === 3);
  expect(looks).toBe(3); // of ten: before the first, and after each of the reports over each of the segments
});

it('says so where it cannot', async () => {
  const cut = () => Promise.reject(new Error('the line is cut'));
  const { service, done } = noting({ largest: cut, readAhead: cut });
  warmUp(service, ending.signal);
  await until(() => done.length === 4);
  expect(done).toEqual(['rehearse zeta', 'warn: reports not rehearsed', 'read zeta', 'warn: histories not read ahead']);
});
