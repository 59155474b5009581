import { topicRoutes } from '../../lib/topics/routes.ts';
import { saysOf } from '../support/service/says.ts';
import { seedArticles, seedBrands } from '../support/service/seed.ts';
import { itInProcess, startService } from '../support/service/service.ts';

const service = await startService(topicRoutes, {
  site: { locales: ['en_us', 'de', 'ja'] },
  roles: ['Administrator', 'Agent'],
});
const { ask, table, site, now, logged, origin } = service;
const TOPICS = '/api/v2/topics';

const create = async (body: object) => (await ask('POST', TOPICS, { body })).body;
const entries = async (target: string, headers = {}) => (await ask('GET', target, { headers })).body._embedded.entries;
const names = async (target: string, headers = {}) =>
  (await entries(target, headers)).map((entry: { name: string }) => entry.name);
const errorsOf = async (method: string, target: string, body: unknown) => {
  const { status, body: answer } = await ask(method, target, { body });
  return [status, answer?.errors];
};

await seedBrands(table, site.name, [{ id: 3 }, { id: 1, name: 'One' }, { id: 2 }, { id: 9, deleted: true }]);

describe('topics', () => {
  it('starts with an empty page that links itself as its last', async () => {
    const { status, body, headers } = await ask('GET', TOPICS);
    const link = { href: '/api/v2/topics?page=1&per_page=50', class: 'page' };
    expect(status).toBe(200);
    expect(JSON.stringify(body)).toBe(
      JSON.stringify({
        total_entries: 0,
        page: 1,
        _links: { self: link, first: link, last: link, previous: null, next: null },
        _embedded: { entries: [] },
      }),
    );
    expect(headers).toMatchObject({
      'cache-control': 'no-cache, private',
      vary: 'Accept-Encoding, Accept-Language',
      'content-language': 'en-US',
    });
  });

  it('creates a topic with defaults and shows it under its Location', async () => {
    const made = await ask('POST', TOPICS, { body: { name: 'My new topic', color: 'red' } });
    const path = `${TOPICS}/${made.body.id}`;
    expect(made.status).toBe(201);
    expect(made.headers.location).toBe(`${origin}${path}`);
    expect(made.text).toBe(
      JSON.stringify({
        id: made.body.id,
        name: 'My new topic',
        description: null,
        position: 1,
        allow_questions: true,
        in_support_center: false,
        created_at: '2026-03-01T12:00:00Z',
        updated_at: '2026-03-01T12:00:00Z',
        _links: {
          self: { href: path, class: 'topic' },
          articles: { href: `${path}/articles`, class: 'article', count: 0 },
          translations: { href: `${path}/translations`, class: 'topic_translation' },
        },
      }),
    );
    const shown = await ask('GET', path);
    expect([shown.status, shown.text, shown.headers.etag]).toEqual([200, made.text, made.headers.etag]);
    const [translation] = await entries(`${path}/translations`);
    expect(JSON.stringify(translation)).toBe(
      JSON.stringify({
        name: 'My new topic',
        description: null,
        locale: 'en_us',
        created_at: '2026-03-01T12:00:00Z',
        updated_at: '2026-03-01T12:00:00Z',
        _links: { self: { href: `${path}/translations/en_us`, class: 'topic_translation' } },
      }),
    );
  });

  it('reports all faults of a topic together and writes nothing', async () => {
    const before = await names(TOPICS);
    expect(await errorsOf('POST', TOPICS, { subject: 'Test Topic' })).toEqual([422, { name: ['blank'] }]);
    const wrong = { name: ' ', description: 7, allow_questions: null, in_support_center: 'yes', brand_ids: [1, 'x'] };
    expect(await errorsOf('POST', TOPICS, wrong)).toEqual([
      422,
      {
        name: ['blank'],
        description: ['invalid'],
        allow_questions: ['invalid'],
        in_support_center: ['invalid'],
        brand_ids: ['invalid'],
      },
    ]);
    const more = { name: 'x'.repeat(256), description: 'é'.repeat(32_769), brand_ids: [1, 77] };
    expect(await errorsOf('POST', TOPICS, more)).toEqual([
      422,
      { name: ['too_long'], description: ['too_long'], brand_ids: ['not_found'] },
    ]);
    expect(await names(TOPICS)).toEqual(before);
    expect((await create({ name: '😀'.repeat(255), description: 'é'.repeat(32_768) })).description).toHaveLength(
      32_768,
    );
  });

  itInProcess('changes what a PATCH brings, and keeps updated_at where nothing changes', async () => {
    const { id } = await create({ name: 'Before', description: 'kept' });
    now.at += 60_500;
    const changed = await ask('PATCH', `${TOPICS}/${id}`, { body: { name: 'After', in_support_center: true } });
    expect(changed.body).toMatchObject({
      name: 'After',
      description: 'kept',
      in_support_center: true,
      created_at: '2026-03-01T12:00:00Z',
      updated_at: '2026-03-01T12:01:00Z',
    });
    now.at += 60_000;
    const same = await ask('PATCH', `${TOPICS}/${id}`, { body: { name: 'After', brand_action: 'replace' } });
    expect([same.status, same.text, same.headers.etag]).toEqual([200, changed.text, changed.headers.etag]);
    expect(logged.at(-1)).toMatchObject({ route: 'updateTopic', trips: 1 });
    expect((await ask('PATCH', `${TOPICS}/${id}`, { body: '[]' })).text).toBe(changed.text);
    expect((await ask('PATCH', `${TOPICS}/${id}`, { body: { description: null } })).body.description).toBeNull();
    expect(await errorsOf('PATCH', `${TOPICS}/${id}`, { name: null, brand_action: 'remove' })).toEqual([
      422,
      { name: ['blank'], brand_action: ['invalid'] },
    ]);
  });

  it('closes up the positions after a delete, and never gives an id twice', async () => {
    const [first, second] = [await create({ name: 'goes' }), await create({ name: 'stays' })];
    const gone = await ask('DELETE', `${TOPICS}/${first.id}`);
    expect([gone.status, gone.text, gone.headers.etag]).toEqual([204, '', undefined]);
    const after = (await ask('GET', `${TOPICS}/${second.id}`)).body;
    expect(after).toMatchObject({ position: second.position - 1, updated_at: second.updated_at });
    await ask('DELETE', `${TOPICS}/${second.id}`);
    expect((await create({ name: 'next' })).id).toBeGreaterThan(second.id);
    const details = [{ field: '', code: 'not_found', message: `There is no topic ${first.id}.` }];
    for (const path of ['', '/brands', '/translations', '/translations/en_us'])
      expect((await ask('GET', `${TOPICS}/${first.id}${path}`)).body).toEqual({
        message: 'Resource Not Found',
        details,
      });
  });

  it('knows no topic by what is no id, and no brand that it does not have', async () => {
    const { id } = await create({ name: 'here' });
    for (const path of ['/0', '/-1', '/1.5', '/abc', '/99999', '/99999/articles', `/${id}/brands/1`, `/0${id}`])
      expect((await ask('GET', `${TOPICS}${path}`)).status).toBe(404);
    expect((await ask('PATCH', `${TOPICS}/99999`, { body: '{' })).status).toBe(404);
  });

  it('changes nothing for a tag that is no longer current', async () => {
    const made = await ask('POST', TOPICS, { body: { name: 'tagged' }, headers: { 'If-Match': '"old"' } });
    const path = `${TOPICS}/${made.body.id}`;
    const headers = { 'If-Match': made.headers.etag ?? '' };
    expect((await ask('PATCH', path, { body: { name: 'newer' }, headers })).status).toBe(200);
    const refused = await ask('PATCH', path, { body: { name: '' }, headers });
    expect([refused.status, refused.body]).toEqual([
      412,
      { message: 'Precondition Failed', details: [saysOf('precondition_failed', /topics\/\d+.*If-Match/)] },
    ]);
    expect((await ask('DELETE', path, { headers })).status).toBe(412);
    expect((await ask('DELETE', path, { headers: { 'If-Match': '*' } })).status).toBe(204);
  });
});

