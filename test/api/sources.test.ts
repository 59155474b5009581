import { describe, expect, it } from '@jest/globals';
import { listContents } from '../../lib/history/take-back.ts';
import { routes } from '../../lib/routes.ts';
import { importRecords } from '../support/service/import.ts';
import { itInProcess, startService } from '../support/service/service.ts';

const SOURCES = '/api/v2/sources';
const OTHERS = ['Agent', 'Billing Administrator', 'Content Manager'] as const;
const service = await startService(routes, { roles: ['Administrator', ...OTHERS] });
const { ask } = service;
const load = (...records: readonly unknown[]) => importRecords(service.table, service.site, records);
const list = async () => (await ask('GET', SOURCES)).body._embedded.entries;

const at = (day: number): string => `2026-02-0${day}T09:00:00Z`;
const created = (key: string, day: number, more = {}) => ({
  ...{ type: 'case.created', case: key, at: at(day), channel: 1, id: `${key} created`, ...more },
});

describe('the sources of a site', () => {
  it('are none before anything was imported, and an Administrator’s to see', async () => {
    expect(await list()).toEqual([]);
    for (const as of OTHERS) expect((await ask('GET', SOURCES, { as })).status).toBe(403);
  });

  it('say what each brought, by name, with what came without a source', async () => {
    await load(created('A-1', 2), created('A-2', 5, { source: 'zendesk' }), created('A-3', 3, { source: 'zendesk' }));
    await load(created('B-1', 4, { source: 'csv', as_of: at(6) }));
    const brought = { kind: 'log', removing: false };
    expect(await list()).toEqual([
      { name: null, ...brought, cases: 1, events: 1, first_event: at(2), last_event: at(2), last_import: null },
      {
        ...{ name: 'csv', kind: 'versioned', removing: false, cases: 1, events: 1 },
        ...{ first_event: at(4), last_event: at(4), last_import: '2026-03-01T12:00:00Z' },
      },
      {
        ...{ name: 'zendesk', ...brought, cases: 2, events: 2 },
        ...{ first_event: at(3), last_event: at(5), last_import: '2026-03-01T12:00:00Z' },
      },
    ]);
  });

  it('have a tag that holds until something is imported', async () => {
    const { etag } = (await ask('GET', SOURCES)).headers;
    const again = { headers: { 'If-None-Match': String(etag) } };
    expect((await ask('GET', SOURCES, again)).status).toBe(304);
    await load(created('C-1', 7, { source: 'csv', as_of: at(7) }));
    expect((await ask('GET', SOURCES, again)).status).toBe(200);
  });

  itInProcess('are not counted past the time of a request, rather than counted in part', async () => {
    const seen = new Set<string>();
    for (let inTime = 1; inTime <= 30; inTime += 1) {
      let looks = 0; // at the clock, which then jumps by an hour
      const late = service.again({ clock: () => service.now.at + (++looks > inTime ? 3_600_000 : 0) });
      const { status, body } = await late('GET', SOURCES);
      if (status !== 200) continue;
      const counts = body._embedded.entries.map(({ events }: { readonly events: number | null }) => events);
      seen.add(JSON.stringify(counts));
    }
    const [counted, others] = [/\d/, /null/].map((part) => [...seen].filter((counts) => part.test(counts)));
    expect(counted).toEqual(['[1,2,2]']);
    expect(others).toContain('[null,null]');
    const context = { table: service.table, site: service.site, clock: service.clock, newId: () => 'id' };
    expect((await listContents(context)).map(({ source, events }) => [source, events])).toEqual([
      [null, 1],
      ['csv', 2],
      ['zendesk', 2],
    ]);
  });
});
