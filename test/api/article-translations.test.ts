import { groups } from '../../lib/routes.ts';
import { startService } from '../support/service/service.ts';

const { ask, now, origin } = await startService(groups.topics, { site: { locales: ['en_us', 'de', 'ja', 'pt_br'] } });
const state = { path: '', topic: 0 };
const post = (body: object, path = `${state.path}/translations`) => ask('POST', path, { body });
const patch = (locale: string, body: object) => ask('PATCH', `${state.path}/translations/${locale}`, { body });
const show = async (locale = '') => (await ask('GET', `${state.path}${locale && `/translations/${locale}`}`)).body;

beforeAll(async () => {
  now.at = Date.parse('2026-03-01T12:00:00Z');
  const { body: topic } = await post({ name: 'Billing' }, '/api/v2/topics');
  const article = { subject: 'Invoice', body: '<p>Three parts</p>', body_chat: 'own', topic_ids: [topic.id] };
  state.path = (await post(article, '/api/v2/articles')).body._links.self.href;
});

describe('a translation of an article', () => {
  it('in the default locale is there with the article, and is one value with it', async () => {
    const english = await show('EN-us');
    expect(Object.keys(english)).toEqual([
      ...['locale', 'subject', 'body', 'body_email', 'body_email_auto', 'body_chat', 'body_chat_auto'],
      ...[
        'body_web_callback',
        'body_web_callback_auto',
        'body_twitter',
        'body_twitter_auto',
        'body_qna',
        'body_qna_auto',
      ],
      ...['body_phone', 'body_phone_auto', 'body_facebook', 'body_facebook_auto'],
      ...['outdated', 'publish_at', 'created_at', 'updated_at', '_links'],
    ]);
    const self = { href: `${state.path}/translations/en_us`, class: 'article_translation' };
    expect(english).toMatchObject({
      locale: 'en_us',
      subject: 'Invoice',
      body_chat: 'own',
      outdated: false,
      _links: { self },
    });
    expect((await patch('en_us', { subject: 'Invoices', locale: 'en-US' })).body.subject).toBe('Invoices');
    expect((await show()).subject).toBe('Invoices');
    expect((await patch('en_us', { locale: 'ja' })).body.errors).toEqual({ locale: ['invalid'] });
    expect((await patch('en_us', { outdated: true })).body.errors).toEqual({ outdated: ['invalid'] });
    expect((await ask('DELETE', self.href)).body.errors).toEqual({ locale: ['invalid'] });
  });

  it('is created once a locale that is enabled, and is taken with a PATCH then', async () => {
    const before = await show();
    now.at += 60_000;
    const made = await post({ locale: 'DE', subject: 'Rechnung', body: 'Drei Teile' });
    expect([made.status, made.headers.location]).toEqual([201, `${origin}${state.path}/translations/de`]);
    expect(made.body).toMatchObject({ locale: 'de', body_email: 'Drei Teile', outdated: false });
    expect(await show('de')).toEqual(made.body);
    expect(await show()).toEqual(before);
    expect((await post({ locale: 'de', subject: 'x' })).body.errors).toEqual({ locale: ['taken'] });
    expect((await post({ locale: 'en_us', subject: 'x' })).body.errors).toEqual({ locale: ['taken'] });
    expect((await post({ locale: 'fr', subject: 'x' })).body.errors).toEqual({ locale: ['invalid'] });
    expect((await post({})).body.errors).toEqual({ locale: ['blank'], subject: ['blank'] });
    expect((await ask('GET', `${state.path}/translations/ja`)).status).toBe(404);
  });

  it('is outdated once the text in the default locale changes, until its own does', async () => {
    await ask('PATCH', state.path, { body: { keywords: 'k' } });
    expect((await show('de')).outdated).toBe(false);
    await ask('PATCH', state.path, { body: { body: '<p>Four parts</p>' } });
    expect((await show('de')).outdated).toBe(true);
    expect((await patch('de', { publish_at: '2026-03-05T00:00:00Z' })).body.outdated).toBe(true);
    expect((await patch('de', { body: 'Vier Teile' })).body.outdated).toBe(false);
    expect((await patch('de', { subject: 'Rechnungen', outdated: true })).body.outdated).toBe(true);
    expect((await patch('de', { outdated: false })).body).toMatchObject({ outdated: false, subject: 'Rechnungen' });
  });

  it('keeps its times when nothing changes, moves to a free locale, and is deleted', async () => {
    const before = await show('de');
    now.at += 60_000;
    expect((await patch('de', { subject: 'Rechnungen', locale: 'de' })).body).toEqual(before);
    await patch('de', { body_phone: 'Am Telefon' });
    const moved = await patch('de', { locale: 'pt-BR' });
    expect(moved.body).toMatchObject({
      locale: 'pt_br',
      subject: 'Rechnungen',
      body: 'Vier Teile',
      body_phone: 'Am Telefon',
    });
    expect((await ask('GET', `${state.path}/translations/de`)).status).toBe(404);
    const { _embedded } = (await ask('GET', `${state.path}/translations`)).body;
    expect(_embedded.entries.map(({ locale }: { locale: string }) => locale)).toEqual(['en_us', 'pt_br']);
    expect(_embedded.entries[1]).toEqual(moved.body);
    const headers = { 'If-Match': '"other"' };
    expect((await ask('DELETE', `${state.path}/translations/pt_br`, { headers })).status).toBe(412);
    expect((await ask('DELETE', `${state.path}/translations/pt_br`)).status).toBe(204);
    const again = await post({ locale: 'pt_br', subject: 'Fatura' });
    expect(again.body).toMatchObject({ body: null, body_phone: null, body_phone_auto: true });
  });

  it('of two people who write at once, both writes are there', async () => {
    const writes = await Promise.all([patch('pt_br', { subject: 'A' }), patch('pt_br', { body: 'B' })]);
    expect(writes.map(({ status }) => status)).toEqual([200, 200]);
    expect(await show('pt_br')).toMatchObject({ subject: 'A', body: 'B' });
  });

  it('goes with its article', async () => {
    expect((await ask('DELETE', state.path)).status).toBe(204);
    expect((await ask('GET', `${state.path}/translations`)).status).toBe(404);
    expect((await ask('GET', `${state.path}/translations/pt_br`)).status).toBe(404);
  });
});
