import { randomUUID } from 'node:crypto';
import { compact } from '../../lib/history/compact.ts';
import { routes } from '../../lib/routes.ts';
import { makeOlder } from '../support/generators/older-segments.ts';
import { type ExampleSite, exampleSites } from '../support/service/example-site.ts';
import { type Received, startService } from '../support/service/service.ts';

const service = await startService(routes);
const HISTORIES = { count: 6, seed: 1914 };

const reportOf = ({ body, host }: ExampleSite): Promise<Received> =>
  service.ask('POST', '/api/v2/insights3/reports', { body, host });

/** A report without the address of its site. */
const said = ({ body: { _links, ...rest } }: Received): object => rest;

it('Reports on segments of an older version are right or refused, and right once these were written anew.', async () => {
  const asNow = await exampleSites(service, HISTORIES.count, HISTORIES.seed);
  const older = await exampleSites(service, HISTORIES.count, HISTORIES.seed);
  const statuses: number[] = [];
  for (const [place, example] of older.entries()) {
    const context = {
      table: service.table,
      site: { name: example.host.split('.')[0]! },
      clock: Date.now,
      newId: randomUUID,
    };
    await makeOlder(context);
    const before = await reportOf(example);
    statuses.push(before.status);
    const expected = said(await reportOf(asNow[place]!));
    if (before.status === 200) expect(said(before)).toEqual(expected);
    else expect(before.body.message).toContain('support compact --rebuild');
    await compact(context);
    expect(said(await reportOf(example))).toEqual(expected);
  }
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
});
