import { routes } from '../../lib/routes.ts';
import { importRecords } from '../support/service/import.ts';
import { byPerson, startService } from '../support/service/service.ts';

const { ask, table, site, now } = await startService(routes);
const API = '/api/v2';
const entriesOf = (body: { _embedded: { entries: Record<string, unknown>[] } }) => body._embedded.entries;
const then = '2020-05-01T10:00:00Z';
now.at += 789; // replies show whole seconds

await importRecords(table, site, [
  { type: 'company', id: 5, name: 'Acme', updated_at: then },
  ...['zone', 'plan'].map((name, nth) => ({
    type: 'custom_field',
    id: 21 + nth,
    name,
    object: 'company',
    updated_at: '2019-01-01T00:00:00Z',
  })),
  {
    ...{ type: 'company', id: 6, name: 'Beta', updated_at: '2021-05-01T10:00:00Z' },
    custom_fields: { zone: 'gold', plan: 'two words' },
  },
  { type: 'label', id: 7, name: 'vip', updated_at: then },
  { type: 'brand', id: 8, name: 'Outdoor', updated_at: then },
  { type: 'group', id: 31, name: 'Support', updated_at: then },
  { type: 'agent', id: 32, name: 'Ann', groups: [31], updated_at: then },
  { type: 'macro', id: 33, name: 'Greet', updated_at: then },
  { type: 'macro_action', id: 34, macro: 33, action: 'set-case-status', value: 'open', updated_at: then },
  { type: 'topic', id: 1, name: 'Billing', in_support_center: true, updated_at: then },
  { type: 'article', id: 9, subject: 'Invoices', body: 'x', topics: [1], updated_at: then },
  {
    type: 'article',
    id: 11,
    subject: 'Later',
    body: 'x',
    topics: [1],
    publish_at: '2024-01-01T00:00:00.5Z',
    updated_at: then,
  },
  { type: 'article', id: 10, subject: 'Large', body: 'x'.repeat(260_000), topics: [1], updated_at: then },
]);

describe('what an import has told', () => {
  it('keeps the time at which a company was made, also by a PATCH and by a newer record', async () => {
    expect((await ask('PATCH', `${API}/companies/5`, { body: { name: 'Acme Corporation' } })).body.created_at).toBe(
      then,
    );
    await importRecords(table, site, [{ type: 'company', id: 5, name: 'Acme', updated_at: '2026-01-05T10:00:00Z' }]);
    expect((await ask('GET', `${API}/companies/5`)).body.created_at).toBe(then);
  });

  it.each([
    ['brands/8', { name: 'Indoor' }, { type: 'brand', id: 8, name: 'Outdoor' }],
    ['topics/1', { description: 'x' }, { type: 'topic', id: 1, name: 'Billing' }],
    ['articles/9', { keywords: 'x' }, { type: 'article', id: 9, subject: 'Invoices' }],
    ['macros/33/actions/34', { value: 'closed' }, { type: 'macro_action', id: 34, value: 'open' }],
  ])('keeps when %s was made, by a PATCH and by a newer record', async (path, body, record) => {
    const before = (await ask('GET', `${API}/${path}`)).body.created_at;
    expect((await ask('PATCH', `${API}/${path}`, { body })).body.created_at).toBe(before);
    await importRecords(table, site, [{ ...record, updated_at: '2026-02-05T10:00:00Z' }]);
    expect((await ask('GET', `${API}/${path}`)).body.created_at).toBe(before);
  });

  it.each([
    ['labels/7', ['enabled', 'types', 'color', 'description']],
    ['companies/6', ['name', 'domains', 'custom_fields']],
    ['articles/9', ['subject', 'body', 'position', 'in_support_center', 'publish_at', 'keywords', 'quickcode']],
    ['articles/11', ['publish_at', 'position']],
    ['topics/1', ['name', 'description', 'allow_questions', 'in_support_center']],
    ['topics/1/translations/en_us', ['name', 'description']],
    ['articles/9/translations/en_us', ['subject', 'body', 'outdated', 'publish_at']],
    ['brands/8', ['name']],
    ['custom_fields/21', ['label', 'active', 'data']],
    ['macros/33', ['name', 'description', 'enabled', 'position', 'folders']],
    ['macros/33/actions/34', ['type', 'value', 'enabled']],
  ])('stays as it is where a PATCH says of %s what is shown', async (path, fields) => {
    const before = await ask('GET', `${API}/${path}`);
    const body = Object.fromEntries(fields.map((field) => [field, before.body[field]]));
    now.at += 60_000; // what a write would show as its time
    const after = await ask('PATCH', `${API}/${path}`, { body });
    expect([after.status, after.body]).toEqual([200, before.body]);
    const last = await ask('GET', `${API}/${path}`);
    expect([last.body, last.headers.etag]).toEqual([before.body, before.headers.etag]);
  });
});

