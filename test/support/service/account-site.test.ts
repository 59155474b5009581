import { randomUUID } from 'node:crypto';
import { takeRecords } from '../../../lib/import/live.ts';
import { parseRecord } from '../../../lib/import/records/records.ts';
import { routes } from '../../../lib/routes.ts';
import { createCollections } from '../../../lib/store/collection.ts';
import { keys } from '../../../lib/store/keys.ts';
import { keyText } from '../../../lib/store/table.ts';
import { collectionsOf, empty, refuseFullSite, type Send } from './account-site.ts';
import type { TestService } from './asking.ts';
import { basic, PASSWORD } from './credentials.ts';
import { startService } from './service.ts';

const LOGIN = 'administrator@test.example';

const sendOf =
  ({ ask }: TestService, person: { Authorization?: string } = {}): Send =>
  (method, target, { text = '', headers = {}, isSignedIn = true } = {}) =>
    ask(method, target, { body: text, headers: { ...person, ...headers }, ...(isSignedIn ? {} : { as: null }) });

const take = async ({ table, site }: TestService, raw: unknown): Promise<void> => {
  const message = { id: randomUUID(), group: 'one', site: site.name, body: JSON.stringify(raw) };
  const context = { table, site, collections: createCollections(), clock: Date.now, newId: randomUUID };
  expect(await takeRecords(context, [{ message, site, record: parseRecord(raw) }])).toEqual(['taken']);
};

/** All items of a table, by their keys. */
async function itemsOf({ table }: TestService): Promise<Readonly<Record<string, string>>> {
  const items: [string, string][] = [];
  for await (const page of table.scan()) for (const item of page) items.push([keyText(item), JSON.stringify(item)]);
  return Object.fromEntries(items);
}

describe('the site of the tests by credentials', () => {
  it('may have its user alone; the look at it changes nothing but the turn of reports', async () => {
    const service = await startService(routes);
    const before = await itemsOf(service);
    await refuseFullSite(sendOf(service), LOGIN);
    const after = await itemsOf(service);
    const changed = Object.keys({ ...before, ...after }).filter((key) => before[key] !== after[key]);
    expect(changed.filter((key) => !key.includes('#lock'))).toEqual([]);
  });

  it.each([
    [{ type: 'topic', id: 11, name: 'Topic' }, 'topics'],
    [{ type: 'article', id: 5, subject: 'How to' }, 'articles'],
    [{ type: 'brand', id: 2, name: 'Brand' }, 'brands'],
    [{ type: 'agent', id: 42, name: 'Ann', login: 'ann@example.com', role: 'Agent' }, 'users'],
    [{ type: 'group', id: 7, name: 'Support' }, 'groups'],
    [{ type: 'label', id: 3, name: 'billing' }, 'labels'],
    [{ type: 'company', id: 9, name: 'Initech' }, 'companies'],
    [{ type: 'channel', id: 1, name: 'Email' }, 'channels'],
    [{ type: 'custom_field', id: 12, name: 'tier', object: 'case' }, 'custom_fields'],
    [{ type: 'macro', id: 21, name: 'Macro' }, 'macros'],
    [{ type: 'case.created', id: 'a', at: '2026-02-01T10:00:00Z', case: 1 }, 'insights3/reports'],
  ])('is refused with %j, and stays as it was item for item', async (record, path) => {
    const service = await startService(routes);
    await take(service, record);
    const before = await itemsOf(service);
    await expect(refuseFullSite(sendOf(service), LOGIN)).rejects.toThrow(`The site has entries at /api/v2/${path}:`);
    const { [keyText(keys.lock(service.site.name))]: _, ...after } = await itemsOf(service);
    expect(after).toEqual(before);
  });

  const collections = collectionsOf(routes);

  it.each(collections.map(({ path }) => path))('is refused with an entry at %s', async (full) => {
    const none = { status: 200, headers: {}, text: '', body: { _embedded: { entries: [] }, data: [] } };
    const one = { ...none, body: { _embedded: { entries: [{ id: 1, name: 'a' }] } } };
    const send: Send = async (_, target) => (target.startsWith(`${full}?`) ? one : none);
    await expect(refuseFullSite(send, LOGIN)).rejects.toThrow(full);
  });

  it('is emptied of all that has a way to be deleted, but of its user', async () => {
    const service = await startService(routes);
    const send = sendOf(service, { Authorization: basic(LOGIN, PASSWORD) }); // a program's token removes no user
    for (const record of [
      { type: 'topic', id: 11, name: 'Topic' },
      { type: 'label', id: 3, name: 'billing' },
      { type: 'agent', id: 42, name: 'Ann', login: 'ann@example.com', role: 'Agent' },
      { type: 'company', id: 9, name: 'Initech' },
    ])
      await take(service, record);
    await empty(send, LOGIN);
    await expect(refuseFullSite(send, LOGIN)).rejects.toThrow('/api/v2/companies'); // which nothing deletes
    for (const path of ['topics', 'labels', 'users'])
      expect([path, (await send('GET', `/api/v2/${path}`)).body.total_entries]).toEqual([path, 0]);
  });
});
