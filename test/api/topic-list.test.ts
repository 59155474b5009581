import { topicRoutes } from '../../lib/topics/routes.ts';
import { seedArticles, seedBrands } from '../support/service/seed.ts';
import { itInProcess, startService } from '../support/service/service.ts';
import { setSite } from '../support/service/stored-access.ts';

const { ask, table, site, now, logged } = await startService(topicRoutes, {
  site: { locales: ['en_us', 'de', 'ja'] },
});
const TOPICS = '/api/v2/topics';

await seedBrands(table, site.name, [{ id: 1 }, { id: 2 }, { id: 9, deleted: true }]);

async function create(body: object, translations: Readonly<Record<string, object>> = {}): Promise<number> {
  const { id } = (await ask('POST', TOPICS, { body })).body;
  for (const [locale, words] of Object.entries(translations))
    await ask('POST', `${TOPICS}/${id}/translations`, { body: { locale, ...words } });
  return id;
}

const cherry = await create({ name: 'Cherry', in_support_center: true, brand_ids: [1] }, { de: { name: 'Kirsche' } });
now.at += 1_000;
const apple = await create(
  { name: 'apple', description: 'Red or green', brand_ids: [1, 2] },
  { de: { name: 'Apfel' }, ja: { name: 'りんご', description: '赤' } },
);
now.at += 1_000;
const banana = await create({ name: 'Banana', in_support_center: true });
now.at += 1_000;
await ask('PATCH', `${TOPICS}/${cherry}`, { body: { description: 'Sour' } });
await seedArticles(table, site.name, [
  { id: 501, subject: 'Baking an Apple pie', body: 'Crème brûlée, too', topics: [apple, cherry] },
  { id: 502, subject: 'Pies', body: 'of APPLES', topics: [apple, apple], brands: [1] },
  { id: 503, subject: 'Gone apple', topics: [apple], deleted: true },
  { id: 504, subject: 'No topic', topics: [] },
]);

const list = async (query = '', headers = {}) => (await ask('GET', `${TOPICS}${query}`, { headers })).body;
const names = async (query = '', headers = {}) =>
  (await list(query, headers))._embedded.entries.map((entry: { name: string }) => entry.name);
const counts = async (query = '') =>
  (await list(query))._embedded.entries.map((entry: { _links: { articles: object } }) => entry._links.articles);
const language = (value: string) => ({ 'Accept-Language': value });

