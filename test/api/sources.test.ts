import { listContents } from '../../lib/history/take-back.ts';
import { routes } from '../../lib/routes.ts';
import { keys } from '../../lib/store/keys.ts';
import { ALL_TELLINGS } from '../../lib/vocabulary.ts';
import { startBucketService } from '../support/service/bucket-service.ts';
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
    const file = { connection: null, as_of: null, tells: [...ALL_TELLINGS] };
    const brought = { kind: 'log', removing: false };
    expect(await list()).toEqual([
      {
        name: null,
        ...brought,
        cases: 1,
        events: 1,
        first_event: at(2),
        last_event: at(2),
        last_import: null,
        ...file,
      },
      {
        ...{ name: 'csv', kind: 'versioned', removing: false, cases: 1, events: 1 },
        ...{ first_event: at(4), last_event: at(4), last_import: '2026-03-01T12:00:00Z', ...file },
      },
      {
        ...{ name: 'zendesk', ...brought, cases: 2, events: 2 },
        ...{ first_event: at(3), last_event: at(5), last_import: '2026-03-01T12:00:00Z', ...file },
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

describe('a source that is removed over the API', () => {
  // The test's own queue does the removal, and in a deployment the function `load`.
  const start = async () => {
    const { service, bucket, ask: remove } = await startBucketService();
    const { table, site, ask } = service;
    const records = [created('A-1', 2, { source: 'zendesk' }), created('A-1', 3, { source: 'a/b', id: 'other' })];
    await importRecords(table, site, records);
    const names = async () =>
      (await ask('GET', SOURCES)).body._embedded.entries.map(({ name }: { name: string }) => name);
    return { service, bucket, ask, remove, names, records };
  };
  const ZENDESK = `${SOURCES}/zendesk`;

  itInProcess('is gone with its events alone, and the audit says who did it and how many cases changed', async () => {
    const { service, bucket, ask, remove, names } = await start();
    expect(await remove('DELETE', `${SOURCES}/${encodeURIComponent('a/b')}`)).toMatchObject({ status: 204, text: '' });
    expect(await names()).toEqual(['a/b', 'zendesk']); // the queue has it
    expect(await bucket.work()).toBe(1);
    const [kept] = await listContents({ ...service, newId: () => 'id' });
    expect(kept).toMatchObject({ source: 'zendesk', cases: 1, events: 1 });
    expect(await names()).toEqual(['zendesk']);
    const [entry, ...others] = (await ask('GET', '/api/v2/audit?resource=sources')).body._embedded.entries;
    expect(entry).toMatchObject({ action: 'delete', via: 'api', resource: 'sources/a/b', count: 1 });
    expect([entry.user, others]).toEqual(['administrator@test.example', []]);
  });

  it('is an Administrator’s to remove, and there', async () => {
    expect((await ask('DELETE', ZENDESK, { as: 'Billing Administrator' })).status).toBe(403);
    const { remove, bucket, names } = await start();
    expect((await remove('DELETE', `${SOURCES}/other`)).status).toBe(404);
    expect((await remove('DELETE', `${SOURCES}/${'x'.repeat(2_000)}`)).status).toBe(404); // longer than a key may be
    expect(await bucket.work()).toBe(0);
    expect(await names()).toHaveLength(2);
  });

  itInProcess('is removed once, however often that is asked for and done', async () => {
    const { service, bucket, ask, remove, names } = await start();
    expect((await remove('DELETE', ZENDESK)).status).toBe(204);
    expect((await remove('DELETE', ZENDESK)).status).toBe(204);
    const again = [...bucket.due];
    await bucket.work();
    expect((await remove('DELETE', ZENDESK)).status).toBe(404);
    bucket.due.push(...again); // a queue may deliver twice
    await bucket.work();
    expect(await names()).toEqual(['a/b']);
    expect((await ask('GET', '/api/v2/audit?resource=sources')).body._embedded.entries).toHaveLength(1);
    expect(service.logged.filter(({ status }) => Number(status) >= 500)).toEqual([]);
  });

  itInProcess('takes nothing more once that is asked for, and may be brought again when it is gone', async () => {
    const { service, bucket, ask, remove, names, records } = await start();
    expect((await remove('DELETE', ZENDESK)).status).toBe(204);
    const { name, removing } = (await ask('GET', SOURCES)).body._embedded.entries[1];
    expect([name, removing]).toEqual(['zendesk', true]);
    const [record] = records;
    const refused = await importRecords(service.table, service.site, [record]);
    expect(refused.rejected).toEqual([
      expect.objectContaining({ reason: 'source: "zendesk" is being removed; wait for its end, or remove it again' }),
    ]);
    const again = [...bucket.due];
    await bucket.work();
    await importRecords(service.table, service.site, [record]);
    bucket.due.push(...again); // a queue may deliver twice
    await bucket.work();
    expect(await names()).toEqual(['a/b', 'zendesk']);
  });

  itInProcess('stays while an import is at work', async () => {
    const { service, remove, bucket } = await start();
    const until = service.clock() + 60_000;
    await service.table.put({ ...keys.claim(service.site.name, 99), until });
    expect((await remove('DELETE', ZENDESK)).status).toBe(409);
    expect(bucket.due).toEqual([]);
  });
});
