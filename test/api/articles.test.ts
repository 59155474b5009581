import { groups } from '../../lib/routes.ts';
import { writeReferences } from '../support/generators/reference.ts';
import { seedArticles, seedBrands } from '../support/service/seed.ts';
import { itInProcess, type Sent, startService } from '../support/service/service.ts';

/** Articles as programs of the original service read and write them. */

const { ask, table, site, now, origin } = await startService(groups.topics, {
  roles: ['Administrator', 'Agent'],
  site: { locales: ['en_us', 'de', 'ja'] },
});
const ARTICLES = '/api/v2/articles';
const topics: number[] = [];
const link = (topic: number | undefined) => ({ topic: { href: `/api/v2/topics/${topic}` } });
const post = (body: object, path = ARTICLES, sent: Sent = {}) => ask('POST', path, { ...sent, body });
const create = async (body: object) => (await post({ _links: link(topics[0]), ...body })).body;
const patch = (id: number, body: object) => ask('PATCH', `${ARTICLES}/${id}`, { body });
const show = async (id: number) => (await ask('GET', `${ARTICLES}/${id}`)).body;
const list = async (query: string, path = ARTICLES) =>
  (await ask('GET', `${path}?per_page=1000&${query}`)).body._embedded.entries;
const ids = async (query: string, path?: string) => (await list(query, path)).map(({ id }: { id: number }) => id);

const CHANNELS = ['email', 'chat', 'web_callback', 'twitter', 'qna', 'phone', 'facebook'];
const CHANNEL_FIELDS = CHANNELS.flatMap((channel) => [`body_${channel}`, `body_${channel}_auto`]);

beforeAll(async () => {
  await seedBrands(table, site.name, [{ id: 5 }, { id: 6 }]);
  await writeReferences(table, site.name, 'agent', [
    { id: 7, name: 'Ann', login: 'administrator@test.example', deleted: false, updated_at: 0 },
  ]);
  for (const [name, in_support_center] of [
    ['Public', true],
    ['Internal', false],
  ])
    topics.push((await post({ name, in_support_center }, '/api/v2/topics')).body.id);
});

