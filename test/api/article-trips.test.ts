import { groups } from '../../lib/routes.ts';
import { itInProcess as it, startService } from '../support/service/service.ts';

/** How often articles go to the table; in the cloud each trip takes some ms. With TEST_STORE=engine the trips are DynamoDB's. */

const { ask, logged } = await startService(groups.topics, { site: { locales: ['en_us', 'de'] } });
const ARTICLES = '/api/v2/articles';

/** The trips of a request whose process knows the site's articles already. */
async function trips(method: string, target: string, body?: object, headers: Record<string, string> = {}) {
  const reply = await ask(method, target, { headers, ...(body && { body }) });
  expect(reply.status).toBeLessThan(400);
  return { reply, trips: logged.at(-1)?.trips };
}

const newTopic = async () => (await ask('POST', '/api/v2/topics', { body: { name: 'A topic' } })).body;
const whole = { body: '<p>x</p>', body_chat: 'own', body_email: 'own', internal_notes: 'n' };

describe('an article', () => {
  it('is written in at most three trips, whatever it has', async () => {
    const topic = await newTopic();
    const links = { _links: { topic: topic._links.self } };
    const made = await trips('POST', ARTICLES, { subject: 'One', ...whole, ...links });
    const self = made.reply.body._links.self.href;
    const translations = `${self}/translations`;
    const counted = [
      made,
      await trips('POST', ARTICLES, { subject: 'Two', ...links }, { 'Idempotency-Key': 'trips-1' }),
      await trips('PATCH', self, { subject: 'Three', body: 'y', body_chat: null, internal_notes: null }),
      await trips('PATCH', self, { keywords: 'k' }, { 'If-Match': '*' }),
      await trips('POST', translations, { locale: 'de', subject: 'Eins', body: 'x', body_phone: 'own' }),
      await trips('PATCH', `${translations}/de`, { body: 'z', body_phone: 'other' }),
      await trips('DELETE', self),
    ];
    for (const one of counted) expect(one.trips).toBeLessThanOrEqual(3);
  });

  it('is shown in two trips: one for what tells of it, one for its texts', async () => {
    const topic = await newTopic();
    const { body } = await ask('POST', ARTICLES, { body: { subject: 'Shown', topic_ids: [topic.id], ...whole } });
    expect((await trips('GET', `${ARTICLES}/${body.id}`)).trips).toBe(2);
  });
});

describe('a page of fifty articles', () => {
  it('is one read of what tells of them and one of their texts, in each list', async () => {
    const topic = await newTopic();
    for (let n = 0; n < 60; n += 1)
      await ask('POST', ARTICLES, { body: { subject: `Trips ${n}`, topic_ids: [topic.id], ...whole } });
    for (const target of [
      ARTICLES,
      `${ARTICLES}?page=2`,
      `/api/v2/topics/${topic.id}/articles`,
      `${ARTICLES}?sort_field=subject`,
    ])
      expect([target, (await trips('GET', target)).trips]).toEqual([target, 2]);
    const list = await ask('GET', ARTICLES);
    const again = await trips('GET', ARTICLES, undefined, { 'If-None-Match': list.headers.etag ?? '' });
    expect([again.reply.status, again.trips]).toEqual([304, 1]);
  });

  it('is the same for a search, once the words are known', async () => {
    await ask('GET', `${ARTICLES}/search?q=trips`);
    expect((await trips('GET', `${ARTICLES}/search?q=trips&sort_direction=asc`)).trips).toBe(2);
  });
});
