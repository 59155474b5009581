import { randomUUID } from 'node:crypto';
import { readUser, removed } from '../../lib/access/users.ts';
import { deliverDue } from '../../lib/deliver/deliver.ts';
import { createLeavePage } from '../../lib/deliver/leave.ts';
import { routes } from '../../lib/routes.ts';
import { createCollections } from '../../lib/store/collection.ts';
import { keys, members } from '../../lib/store/keys.ts';
import { changeItems } from '../../lib/store/site-table.ts';
import type { Item } from '../../lib/store/table.ts';
import { testDeliverer } from '../support/mail/deliverer.ts';
import { openMailbox } from '../support/mail/mailbox.ts';
import { basic, PASSWORD_HASH } from '../support/service/credentials.ts';
import { importRecords } from '../support/service/import.ts';
import { byPerson, itInProcess as it, startService } from '../support/service/service.ts';
import { putUser } from '../support/service/stored-access.ts';

const DAY = 86_400_000; // ms
const ANN = 'ann@example.com';
const OTHER = 'business-manager@test.example';
const mailbox = await openMailbox();
afterAll(() => mailbox.close());

/** A site where Ann, a Workflow Manager whom an Administrator added, has a subscription and an alert, and gets another's. */
async function startSite() {
  mailbox.mails.length = 0;
  const service = await startService(routes, { roles: ['Administrator', 'Business Manager'] });
  const { ask, again, table, site, now, clock } = service;
  now.at = Date.parse('2026-03-01T12:00:00Z');
  const add = async () => {
    const body = { login: ANN, role: 'Workflow Manager' };
    const { id, password } = (await ask('POST', '/api/v2/users', { ...byPerson(), body })).body;
    return { path: `/api/v2/users/${id}`, by: { as: null, headers: { Authorization: basic(ANN, password) } } };
  };
  const ann = await add();
  const request = { fields: ['case_creates'], time: { last: 1, unit: 'day', window_size: 'none' } };
  const report = (await ask('POST', '/api/v2/saved_reports', { body: { name: 'Cases', request } })).body.id;
  const make = async (path: string, body: object, by: object) => {
    const made = await ask('POST', path, { ...by, body });
    expect([made.status, made.body.generation, made.body.recipient_generations]).toEqual([201, undefined, undefined]);
    return `${path}/${made.body.id}`;
  };
  const daily = { saved_report: report, every: 'day' };
  const own = await make('/api/v2/subscriptions', { ...daily, recipients: [OTHER] }, ann.by);
  const watch = { name: 'Cases', saved_report: report, comparison: 'above', bound: 0, check: 'day' };
  const alert = await make('/api/v2/alerts', { ...watch, recipients: [OTHER] }, ann.by);
  const named = await make('/api/v2/subscriptions', { ...daily, recipients: [ANN, OTHER] }, {});
  const deliverer = testDeliverer(table, clock, mailbox.url);
  /** The recipients of the mails of a run; `days` later than the one before. */
  const run = async (days = 1, tools: Partial<typeof deliverer> = {}) => {
    mailbox.mails.length = 0;
    now.at += days * DAY;
    await deliverDue({ ...deliverer, ...tools });
    return mailbox.mails.map(({ envelope }) => envelope[0]).sort();
  };
  const link = () => {
    const raw = mailbox.mails.find(({ envelope }) => envelope[0] === ANN)?.raw.replace(/\r\n[ \t]+/g, '') ?? '';
    const { pathname, search } = new URL(/List-Unsubscribe:\s*<([^>]+)>/.exec(raw)?.[1] ?? '');
    return `${pathname}${search}`;
  };
  const visit = again({ pages: createLeavePage({ table, clock, newId: randomUUID }) });
  const leave = (path: string) => visit('POST', path, { as: null });
  const lists = ['/api/v2/subscriptions', '/api/v2/alerts', '/api/v2/deliveries'];
  const counts = async (by: object) => {
    const replies = await Promise.all(lists.map((path) => ask('GET', path, by)));
    return replies.map(({ body }) => body._embedded.entries.length);
  };
  const items = [
    { ...keys.subscriptions(site.name), sk: members.subscription(Number(own.split('/').at(-1))) },
    { ...keys.subscriptions(site.name), sk: members.subscription(Number(named.split('/').at(-1))) },
    { ...keys.alerts(site.name), sk: members.alert(Number(alert.split('/').at(-1))) },
  ];
  return { ...service, ann, add, own, alert, named, deliverer, run, link, leave, counts, items };
}
type Tools = Awaited<ReturnType<typeof startSite>>;

const put = async (
  { table, site }: Tools,
  after: (ann: NonNullable<Awaited<ReturnType<typeof readUser>>>) => object,
) => {
  const ann = await readUser(table, site.name, ANN);
  if (ann === undefined) throw new Error('no Ann');
  await putUser(table, site.name, { ...ann, ...after(ann) }, false);
};