describe('an article', () => {
  it('is created with a subject and a topic, and has every field and link in the order of the original', async () => {
    now.at = Date.parse('2026-03-01T12:00:00.250Z');
    const reply = await post({ subject: 'Héllo World!', body: '<p>Hi &amp; bye</p>', _links: link(topics[0]) });
    expect(reply.status).toBe(201);
    expect(reply.headers.location).toBe(`${origin}${reply.body._links.self.href}`);
    const { id } = reply.body;
    expect(Object.keys(reply.body)).toEqual([
      ...['id', 'locale', 'subject', 'body', ...CHANNEL_FIELDS],
      ...['rating', 'rating_count', 'rating_score', 'keywords', 'position', 'quickcode', 'publish_at'],
      ...['updated_at', 'created_at', 'in_support_center', 'internal_notes', 'public_url', 'body_text', '_links'],
    ]);
    const self = `/api/v2/articles/${id}`;
    expect(reply.body).toMatchObject({
      ...{
        locale: 'en_us',
        subject: 'Héllo World!',
        body: '<p>Hi &amp; bye</p>',
        body_web_callback: '<p>Hi &amp; bye</p>',
      },
      ...{ body_email: 'Hi & bye', body_chat: 'Hi & bye', body_twitter: 'Hi & bye', body_qna: 'Hi & bye' },
      ...{ body_email_auto: true, body_facebook_auto: true, body_text: 'Hi & bye' },
      ...{
        rating: 0,
        rating_count: 0,
        rating_score: 0,
        keywords: null,
        position: 1,
        quickcode: null,
        publish_at: null,
      },
      ...{ updated_at: '2026-03-01T12:00:00Z', created_at: '2026-03-01T12:00:00Z' },
      ...{ in_support_center: null, internal_notes: null },
      public_url: `${origin}/customer/portal/articles/${id}-hello-world-`,
    });
    expect(Object.entries(reply.body._links)).toEqual([
      ['self', { href: self, class: 'article' }],
      ['topic', { href: `/api/v2/topics/${topics[0]}`, class: 'topic' }],
      ['translations', { href: `${self}/translations`, class: 'article_translation' }],
      ['attachments', { href: `${self}/attachments`, class: 'attachment', count: 0 }],
      ['created_by', { href: '/api/v2/users/7', class: 'user' }],
      ['updated_by', { href: '/api/v2/users/7', class: 'user' }],
      ['topics', [{ href: `/api/v2/topics/${topics[0]}`, class: 'topic' }]],
      ['brands', []],
    ]);
    expect(await show(id)).toEqual(reply.body);
    expect((await ask('GET', `${self}/attachments`)).body).toMatchObject({ total_entries: 0 });
    expect((await post({}, `${self}/attachments`)).status).toBe(405);
    await ask('DELETE', self);
  });

  it.each([
    [{}, { subject: ['blank'], _links: { topic: ['blank'] } }],
    [{ subject: 'x', body: 'Testing' }, { _links: { topic: ['blank'] } }],
    [{ subject: 'x', _links: { topic: null } }, { _links: { topic: ['blank'] } }],
    [{ subject: 'x', _links: link(99_999) }, { _links: { topic: ['not_found'] } }],
    [{ subject: 'x', _links: { topic: { href: '/api/v2/brands/1' } } }, { _links: { topic: ['invalid'] } }],
    [
      { subject: 'x', _links: { topic: { href: 'https://other.example/api/v2/topics/1' } } },
      { _links: { topic: ['invalid'] } },
    ],
    [{ subject: 'x', topic_ids: [] }, { topic_ids: ['blank'] }],
    [
      { subject: 'x', topic_ids: Array.from({ length: 101 }, (_, n) => n + 1) },
      { topic_ids: ['too_long', 'not_found'] },
    ],
    [
      { subject: 'x'.repeat(256), topic_ids: [1], body: 5 },
      { subject: ['too_long'], body: ['invalid'] },
    ],
    [{ subject: 'x', body: 'x'.repeat(262_145), topic_ids: [1] }, { body: ['too_long'] }],
    [{ subject: 'x', body_chat: 'x'.repeat(65_537), topic_ids: [1] }, { body_chat: ['too_long'] }],
    [
      { subject: 'x', keywords: 'x'.repeat(1001), quickcode: 'x'.repeat(256), topic_ids: [1] },
      { keywords: ['too_long'], quickcode: ['too_long'] },
    ],
    [
      { subject: 'x', position: 0, in_support_center: 'yes', topic_ids: [1] },
      { position: ['invalid'], in_support_center: ['invalid'] },
    ],
    [
      { subject: 'x', publish_at: '2026-03-01', created_at: '2036-01-01T00:00:00Z', topic_ids: [1] },
      { publish_at: ['invalid'], created_at: ['invalid'] },
    ],
    [{ subject: 'x', topic_ids: [1], brand_ids: [99] }, { brand_ids: ['not_found'] }],
    [
      {
        subject: 'x',
        topic_ids: [1],
        internal_notes: 'n'.repeat(65_536),
        ...Object.fromEntries(CHANNELS.slice(0, 4).map((name) => [`body_${name}`, 'c'.repeat(65_536)])),
      },
      { base: ['too_long'] },
    ],
  ])('is refused, and nothing is created: %#', async (body, errors) => {
    const before = await ids('');
    const reply = await post(body);
    expect([reply.status, reply.body.errors]).toEqual([422, errors]);
    expect(await ids('')).toEqual(before);
  });

  it('takes its topic by a URL of this host, with the stage and without, or by the path it is posted to', async () => {
    const host = new URL(origin).host;
    for (const href of [`${origin}/api/v2/topics/${topics[1]}`, `https://${host}/api/v2/topics/${topics[1]}/`])
      expect((await create({ subject: 'Linked', _links: { topic: { href } } }))._links.topic.href).toBe(
        `/api/v2/topics/${topics[1]}`,
      );
    const { status, body } = await post({ subject: 'Posted' }, `/api/v2/topics/${topics[1]}/articles`);
    expect([status, body._links.topic.href, body.position]).toEqual([201, `/api/v2/topics/${topics[1]}`, 3]);
    expect((await post({ subject: 'x' }, '/api/v2/topics/99999/articles')).status).toBe(404);
    for (const { id } of await list(`topic_ids=${topics[1]}`)) await ask('DELETE', `${ARTICLES}/${id}`);
  });

  it('names the fields that it does not take', async () => {
    const reply = await post({ subject: 'x', topic_ids: [topics[0]], rating: 5, body_text: 'x', id: 3, locale: 'de' });
    expect(reply.headers['x-ignored-fields']).toBe('rating, body_text, id, locale');
    const changed = await patch(reply.body.id, { created_at: '2001-01-01T00:00:00Z' });
    expect(changed.headers['x-ignored-fields']).toBe('created_at');
    await ask('DELETE', `${ARTICLES}/${reply.body.id}`);
  });

  it('keeps the topics behind the first one when its link is replaced', async () => {
    const { id } = await create({ subject: 'Moving', topic_ids: [topics[1], topics[0]], _links: undefined });
    const hrefs = async () =>
      (await show(id))._links.topics.map(({ href }: { href: string }) => Number(href.split('/').at(-1)));
    expect(await hrefs()).toEqual([topics[1], topics[0]]);
    await patch(id, { _links: link(topics[0]) });
    expect(await hrefs()).toEqual([topics[0]]);
    await patch(id, { topic_ids: [topics[1]], _links: link(topics[0]) });
    expect(await hrefs()).toEqual([topics[0], topics[1]]);
    await ask('DELETE', `${ARTICLES}/${id}`);
  });

  it('keeps its times and its tag when a PATCH changes nothing, and refuses another tag', async () => {
    const made = await create({ subject: 'Same', body: 'x', body_email: 'own', internal_notes: 'n' });
    now.at += 60_000;
    const same = await patch(made.id, {
      subject: 'Same',
      body: 'x',
      body_email: 'own',
      internal_notes: 'n',
      keywords: null,
    });
    expect(same.body).toEqual(made);
    const headers = { 'If-Match': same.headers.etag ?? '' };
    const changed = await ask('PATCH', `${ARTICLES}/${made.id}`, { body: { keywords: 'k' }, headers });
    expect(changed.body).toMatchObject({ keywords: 'k', body_email: 'own' });
    expect(changed.body.updated_at > made.updated_at).toBe(true);
    expect((await ask('PATCH', `${ARTICLES}/${made.id}`, { body: { keywords: 'l' }, headers })).status).toBe(412);
    expect((await ask('DELETE', `${ARTICLES}/${made.id}`, { headers })).status).toBe(412);
    expect((await ask('DELETE', `${ARTICLES}/${made.id}`)).status).toBe(204);
    expect((await ask('GET', `${ARTICLES}/${made.id}`)).status).toBe(404);
  });

  it('is created once by a repeated request, with an id that was never used', async () => {
    const headers = { 'Idempotency-Key': 'articles-1' };
    const body = { subject: 'Once', topic_ids: [topics[0]] };
    const first = await post(body, ARTICLES, { headers });
    const second = await post(body, ARTICLES, { headers });
    expect(second.body).toEqual(first.body);
    expect(second.headers['idempotent-replayed']).toBe('true');
    await ask('DELETE', `${ARTICLES}/${first.body.id}`);
    expect((await create({ subject: 'Next' })).id).toBe(first.body.id + 1);
    await ask('DELETE', `${ARTICLES}/${first.body.id + 1}`);
  });

  it('is written by R-write and read by all', async () => {
    expect((await post({}, ARTICLES, { as: 'Agent' })).status).toBe(403);
    expect((await ask('GET', ARTICLES, { as: 'Agent' })).status).toBe(200);
  });

  it('is counted by its topic and brand at once, and stays without the link of a topic that is deleted', async () => {
    const topic = (await post({ name: 'Short' }, '/api/v2/topics')).body;
    const { id } = await create({ subject: 'Counted', topic_ids: [topic.id], brand_ids: [6], _links: undefined });
    expect((await ask('GET', topic._links.self.href)).body._links.articles.count).toBe(1);
    expect((await ask('GET', '/api/v2/brands/6')).body._links.articles.count).toBe(1);
    const counted = async () =>
      (await ask('GET', '/api/v2/topics?article_search[text]=counted')).body._embedded.entries.at(-1)._links.articles
        .count;
    expect(await counted()).toBe(1);
    await patch(id, { subject: 'Other', brand_ids: [], brand_action: 'replace' });
    expect(await counted()).toBe(0);
    expect((await ask('GET', '/api/v2/brands/6')).body._links.articles.count).toBe(0);
    await ask('DELETE', topic._links.self.href);
    expect((await show(id))._links).toMatchObject({ topic: null, topics: [] });
    await ask('DELETE', `${ARTICLES}/${id}`);
  });
});

