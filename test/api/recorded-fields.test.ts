import { readFileSync } from 'node:fs';
import { groups } from '../../lib/routes.ts';
import { writeReferences } from '../support/generators/reference.ts';
import { startService } from '../support/service/service.ts';
import { describeWithData } from '../support/service/shared-data.ts';

/**
 * Each field of resources that were recorded from the original, beside the same resource made here. What differs is listed
 * with its reason; anything else fails, and so does a difference that is no more. `recorded-resources.json` has articles,
 * labels, companies and a user from the recordings of two public programs (the person's name and address are changed).
 */
interface Recording {
  readonly request: { readonly method: string; readonly path: string; readonly body: Fields | null };
  readonly response: { readonly status: number; readonly body: unknown };
}
type Fields = Readonly<Record<string, unknown>>;

const PUBLISHING = ['in_support_center', 'publish_at', 'created_at'];

/** The fields of each class that can be given when it is made. */
const GIVEN: Readonly<Record<string, readonly string[]>> = {
  articles: ['subject', 'body', 'keywords', 'quickcode', 'internal_notes', ...PUBLISHING],
  topics: ['name', 'description', 'allow_questions', 'in_support_center'],
  macros: ['name', 'description', 'enabled', 'folders'],
  labels: ['name', 'description', 'enabled', 'types'],
  companies: ['name', 'domains'],
  brands: ['name'],
};

const LATER = 'the original had it later, in the recordings of 2014 and 2016 or in the models of clients';
const OURS = 'an extension';
const OUT = 'leads to what stays out';

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What may differ, by class and field, and why. */
const ALLOWED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['article', 'topic', 'macro', 'label', 'company', 'brand'].map((name) => [`${name}.id: here alone`, LATER]),
  ),
  'topic.in_support_center: null, here false': 'a boolean by the description of the interface; false is its default',
  'topic._links.articles.count: here alone': 'the number of articles, by the description of the interface',
  'article.locale: here alone': LATER,
  'article.locale: null, here "en_us"': 'the locale shown: the site’s default one unless a language was asked for',
  'article.rating: here alone': LATER,
  'article.rating_count: here alone': LATER,
  'article.rating_score: here alone': LATER,
  'article.public_url: here alone': LATER,
  'article.public_url: of another origin': 'the origin is that of the service, or of `site set --portal-url`',
  'article.body_text: here alone': 'clients read it',
  'article: another order': 'the order of 2016, in which the later recordings are',
  'article._links.attachments: here alone': LATER,
  'article._links.created_by: here alone': LATER,
  'article._links.updated_by: here alone': LATER,
  'article._links.topics: here alone': OURS,
  'article._links.brands: here alone': OURS,
  'label.color: here alone': LATER,
  'label.active: here alone': 'clients read it',
  'label.position: here alone': 'clients read it',
  'company._links.customers: not here': OUT,
  'brand._links.articles: here alone': OURS,
  'brand._links.topics: here alone': OURS,
  'user.avatar: a text, here null': 'no third party is asked for a picture',
  'user.current_login_at: a time, here null': 'sign-ins are not kept',
  'user.last_login_at: a time, here null': 'sign-ins are not kept',
  'user.login: here alone': OURS,
  'user.role: here alone': OURS,
  'user.groups: here alone': OURS,
  ...Object.fromEntries(
    ['preferences', 'searches', 'filters', 'integration_urls'].map((name) => [`user._links.${name}: not here`, OUT]),
  ),
};

const { ask, table, site, now, origin } = await startService([...groups.topics, ...groups.macros], {
  roles: ['Administrator', 'Billing Administrator'],
});
const API = '/api/v2';
const state = { topic: '', met: new Set<string>() };
const own: Recording[] = JSON.parse(readFileSync('test/data/recorded-resources.json', 'utf8'));

beforeAll(async () => {
  const at = Date.parse('2012-06-06T14:51:21Z');
  const login = 'billing-administrator@test.example';
  const role = 'Billing Administrator';
  const names = { name: 'Ann Becker', public_name: 'Ann Becker', login, role };
  const usual = { deleted: false, created_at: at, updated_at: at };
  await writeReferences(table, site.name, 'agent', [
    { id: 16, ...names, ...usual },
    { id: 17, name: 'Who writes', login: 'administrator@test.example', ...usual },
  ]);
  now.at = Date.parse('2026-03-01T12:00:00Z');
  state.topic = (await ask('POST', `${API}/topics`, { body: { name: 'A topic' } })).body._links.self.href;
});

describe('recorded articles, labels, companies and users', () => {
  it.each(own.map((one) => [`${one.request.method} ${one.request.path}`, one] as const))('%s', (_, one) =>
    compare(one),
  );
});