/** Every list and search that takes `ids`, by the name of its route. */
const WITH_IDS = [
  ...['listBrands', 'listLabels', 'searchLabels', 'listCustomFields', 'listCompanies', 'searchCompanies'],
  ...[
    'listUsers',
    'listUserGroups',
    'listGroups',
    'listGroupUsers',
    'listChannels',
    'listCalendars',
    'listSlaPolicies',
  ],
];

describe('lists', () => {
  beforeAll(async () => {
    const two = [21, 22].flatMap((id) => [
      ...['label', 'company', 'channel', 'group', 'brand'].map((type) => ({ type, id, name: `n${43 - id}` })),
      { type: 'custom_field', id, name: id === 21 ? 'zone' : 'plan', object: 'company' },
      { type: 'agent', id, name: `n${43 - id}`, groups: [21, 22] },
      { type: 'calendar', id, name: `n${43 - id}`, time_zone: 'UTC', hours: { mon: [['09:00', '17:00']] } },
      { type: 'sla_policy', id, name: `n${43 - id}`, targets: [{ metric: 'reply', seconds: 60 }] },
    ]);
    const records = two.map((record) => ({ ...record, updated_at: `20${record.id}-01-01T00:00:00Z` }));
    expect((await importRecords(table, site, records)).rejected).toEqual([]);
  });

  it('take ids if they are of brands, labels, custom fields, companies, users and groups, searches too', () => {
    expect(routes.flatMap(({ name, lists }) => (lists.includes('ids') ? [name] : [])).sort()).toEqual(WITH_IDS.sort());
  });

  it.each(WITH_IDS)('%s keeps the members that ids name, in its order, and sorts by name and times', async (name) => {
    const path = routes.find((route) => route.name === name)?.path.replaceAll(/\{\w+\}/g, '21');
    const idsOf = async (query: string) => entriesOf((await ask('GET', `${path}?${query}`)).body).map(({ id }) => id);
    expect(await idsOf('ids=22,99')).toEqual([22]);
    expect(await idsOf('ids[]=22&ids[]=21')).toEqual([21, 22]);
    expect(await idsOf('ids=22&ids=21')).toEqual([21, 22]);
    expect(await idsOf('ids=99')).toEqual([]);
    expect(await idsOf('ids=21,22&sort_field=name')).toEqual([22, 21]);
    expect(await idsOf('ids=21,22&sort_field=updated_at&sort_direction=desc')).toEqual([22, 21]);
    expect(await idsOf('ids=21,22&sort_field=created_at')).toEqual([21, 22]);
    expect((await ask('GET', `${path}?ids=a`)).body.errors).toEqual({ ids: ['invalid'] });
  });

  it.each([
    ['updated_at:[* TO 2021-06-01T00:00:00Z]', [6, 21]],
    ['(created_at:[1588327200 TO 1588327200]) AND (updated_at:[1700000000 TO *])', [5]],
    ['zone:gold', [6]],
    ['zone:gold AND updated_at:[* TO 2021-06-01T00:00:00Z] AND plan:"two words"', [6]],
    ['zone:silver', []],
    ['Procter AND', []],
    ['beta gold', [6]],
  ])('of companies are searched by %s', async (q, ids) => {
    const { body } = await ask('GET', `${API}/companies/search?q=${encodeURIComponent(q)}`);
    expect(entriesOf(body).map(({ id }) => id)).toEqual(ids);
  });

  it.each([
    ...['updated_at:[1 TO', 'name:[a TO b]', 'updated_at:[x TO *]', 'updated_at:>5', 'updated_at:{1 TO 2}'],
    ...['nothing:gold', 'zone:gold AND nothing:x', 'zone:gold AND words', 'https://acme.example'],
  ])('refuse to search by %s', async (q) => {
    const { status, body } = await ask('GET', `${API}/companies/search?q=${encodeURIComponent(q)}`);
    expect([status, body.errors]).toEqual([422, { q: ['invalid'] }]);
  });

  it.each([
    [['a'], 'invalid'],
    ['1', 'invalid'],
    [null, 'invalid'],
    [[], 'blank'],
    [[1, 99], 'not_found'],
    [Array.from({ length: 101 }, () => 1), 'too_long'],
  ])('blames wrong topic ids alone: %j is %s', async (topic_ids, code) => {
    for (const [method, path] of [
      ...[['POST', 'articles'] as const, ['POST', 'topics/1/articles'] as const, ['PATCH', 'articles/9'] as const],
    ]) {
      const { body } = await ask(method, `${API}/${path}`, { body: { subject: 'x', topic_ids } });
      expect([path, body.errors]).toEqual([path, { topic_ids: [code] }]);
    }
  });

  it.each([
    ['custom_fields', { name: 'x', type: 'company', data: { type: 'sql' } }, { data: { type: ['invalid'] } }],
    ['custom_fields', { name: 'x', type: 'company', data: { type: 5, choices: [] } }, 'data.choices, data.type'],
    ['custom_fields', { name: 'x', type: 'company', data: 'list' }, { data: ['invalid'] }],
    ['companies', { name: 'x', custom_fields: { nothing: 1 } }, { custom_fields: { nothing: ['invalid'] } }],
    ['companies', { name: 'x', domains: ['a', 5] }, { domains: ['invalid'] }],
    ['articles', { subject: 'x', _links: { topic: { href: '/nowhere' } } }, { _links: { topic: ['invalid'] } }],
    [
      'boards',
      { name: 'x', tiles: [{ saved_report: 99, shown_as: 'pie' }] },
      { tiles: { 0: { shown_as: ['invalid'] } } },
    ],
    [
      'sla_policies',
      { name: 'x', targets: [{ metric: 'reply', seconds: -1, priorities: [0] }] },
      'targets.0.priorities, targets.0.seconds',
    ],
    ['calendars', { name: 'x', time_zone: 'UTC', hours: { mon: [[9, 17]] } }, { hours: { mon: ['invalid'] } }],
    [
      'saved_reports',
      { name: 'x', request: { fields: ['case_creates'], time: { last: 1, unit: 'day', window_size: 'x' } } },
      { request: { time: { window_size: ['invalid'] } } },
    ],
  ])('have nested faults of what is nested in %s %j', async (path, body, errors) => {
    const reply = await ask('POST', `${API}/${path}`, { ...byPerson(), body });
    const fields = (tree: object, above: readonly string[] = []): string[] =>
      Object.entries(tree).flatMap(([name, below]) =>
        Array.isArray(below) ? [[...above, name].join('.')] : fields(below, [...above, name]),
      );
    expect(reply.status).toBe(422);
    expect(typeof errors === 'string' ? fields(reply.body.errors).sort().join(', ') : reply.body.errors).toEqual(
      errors,
    );
    expect(reply.body.details[0]).toMatchObject({
      field: expect.stringContaining(fields(reply.body.errors)[0] ?? '?'),
    });
  });

  it('meets each entry of pages that are too large once, whatever page it begins at', async () => {
    const many = Array.from({ length: 107 }, (_, n) => ({
      ...{ type: 'article', id: 1000 + n, subject: `${n}`, body: 'y'.repeat(120_000), topics: [1], updated_at: then },
    }));
    await importRecords(table, site, many);
    const seen: unknown[] = [];
    let next: string | null = `${API}/articles?per_page=1000`;
    while (next !== null) {
      const {
        body,
      }: {
        body: Record<string, never> & Parameters<typeof entriesOf>[0] & { _links: { next: { href: string } | null } };
      } = await ask('GET', next);
      seen.push(...entriesOf(body).map(({ id }) => id));
      next = body._links.next?.href ?? null;
    }
    expect([seen.length, new Set(seen).size]).toEqual([110, 110]);
  });
});