describe('texts for channels', () => {
  it('come from the body unless an own one is given, and again when that is dropped', async () => {
    const { id } = await create({ subject: 'Channels', body: '<p>One <a href="http://x.example">two</a></p>' });
    expect((await patch(id, { body_chat: 'own' })).body).toMatchObject({ body_chat: 'own', body_chat_auto: false });
    expect((await patch(id, { body: 'New' })).body).toMatchObject({ body_chat: 'own', body_email: 'New' });
    expect((await patch(id, { body_email_auto: false })).body).toMatchObject({
      body_email: 'New',
      body_email_auto: false,
    });
    expect((await patch(id, { body: 'Newer' })).body).toMatchObject({ body_email: 'New', body_phone: 'Newer' });
    expect((await patch(id, { body_email_auto: true, body_email: 'lost' })).body).toMatchObject({
      body_email: 'Newer',
    });
    expect((await patch(id, { body_chat: null })).body).toMatchObject({ body_chat: 'Newer', body_chat_auto: true });
    expect((await patch(id, { body: null })).body).toMatchObject({ body: null, body_chat: null, body_text: null });
    await ask('DELETE', `${ARTICLES}/${id}`);
  });

  it('name the article where readers find it, after a text that is cut', async () => {
    const made = await create({ subject: 'Shown', body: 'x'.repeat(254), in_support_center: true });
    expect(made.body_chat).toBe(`${'x'.repeat(250)}... ${made.public_url}`);
    expect(made.body_twitter).toBe(`${'x'.repeat(113)}... ${made.public_url}`);
    expect((await patch(made.id, { body: 'x'.repeat(116) })).body.body_twitter).toBe(
      `${'x'.repeat(116)} ${made.public_url}`,
    );
    expect((await patch(made.id, { body: '' })).body.body_chat).toBe('');
    await ask('DELETE', `${ARTICLES}/${made.id}`);
  });
});

