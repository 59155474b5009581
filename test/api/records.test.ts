import { groups } from '../../lib/routes.ts';
import { writeReferences } from '../support/generators/reference.ts';
import { startService } from '../support/service/service.ts';

/** Labels, brands, companies, custom fields, users and groups, as programs of the original service use them. */

const { ask, table, site, now } = await startService([...groups.topics, ...groups.macros], {
  roles: ['Administrator', 'Agent', 'Billing Administrator'],
});
const API = '/api/v2';
const post = (path: string, body: object) => ask('POST', `${API}/${path}`, { body });
const patch = (path: string, body: object) => ask('PATCH', `${API}/${path}`, { body });
const get = async (path: string) => (await ask('GET', `${API}/${path}`)).body;
const names = async (path: string) => (await get(path))._embedded.entries.map(({ name }: { name: string }) => name);

beforeAll(async () => {
  now.at = Date.parse('2026-03-01T12:00:00Z');
  const usual = { deleted: false, updated_at: Date.parse('2026-01-01T00:00:00Z') };
  await writeReferences(table, site.name, 'label', [{ ...usual, id: 3, name: 'urgent' }]);
  await writeReferences(table, site.name, 'group', [
    { ...usual, id: 4, name: 'Second line' },
    { ...usual, id: 6, name: 'First line' },
  ]);
  await writeReferences(table, site.name, 'agent', [
    {
      ...usual,
      id: 7,
      name: 'Ann',
      login: 'Administrator@test.example',
      role: 'Agent',
      groups: [6],
      public_name: 'Annie',
    },
    { ...usual, id: 8, name: 'bob' },
  ]);
});

describe('labels', () => {
  it('have the fields of the original in their order, also those of old imports', async () => {
    expect(Object.entries(await get('labels/3'))).toEqual([
      ...[
        ['id', 3],
        ['name', 'urgent'],
        ['description', null],
        ['enabled', true],
        ['types', ['case']],
      ],
      ...[
        ['color', 'default'],
        ['active', true],
        ['position', 1],
      ],
      ['_links', { self: { href: '/api/v2/labels/3', class: 'label' } }],
    ]);
  });

  it('are created, changed and deleted; names are unique without case, and ids never used again', async () => {
    const made = await post('labels', { name: 'Refund', types: ['macro', 'case'], color: 'blue', description: 'x' });
    expect([made.status, made.body.id, made.body.position]).toEqual([201, 4, 2]);
    expect(await get('labels/4')).toEqual(made.body);
    expect((await post('labels', { name: 'refund' })).body.errors).toEqual({ name: ['taken'] });
    expect((await patch('labels/4', { active: false })).body).toMatchObject({ enabled: false, active: false });
    expect((await patch('labels/4', { name: 'REFUND' })).body.name).toBe('REFUND');
    expect((await post('labels', { types: null, color: 'mauve' })).body.errors).toEqual({
      ...{ name: ['blank'], types: ['invalid'], color: ['invalid'] },
    });
    expect((await post('labels', { name: 'x', types: ['case', 'sql'] })).body.errors).toEqual({ types: ['invalid'] });
    expect((await ask('DELETE', `${API}/labels/4`)).status).toBe(204);
    expect((await ask('GET', `${API}/labels/4`)).status).toBe(404);
    expect((await post('labels', { name: 'refund' })).body.id).toBe(5);
    expect((await ask('POST', `${API}/labels`, { body: { name: 'x' }, as: 'Agent' })).status).toBe(403);
  });

  it('are searched by a part of the name, by whole names and by type', async () => {
    await post('labels', { name: 'Opportune', types: ['opportunity'] });
    expect(await names('labels/search?name=FUN')).toEqual(['refund']);
    expect(await names('labels/search?names=urgent,Refund')).toEqual(['urgent', 'refund']);
    expect(await names('labels/search?type=opportunity,macro')).toEqual(['Opportune']);
    expect(await names('labels/search?name=none')).toEqual([]);
    expect(await names('labels?sort_field=name&sort_direction=desc')).toEqual(['urgent', 'refund', 'Opportune']);
    expect((await ask('GET', `${API}/labels?sort_field=color`)).body.errors).toEqual({ sort_field: ['invalid'] });
  });
});

describe('brands', () => {
  it('are created, renamed and deleted, and go from topics and articles', async () => {
    const { body: brand } = await post('brands', { name: 'Outdoor' });
    expect(brand).toMatchObject({ name: 'Outdoor', created_at: '2026-03-01T12:00:00Z' });
    const { body: topic } = await post('topics', { name: 'Tents', brand_ids: [brand.id] });
    const { body: article } = await post('articles', { subject: 'Pegs', topic_ids: [topic.id], brand_ids: [brand.id] });
    expect((await get(`brands/${brand.id}`))._links.articles.count).toBe(1);
    now.at += 60_000;
    expect((await patch(`brands/${brand.id}`, { name: 'Indoor' })).body).toMatchObject({
      updated_at: '2026-03-01T12:01:00Z',
    });
    expect((await ask('DELETE', `${API}/brands/${brand.id}`)).status).toBe(204);
    expect(await names(`topics/${topic.id}/brands`)).toEqual([]);
    expect((await get(`articles/${article.id}`))._links.brands).toEqual([]);
  });
});

