import { groups } from '../../lib/routes.ts';
import { writeReferences } from '../support/generators/reference.ts';
import { seedBrands } from '../support/service/seed.ts';
import { type Received, startService } from '../support/service/service.ts';

/**
 * What programs send that were written for the original service, and what they read of the answers. Those that a registry has
 * run themselves in `npm run test:clients`; docs/interface.md has the table of all.
 */

const { ask, table, site, origin } = await startService([...groups.topics, ...groups.macros], {
  site: { locales: ['en_us', 'de', 'fr'] },
});
const API = '/api/v2';
const get = (path: string, headers: Record<string, string> = {}) => ask('GET', `${API}/${path}`, { headers });
const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  ask('POST', `${API}/${path}`, { body, headers });
const entries = ({ body }: Received) => body._embedded.entries;
const names = (reply: Received) => entries(reply).map(({ name }: { name: string }) => name);
const subjects = (reply: Received) => entries(reply).map(({ subject }: { subject: string }) => subject);
const OVERRIDE = { 'X-HTTP-Method-Override': 'PATCH' };
const made = { topic: 0, hidden: 0, article: 0 };

beforeAll(async () => {
  const usual = { deleted: false, updated_at: Date.parse('2026-01-01T00:00:00Z') };
  await seedBrands(table, site.name, [{ id: 5 }, { id: 6 }]);
  await writeReferences(table, site.name, 'group', [{ ...usual, id: 4, name: 'First line' }]);
  await writeReferences(table, site.name, 'agent', [
    { ...usual, id: 7, name: 'Ann', login: 'administrator@test.example', role: 'Administrator', groups: [4] },
    { ...usual, id: 8, name: 'Bob', groups: [4] },
  ]);
  made.topic = (await post('topics', { name: 'Bikes', in_support_center: true, brand_ids: [5] })).body.id;
  made.hidden = (await post('topics', { name: 'Secrets', in_support_center: false })).body.id;
  const links = { topic: { class: 'topic', href: `${API}/topics/${made.topic}` } };
  const texts = { subject: 'Tubes', body: '<p>Change a tube</p>', keywords: 'tyre, flat', quickcode: 'tube' };
  made.article = (await post('articles', { ...texts, in_support_center: true, brand_ids: [5], _links: links })).body.id;
  await post('articles', { subject: 'Chains', body: 'Oil it', _links: links });
  await post(`articles/${made.article}/translations`, { locale: 'de', subject: 'Schläuche', body: '<p>Wechseln</p>' });
});

describe('bradfeehan/desk-php and invit/desk-php', () => {
  it('create an article with every field, and follow its links by their patterns', async () => {
    const channels = ['email', 'chat', 'web_callback', 'twitter', 'qna', 'phone', 'facebook'];
    const sent = {
      ...{ subject: 'Whole', in_support_center: false, position: 9, quickcode: 'w', keywords: 'k', body: 'B' },
      ...{ publish_at: '2013-05-01T00:00:00Z', created_at: '2013-04-01T00:00:00Z', internal_notes: 'n' },
      ...Object.fromEntries(
        channels.flatMap((name) => [
          [`body_${name}`, `own ${name}`],
          [`body_${name}_auto`, false],
        ]),
      ),
    };
    const _links = { topic: { class: 'topic', href: `${API}/topics/${made.topic}` } };
    const reply = await post('articles', { ...sent, updated_at: '2013-04-01T00:00:00Z', _links });
    expect([reply.status, reply.body]).toEqual([201, expect.objectContaining(sent)]);
    expect(reply.body._links.self.href).toMatch(/\/articles\/[0-9]+$/);
    expect(reply.body._links.topic.href).toMatch(/\/topics\/[0-9]+$/);
    expect(reply.body._links.translations.href).toMatch(/\/articles\/[0-9]+\/translations$/);
    expect((await ask('DELETE', reply.body._links.self.href)).status).toBe(204);
  });

  it('search labels by lists with commas, and list the articles of a brand', async () => {
    for (const name of ['Late', 'Lost'])
      expect((await post('labels', { name, types: ['case', 'macro'] })).status).toBe(201);
    expect(names(await get('labels/search?names=Late,Lost&type=case,macro'))).toEqual(['Late', 'Lost']);
    expect(names(await get('labels/search?name=los'))).toEqual(['Lost']);
    const page = await get('brands/5/articles');
    expect(subjects(page)).toEqual(['Tubes']);
    expect(page.body._links.self.href).toMatch(/^\/api\/v2\/brands\/5\/articles\?/);
  });
});