describe('what readers see', () => {
  // Its clock is set, which only a service in this process lets.
  itInProcess('is what is in the support center, published and not in the future', async () => {
    now.at = Date.parse('2026-04-01T00:00:00Z');
    const shown = await create({ subject: 'Shown', in_support_center: true });
    const later = await create({ subject: 'Later', in_support_center: true, publish_at: '2026-04-02T02:00:00+02:00' });
    const draft = await create({ subject: 'Draft', in_support_center: true, publish_at: null });
    const hidden = await create({ subject: 'Hidden', in_support_center: false });
    const unset = await create({ subject: 'Unset' });
    expect([shown, later, draft, hidden, unset].map(({ publish_at }) => publish_at)).toEqual([
      ...['2026-04-01T00:00:00Z', '2026-04-02T00:00:00Z', null, null, null],
    ]);
    const path = `${ARTICLES}?in_support_center=TRUE`;
    const first = await ask('GET', path);
    expect(first.body._embedded.entries.map(({ id }: { id: number }) => id)).toEqual([shown.id]);
    expect(await ids('in_support_center=false')).toEqual([later.id, draft.id, hidden.id, unset.id]);
    const headers = { 'If-None-Match': first.headers.etag ?? '' };
    expect((await ask('GET', path, { headers })).status).toBe(304);
    now.at = Date.parse('2026-04-02T00:00:00Z');
    const second = await ask('GET', path, { headers });
    expect(second.body._embedded.entries.map(({ id }: { id: number }) => id)).toEqual([shown.id, later.id]);
    expect((await patch(draft.id, { in_support_center: true })).body.publish_at).toBeNull();
    expect((await patch(unset.id, { in_support_center: true })).body.publish_at).toBe('2026-04-02T00:00:00Z');
    expect((await ask('GET', `${ARTICLES}?in_support_center=1`)).body.errors).toEqual({
      in_support_center: ['invalid'],
    });
    for (const { id } of [shown, later, draft, hidden, unset]) await ask('DELETE', `${ARTICLES}/${id}`);
  });

  it('is of old imports what their topics tell, until the article is told itself', async () => {
    await seedArticles(table, site.name, [
      { id: 501, subject: 'In both', topics: [topics[1] ?? 0, topics[0] ?? 0] },
      { id: 502, subject: 'In one', topics: [topics[1] ?? 0] },
    ]);
    expect(await ids('in_support_center=true')).toEqual([501]);
    expect((await show(501)).in_support_center).toBe(true);
    expect((await patch(501, { keywords: 'k' })).body.in_support_center).toBe(true);
    await ask('PATCH', `/api/v2/topics/${topics[0]}`, { body: { in_support_center: false } });
    expect((await show(501)).in_support_center).toBe(false);
    expect((await patch(502, { in_support_center: true })).body.in_support_center).toBe(true);
    expect(await ids('in_support_center=true')).toEqual([502]);
    await ask('PATCH', `/api/v2/topics/${topics[0]}`, { body: { in_support_center: true } });
    for (const id of [501, 502]) await ask('DELETE', `${ARTICLES}/${id}`);
  });
});

