import { removeSite } from '../../lib/access/remove-site.ts';
import { routes } from '../../lib/routes.ts';
import { importRecords } from '../support/service/import.ts';
import { addUser, startService } from '../support/service/service.ts';
import { addSite } from '../support/service/stored-access.ts';

const { ask, table, site } = await startService(routes, { site: { added: 1 } });
const TOPICS = '/api/v2/topics';
const ASKED = {
  fields: ['case_creates'],
  time: { min: '2026-03-01T00:00:00Z', max: '2026-03-02T00:00:00Z', window_size: 'none' },
};

/** A topic and cases, written by another process than the one that is asked. */
async function fill(name: string, cases: readonly number[]): Promise<void> {
  const opened = cases.map((id) => ({ type: 'case.created', id: String(id), case: id, at: '2026-03-01T08:00:00Z' }));
  const { rejected } = await importRecords(table, site, [{ type: 'topic', id: 1, name }, ...opened]);
  expect(rejected).toEqual([]);
}

async function shown() {
  const { body } = await ask('GET', TOPICS);
  const report = await ask('POST', '/api/v2/insights3/reports', { body: ASKED });
  return {
    topics: body._embedded.entries.map(({ name }: { name: string }) => name),
    cases: report.body.data.map((row: readonly unknown[]) => row.at(-1)),
  };
}

it('a site that was removed and added again shows nothing of the earlier one, to processes that knew it', async () => {
  await fill('Old', [1, 2]);
  const tag = (await ask('GET', TOPICS)).headers.etag ?? '';
  expect(await shown()).toEqual({ topics: ['Old'], cases: [2] });
  await removeSite(table, site);
  await addSite(table, { ...site, added: 2 });
  await addUser(table, site.name, 'Administrator');
  await fill('New', [3]);
  expect((await ask('GET', TOPICS, { headers: { 'If-None-Match': tag } })).status).toBe(200);
  expect(await shown()).toEqual({ topics: ['New'], cases: [1] });
});
