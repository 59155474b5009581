import { createHmac, randomUUID } from 'node:crypto';
import type { FunctionName } from '../../../infra/stack/functions.ts';
import { openOAuthKeys } from '../../../lib/access/oauth/oauth-keys.ts';
import { formatKeys, newOAuthKey } from '../../../lib/access/oauth/oauth-secrets.ts';
import { listSites } from '../../../lib/access/sites.ts';
import { noteBounce } from '../../../lib/deliver/bounce.ts';
import { deliverDue, sitesWithDue } from '../../../lib/deliver/deliver.ts';
import { createLeavePage } from '../../../lib/deliver/leave.ts';
import type { MailMessage } from '../../../lib/deliver/mail/message.ts';
import { compact, compactIfNeeded } from '../../../lib/history/compact.ts';
import { takeRecords } from '../../../lib/import/live.ts';
import type { ValidMessage } from '../../../lib/import/records/messages.ts';
import { parseRecord } from '../../../lib/import/records/records.ts';
import { createDoorbell } from '../../../lib/live/doorbell.ts';
import { type DuePull, lookAtConnections } from '../../../lib/live/due.ts';
import { pullSite } from '../../../lib/live/pull.ts';
import { createLiveRoutes } from '../../../lib/live/routes.ts';
import { sourcesRoute } from '../../../lib/live/sources.ts';
import { groups, routes } from '../../../lib/routes.ts';
import { connect } from '../../../lib/store/client.ts';
import { createCollections } from '../../../lib/store/collection.ts';
import { openTable } from '../../../lib/store/dynamodb.ts';
import { keys } from '../../../lib/store/keys.ts';
import type { Table } from '../../../lib/store/table.ts';
import { fileKey } from '../../../lib/uploads/bucket.ts';
import { createRemovalRoute, doRemoval, type SourceRemoval } from '../../../lib/uploads/source-removal.ts';
import { type DueExport, doDueExport } from '../../../lib/warehouse/due.ts';
import { openFolder } from '../../../lib/warehouse/folder.ts';
import { startZammad } from '../../support/desks/zammad-desk.ts';
import { AccessDenied, police } from '../../support/faults/policed-client.ts';
import { testDeliverer } from '../../support/mail/deliverer.ts';
import { bucketService } from '../../support/service/bucket-service.ts';
import { withFolder } from '../../support/service/program.ts';
import { byPerson, startService } from '../../support/service/service.ts';
import { describeOnEngine, freshTable, hasEngine } from '../../support/service/table.ts';

const service = await startService(routes, hasEngine ? { wiring: { table: await freshTable('engine') } } : {});
const { ask, table, site } = service;
const at = '2026-02-01T10:00:00Z';

/** The table as the role of a function sees it. */
function tableOf(name: FunctionName): Table {
  const client = police(connect({ endpoint: process.env.TEST_ENDPOINT, local: true }), name);
  return openTable(client, table.name);
}

const contextOf = (mine: Table) => {
  return { table: mine, site, collections: createCollections(), clock: Date.now, newId: randomUUID };
};
const toLetter = (raw: unknown): ValidMessage => {
  const message = { id: randomUUID(), group: 'one', site: site.name, body: JSON.stringify(raw) };
  return { message, site, record: parseRecord(raw) };
};

const RECORDS: readonly Record<string, unknown>[] = [
  { type: 'site', name: 'Acme', locales: ['en_us', 'de'] },
  { type: 'agent', id: 42, name: 'Ann', login: 'ann@example.com', role: 'Agent', groups: [7] },
  { type: 'group', id: 7, name: 'Support' },
  { type: 'label', id: 3, name: 'billing' },
  { type: 'channel', id: 1, name: 'Email' },
  { type: 'company', id: 9, name: 'Initech' },
  { type: 'brand', id: 2, name: 'Brand' },
  { type: 'article', id: 5, subject: 'How to', body: 'do it', topics: [11], brands: [2] },
  { type: 'custom_field', id: 12, name: 'tier', object: 'case', values: ['gold'] },
  { type: 'topic', id: 11, name: 'Imported', brands: [2] },
  { type: 'topic_translation', topic: 11, locale: 'de', name: 'Eingeführt' },
  { type: 'macro', id: 21, name: 'Imported' },
  { type: 'macro_action', macro: 21, id: 22, action: 'set-case-status', value: 'open', enabled: true },
];
const EVENTS: readonly Record<string, unknown>[] = [
  { type: 'case.created', id: 'a', at, case: 1, channel: 8, labels: [4], company: 10, custom_fields: { 13: 'x' } },
  { type: 'interaction', id: 'b', at, case: 1, direction: 'outbound', agent: 43, group: 8 },
  { type: 'macro.applied', id: 'c', at, case: 1, macro: 77 },
  { type: 'agent.session', id: 's', agent: 42, from: at, to: '2026-02-01T11:00:00Z' },
];