describe('nupfel/WebService-Desk', () => {
  it('changes by POST with an override, and searches by text and topics', async () => {
    const changed = await post(`articles/${made.article}`, { quickcode: 'tubes' }, OVERRIDE);
    expect([changed.status, changed.body.quickcode]).toEqual([200, 'tubes']);
    const path = `articles/${made.article}/translations`;
    expect((await post(path, { locale: 'fr', subject: 'Tubes' })).body.locale).toBe('fr');
    expect((await post(`${path}/fr`, { subject: 'Chambres' }, OVERRIDE)).body.subject).toBe('Chambres');
    expect((await ask('DELETE', `${API}/${path}/fr`)).status).toBe(204);
    expect(subjects(await get(`articles/search?text=tubes&topic_ids=${made.topic}`))).toEqual(['Tubes']);
  });
});

describe('exports of articles', () => {
  it('isleshocky77/desk-com_to_zendesk walks pages by next, and finds each topic by its link', async () => {
    const found: string[] = [];
    let next: string | undefined = `${API}/articles?per_page=1`;
    while (next !== undefined) {
      const page: Received = await ask('GET', next);
      for (const { subject, keywords, internal_notes, _links } of entries(page)) {
        const [, topic] = /\/api\/v2\/topics\/(\d+)/.exec(_links.topic.href) ?? [];
        expect([Number(topic), internal_notes]).toEqual([made.topic, null]);
        found.push(`${subject}: ${keywords}`);
      }
      expect(page.body._links).toHaveProperty('next');
      next = page.body._links.next?.href;
    }
    expect(found).toEqual(['Tubes: tyre, flat', 'Chains: null']);
    const body = { internal_notes: 'This is what it is' };
    const patched = await ask('PATCH', `${API}/articles/${made.article}`, { body });
    expect(patched.body.internal_notes).toBe(body.internal_notes);
  });

  it('fbureau/deskdotcom_article_export writes what is in the support center, in all languages', async () => {
    const rows: unknown[] = [];
    for (const topic of entries(await get('topics'))) {
      if (!topic.in_support_center) continue;
      for (const article of entries(await ask('GET', topic._links.articles.href))) {
        if (!article.in_support_center) continue;
        const translations = await ask('GET', article._links.translations.href);
        for (const { locale, subject, body } of entries(translations))
          rows.push([/\d+$/.exec(article._links.self.href)?.[0], locale, subject, body, article.quickcode]);
      }
    }
    const id = String(made.article);
    expect(rows).toEqual([
      [id, 'de', 'Schläuche', '<p>Wechseln</p>', 'tubes'],
      [id, 'en_us', 'Tubes', '<p>Change a tube</p>', 'tubes'],
    ]);
  });

  it('happyfoxinc/helpstack shows only what has a boolean in_support_center of true', async () => {
    const topics = entries(await get('topics')).filter((topic: { in_support_center: unknown }) => {
      expect(typeof topic.in_support_center).toBe('boolean');
      return topic.in_support_center;
    });
    expect(topics.map(({ name }: { name: string }) => name)).toEqual(['Bikes']);
    const articles = entries(await ask('GET', topics[0]._links.articles.href));
    expect(articles.map((one: { in_support_center: unknown }) => Boolean(one.in_support_center))).toEqual([
      true,
      false,
    ]);
    expect(articles[0].body).toBe('<p>Change a tube</p>');
  });

  it('mru2/xliff-desk-extractor and connectors read pages of a hundred of everything', async () => {
    for (const path of ['articles', 'topics', 'groups', 'users', 'companies', 'brands', 'labels', 'custom_fields']) {
      const page = await get(`${path}?per_page=100&page=1`);
      expect([path, page.status, page.body._links.next]).toEqual([path, 200, null]);
      expect(page.body.total_entries).toBe(entries(page).length);
    }
  });

  it('rdio’s import changes a translation that is there already', async () => {
    const path = `topics/${made.topic}/articles`;
    const [article] = entries(await get(path));
    const translations = article._links.translations.href;
    const sent = { locale: 'de', subject: 'Fahrradschläuche', body: 'Wechseln' };
    expect((await ask('POST', translations, { body: sent })).status).toBe(422);
    expect((await ask('PATCH', `${translations}/de`, { body: sent })).body).toMatchObject(sent);
  });
});

