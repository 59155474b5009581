import { isJsonObject } from '../../lib/json.ts';
import { groups, routes } from '../../lib/routes.ts';
import { importRecords } from '../support/service/import.ts';
import { byPerson, startService } from '../support/service/service.ts';

/** Links lead to what is there, or are null, in every reply that has one. */

const { ask, table, site, now } = await startService(Object.values(groups).flat(), {
  roles: ['Administrator', 'Content Manager', 'Agent'],
});
const API = '/api/v2';
const person = byPerson();
const get = async (path: string) => (await ask('GET', path, person)).body;
const make = async (path: string, body: unknown): Promise<number> => {
  const reply = await ask('POST', `${API}/${path}`, { ...person, body });
  expect([reply.status, reply.body]).toEqual([201, reply.body]);
  return reply.body.id;
};
const remove = async (path: string) => expect((await ask('DELETE', `${API}/${path}`, person)).status).toBe(204);
const bury = (record: object) => importRecords(table, site, [{ ...record, deleted: true }], { now: now.at + 1000 });

const ONE_NUMBER = { fields: ['case_creates'], time: { last: 4, unit: 'week', window_size: 'none' } };

await importRecords(table, site, [
  { type: 'agent', id: 71, name: 'Writer', login: 'content-manager@test.example' },
  { type: 'agent', id: 72, name: 'Ann' },
  { type: 'group', id: 73, name: 'Support' },
  { type: 'custom_field', id: 74, name: 'tier', object: 'case' },
  { type: 'company', id: 75, name: 'Acme' },
  { type: 'channel', id: 76, name: 'Chat' },
]);
const topic = await make('topics', { name: 'Stays' });
const goneTopic = await make('topics', { name: 'Goes' });
const brand = await make('brands', { name: 'Stays' });
const goneBrand = await make('brands', { name: 'Goes' });
const { id: article } = (
  await ask('POST', `${API}/articles`, {
    as: 'Content Manager',
    body: { subject: 'Written by who is removed', topic_ids: [goneTopic], brand_ids: [goneBrand, brand] },
  })
).body;
const goneArticle = await make('articles', { subject: 'Goes', topic_ids: [topic] });
const macro = await make('macros', { name: 'Everything' });
const act = (type: string, value: unknown) => make(`macros/${macro}/actions`, { type, value });
const actions = {
  agent: await act('set-case-agent', 72),
  group: await act('set-case-group', 73),
  article: await act('append-case-article', goneArticle),
  field: await act('set-case-custom-tier', 'gold'),
};
const report = await make('saved_reports', { name: 'Goes', request: ONE_NUMBER });
const other = await make('saved_reports', { name: 'Stays', request: ONE_NUMBER });
const board = await make('boards', {
  name: 'Stays',
  tiles: [report, other].map((saved_report) => ({ saved_report, shown_as: 'number' })),
});
const goneBoard = await make('boards', { name: 'Goes' });
const mail = { every: 'day', recipients: ['agent@test.example'] };
const ofReport = await make('subscriptions', { saved_report: report, ...mail });
const ofBoard = await make('subscriptions', { board: goneBoard, ...mail });
const alert = await make('alerts', {
  ...{ name: 'Goes', saved_report: report, comparison: 'above', bound: 5, recipients: mail.recipients },
});
const link = (await ask('POST', `${API}/boards/${board}/links`, { ...byPerson(), body: { name: 'Meeting' } })).body.id;
const label = await make('labels', { name: 'vip' });

/** Each link to a thing that can go: where it is, and what takes the thing away. */
const LINKS: readonly (readonly [string, string, string, () => Promise<unknown>])[] = [
  ['set-case-agent', `macros/${macro}/actions/${actions.agent}`, 'user', () => bury({ type: 'agent', id: 72 })],
  ['set-case-group', `macros/${macro}/actions/${actions.group}`, 'group', () => bury({ type: 'group', id: 73 })],
  [
    'append-case-article',
    `macros/${macro}/actions/${actions.article}`,
    'article',
    () => remove(`articles/${goneArticle}`),
  ],
  [
    'set-case-custom-tier',
    `macros/${macro}/actions/${actions.field}`,
    'custom_field',
    () => bury({ type: 'custom_field', id: 74, name: 'tier', object: 'case' }),
  ],
  ['an alert', `alerts/${alert}`, 'saved_report', () => remove(`saved_reports/${report}`)],
  ['a subscription', `subscriptions/${ofReport}`, 'saved_report', async () => undefined], // went with that of the alert
  ['a mailed board', `subscriptions/${ofBoard}`, 'board', () => remove(`boards/${goneBoard}`)],
  ['an article', `articles/${article}`, 'topic', () => remove(`topics/${goneTopic}`)],
  ['who wrote an article', `articles/${article}`, 'created_by', () => remove('users/71')],
  ['who changed an article', `articles/${article}`, 'updated_by', async () => undefined], // the same
];