describe('the list of topics', () => {
  it('goes by position, and by any of the sort fields either way', async () => {
    expect(await names()).toEqual(['Cherry', 'apple', 'Banana']);
    expect(await names('?sort_field=name')).toEqual(['Banana', 'Cherry', 'apple']);
    expect(await names('?sort_field=id&sort_direction=DESC')).toEqual(['Banana', 'apple', 'Cherry']);
    expect(await names('?sort_direction=desc')).toEqual(['Banana', 'apple', 'Cherry']);
    expect(await names('?sort_field=created_at&sort_direction=Asc')).toEqual(['Cherry', 'apple', 'Banana']);
    expect(await names('?sort_field=updated_at')).toEqual(['apple', 'Banana', 'Cherry']);
    expect(await names('?sort_field=name', language('de'))).toEqual(['Apfel', 'Kirsche']);
  });

  it('is filtered by support center and by brand', async () => {
    expect(await names('?in_support_center=true')).toEqual(['Cherry', 'Banana']);
    expect(await names('?in_support_center=False')).toEqual(['apple']);
    expect(await names('?brand_id=1')).toEqual(['Cherry', 'apple']);
    expect(await names('?brand_id=2&in_support_center=true')).toEqual([]);
    for (const unknown of ['9', '77', '-1', '0']) expect(await names(`?brand_id=${unknown}`)).toEqual([]);
  });

  it('refuses what the parameters cannot mean, all of it together', async () => {
    const query =
      '?in_support_center=1&brand_id=x&sort_field=color&sort_direction=up&page=0&per_page=-3&article_search[text]=a';
    const { status, body } = await ask('GET', `${TOPICS}${query}`);
    const invalid = ['invalid'];
    expect([status, body.errors]).toEqual([
      422,
      {
        in_support_center: invalid,
        brand_id: invalid,
        sort_field: invalid,
        sort_direction: invalid,
        page: invalid,
        per_page: invalid,
      },
    ]);
    const says = new Map<string, string>(
      body.details.map(({ field, message }: { field: string; message: string }) => [field, message]),
    );
    expect(says.get('page')).toBe('page is "0"; it takes a whole number from 1.');
    expect(says.get('brand_id')).toBe('brand_id is "x"; it takes a whole number.');
    for (const empty of ['in_support_center', 'brand_id', 'sort_field', 'sort_direction', 'page'])
      expect((await ask('GET', `${TOPICS}?${empty}=`)).body.errors).toEqual({ [empty]: invalid });
    expect((await ask('GET', `${TOPICS}?brand_id=x&brand_id=1&color=red`)).status).toBe(200);
  });

  it('shows the topics of one language in its words', async () => {
    const german = await ask('GET', TOPICS, { headers: language('de-AT, en;q=0.5') });
    expect(german.headers['content-language']).toBe('de');
    expect(german.body.total_entries).toBe(2);
    expect(german.body._embedded.entries[1]).toMatchObject({ id: apple, name: 'Apfel', description: 'Red or green' });
    const japanese = await list('', language('ja'));
    expect(japanese._embedded.entries).toMatchObject([{ name: 'りんご', description: '赤', position: 2 }]);
    expect(await names('', language('en'))).toEqual(['Cherry', 'apple', 'Banana']);
    expect(await names('', language('fr, *;q=0.1'))).toHaveLength(3);
    const none = await ask('GET', `${TOPICS}?page=2`, { headers: language('fr') });
    expect(none.body).toMatchObject({ total_entries: 0, _links: { last: { href: `${TOPICS}?page=1&per_page=50` } } });
    expect(none.headers['content-language']).toBe('en-US');
    expect((await ask('GET', TOPICS)).headers['content-language']).toBe('en-US');
  });

  it('counts articles that are there, and with a search those that match', async () => {
    const articles = (id: number, count: number) => ({ href: `${TOPICS}/${id}/articles`, class: 'article', count });
    const all = [articles(cherry, 1), articles(apple, 2), articles(banana, 0)];
    expect(await counts()).toEqual(all);
    expect(await counts('?article_search[text]=')).toEqual(all);
    expect(await counts('?article_search%5Btext%5D=PIE%20appl')).toEqual(all);
    expect(await counts('?article_search[text]=creme brulee')).toEqual([
      articles(cherry, 1),
      articles(apple, 1),
      articles(banana, 0),
    ]);
    expect(await counts('?article_search[text]=pple')).toMatchObject([{ count: 0 }, { count: 0 }, { count: 0 }]);
    await seedArticles(table, site.name, [{ id: 505, subject: 'Banana bread', body: 'late', topics: [banana] }]);
    expect(await counts('?article_search[text]=late')).toMatchObject([{ count: 0 }, { count: 0 }, { count: 1 }]);
    expect((await ask('GET', `${TOPICS}/${banana}`)).body._links.articles.count).toBe(1);
  });

  it('bears all parameters of the request in its page links', async () => {
    const { _links } = await list('?per_page=1&page=2&article_search[text]=a%20b&color=é&brand_id=1');
    const rest = 'article_search%5Btext%5D=a%20b&brand_id=1&color=%C3%A9';
    expect(_links).toMatchObject({
      self: { href: `${TOPICS}?${rest}&page=2&per_page=1` },
      previous: { href: `${TOPICS}?${rest}&page=1&per_page=1`, class: 'page' },
      next: null,
    });
  });

  itInProcess('answers 304 in one read until something it shows changes', async () => {
    const get = (tag = '', headers = {}) =>
      ask('GET', `${TOPICS}?article_search[text]=pie`, { headers: { 'If-None-Match': tag, ...headers } });
    let { etag = '' } = (await get()).headers;
    const moved = async () => {
      const reply = await get(etag);
      etag = reply.headers.etag ?? '';
      return reply.status;
    };
    expect(await moved()).toBe(304);
    expect(logged.at(-1)).toMatchObject({ route: 'listTopics', status: 304, trips: 1 });
    expect((await get(etag)).headers).toMatchObject({ etag, 'content-language': 'en-US' });
    expect((await get(etag, language('de'))).status).toBe(200);
    await ask('PATCH', `${TOPICS}/${banana}`, { body: { name: 'Banana' } });
    expect(await moved()).toBe(304);
    await ask('PATCH', `${TOPICS}/${banana}`, { body: { name: 'Bananas' } });
    expect(await moved()).toBe(200);
    await seedArticles(table, site.name, [{ id: 506, subject: 'Pie again', topics: [banana] }]);
    expect(await moved()).toBe(200);
    await setSite(table, site, { ...site, defaultLocale: 'de' });
    expect(await moved()).toBe(200);
    expect(await names()).toEqual(['Kirsche', 'Apfel', 'Bananas']);
    await setSite(table, { ...site, defaultLocale: 'de' }, site);
  });
});
