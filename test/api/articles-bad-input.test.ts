import { groups } from '../../lib/routes.ts';
import { importRecords } from '../support/service/import.ts';
import { itByItsClock, type Received, startService } from '../support/service/service.ts';
import { setSite } from '../support/service/stored-access.ts';

/** Articles that are written by many at once, in many topics, with too much, or older than what is there. */

const { ask, table, site, now } = await startService(groups.topics, {
  roles: ['Administrator', 'Agent'],
  site: { locales: ['en_us', 'de'] },
});
const API = '/api/v2';
const state = { topic: 0 };
const post = (path: string, body: object) => ask('POST', `${API}/${path}`, { body });
const get = async (path: string) => (await ask('GET', `${API}/${path}`)).body;
const newTopic = async (name: string): Promise<number> => (await post('topics', { name })).body.id;
const newArticle = (body: object = {}) =>
  post('articles', { subject: 'An article', topic_ids: [state.topic], ...body });
const idOf = ({ body }: Received): number => body.id;

beforeAll(async () => {
  now.at = Date.parse('2026-03-01T12:00:00Z');
  state.topic = await newTopic('A topic');
});

describe('an article in a hundred topics', () => {
  it('is in each of them, in their order, and in no more', async () => {
    const topics: number[] = [];
    for (let n = 0; n < 101; n += 1) topics.push(await newTopic(`Topic ${n}`));
    const hundred = topics.slice(0, 100).reverse();
    const made = await newArticle({ topic_ids: hundred });
    expect(made.status).toBe(201);
    const linked = made.body._links.topics.map(({ href }: { href: string }) => Number(href.split('/').at(-1)));
    expect(linked).toEqual(hundred);
    for (const topic of [topics[0], topics[50], topics[99]])
      expect((await get(`topics/${topic}/articles`)).total_entries).toBe(1);
    const path = `articles/${idOf(made)}`;
    const one = { _links: { topic: { href: `${API}/topics/${topics[100]}` } } };
    const moved = await ask('PATCH', `${API}/${path}`, { body: one }); // in place of the first
    expect(moved.body._links.topics).toHaveLength(100);
    const { body } = await ask('PATCH', `${API}/${path}`, { body: { topic_ids: topics } });
    expect(body.errors).toEqual({ topic_ids: ['too_long'] });
    for (const topic of topics) await ask('DELETE', `${API}/topics/${topic}`);
    expect((await get(path))._links).toMatchObject({ topic: null, topics: [] });
  });
});

describe('a topic that is deleted while its article is written', () => {
  it('leaves an article without the link, or none; never a link that leads nowhere', async () => {
    for (let round = 0; round < 10; round += 1) {
      const topic = await newTopic(`Round ${round}`);
      const kept = idOf(await newArticle({ topic_ids: [topic] }));
      const [made, changed, gone] = await Promise.all([
        newArticle({ topic_ids: [topic] }),
        ask('PATCH', `${API}/articles/${kept}`, { body: { subject: `Changed ${round}` } }),
        ask('DELETE', `${API}/topics/${topic}`),
      ]);
      expect([changed.status, gone.status]).toEqual([200, 204]);
      expect((await get(`articles/${kept}`))._links.topic).toBeNull();
      if (made.status === 201) expect((await get(`articles/${idOf(made)}`))._links.topic).toBeNull();
      else expect([made.status, made.body.errors]).toEqual([422, { topic_ids: ['not_found'] }]);
    }
  });
});

describe('two people who edit one translation', () => {
  it('and say what they saw: the second is told, and nothing of the first is lost', async () => {
    const path = `${API}/articles/${idOf(await newArticle())}/translations`;
    const made = await ask('POST', path, { body: { locale: 'de', subject: 'Eins', body: 'Alt' } });
    const headers = { 'If-Match': made.headers.etag ?? '' };
    const writes = await Promise.all(
      ['Zwei', 'Drei'].map((subject) => ask('PATCH', `${path}/de`, { body: { subject }, headers })),
    );
    expect(writes.map(({ status }) => status).sort()).toEqual([200, 412]);
    const won = writes.find(({ status }) => status === 200)?.body;
    expect((await ask('GET', `${path}/de`)).body).toEqual(won);
    const created = await Promise.all(['x', 'y'].map((subject) => newTranslation(path, subject)));
    expect(created.map(({ status }) => status)).toEqual([422, 422]);
  });

  it('and make it: one does, the other is told that it is taken', async () => {
    const path = `${API}/articles/${idOf(await newArticle())}/translations`;
    const made = await Promise.all(['x', 'y'].map((subject) => newTranslation(path, subject)));
    expect(made.map(({ status }) => status).sort()).toEqual([201, 422]);
    expect(made.find(({ status }) => status === 422)?.body.errors).toEqual({ locale: ['taken'] });
  });

  const newTranslation = (path: string, subject: string) => ask('POST', path, { body: { locale: 'de', subject } });
});

