import { expect, it } from '@jest/globals';
import { readAhead } from '../../../infra/local/read-ahead.ts';
import { addSite, NEW_SITE } from '../../../lib/access/sites.ts';
import type { HistoryReader } from '../../../lib/history/read.ts';
import { freshTable } from '../../support/table.ts';

const table = await freshTable();
for (const name of ['acme', 'zeta']) {
  await addSite(table, { ...NEW_SITE, name, title: name, hosts: [] }, { default: name === 'zeta' });
}

/** A reader that notes which sites it is to read ahead, and the end of it. */
function noting(count: number) {
  const sites: string[] = [];
  let done = (): void => undefined;
  const all = new Promise<void>((resolve) => {
    done = resolve;
  });
  const reader: HistoryReader = {
    read: () => Promise.reject(new Error('nobody asked')),
    readAhead: async ({ site }) => {
      if (sites.push(site.name) === count) done();
    },
  };
  return { sites, all, reader };
}

it('reads the history of each site, the default one first, until it is ended', async () => {
  const said: string[] = [];
  const log = (_: string, message: string) => void said.push(message);
  const ended = noting(2);
  readAhead(table, ended.reader, log)();
  const whole = noting(2);
  const end = readAhead(table, whole.reader, log);
  await whole.all;
  end();
  expect(whole.sites).toEqual(['zeta', 'acme']);
  expect(ended.sites).toEqual([]);
  expect(said).toEqual([]);
});

it('says so where it cannot', async () => {
  const said = new Promise<string>((resolve) => {
    const failing = { ...noting(1).reader, readAhead: () => Promise.reject(new Error('the line is cut')) };
    readAhead(table, failing, (level, message) => resolve(`${level}: ${message}`));
  });
  expect(await said).toBe('warn: histories not read ahead');
});
