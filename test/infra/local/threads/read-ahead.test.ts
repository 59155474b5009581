import { setTimeout as sleep } from 'node:timers/promises';
import { readAhead, type Warming } from '../../../../infra/local/threads/read-ahead.ts';
import { NEW_SITE } from '../../../../lib/access/site-fields.ts';
import { addSite } from '../../../support/service/stored-access.ts';
import { freshTable } from '../../../support/service/table.ts';

const table = await freshTable();
for (const name of ['acme', 'zeta']) {
  await addSite(table, { ...NEW_SITE, name, title: name, hosts: [] }, { default: name === 'zeta' });
}

let ending = new AbortController();
afterEach(() => {
  ending.abort();
  ending = new AbortController();
});

const LONG = () => 60_000; // ms without a request

/** What reads ahead, and notes of what is done with its sites. */
function noting(read: () => Promise<boolean> = async () => true) {
  const done: string[] = [];
  const warming: Warming = {
    table,
    log: (level, message) => void done.push(`${level}: ${message}`),
    reader: {
      readAhead: async (context) => {
        done.push(`read ${context.site.name}`);
        return read();
      },
    },
  };
  return { warming, done };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(5);
}

it('reads the histories of all sites ahead, the default one first', async () => {
  const { warming, done } = noting();
  readAhead(warming, LONG, ending.signal);
  await until(() => done.length === 2);
  expect(done).toEqual(['read zeta', 'read acme']);
});

it('goes on reading ahead when a report came between', async () => {
  let whole = false;
  const { warming, done } = noting(async () => {
    const answer = whole;
    whole = true;
    return answer;
  });
  readAhead(warming, LONG, ending.signal);
  await until(() => done.length === 3);
  expect(done).toEqual(['read zeta', 'read zeta', 'read acme']);
});

it('waits with reading ahead until no request has come for a second, and does nothing once it is ended', async () => {
  let quiet = 0;
  const { warming, done } = noting();
  readAhead(warming, () => quiet, ending.signal);
  await sleep(1_100);
  expect(done).toEqual([]);
  quiet = 60_000;
  await until(() => done.length === 2);
  const ended = noting();
  readAhead(ended.warming, LONG, AbortSignal.abort());
  await sleep(50);
  expect(ended.done).toEqual([]);
});

it('says so where it cannot read ahead', async () => {
  const { warming, done } = noting(() => Promise.reject(new Error('the line is cut')));
  readAhead(warming, LONG, ending.signal);
  await until(() => done.length === 2);
  expect(done).toEqual(['read zeta', 'warn: histories not read ahead']);
});