describe('brands of a topic', () => {
  it('are appended, replaced and removed, and listed by id', async () => {
    const { id } = await create({ name: 'branded', brand_ids: [3] });
    const brands = `${TOPICS}/${id}/brands`;
    const set = async (body: object) => {
      await ask('PATCH', `${TOPICS}/${id}`, { body });
      return (await entries(brands)).map((brand: { id: number }) => brand.id);
    };
    expect(await set({ brand_ids: [1, 3, 1] })).toEqual([1, 3]);
    expect(await set({ brand_action: 'replace' })).toEqual([1, 3]);
    expect(await set({ brand_action: 'append', brand_ids: [] })).toEqual([1, 3]);
    expect(await set({ brand_action: 'replace', brand_ids: [2, 1] })).toEqual([1, 2]);
    expect(await set({ brand_action: 'replace', brand_ids: [2, 9] })).toEqual([1, 2]);
    await seedArticles(table, site.name, [{ id: 501, brands: [1] }]);
    expect(JSON.stringify((await entries(brands))[0])).toBe(
      JSON.stringify({
        id: 1,
        name: 'One',
        created_at: '2026-01-01T00:00:00Z',
        updated_at: '2026-01-01T00:00:00Z',
        _links: {
          self: { href: `${brands}/1`, class: 'brand' },
          articles: { href: '/api/v2/brands/1/articles', class: 'article', count: 1 },
        },
      }),
    );
    expect(await set({ brand_action: 'replace', brand_ids: [] })).toEqual([]);
  });

  it('change updated_at only where they change', async () => {
    const made = await create({ name: 'quiet', brand_ids: [1] });
    now.at += 5_000;
    const patch = async (body: object) => (await ask('PATCH', `${TOPICS}/${made.id}`, { body })).body.updated_at;
    expect(await patch({ brand_ids: [1] })).toBe(made.updated_at);
    expect(await patch({ brand_ids: [2] })).not.toBe(made.updated_at);
  });

  it('are refused whole where one is unknown or deleted', async () => {
    const { id } = await create({ name: 'strict', brand_ids: [1] });
    for (const brand_ids of [[2, 77], [0], [-1], [9]])
      expect(await errorsOf('PATCH', `${TOPICS}/${id}`, { brand_ids, name: 'x' })).toEqual([
        422,
        { brand_ids: ['not_found'] },
      ]);
    for (const brand_ids of [null, 1, ['1'], [1.5], {}])
      expect(await errorsOf('PATCH', `${TOPICS}/${id}`, { brand_ids })).toEqual([422, { brand_ids: ['invalid'] }]);
    expect(await entries(`${TOPICS}/${id}/brands`)).toHaveLength(1);
    expect((await ask('GET', `${TOPICS}/${id}`)).body.name).toBe('strict');
  });
});

