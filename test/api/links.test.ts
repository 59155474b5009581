import { groups } from '../../lib/routes.ts';
import { writeReferences } from '../support/generators/reference.ts';
import { seedArticles, seedBrands } from '../support/service/seed.ts';
import { startService } from '../support/service/service.ts';

const { ask, table, site } = await startService(groups.topics, { roles: ['Administrator', 'Agent'] });
const entries = async (path: string) => (await ask('GET', path)).body._embedded.entries;
const subjects = async (path: string) => (await entries(path)).map(({ subject }: { subject: string }) => subject);
const state = { topic: 0 };

beforeAll(async () => {
  await seedBrands(table, site.name, [
    { id: 5, name: 'Outdoor' },
    { id: 6, deleted: true },
  ]);
  const { body } = await ask('POST', '/api/v2/topics', { body: { name: 'Billing', brand_ids: [5] } });
  state.topic = body.id;
  await seedArticles(table, site.name, [
    { id: 1, subject: 'Invoices', body: 'How to pay', topics: [body.id], brands: [5] },
    { id: 2, subject: 'Tents', body: 'How to pitch' },
    { id: 3, subject: 'Gone', deleted: true },
  ]);
  const record = { deleted: false, updated_at: 0 };
  await writeReferences(table, site.name, 'agent', [
    { ...record, id: 7, name: 'Ann', login: 'Administrator@test.example', role: 'Agent', groups: [4] },
    { ...record, id: 8, name: 'Bob', deleted: true },
  ]);
  await writeReferences(table, site.name, 'custom_field', [{ ...record, id: 12, name: 'plan', values: ['gold'] }]);
  for (const kind of ['group', 'label', 'company', 'channel'] as const)
    await writeReferences(table, site.name, kind, [{ ...record, id: kind === 'channel' ? 0 : 4, name: `A ${kind}` }]);
});

describe('what links lead to', () => {
  it('is there for every link of a topic and of its brands', async () => {
    const topic = (await ask('GET', `/api/v2/topics/${state.topic}`)).body;
    expect(await subjects(topic._links.articles.href)).toEqual(['Invoices']);
    const [brand] = await entries(`/api/v2/topics/${state.topic}/brands`);
    expect((await ask('GET', brand._links.self.href)).body).toEqual(brand);
    expect(await subjects(brand._links.articles.href)).toEqual(['Invoices']);
  });

  it('is an article with its body, and its topics and brands behind links', async () => {
    const { body } = await ask('GET', '/api/v2/articles/1');
    expect(body).toMatchObject({ id: 1, subject: 'Invoices', body: 'How to pay' });
    expect((await ask('GET', body._links.topic.href)).body.name).toBe('Billing');
    const brand = (await ask('GET', body._links.brands[0].href)).body;
    expect(brand).toMatchObject({ name: 'Outdoor', _links: { articles: { count: 1 } } });
    expect((await entries(brand._links.topics.href)).map(({ id }: { id: number }) => id)).toEqual([state.topic]);
  });

  it('is found by words, in topics and by what the support center shows', async () => {
    const search = '/api/v2/articles/search?text=';
    expect(await subjects(`${search}how`)).toEqual(['Invoices', 'Tents']);
    expect(await subjects(`${search}how%20PI`)).toEqual(['Tents']);
    expect(await subjects(`${search}how&topic_ids=${state.topic},99`)).toEqual(['Invoices']);
    expect(await subjects(`${search}how&in_support_center=true`)).toEqual([]);
    expect(await subjects('/api/v2/articles/search')).toEqual(['Invoices', 'Tents']);
    expect((await ask('GET', `${search}a&topic_ids=x`)).body.errors).toEqual({ topic_ids: ['invalid'] });
  });

  it.each([
    ['groups', 4, { name: 'A group' }],
    ['labels', 4, { name: 'A label' }],
    ['companies', 4, { name: 'A company' }],
    ['channels', 0, { name: 'A channel' }],
    ['custom_fields', 12, { name: 'plan', object: 'case', values: ['gold'] }],
    ['users', 7, { name: 'Ann', login: 'Administrator@test.example', role: 'Agent', groups: [4] }],
  ])('is one of the %s, alone and in a list that answers 304', async (path, id, fields) => {
    const list = await ask('GET', `/api/v2/${path}`);
    expect(list.body).toMatchObject({ total_entries: 1, _embedded: { entries: [{ id, ...fields }] } });
    const headers = { 'If-None-Match': list.headers.etag ?? '' };
    expect((await ask('GET', `/api/v2/${path}`, { headers })).status).toBe(304);
    expect((await ask('GET', `/api/v2/${path}/${id}`)).body).toEqual(list.body._embedded.entries[0]);
    expect((await ask('GET', `/api/v2/${path}/8`)).status).toBe(404);
  });

  it('is who is calling', async () => {
    expect((await ask('GET', '/api/v2/users/me')).body).toMatchObject({ id: 7, name: 'Ann', role: 'Administrator' });
    expect((await ask('GET', '/api/v2/users/me', { as: 'Agent' })).body).toMatchObject({ id: null, role: 'Agent' });
  });

  it.each([
    ['letters', 'x', 9],
    ['quotes, which count four times in a function’s result', '"', 0],
  ])('fits a reply of six megabytes, however large the texts are: %s', async (_, text, least) => {
    const body = text.repeat(60_000);
    await seedArticles(
      table,
      site.name,
      Array.from({ length: 120 }, (_, n) => ({ id: 100 + n, body })),
    );
    const page = await ask('GET', '/api/v2/articles?per_page=1000');
    expect(page.text.length).toBeLessThan(6_000_000);
    expect(page.body._embedded.entries.length).toBeGreaterThan(least);
    expect(page.body._links.next.href).toContain(`per_page=${page.body._embedded.entries.length}`);
  });
});