describe('lists of articles', () => {
  const all: number[] = [];

  beforeAll(async () => {
    now.at = Date.parse('2026-05-01T00:00:00Z');
    await seedArticles(
      table,
      site.name,
      [1, 2, 10, 11].map((n) => ({ id: 600 + n, subject: `Seed ${n}`, body: `<b>Pay</b><i>ment ${n}</i> here` })),
    );
    for (const fields of [
      { subject: 'beta', keywords: 'tea', brand_ids: [5], created_at: '2026-01-02T00:00:00Z' },
      { subject: 'Alpha tea', topic_ids: [topics[1]], _links: undefined, created_at: '2026-01-03T00:00:00Z' },
      { subject: 'gamma', body: 'tea <em>time</em>', position: 1, created_at: '2026-01-01T00:00:00Z' },
    ])
      all.push((await create(fields)).id);
  });

  itInProcess('go by the number of ids, and by each field that can be asked for, equal ones by id', async () => {
    const [beta = 0, alpha = 0, gamma = 0] = all;
    const seeds = [601, 602, 610, 611];
    expect(await ids('')).toEqual([...seeds, beta, alpha, gamma]);
    expect(await ids('sort_direction=DESC')).toEqual([gamma, alpha, beta, ...seeds.toReversed()]);
    expect(await ids('sort_field=subject')).toEqual([alpha, beta, gamma, 601, 610, 611, 602]);
    expect(await ids('sort_field=created_at')).toEqual([gamma, beta, alpha, ...seeds]);
    expect(await ids('sort_field=created_at&sort_direction=desc')).toEqual([alpha, beta, gamma, ...seeds]);
    expect(await ids('sort_field=views&sort_direction=desc')).toEqual([...seeds, beta, alpha, gamma]);
    expect(await ids('', `/api/v2/topics/${topics[0]}/articles`)).toEqual([beta, gamma]);
    expect((await ask('GET', `${ARTICLES}?sort_field=name&sort_direction=up`)).body.errors).toEqual({
      ...{ sort_field: ['invalid'], sort_direction: ['invalid'] },
    });
  });

  it('are searched by words of subject, body and keywords, those first that have them in the subject', async () => {
    const [beta = 0, alpha = 0, gamma = 0] = all;
    for (const name of ['text', 'q']) {
      expect(await ids(`${name}=TEA`, `${ARTICLES}/search`)).toEqual([alpha, beta, gamma]);
      expect(await ids(`${name}=payment%2010`)).toEqual([610]);
      expect(await ids(`${name}=`, `${ARTICLES}/search`)).toHaveLength(7);
    }
    expect(await ids('q=tea&sort_field=id&sort_direction=desc')).toEqual([gamma, alpha, beta]);
    expect(await ids('q=tea&sort_direction=asc')).toEqual([beta, gamma, alpha]);
  });

  it('are of any of the topics and brands that are named, however they are named', async () => {
    const [beta = 0, alpha = 0, gamma = 0] = all;
    const [first = 0, second = 0] = topics;
    for (const named of [
      `topic_ids=${first},${second}`,
      `topic_ids=${first}&topic_ids=${second}`,
      `topic_ids[]=${first}&topic_ids[]=${second}`,
      `topic_ids%5B0%5D=${first}&topic_ids%5B1%5D=${second}`,
    ])
      expect(await ids(named)).toEqual([beta, alpha, gamma]);
    expect(await ids(`topic_ids=${second},99999`)).toEqual([alpha]);
    expect(await ids('topic_ids=99999')).toEqual([]);
    expect(await ids('brand_ids=5')).toEqual([beta]);
    expect(await ids('', '/api/v2/brands/5/articles')).toEqual([beta]);
    expect((await ask('GET', `${ARTICLES}?topic_ids=x&brand_ids=`)).body.errors).toEqual({
      ...{ topic_ids: ['invalid'], brand_ids: ['invalid'] },
    });
    const page = await ask('GET', `${ARTICLES}?topic_ids[]=${first}&topic_ids[]=${second}&per_page=1`);
    expect(page.body._links.next.href).toBe(`${ARTICLES}?page=2&per_page=1&topic_ids=${first}%2C${second}`);
  });

  it('are of one language where one is asked for', async () => {
    const [beta = 0] = all;
    const body = { locale: 'DE', subject: 'Rechnung', body: '<p>Bezahlen</p>' };
    await post(body, `${ARTICLES}/${beta}/translations`);
    const german = { id: beta, locale: 'de', subject: 'Rechnung', body: '<p>Bezahlen</p>', body_text: 'Bezahlen' };
    for (const headers of [{ 'Accept-Language': 'de-AT, fr;q=0.5' }, {}]) {
      const named = 'Accept-Language' in headers ? '' : '?locale=de';
      const reply = await ask('GET', `${ARTICLES}${named}`, { headers });
      expect(reply.body._embedded.entries).toEqual([expect.objectContaining(german)]);
      expect(reply.headers['content-language']).toBe('de');
    }
    expect(await ids('locale=de&q=bezahl')).toEqual([beta]);
    expect(await ids('q=bezahl')).toEqual([]);
    expect(await ids('locale=ja')).toEqual([]);
    expect(await ids('locale=fr')).toEqual([]);
    expect(await ids('locale=%20x%20y')).toEqual([]);
    expect(await ids('locale=*')).toHaveLength(7);
    expect(await ids('locale=en-US')).toHaveLength(7);
    const topic = (await ask('GET', '/api/v2/topics')).body._embedded.entries[0];
    expect(topic._links.articles.count).toBe(2);
  });

  it('are told apart by their tags: by what was written, the query, the language and the origin', async () => {
    const headers = { 'If-None-Match': (await ask('GET', ARTICLES)).headers.etag ?? '' };
    expect((await ask('GET', ARTICLES, { headers })).status).toBe(304);
    expect((await ask('GET', `${ARTICLES}?q=tea`, { headers })).status).toBe(200);
    await ask('PATCH', `${ARTICLES}/${all[0]}/translations/de`, { body: { subject: 'Neu' } });
    expect((await ask('GET', ARTICLES, { headers })).status).toBe(200);
  });

  it('fit a reply, however many large texts a page asks for', async () => {
    await seedArticles(
      table,
      site.name,
      Array.from({ length: 60 }, (_, n) => ({ id: 700 + n, subject: 'Large', body: 'large '.repeat(10_000) })),
    );
    const walked: number[] = [];
    let next: string | undefined = `${ARTICLES}/search?q=large&per_page=1000`;
    while (next !== undefined) {
      const page = await ask('GET', next);
      walked.push(...page.body._embedded.entries.map(({ id }: { id: number }) => id));
      next = page.body._links.next?.href;
    }
    expect(walked).toEqual(Array.from({ length: 60 }, (_, n) => 700 + n));
  });
});