describe('translations of a topic', () => {
  it('are created, shown, changed, moved and deleted under any spelling of their locale', async () => {
    const { id } = await create({ name: 'Topic', description: 'About it' });
    const path = `${TOPICS}/${id}/translations`;
    const made = await ask('POST', path, { body: { name: 'Thema', locale: 'DE' } });
    expect([made.status, made.headers.location]).toEqual([201, `${origin}${path}/de`]);
    expect(made.body).toMatchObject({ name: 'Thema', description: null, locale: 'de' });
    expect((await entries(path)).map((entry: { locale: string }) => entry.locale)).toEqual(['de', 'en_us']);
    for (const spelling of ['en-US', 'en_us', 'EN_US'])
      expect((await ask('GET', `${path}/${spelling}`)).body).toMatchObject({ name: 'Topic', locale: 'en_us' });
    now.at += 5_000;
    const same = await ask('PATCH', `${path}/de`, { body: { locale: 'DE', name: 'Thema' } });
    expect(same.text).toBe(made.text);
    const moved = await ask('PATCH', `${path}/de`, { body: { locale: 'JA', description: 'x' } });
    expect(moved.body).toMatchObject({
      locale: 'ja',
      name: 'Thema',
      description: 'x',
      created_at: made.body.created_at,
    });
    expect(moved.body.updated_at).not.toBe(made.body.updated_at);
    expect((await ask('GET', `${path}/de`)).status).toBe(404);
    expect((await ask('DELETE', `${path}/ja`)).status).toBe(204);
    expect(await entries(path)).toHaveLength(1);
    expect((await ask('GET', `${TOPICS}/${id}`)).body.updated_at).toBe((await entries(path))[0].updated_at);
  });

  it('report all their faults together', async () => {
    const { id } = await create({ name: 'Topic' });
    const path = `${TOPICS}/${id}/translations`;
    expect(await errorsOf('POST', path, {})).toEqual([422, { name: ['blank'], locale: ['blank'] }]);
    expect(await errorsOf('POST', path, { name: null, locale: null })).toEqual([
      422,
      { name: ['blank'], locale: ['blank'] },
    ]);
    for (const locale of ['fr', 'english language', 5])
      expect(await errorsOf('POST', path, { name: 'x', locale })).toEqual([422, { locale: ['invalid'] }]);
    expect(await errorsOf('POST', path, { name: 'x', locale: 'EN-us', description: 1 })).toEqual([
      422,
      { description: ['invalid'], locale: ['taken'] },
    ]);
    await ask('POST', path, { body: { name: 'x', locale: 'de' } });
    expect(await errorsOf('PATCH', `${path}/de`, { locale: 'en_us', name: '' })).toEqual([
      422,
      { name: ['blank'], locale: ['taken'] },
    ]);
    expect(await errorsOf('PATCH', `${path}/en_us`, { locale: 'ja' })).toEqual([422, { locale: ['invalid'] }]);
    expect((await ask('PATCH', `${path}/en_us`, { body: { locale: 'en-US' } })).status).toBe(200);
    expect(await errorsOf('DELETE', `${path}/en_us`, undefined)).toEqual([422, { locale: ['invalid'] }]);
    expect((await ask('GET', `${path}/fr`)).status).toBe(404);
  });

  it('in the default locale are one with the topic', async () => {
    const { id } = await create({ name: 'One' });
    const own = `${TOPICS}/${id}/translations/en_us`;
    now.at += 5_000;
    const patched = await ask('PATCH', own, { body: { name: 'Two', description: 'words' } });
    const topic = (await ask('GET', `${TOPICS}/${id}`)).body;
    expect(topic).toMatchObject({ name: 'Two', description: 'words', updated_at: patched.body.updated_at });
    now.at += 5_000;
    await ask('PATCH', `${TOPICS}/${id}`, { body: { allow_questions: false } });
    expect((await ask('GET', own)).body.updated_at).toBe(patched.body.updated_at);
    await ask('PATCH', `${TOPICS}/${id}`, { body: { name: 'Three' } });
    expect((await ask('GET', own)).body).toMatchObject({ name: 'Three', description: 'words' });
  });
});