describeOnEngine('the roles allow their functions all they do', () => {
  it('ingest: every type of record', async () => {
    for (const letters of [RECORDS.map(toLetter), EVENTS.map(toLetter)]) {
      expect(await takeRecords(contextOf(tableOf('ingest')), letters)).toEqual(letters.map(() => 'taken'));
    }
  });

  it('compact: every site, by schedule and by hand', async () => {
    const mine = tableOf('compact');
    for (const found of await listSites(mine)) {
      const context = { table: mine, site: found.site, clock: Date.now, newId: randomUUID };
      await compactIfNeeded(context);
      expect(await compact(context)).toBe(true);
    }
  });

  it('warehouse: every site, after its tail was merged', async () => {
    const live = { type: 'interaction', id: 'w', at, case: 1, direction: 'inbound' };
    expect(await takeRecords(contextOf(table), [toLetter(live)])).toEqual(['taken']);
    const due: DueExport[] = [];
    await withFolder(async (folder) => {
      const tools = { table: tableOf('warehouse'), clock: Date.now, newId: randomUUID };
      const send = async (all: readonly DueExport[]): Promise<void> => void due.push(...all);
      const place = () => openFolder(folder);
      expect(await doDueExport({ ...tools, send, place }, { because: 'night' })).toBeUndefined();
      for (const one of due) {
        const done = await doDueExport({ ...tools, send, place }, one);
        expect(done).toMatchObject({ site: one.site });
      }
    });
    expect(due).toContainEqual({ site: site.name, because: 'night' });
  });

  it('deliver: the sites that mails are due of, and the mails of one', async () => {
    const recipients = ['ann@example.com']; // a user since the first of these tests
    const request = { fields: ['case_creates'], time: { last: 1, unit: 'day', window_size: 'none' } };
    const { id } = (await ask('POST', '/api/v2/saved_reports', { body: { name: 'Mailed', request } })).body;
    const sent = { saved_report: id, every: 'day', recipients };
    expect((await ask('POST', '/api/v2/subscriptions', { body: sent })).status).toBe(201);
    const alert = { name: 'Mailed', saved_report: id, comparison: 'above', bound: -1, check: 'day', recipients };
    expect((await ask('POST', '/api/v2/alerts', { body: alert })).status).toBe(201);
    const subjects: string[] = [];
    const later = (): number => service.now.at + 86_400_000;
    const tools = testDeliverer(tableOf('deliver'), later, 'smtp://127.0.0.1:1');
    const ways: string[] = [];
    const send = async ({ subject, headers }: Pick<MailMessage, 'subject' | 'headers'>) => {
      subjects.push(subject);
      ways.push(headers['List-Unsubscribe']?.slice(1, -1) ?? '');
      return 'sent' as const;
    };
    expect(await sitesWithDue(tools)).toEqual([site.name]);
    expect(await deliverDue({ ...tools, send }, ['another'])).toEqual({ sent: 0, failed: 0 });
    expect(await deliverDue({ ...tools, send }, [site.name])).toEqual({ sent: 2, failed: 0 });
    expect(await sitesWithDue(tools)).toEqual([]);
    expect(subjects).toEqual([expect.stringMatching(/^Mailed: /), 'Alert: Mailed 0, above -1 – Sun, Mar 1, 2026']);
    const { pathname, search } = new URL(ways[0] ?? '');
    const pages = createLeavePage({ table: tableOf('insights'), clock: later, newId: randomUUID });
    const left = await service.again({ pages })('POST', `${pathname}${search}`, { as: null });
    expect(left.status).toBe(200);
    const mail = { timestamp: new Date(later()).toISOString(), destination: recipients, tags: { site: [site.name] } };
    await noteBounce(tools, { source: 'aws.ses', detail: { mail, bounce: { bounceType: 'Permanent' } } });
    service.now.at += 86_400_000; // a refusal of tomorrow is void today
    const { entries } = (await ask('GET', '/api/v2/deliveries')).body._embedded;
    expect(entries.map(({ ended }: { ended: object[] }) => ended)).toEqual(
      expect.arrayContaining([[{ login: recipients[0], why: 'left' }], [{ login: recipients[0], why: 'refused' }]]),
    );
  });

  it('topics: every route, and unknown paths', async () => {
    const mine = service.again({ routes: groups.topics, table: tableOf('topics') });
    const { id } = (await mine('POST', '/api/v2/topics', { body: { name: 'Mine', brand_ids: [2] } })).body;
    const path = `/api/v2/topics/${id}`;
    const asked = [
      await mine('GET', '/api/v2/topics?article_search[text]=do'),
      await mine('GET', path),
      await mine('PATCH', path, { body: { name: 'Still mine', brand_ids: [], brand_action: 'replace' } }),
      await mine('GET', `${path}/brands`),
      await mine('POST', `${path}/translations`, { body: { name: 'Meins', locale: 'de' } }),
      await mine('PATCH', `${path}/translations/de`, { body: { name: 'Noch meins' } }),
      await mine('GET', `${path}/translations`),
      await mine('GET', `${path}/translations/de`),
      await mine('DELETE', `${path}/translations/de`),
      await mine('POST', `${path}/articles`, { body: { subject: 'Mine', body: 'x', body_chat: 'y' } }),
      await mine('DELETE', path),
      await mine('GET', '/api/v2/unknown'),
    ];
    expect(asked.map(({ status }) => status)).toEqual([200, 200, 200, 200, 201, 200, 200, 200, 204, 201, 204, 404]);
    const article = `/api/v2/articles/${asked[9]?.body.id}`;
    const written = [
      await mine('PATCH', article, { body: { body: 'z', body_chat: null } }),
      await mine('POST', `${article}/translations`, { body: { subject: 'Meins', locale: 'de', body: 'x' } }),
      await mine('GET', '/api/v2/articles?q=z&locale=de'),
      await mine('DELETE', `${article}/translations/de`),
      await mine('DELETE', article),
    ];
    expect(written.map(({ status }) => status)).toEqual([200, 201, 200, 204, 204]);
  });

  it('macros: every route', async () => {
    const mine = service.again({ routes: groups.macros, table: tableOf('macros') });
    const { id } = (await mine('POST', '/api/v2/macros', { body: { name: 'Mine' } })).body;
    const path = `/api/v2/macros/${id}`;
    const values = {
      'set-case-agent': 42,
      'set-case-group': 7,
      'append-case-article': 5,
      'set-case-custom-tier': 'gold',
    };
    for (const [type, value] of Object.entries(values)) {
      const made = await mine('POST', `${path}/actions`, { body: { type, value } });
      const action = `${path}/actions/${made.body.id}`;
      const asked = [made, await mine('PATCH', action, { body: { value, enabled: false } }), await mine('GET', action)];
      expect(asked.map(({ status }) => status)).toEqual([201, 200, 200]);
    }
    const asked = [
      await mine('GET', '/api/v2/macros'),
      await mine('GET', path),
      await mine('PATCH', path, { body: { name: 'Still mine' } }),
      await mine('GET', `${path}/actions`),
      await mine('DELETE', path),
    ];
    expect(asked.map(({ status }) => status)).toEqual([200, 200, 200, 200, 204]);
  });

  it('imports and load: a file from its form to its undoing', async () => {
    const bucket = await bucketService({ imports: tableOf('imports'), load: tableOf('load') });
    const mine = service.again({ routes: bucket.routes, table: tableOf('imports') });
    const access = [
      { type: 'agent', id: 77, name: 'New', login: 'new@example.com', role: 'Agent' },
      { type: 'site', week_start: 'sunday' },
    ];
    const lines = [...RECORDS, ...access, ...EVENTS.map((event) => ({ ...event, case: 900 })), { type: 'nothing' }];
    const { id } = (await mine('POST', '/api/v2/imports?name=a.ndjson')).body;
    const file = fileKey({ site: site.name, id });
    await bucket.objects.put(file, lines.map((line) => JSON.stringify(line)).join('\n'));
    const path = `/api/v2/imports/${id}`;
    for (const [what, state] of [
      ['check', 'checked'],
      ['load', 'loaded'],
      ['undo', 'undone'],
    ]) {
      expect((await mine('POST', `${path}/${what}`, byPerson())).status).toBe(200);
      expect(await bucket.work()).toBe(1);
      const { body } = await mine('GET', path);
      expect([body.state, body.problem]).toEqual([state, null]);
      if (state === 'checked') {
        const agreed = body.questions[0].values.map(({ value }: { readonly value: string }) => [value, true]);
        expect(agreed.length).toBeGreaterThanOrEqual(access.length);
        const answers = { access: Object.fromEntries(agreed) };
        expect((await mine('PATCH', path, { ...byPerson(), body: { answers } })).status).toBe(200);
        expect(await bucket.work()).toBe(1);
      }
      if (state === 'loaded') expect((await mine('GET', `${path}/rejected`)).status).toBe(200);
    }
    expect((await mine('GET', '/api/v2/imports')).status).toBe(200);
  });

  it('connections and pulls: from the connection to its removal with all facts', async () => {
    const desk = await startZammad();
    try {
      desk.add(3, service.now.at - 2 * 86_400_000, service.now.at - 86_400_000);
      const keyText = { text: formatKeys([newOAuthKey()]) };
      const keyStore = openOAuthKeys({
        read: async () => keyText.text,
        write: async () => Promise.reject(new Error('no function writes the key')),
      });
      const sent: unknown[] = [];
      const wake = async (due: DuePull) => void sent.push(due);
      const startRemoval = async (removal: SourceRemoval) => {
        await doRemoval({ table: tableOf('load'), clock: service.clock, newId: randomUUID }, removal);
      };
      const own = { loopback: true, private: false };
      const asker = tableOf('connections');
      const common = { keyStore, clock: service.clock, newId: randomUUID };
      const mine = service.again({
        routes: [
          sourcesRoute,
          createRemovalRoute(startRemoval),
          ...createLiveRoutes({ keyStore, own, startRemoval, wake }),
        ],
        pages: createDoorbell({ ...common, table: asker, wake }),
        table: asker,
      });
      const puller = tableOf('pulls');
      const pull = async () => {
        const { pulls } = await lookAtConnections(puller, service.now.at);
        const tools = { ...common, own, table: puller, random: () => 0.5, log: () => undefined, isEnding: () => false };
        const ends = pulls.map(() =>
          pullSite({ ...tools, pause: async () => undefined }, site, { until: service.now.at + 600_000 }),
        );
        return [pulls, await Promise.all(ends)];
      };
      const body = { system: 'zammad', url: desk.url, credentials: { token: 'right-token' } };
      const made = await mine('POST', '/api/v2/connections', { body });
      expect(made.status).toBe(201);
      const { id, doorbell, webhook_secret: secret } = made.body;
      const due = { site: site.name, connection: id };
      expect(sent).toEqual([due]);
      expect(await pull()).toEqual([[due], ['done']]);
      expect(await pull()).toEqual([[], []]);
      desk.answer(1, service.now.at);
      const ring = JSON.stringify({ ticket: { id: 1 } });
      const signature = createHmac('sha1', secret).update(ring).digest('hex');
      const headers = { 'X-Hub-Signature': `sha1=${signature}` };
      const path = doorbell.url.slice(service.origin.length);
      expect((await mine('POST', path, { body: ring, headers, as: null })).status).toBe(204);
      expect(sent.at(-1)).toEqual({ ...due, from: expect.any(Number) });
      expect(await pull()).toEqual([[due], ['done']]);
      const connection = `/api/v2/connections/${id}`;
      expect((await mine('GET', connection)).body).toMatchObject({ state: 'live', error: null });
      const changed = { credentials: { token: 'right-token' }, interval: 60 };
      const asked = [
        await mine('GET', '/api/v2/connections'),
        await mine('GET', '/api/v2/freshness'),
        await mine('GET', '/api/v2/sources'),
        await mine('PATCH', connection, { body: changed }),
        await mine('POST', `${connection}/pull`),
        await mine('DELETE', `${connection}?facts=remove`),
      ];
      expect(asked.map(({ status }) => status)).toEqual([200, 200, 200, 200, 202, 202]);
      expect(await pull()).toEqual([[due], ['idle']]);
      expect((await mine('GET', '/api/v2/connections')).body.total_entries).toBe(0);
    } finally {
      await desk.close();
    }
  });

  it('insights: meta, definitions, saved reports, and reports over segments and tail', async () => {
    const later = { type: 'case.created', id: 'z', at, case: 2 };
    await takeRecords(contextOf(table), [toLetter(later)]);
    const mine = service.again({ routes: groups.insights, table: tableOf('insights') });
    expect((await mine('GET', '/api/v2/insights3/meta')).status).toBe(200);
    const time = { min: '2026-01-01T00:00:00Z', max: '2026-03-01T00:00:00Z', window_size: 'none' };
    const report = { fields: ['case_creates', 'agent_time_online'], time, dimension1: 'custom_field' };
    for (const body of [report, { ...report, dimension1: undefined }]) {
      expect((await mine('POST', '/api/v2/insights3/reports', { body })).status).toBe(200);
    }
    const { body } = await mine('POST', '/api/v2/insights3/reports', { body: { fields: ['case_creates'], time } });
    expect(body.data).toEqual([[null, null, null, 2]]);
    const saved = { name: 'Mine', request: { fields: ['case_creates'], time } };
    const { id } = (await mine('POST', '/api/v2/saved_reports', { body: saved })).body;
    const path = `/api/v2/saved_reports/${id}`;
    const asked = [
      await mine('GET', '/api/v2/report_definitions'),
      await mine('GET', '/api/v2/saved_reports'),
      await mine('GET', path),
      await mine('PATCH', path, { body: { name: 'Still mine' } }),
      await mine('POST', `${path}/run`),
      await mine('DELETE', path),
    ];
    expect(asked.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 204]);
    expect((await ask('GET', '/api/v2/topics')).status).toBe(200);
  });
});