/** The doors by which Ann's login is removed, before an Administrator gives it to somebody. */
const REMOVALS: Readonly<Record<string, (tools: Tools) => Promise<unknown>>> = {
  'a request': ({ ask, ann }) => ask('DELETE', ann.path, byPerson()),
  'an import': async ({ table, site, ann }) =>
    importRecords(table, site, [{ type: 'agent', id: Number(ann.path.split('/').at(-1)), deleted: true }]),
};

/** What earlier versions stored: no generations, of users and of what names them. */
async function withoutGenerations({ table, site, now }: Tools): Promise<void> {
  const older = ({ generation: _, recipient_generations: __, recipients_at: ___, pk, sk, ...item }: Item): Item => ({
    ...{ ...item, pk, sk },
  });
  const target = { site: site.name, table, collections: createCollections(), now: now.at };
  for (const partition of [keys.subscriptions(site.name), keys.alerts(site.name)])
    await changeItems(target, partition, 90, older);
  const ann = await table.get(keys.user(site.name, ANN));
  if (ann === undefined) throw new Error('no Ann');
  await table.put(older(ann));
}

describe.each([
  ['as it is stored now', async (_: Tools): Promise<void> => undefined],
  ['as earlier versions stored it', withoutGenerations],
] as const)('what a login has, %s,', (_, store) => {
  it('is its user’s: found, sent and left by who has the login since', async () => {
    const tools = await startSite();
    await store(tools);
    const { ask, ann, own, named, run, link, leave, counts } = tools;
    expect(await counts(ann.by)).toEqual([1, 1, 2]);
    expect(await run()).toEqual([ANN, OTHER, OTHER]);
    const way = link();
    const before = (await ask('GET', own, ann.by)).body;
    expect((await ask('PATCH', own, { ...ann.by, body: { recipients: [OTHER] } })).body).toEqual(before);
    await ask('PATCH', own, { body: { recipients: [OTHER, ANN] } });
    await ask('PATCH', named, { body: { recipients: [ANN, OTHER], at: '08:00' } });
    expect(await run()).toEqual([ANN, ANN, OTHER, OTHER]);
    expect((await leave(way)).status).toBe(200);
    expect(await run()).toEqual([ANN, OTHER, OTHER]);
  });

  it.each(Object.entries(REMOVALS))('is not who gets it after a removal by %s', async (__, remove) => {
    const tools = await startSite();
    await store(tools);
    const { ask, ann, add, own, alert, named, run, link, leave, counts } = tools;
    const list = await ask('GET', '/api/v2/subscriptions', ann.by);
    expect(await run()).toContain(ANN);
    const way = link();
    await remove(tools);
    const { by } = await add();
    expect(await counts(by)).toEqual([0, 0, 0]);
    const fresh = { ...by.headers, 'If-None-Match': String(list.headers.etag) };
    expect((await ask('GET', '/api/v2/subscriptions', { as: null, headers: fresh })).status).toBe(200);
    for (const path of [own, alert])
      for (const method of ['GET', 'PATCH', 'DELETE'])
        expect([method, (await ask(method, path, { ...by, ...(method === 'PATCH' && { body: {} }) })).status]).toEqual([
          method,
          404,
        ]);
    expect((await ask('POST', `${own}/mail`, by)).status).toBe(404);
    await ask('PATCH', named, { body: { at: '08:00' } }); // does not name the new Ann
    expect(await run()).toEqual([OTHER]);
    const { entries } = (await ask('GET', '/api/v2/deliveries')).body._embedded;
    expect(entries.map(({ problem }: { problem: string | null }) => problem)).toEqual([
      `${ANN} is no user with reports any more.`,
      null,
      `${ANN} is no user with reports any more.`,
    ]);
    await leave(way); // by the former Ann
    await ask('PATCH', named, { body: { recipients: [OTHER, ANN] } });
    expect((await leave(way)).status).toBe(404);
    expect(await run()).toEqual([ANN, OTHER]);
    await leave(link());
    expect(await run()).toEqual([OTHER]);
  });
});

describe('a mail that was made before its owner', () => {
  it.each<readonly [string, (tools: Tools) => Promise<unknown>, readonly string[]]>([
    ['was demoted is not sent', (tools) => put(tools, () => ({ role: 'Agent' })), []],
    ['was removed is not sent', (tools) => put(tools, removed), []],
    [
      'was removed and made again is not sent',
      async (tools) => {
        await put(tools, removed);
        await put(tools, () => ({ deleted: false, password: PASSWORD_HASH }));
      },
      [],
    ],
  ])('%s, nor otherwise the one of an alert that was decided', async (_, change, sent) => {
    const tools = await startSite();
    const { run, table, site, ask, named, items } = tools;
    await ask('DELETE', named);
    await importRecords(table, site, [{ type: 'case.created', id: 'a', case: 7, at: '2026-03-01T18:00:00Z' }]);
    const send = async () => {
      throw new Error('this address is busy');
    };
    await run(1, { send });
    const deliveries = await Promise.all(items.map(({ sk }) => table.get(keys.delivery(site.name, sk))));
    expect(deliveries.filter((item) => item?.pending !== undefined)).toHaveLength(1);
    await change(tools);
    expect(await run(1 / 24)).toEqual(sent);
    expect(await run(1)).toEqual(sent); // the day after; the alert's number is back
  });
});