/** Every link in a reply. */
function linksIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(linksIn);
  if (!isJsonObject(value)) return [];
  const own = typeof value.href === 'string' && typeof value.class === 'string' ? [value.href] : [];
  return [...own, ...Object.values(value).flatMap(linksIn)];
}

/** What stands in paths. */
const IN_PATHS: Readonly<Record<string, unknown>> = {
  ...{ topic_id: topic, brand_id: brand, article_id: article, locale: 'en_us', macro_id: macro },
  ...{ action_id: actions.agent, saved_report_id: other, board_id: board, alert_id: alert },
  ...{ subscription_id: ofReport, label_id: label, link_id: link, company_id: 75, channel_id: 76 },
};

/** Things that are not made here: their replies link to nothing but themselves. */
const NOT_MADE = new Set(
  [
    'calendar_id',
    'sla_policy_id',
    'import_id',
    'connection_id',
    'token_id',
    'custom_field_id',
    'group_id',
    'user_id',
  ].map((name) => `{${name}}`),
);

describe('links', () => {
  it.each(LINKS)('of %s (%s) lead to a %s, and are null once it is gone, for lists and ETags, too', async (...row) => {
    const [, path, name, takeAway] = row;
    const list = `${API}/${path.slice(0, path.lastIndexOf('/'))}`;
    const before = await get(`${API}/${path}`);
    const [entry, entries] = [await ask('GET', `${API}/${path}`, person), await ask('GET', list, person)];
    await takeAway();
    const isFirst = before._links[name] !== null;
    if (isFirst) expect((await ask('GET', before._links[name].href, person)).status).toBe(404);
    const after = await get(`${API}/${path}`);
    expect(after._links[name]).toBeNull();
    const values = ({ value, saved_report, board: of }: typeof before) => [value, saved_report, of];
    expect(values(after)).toEqual(values(before));
    if (!isFirst) return;
    for (const [target, { headers }] of [[`${API}/${path}`, entry] as const, [list, entries] as const]) {
      const seen = { ...person.headers, 'If-None-Match': headers.etag ?? '' };
      expect((await ask('GET', target, { ...person, headers: seen })).status).toBe(200);
    }
    expect((await get(list))._embedded.entries.find(({ id }: { id: number }) => id === after.id)).toEqual(after);
  });

  it('of tiles are null once their report is gone', async () => {
    const { tiles } = await get(`${API}/boards/${board}`);
    expect(tiles.map(({ saved_report, _links }: (typeof tiles)[0]) => [saved_report, _links.saved_report])).toEqual([
      [report, null],
      [other, { href: `${API}/saved_reports/${other}`, class: 'saved_report' }],
    ]);
  });

  it('of lists of topics and brands are left out once they are gone', async () => {
    await remove(`brands/${goneBrand}`);
    const { _links } = await get(`${API}/articles/${article}`);
    expect([_links.topics, _links.brands]).toEqual([[], [{ href: `${API}/brands/${brand}`, class: 'brand' }]]);
  });

  const walked = routes.filter(
    ({ method, path, reply }) =>
      method === 'GET' && reply && !path.split('/').some((part) => NOT_MADE.has(part)) && !path.includes('{case'),
  );
  it.each(walked.map((route) => [route.name, route] as const))('of %s lead to what is there', async (_, route) => {
    if (route.name === 'showTopicBrand') await ask('PATCH', `${API}/topics/${topic}`, { body: { brand_ids: [brand] } });
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_part, name: string) => String(IN_PATHS[name]));
    const { status, body, text } = await ask('GET', path, person);
    expect([path, status]).toEqual([path, 200]);
    expect(text === '' ? undefined : route.reply?.().safeParse(body).error).toBeUndefined();
    if (route.reply !== undefined && text !== '') expect(route.reply().parse(body)).toEqual(body); // and no field more
    for (const href of new Set(linksIn(body))) {
      const { status: found } = await ask('GET', href, person);
      expect([href, found]).toEqual([href, found === 405 ? 405 : 200]); // 405: to be computed by POST
    }
  });
});
