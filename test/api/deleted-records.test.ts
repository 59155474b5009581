import { newMentions } from '../../lib/import/mentions.ts';
import { routes } from '../../lib/routes.ts';
import { COLLECTION_LIMITS } from '../../lib/store/bounds.ts';
import { createCollections } from '../../lib/store/collection.ts';
import { keys, type Partition, type ReferenceKind } from '../../lib/store/keys.ts';
import { writeReferences } from '../support/generators/reference.ts';
import { importRecords } from '../support/service/import.ts';
import { byPerson, itInProcess, startService, type TestService } from '../support/service/service.ts';

/** What stays of things that are made and deleted here: nothing, unless a case or a record names them. */

const API = '/api/v2';
const AT = '2026-01-01T00:00:00Z';
let service: TestService;
beforeEach(async () => {
  service = await startService(routes, { site: { locales: ['en_us', 'de'] } });
});

/** A kind of things of which something may stay: how one is made, where it lies, and the record that names one. */
interface Kind {
  readonly path: string; // below the API
  readonly body: Readonly<Record<string, unknown>>;
  readonly partition: (site: string, parent: number) => Partition;
  readonly prefix: string; // of the sort keys of the things
  readonly record: (id: number, parent: number) => Readonly<Record<string, unknown>>;
  readonly leaves: 0 | 1; // of many: the last stays, if its name may be asked for
}

const reference = (kind: ReferenceKind) => (site: string) => keys.reference(site, kind);
const KINDS: Readonly<Record<string, Kind>> = {
  labels: {
    ...{ path: 'labels', body: { name: 'n' }, partition: reference('label'), prefix: 'item#', leaves: 1 },
    record: (id) => ({ type: 'label', id, name: 'n' }),
  },
  brands: {
    ...{ path: 'brands', body: { name: 'n' }, partition: reference('brand'), prefix: 'item#', leaves: 1 },
    record: (id) => ({ type: 'brand', id, name: 'n' }),
  },
  calendars: {
    path: 'calendars',
    body: { name: 'n', time_zone: 'UTC', hours: { mon: [['09:00', '17:00']] } },
    ...{ partition: reference('calendar'), prefix: 'item#', leaves: 1 },
    record: (id) => ({ type: 'calendar', id, name: 'n', time_zone: 'UTC', hours: { mon: [['09:00', '17:00']] } }),
  },
  'SLA policies': {
    path: 'sla_policies',
    body: { name: 'n', targets: [{ metric: 'first_response', seconds: 3600 }] },
    ...{ partition: reference('sla_policy'), prefix: 'item#', leaves: 1 },
    record: (id) => ({ type: 'sla_policy', id, name: 'n', targets: [{ metric: 'first_response', seconds: 3600 }] }),
  },
  macros: {
    ...{ path: 'macros', body: { name: 'n' }, partition: keys.macros, prefix: 'macro#', leaves: 1 },
    record: (id) => ({ type: 'macro', id, name: 'n' }),
  },
  actions: {
    path: 'macros/{parent}/actions',
    body: { type: 'set-case-description', value: 'v' },
    ...{ partition: keys.actions, prefix: 'action#', leaves: 0 },
    record: (id, macro) => ({ type: 'macro_action', id, macro, action: 'set-case-description', value: 'v' }),
  },
  topics: {
    ...{ path: 'topics', body: { name: 'n' }, partition: keys.topics, prefix: 'topic#', leaves: 0 },
    record: (id) => ({ type: 'topic', id, name: 'n' }),
  },
  translations: {
    path: 'topics/{parent}/translations',
    body: { name: 'n', locale: 'de' },
    ...{ partition: keys.topics, prefix: 'translation#', leaves: 1 }, // that of the site's own locale, which is the topic's
    record: (_, topic) => ({ type: 'topic_translation', topic, locale: 'de', name: 'n' }),
  },
  articles: {
    path: 'articles',
    body: { subject: 'n', topic_ids: ['{parent}'] },
    ...{ partition: reference('article'), prefix: 'item#', leaves: 1 },
    record: (id) => ({ type: 'article', id, subject: 'n' }),
  },
};

/** Makes what some kinds lie below: a macro or a topic; its id. */
async function parentOf({ path, body }: Kind): Promise<number> {
  if (!path.includes('{parent}') && body.topic_ids === undefined) return 0;
  const { body: made } = await service.ask('POST', `${API}/${path.startsWith('macros') ? 'macros' : 'topics'}`, {
    body: { name: 'parent' },
  });
  return made.id;
}

/** Makes one of a kind; its path and, if it has one, its id. */
async function makeOne({ path, body }: Kind, parent: number): Promise<{ readonly path: string; readonly id: number }> {
  const sent = JSON.parse(JSON.stringify(body).replaceAll('"{parent}"', String(parent)));
  const made = await service.ask('POST', `${API}/${path.replace('{parent}', String(parent))}`, { body: sent });
  expect(made.status).toBe(201);
  return { path: made.body._links.self.href, id: made.body.id };
}