describeOnEngine('the roles allow nothing else', () => {
  it.each([
    ['topics', (mine: Table) => mine.get(keys.head(keys.actions(site.name, 1)))],
    ['topics', (mine: Table) => mine.put({ ...keys.head(keys.macros(site.name)), version: 9 })],
    ['topics', (mine: Table) => mine.put({ ...keys.head(keys.reference(site.name, 'channel')), version: 9 })],
    ['topics', (mine: Table) => mine.put({ ...keys.host('stolen.example.com'), site: site.name })],
    ['macros', (mine: Table) => mine.put({ ...keys.head(keys.reference(site.name, 'agent')), version: 9 })],
    ['macros', (mine: Table) => mine.put({ ...keys.site(site.name), name: 'taken over' })],
    ['insights', (mine: Table) => mine.put({ ...keys.head(keys.reference(site.name, 'agent')), version: 9 })],
    ['insights', (mine: Table) => mine.put({ ...keys.site(site.name), name: 'taken over' })],
    ['macros', (mine: Table) => mine.get(keys.manifest(site.name))],
    ['macros', (mine: Table) => mine.delete(keys.user(site.name, 'administrator@test.example'))],
    ['insights', (mine: Table) => mine.delete(keys.user(site.name, 'administrator@test.example'))],
    ['imports', (mine: Table) => mine.delete(keys.user(site.name, 'administrator@test.example'))],
    ['insights', (mine: Table) => mine.put({ ...keys.manifest(site.name) })],
    ['insights', (mine: Table) => mine.delete(keys.site(site.name))],
    ['compact', (mine: Table) => mine.query(keys.users(site.name).pk)],
    ['imports', (mine: Table) => mine.get(keys.manifest(site.name))],
    ['deliver', (mine: Table) => mine.put({ ...keys.head(keys.subscriptions(site.name)), version: 9 })],
    ['deliver', (mine: Table) => mine.delete(keys.user(site.name, 'administrator@test.example'))],
    ['deliver', (mine: Table) => mine.put({ ...keys.manifest(site.name) })],
    ['deliver', (mine: Table) => mine.delete(keys.endedAddress(site.name, 'ann@example.com'))],
    ['warehouse', (mine: Table) => mine.query(keys.users(site.name).pk)],
    ['warehouse', (mine: Table) => mine.put({ ...keys.head(keys.macros(site.name)), version: 9 })],
    ['load', (mine: Table) => mine.put({ ...keys.host('stolen.example.com'), site: site.name })],
    ['connections', (mine: Table) => mine.put({ ...keys.head(keys.reference(site.name, 'agent')), version: 9 })],
    ['connections', (mine: Table) => mine.delete(keys.user(site.name, 'administrator@test.example'))],
    ['connections', (mine: Table) => mine.put({ ...keys.segment(site.name, 1, 0) })],
    ['pulls', (mine: Table) => mine.put({ ...keys.user(site.name, 'administrator@test.example') })],
    ['pulls', (mine: Table) => mine.put({ ...keys.site(site.name), name: 'taken over' })],
    ['imports', (mine: Table) => mine.get(keys.connection(site.name, 'settings'))],
    ['insights', (mine: Table) => mine.get(keys.connection(site.name, 'settings'))],
    ['ingest', (mine: Table) => mine.put({ ...keys.host('stolen.example.com'), site: site.name })],
  ] as const)('%s', async (name, attempt) => {
    await expect(attempt(tableOf(name))).rejects.toThrow(AccessDenied);
  });
});