describe('an import', () => {
  itByItsClock('that is older than an edit changes nothing of it, nor brings back what was deleted', async () => {
    const article = (more: object) => ({ type: 'article', id: 9001, topics: [state.topic], ...more });
    const old = '2026-02-01T00:00:00Z';
    await importRecords(table, site, [
      article({ subject: 'Imported', body: 'First', updated_at: '2026-01-01T00:00:00Z' }),
    ]);
    const edited = await ask('PATCH', `${API}/articles/9001`, { body: { subject: 'Edited', body: 'Second' } });
    expect(edited.body.updated_at).toBe('2026-03-01T12:00:00Z');
    const translation = { type: 'article_translation', article: 9001, locale: 'de', subject: 'Alt', updated_at: old };
    await post('articles/9001/translations', { locale: 'de', subject: 'Neu' });
    await importRecords(table, site, [article({ subject: 'Older', body: 'Third', updated_at: old }), translation]);
    expect(await get('articles/9001')).toMatchObject({ subject: 'Edited', body: 'Second' });
    expect((await get('articles/9001/translations/de')).subject).toBe('Neu');
    await ask('DELETE', `${API}/articles/9001`);
    await importRecords(table, site, [article({ subject: 'Older', updated_at: old })]);
    expect((await ask('GET', `${API}/articles/9001`)).status).toBe(404);
    const newer = { deleted: false, updated_at: '2026-03-02T00:00:00Z' };
    await importRecords(table, site, [article({ subject: 'Back', ...newer })]);
    expect((await get('articles/9001')).subject).toBe('Back');
  });
});

describe('a body of more than 262,144 bytes', () => {
  it.each([
    ['of one byte each', 'x'.repeat(262_144), 'x'.repeat(262_145)],
    ['of two bytes each', 'é'.repeat(131_072), 'é'.repeat(131_073)],
    ['of four bytes each', '𝄞'.repeat(65_536), `${'𝄞'.repeat(65_536)}x`],
  ])('%s is refused wherever it is sent, and the largest that fits is not', async (_, fits, over) => {
    const made = await newArticle({ body: fits });
    expect([made.status, made.body.body.length]).toEqual([201, fits.length]);
    const path = made.body._links.self.href;
    for (const [method, target] of [
      ['POST', `${API}/articles`],
      ['PATCH', path],
      ['POST', `${path}/translations`],
    ] as const) {
      const body = { subject: 'x', locale: 'de', topic_ids: [state.topic], body: over };
      const reply = await ask(method, target, { body });
      expect([reply.status, reply.body.errors]).toEqual([422, { body: ['too_long'] }]);
    }
    expect((await ask('GET', path)).body).toEqual(made.body);
  });
});

describe('the public URL', () => {
  it.each([
    ['Crème brûlée – à la carte', 'creme-brulee-a-la-carte'],
    ['  What?!  ', '-what-'],
    ['日本語', '-'],
    ['ÆØÅ ß', '-a-'],
    ['../../<script>', '-script-'],
  ])('of %j ends with %j', async (subject, slug) => {
    const { body } = await newArticle({ subject });
    expect(new URL(body.public_url).pathname).toMatch(/\/customer\/portal\/articles\//);
    expect(body.public_url.split(`/${body.id}-`)[1]).toBe(slug);
  });

  it('begins with the portal of the site, as do the texts that name it, and lists have other tags then', async () => {
    const made = await newArticle({ subject: 'Portal', body: 'x', in_support_center: true });
    const self = made.body._links.self.href;
    const list = await ask('GET', `${API}/articles`);
    const portal = { ...site, portalUrl: 'https://help.example.com' };
    await setSite(table, site, portal);
    const shown = (await ask('GET', self)).body;
    expect(shown.public_url).toBe(`https://help.example.com/customer/portal/articles/${shown.id}-portal`);
    expect(shown.body_chat).toBe(`x ${shown.public_url}`);
    const headers = { 'If-None-Match': list.headers.etag ?? '' };
    expect((await ask('GET', `${API}/articles`, { headers })).status).toBe(200);
    await setSite(table, portal, site);
  });
});