describe('readers of the support center', () => {
  it('forcedotcom/DeskApiClient-Java searches without a text, sorted, in one language', async () => {
    const language = { 'Accept-Language': 'de' };
    const query = `page=1&per_page=50&topic_ids=${made.topic}&brand_ids=5&in_support_center=true`;
    const page = await get(`articles/search?${query}&sort_field=position&sort_direction=asc`, language);
    expect(subjects(page)).toEqual(['Fahrradschläuche']);
    for (const field of ['id', 'created_at', 'updated_at', 'subject', 'position', 'views', 'rating', 'score'])
      expect((await get(`articles/search?sort_field=${field}&sort_direction=DESC`)).status).toBe(200);
    const [article] = entries(page);
    for (const [name, kind] of Object.entries({ id: 'number', rating: 'number', in_support_center: 'boolean' }))
      expect(typeof article[name]).toBe(kind);
    expect(article.publish_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const topics = await get(`topics?in_support_center=true&brand_id=5&sort_field=position&sort_direction=asc`);
    expect(names(topics)).toEqual(['Bikes']);
    expect((await get(`topics/${made.topic}/articles?in_support_center=true`, language)).status).toBe(200);
  });

  it('forcedotcom/DeskMobileSDK-Android and -Java ask who they are, who is in a group, and what a user may apply', async () => {
    const me = (await get('users/current')).body;
    expect(me).toMatchObject({ id: 7, name: 'Ann', public_name: 'Ann', level: 'siteadmin', avatar: null });
    expect(names(await get('groups/4/users?per_page=100'))).toEqual(['Ann', 'Bob']);
    await post('macros', { name: 'Close' });
    expect(names(await get('users/7/macros?per_page=100&page=1'))).toEqual(['Close']);
    expect((await get('companies/enhancements_enabled')).body).toEqual({ enabled: false });
    await post('custom_fields', { name: 'size', type: 'ticket', data: { type: 'list', choices: ['S', 'M'] } });
    const [field] = entries(await get('custom_fields?per_page=100&page=1'));
    expect(field).toMatchObject({ type: 'ticket', active: true, data: { type: 'list', choices: ['S', 'M'] } });
  });

  it('forcedotcom/DeskApiClient-ObjC reads brands, asks again with a tag, and signs out', async () => {
    expect(names(await get('brands/5/topics'))).toEqual(['Bikes']);
    const first = await get('brands/5/articles');
    const again = await get('brands/5/articles', { 'If-None-Match': first.headers.etag ?? '' });
    expect([again.status, again.body]).toEqual([304, undefined]);
    expect((await get('users/me')).body).toEqual((await get('users/current')).body);
    expect((await ask('POST', `${API}/users/me/logout`)).status).toBe(204);
    expect((await get('users/me')).status).toBe(200);
    expect(subjects(await get(`articles/search?topic_ids[]=${made.topic}&text=tube`))).toEqual(['Tubes']);
  });

  it('binxiaoff/core (Unilend) shows the best match first, with its page', async () => {
    const page = await get('articles/search?text=tube&locale=de&sort_field=score&sort_direction=desc');
    expect(subjects(page)).toEqual([]);
    const [found] = entries(await get('articles/search?text=fahrrad&locale=de&sort_field=score'));
    expect([found.subject, found.public_url]).toEqual([
      ...['Fahrradschläuche', `${origin}/customer/portal/articles/${made.article}-tubes`],
    ]);
  });
});

describe('tools around labels, users and companies', () => {
  it('jukeboxhero/desk_api_wrapper and 47primes/deskapi make labels of every colour', async () => {
    const colours = ['default', 'blue', 'teal', 'green', 'yellow', 'orange', 'red', 'pink', 'purple', 'brown'];
    for (const color of [...colours, 'black', 'grey', 'white']) {
      const { status, body } = await post('labels', { name: color, description: 'd', types: ['case'], color });
      expect([status, body.color, body.enabled]).toEqual([201, color, true]);
    }
  });

  it('erichoonpark/desk.comimporttool finds the companies that it made by one field', async () => {
    const field = { name: 'account', label: 'Account', type: 'company', active: true, data: { type: 'string' } };
    expect((await post('custom_fields', field)).body).toMatchObject(field);
    for (const account of ['A-17', 'A-18'])
      await post('companies', { name: `Of ${account}`, domains: ['x.example'], custom_fields: { account } });
    expect(names(await get('companies/search?q=account:A-17'))).toEqual(['Of A-17']);
    expect(names(await get(`companies/search?q=${encodeURIComponent('"Of A-18"')}`))).toEqual(['Of A-18']);
  });

  it('quintoandar/desk.com lists users by name', async () => {
    expect(names(await get('users?sort_field=name&sort_direction=desc'))).toEqual(['Bob', 'Ann']);
  });
});

describe('what stays out', () => {
  it.each([
    ...['oauth/authorize', 'oauth/access_token', 'api/v1/articles.json', 'api/v1/account'],
    ...['cases', 'customers', 'filters', 'mailboxes/inbound', 'site_settings', 'system_message', 'rules', 'jobs'].map(
      (path) => `api/v2/${path}`,
    ),
    ...['articles.json', 'integration_urls', 'twitter_accounts', 'insights/meta', 'users/search'].map(
      (path) => `api/v2/${path}`,
    ),
  ])('%s is nothing, and who has no credentials is asked for them first', async (path) => {
    const { status, body } = await ask('GET', `/${path}`);
    expect([status, body.message]).toEqual([404, 'Resource Not Found']);
    expect((await ask('GET', `/${path}`, { as: null })).status).toBe(401);
  });

  it('the handshake of OAuth is nothing, with and without credentials', async () => {
    for (const method of ['GET', 'POST'])
      for (const as of ['Administrator', null] as const)
        expect((await ask(method, '/oauth/request_token', { as })).status).toBe(404);
  });
});