const removeAt = async (path: string): Promise<void> => {
  expect((await service.ask('DELETE', path)).status).toBe(204);
};
const itemsOf = ({ partition, prefix }: Kind, parent: number) =>
  service.table.query(partition(service.site.name, parent).pk, { prefix });

describe.each(Object.entries(KINDS))('%s', (name, kind) => {
  it('that are made and deleted here leave nothing, and their ids are never given again', async () => {
    const parent = await parentOf(kind);
    const ids = new Set<number>();
    for (let count = 1; count <= 25; count += 1) {
      const { path, id } = await makeOne(kind, parent);
      ids.add(id);
      await removeAt(path);
    }
    if (name !== 'translations') expect(ids.size).toBe(25);
    expect(await itemsOf(kind, parent)).toHaveLength(kind.leaves);
    expect((await meta()).length).toBeLessThan(400);
  });

  it('stay deleted where a record named them, also before an older copy of it comes again', async () => {
    const parent = await parentOf(kind);
    const { path, id } = await makeOne(kind, parent);
    const record = { ...kind.record(id, parent), updated_at: AT };
    await load(record); // older than what is there: it changes nothing, and names the thing
    await removeAt(path);
    for (let others = 0; others < 2; others += 1) await removeAt((await makeOne(kind, parent)).path);
    await load(record);
    expect((await service.ask('GET', path)).status).toBe(404);
  });
});

describe('deleted users', () => {
  it('leave no record of an agent, and no name in meta, if nothing names them', async () => {
    for (let count = 1; count <= 3; count += 1) {
      const made = await service.ask('POST', `${API}/users`, {
        ...byPerson(),
        body: { login: `u${count}@x.example`, role: 'Agent' },
      });
      const gone = await service.ask('DELETE', `${API}/users/${made.body.id}`, byPerson());
      expect([made.status, gone.status]).toEqual([201, 204]);
    }
    const agents = await service.table.query(keys.reference(service.site.name, 'agent').pk, { prefix: 'item#' });
    expect(agents.filter(({ deleted }) => deleted === true)).toEqual([]);
  });

  itInProcess('count against the bound with the others', async () => {
    const { table, site, ask } = service;
    const users = Array.from({ length: COLLECTION_LIMITS.users }, (_, at) => ({
      ...keys.user(site.name, `u${at}`),
      ...{ login: `u${at}`, role: 'Agent', deleted: true, generation: 1 },
    }));
    await table.batchWrite(users.map((put) => ({ put })));
    const { status, body } = await ask('POST', `${API}/users`, {
      ...byPerson(),
      body: { login: 'more@x.example', role: 'Agent' },
    });
    expect([status, body.errors]).toEqual([422, { base: ['too_large'] }]);
  });
});

const meta = async () => (await service.ask('GET', `${API}/insights3/meta`)).text;

/** Loads records as an import does. */
async function load(...records: readonly object[]): Promise<void> {
  const { rejected } = await importRecords(service.table, service.site, records, { now: service.clock() });
  expect(rejected).toEqual([]);
}

/** Notes that a case has a label, as an import and a pull do. */
async function applyLabel(label: number): Promise<void> {
  const { table, site, clock } = service;
  const mentions = newMentions();
  mentions.see({ type: 'case.labels', id: 'e', case: '1', at: 1, add: [label] } as Parameters<typeof mentions.see>[0]);
  await mentions.write({ table, site: site.name, collections: createCollections(), now: clock() }, undefined);
}

describe('a deleted label', () => {
  it('that a case has stays by its name alone', async () => {
    const { id, path } = await makeOne(KINDS.labels!, 0);
    await applyLabel(id);
    await removeAt(path);
    await removeAt((await makeOne(KINDS.labels!, 0)).path);
    const [first] = await itemsOf(KINDS.labels!, 0);
    expect(first).toEqual({
      ...{ pk: expect.anything(), sk: 'item#1', id, name: 'n', deleted: true, unused: false },
      ...{ created_at: expect.any(Number), updated_at: expect.any(Number) },
    });
    expect(JSON.parse(await meta()).labels[id]).toEqual({ name: 'n', deleted: true });
  });

  it('that a case got after it was deleted stays, too', async () => {
    const { id, path } = await makeOne(KINDS.labels!, 0);
    await removeAt(path);
    await applyLabel(id);
    await makeOne(KINDS.labels!, 0);
    expect(JSON.parse(await meta()).labels[id]).toEqual({ name: 'n', deleted: true });
  });

  itInProcess('counts against the bound if cases may name it', async () => {
    const { table, site, ask } = service;
    const most = COLLECTION_LIMITS.labels;
    const records = Array.from({ length: most }, (_, at) => ({ id: at + 1, name: `l${at}`, deleted: true }));
    await writeReferences(table, site.name, 'label', records);
    const { status, body } = await ask('POST', `${API}/labels`, { body: { name: 'one more' } });
    expect([status, body.errors]).toEqual([422, { base: ['too_large'] }]);
    expect(body.details[0].message).toContain('deleted ones that cases or imports may name');
    expect((await ask('GET', `${API}/insights3/meta`)).status).toBe(200);
  });
});