describe('custom fields and companies', () => {
  it('a field is created once by name and type, and keeps its choices', async () => {
    const data = { type: 'list', choices: ['silver', 'gold'] };
    const made = await post('custom_fields', { name: 'plan', type: 'company', data });
    expect(made.body).toMatchObject({
      label: 'plan',
      type: 'company',
      active: true,
      data,
      object: 'company',
      values: ['silver', 'gold'],
    });
    expect((await post('custom_fields', { name: 'plan', type: 'company' })).body.errors).toEqual({ name: ['taken'] });
    expect((await post('custom_fields', { name: 'plan', type: 'ticket' })).body).toMatchObject({
      object: 'case',
      data: { type: 'string' },
    });
    expect((await post('custom_fields', { name: 'seats', type: 'company', data: { type: 'integer' } })).status).toBe(
      201,
    );
    expect((await post('custom_fields', { name: 'a b' })).body.errors).toEqual({ name: ['invalid'], type: ['blank'] });
    expect((await post('custom_fields', { name: 'c', type: 'ticket', data: { type: 'list' } })).body.errors).toEqual({
      data: { choices: ['invalid'] },
    });
    const path = `custom_fields/${made.body.id}`;
    expect((await patch(path, { data: { choices: ['gold'] } })).body.errors).toEqual({
      data: { choices: ['invalid'] },
    });
    expect((await patch(path, { data: { choices: ['silver', 'gold', 'lead'] }, label: 'Plan' })).body).toMatchObject({
      ...{ label: 'Plan', values: ['silver', 'gold', 'lead'] },
    });
    expect((await ask('DELETE', `${API}/${path}`)).status).toBe(405);
  });

  it('a company has domains and values of its custom fields, as texts', async () => {
    const made = await post('companies', { name: 'Acme Tents', custom_fields: { plan: 'gold', seats: 5 } });
    expect(Object.entries(made.body).slice(1, 6)).toEqual([
      ...[
        ['name', 'Acme Tents'],
        ['domains', []],
        ['created_at', '2026-03-01T12:01:00Z'],
      ],
      ...[
        ['updated_at', '2026-03-01T12:01:00Z'],
        ['custom_fields', { plan: 'gold', seats: '5' }],
      ],
    ]);
    const path = `companies/${made.body.id}`;
    const changed = await patch(path, { domains: ['acme.example'], custom_fields: { seats: null } });
    expect(changed.body).toMatchObject({ domains: ['acme.example'], custom_fields: { plan: 'gold' } });
    expect((await patch(path, { custom_fields: { plan: 'tin', seats: 'x', no: 1 } })).body.errors).toEqual({
      custom_fields: { plan: ['invalid'], seats: ['invalid'], no: ['invalid'] },
    });
    await post('custom_fields', { name: 'renewal', type: 'company', data: { type: 'date' } });
    expect((await patch(path, { custom_fields: { renewal: '2027-02-29' } })).body.errors).toEqual({
      custom_fields: { renewal: ['invalid'] },
    });
    expect((await patch(path, { custom_fields: { renewal: '2028-02-29' } })).status).toBe(200);
    await post('companies', { name: 'Zelte GmbH' });
    expect(await names('companies/search?q=acme')).toEqual(['Acme Tents']);
    expect(await names('companies/search?q=plan:gold')).toEqual(['Acme Tents']);
    expect(await names('companies/search?q=plan:go')).toEqual([]);
    expect(await names('companies/search?sort_field=name&sort_direction=desc')).toEqual(['Zelte GmbH', 'Acme Tents']);
    expect(await get('companies/enhancements_enabled')).toEqual({ enabled: false });
    expect((await ask('DELETE', `${API}/${path}`)).status).toBe(405);
  });
});

describe('users and groups', () => {
  it('have the fields and links of the original', async () => {
    const user = await get('users/7');
    expect(Object.keys(user)).toEqual([
      ...['id', 'name', 'public_name', 'email', 'level', 'avatar', 'created_at', 'updated_at'],
      ...['current_login_at', 'last_login_at', 'login', 'role', 'groups', '_links'],
    ]);
    expect(user).toMatchObject({ public_name: 'Annie', email: 'Administrator@test.example', level: 'agent' });
    expect(await names(user._links.groups.href.slice(8))).toEqual(['First line']);
    expect(await get('users/current')).toEqual(await get('users/me'));
    expect(await get('users/me')).toMatchObject({ id: 7, level: 'siteadmin', role: 'Administrator' });
    const { body } = await ask('GET', `${API}/users/me`, { as: 'Billing Administrator' });
    expect(body).toMatchObject({
      id: null,
      level: 'siteadmin_billing',
      _links: { self: { href: '/api/v2/users/me' } },
    });
    expect(await names('groups/6/users')).toEqual(['Ann']);
    expect(await get('groups/6')).toMatchObject({ position: 2 });
    expect(await names('users?sort_field=name&sort_direction=desc')).toEqual(['bob', 'Ann']);
  });

  it('know the caller’s groups and macros, and that signing out ends nothing', async () => {
    await post('macros', { name: 'On' });
    await post('macros', { name: 'Off', enabled: false });
    for (const who of ['me', 'current', '7']) {
      expect(await names(`users/${who}/groups`)).toEqual(['First line']);
      expect(await names(`users/${who}/macros`)).toEqual(['On']);
    }
    expect((await ask('GET', `${API}/users/me/groups`, { as: 'Agent' })).body.total_entries).toBe(0); // has no record
    for (const who of ['me', 'current']) expect((await post(`users/${who}/logout`, {})).status).toBe(204);
    expect((await ask('GET', `${API}/users/me`)).status).toBe(200);
  });

  it('are found by no search, and groups are read only', async () => {
    expect((await ask('GET', `${API}/users/search?text=a`)).status).toBe(404);
    expect((await post('groups', { name: 'x' })).status).toBe(405);
  });
});