describeWithData('recorded-exchanges.json', 'recorded topics, macros and brands', (path) => {
  const recorded = path === '' ? [] : (JSON.parse(readFileSync(path, 'utf8')) as Recording[]);
  const shown = recorded.flatMap(membersOf);
  it('are 91', () => expect(shown).toHaveLength(91));
  it.each(shown.map((one) => [`${one.request.method} ${one.request.path}`, one] as const))('%s', (_, one) =>
    compare(one),
  );
  it('differ in nothing that is listed and no more', () => {
    expect(Object.keys(ALLOWED).filter((difference) => !state.met.has(difference))).toEqual([]);
  });
});

/** The resources that an answer shows: itself, or the members of its page as if each had been asked for. */
function membersOf(recording: Recording): Recording[] {
  const { response } = recording;
  if (response.status > 201 || !isObject(response.body)) return [];
  const { _embedded } = response.body;
  if (!isObject(_embedded)) return [recording];
  return (_embedded.entries as Fields[]).map((body) => ({
    request: { method: 'GET', path: selfOf(body), body: null },
    response: { status: 200, body },
  }));
}

async function compare({ request, response }: Recording): Promise<void> {
  const recorded = response.body as Fields;
  const found = differences(recorded, await sameHere(request, recorded), String(linksOf(recorded).self?.class));
  for (const one of found) state.met.add(one);
  expect(found.filter((one) => !(one in ALLOWED))).toEqual([]);
}

/** The same resource here: made with the fields that it had, then changed by what was sent. */
async function sameHere({ method, path, body }: Recording['request'], recorded: Fields): Promise<Fields> {
  const [, , , kind = ''] = path.split('/');
  if (kind === 'users') return (await ask('GET', `${API}/users/16`)).body;
  const isChange = body !== null && kind !== '' && path.split('/').length > 4;
  const first = isChange
    ? { ...recorded, ...Object.fromEntries(Object.keys(body).map((key) => [key, 'Before'])) }
    : recorded;
  const given = method === 'POST' && !isChange && body !== null ? body : picked(first, GIVEN[kind] ?? []);
  const links = kind === 'articles' ? { _links: { topic: { href: state.topic, class: 'topic' } } } : {};
  const made = await ask('POST', `${API}/${kind}`, { body: { ...given, ...links } });
  expect([kind, made.status]).toEqual([kind, 201]);
  const self = made.body._links.self.href;
  const changed = isChange ? await ask('PATCH', self, { body }) : await ask('GET', self);
  expect(changed.status).toBe(200);
  if (kind === 'labels') await ask('DELETE', self); // their names are unique
  return changed.body;
}

/** What a recorded value and ours differ in; ids, positions and times are compared by their form. */
function differences(recorded: unknown, ours: unknown, at: string): string[] {
  if (isObject(recorded) && isObject(ours)) {
    const both = Object.keys(recorded).filter((key) => key in ours);
    const inOurOrder = Object.keys(ours).filter((key) => key in recorded);
    return [
      ...Object.keys(recorded).flatMap((key) =>
        key in ours ? differences(recorded[key], ours[key], `${at}.${key}`) : [`${at}.${key}: not here`],
      ),
      ...Object.keys(ours).flatMap((key) => (key in recorded ? [] : [`${at}.${key}: here alone`])),
      ...(both.join() === inOurOrder.join() ? [] : [`${at}: another order`]),
    ];
  }
  const [was, is] = [formOf(recorded, at), formOf(ours, at)];
  if (was === is) return [];
  if (at.endsWith('.public_url')) {
    const pathOf = (url: unknown) =>
      String(url)
        .replace(/^.*(?=\/customer\/)/, '')
        .replace(/\d+/, 'N');
    return pathOf(recorded) === pathOf(ours) && String(ours).startsWith(origin) ? [`${at}: of another origin`] : [at];
  }
  return [`${at}: ${was}, here ${is}`];
}

function formOf(value: unknown, at: string): string {
  if (typeof value === 'number' && /\.(id|position)$/.test(at)) return 'a number';
  if (typeof value !== 'string') return JSON.stringify(value);
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value) && !at.endsWith('publish_at')) return 'a time';
  if (at.endsWith('.href')) return value.replace(/\d+(?=$|\/)/g, 'N');
  if (at === 'user.email' || at === 'user.avatar') return 'a text';
  return JSON.stringify(value);
}

function linksOf({ _links }: Fields) {
  return _links as Record<string, { readonly href: string; readonly class: string }>;
}
function selfOf(body: Fields): string {
  return linksOf(body).self?.href ?? '';
}
const picked = (from: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.flatMap((name) => (from[name] === null || !(name in from) ? [] : [[name, from[name]]])));
