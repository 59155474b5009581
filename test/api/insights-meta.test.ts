import { createHash } from 'node:crypto';
import { insightsRoutes } from '../../lib/insights/routes.ts';
import { macroRoutes } from '../../lib/macros/routes.ts';
import { keys } from '../../lib/store/keys.ts';
import { writeReferences } from '../support/generators/reference.ts';
import { saysOf } from '../support/service/says.ts';
import { itInProcess, startService } from '../support/service/service.ts';

const META = '/api/v2/insights3/meta';
const { ask, table, site, clock, logged } = await startService([...insightsRoutes, ...macroRoutes], {
  roles: ['Administrator', 'Agent', 'Reporting Agent', 'Workflow Manager'],
  site: { rating: 'yes_no' },
});
const hashOf = (value: string): string => createHash('sha256').update(value, 'utf8').digest('hex').slice(0, 16);

describe('insights meta', () => {
  it('shows empty tables on an empty site, in the order of the document', async () => {
    expect((await ask('GET', META)).text).toBe(
      JSON.stringify({
        channels: {},
        macros: {},
        labels: {},
        agents: {},
        groups: {},
        articles: {},
        custom_fields: {},
        customer_custom_fields: {},
        case_rating_type: { name: 'yes_no' },
      }),
    );
  });

  it('shows every kind of member with its name, deleted ones too', async () => {
    await writeReferences(table, site.name, 'channel', [{ id: 0, name: 'Email' }]);
    await writeReferences(table, site.name, 'label', [
      { id: 3, name: 'billing' },
      { id: 4, name: 'old', deleted: true },
    ]);
    await writeReferences(table, site.name, 'agent', [{ id: 42, name: 'Ann', groups: [7] }, { id: 44 }]);
    await writeReferences(table, site.name, 'group', [{ id: 7, name: 'Support', deleted: false }]);
    await writeReferences(table, site.name, 'article', [{ id: 11, subject: 'How to', topics: [], brands: [] }]);
    await writeReferences(table, site.name, 'custom_field', [
      { id: 12, name: 'tier', object: 'case', values: ['gold', 'Grün'] },
      { id: 13, name: 'order', object: 'case' },
      { id: 14, name: 'size', object: 'customer', values: ['small'] },
      { id: 15, name: 'nickname', object: 'customer' },
    ]);
    await writeReferences(table, site.name, 'company', [{ id: 1, name: 'Acme' }]);
    expect((await ask('GET', META)).body).toEqual({
      channels: { 0: { name: 'Email' } },
      macros: {},
      labels: { 3: { name: 'billing', deleted: false }, 4: { name: 'old', deleted: true } },
      agents: { 42: { name: 'Ann', deleted: false }, 44: { name: '44', deleted: false } },
      groups: { 7: { name: 'Support', deleted: false } },
      articles: { 11: { name: 'How to', deleted: false } },
      custom_fields: {
        12: { name: 'tier', id: 12 },
        [`12:${hashOf('gold')}`]: { name: 'gold' },
        [`12:${hashOf('Grün')}`]: { name: 'Grün' },
        13: { name: 'order', id: 13 },
      },
      customer_custom_fields: { [`14:${hashOf('small')}`]: { name: 'small' } },
      case_rating_type: { name: 'yes_no' },
      companies: { 1: { name: 'Acme', deleted: false } },
    });
  });

  it('leaves out companies that would not fit the reply, rather than refuse it', async () => {
    const many = await startService(insightsRoutes, { roles: ['Administrator'] });
    const companies = Array.from({ length: 6_000 }, (_, id) => ({ id: id + 1, name: `${id} ${'x'.repeat(1_000)}` }));
    await writeReferences(many.table, many.site.name, 'company', companies);
    const { status, body } = await many.ask('GET', META);
    expect([status, body.agents, body.companies]).toEqual([200, {}, undefined]);
  });

  it('keeps a deleted macro under its last name', async () => {
    const { id } = (await ask('POST', '/api/v2/macros', { body: { name: 'First' } })).body;
    await ask('PATCH', `/api/v2/macros/${id}`, { body: { name: 'Last' } });
    expect((await ask('GET', META)).body.macros[id]).toEqual({ name: 'Last', deleted: false });
    await ask('DELETE', `/api/v2/macros/${id}`);
    expect((await ask('GET', META)).body.macros).toEqual({ [id]: { name: 'Last', deleted: true } });
  });

  it('is refused where it does not fit a reply, naming what shows the names in pages', async () => {
    const large = await startService(insightsRoutes, { roles: ['Administrator'] });
    const fields = Array.from({ length: 20 }, (_, id) => ({
      ...{ id: id + 1, name: `field ${id}`, object: 'case' },
      values: Array.from({ length: 1_000 }, (_, place) => `${place} ${'"'.repeat(100)}`),
    }));
    await writeReferences(large.table, large.site.name, 'custom_field', fields);
    const { status, body } = await large.ask('GET', META);
    expect([status, body.message, body.errors]).toEqual([422, 'Validation Failed', { base: ['too_large'] }]);
    expect(body.details[0].message).toMatch(/^The 20020 names of the site do not fit a reply: .*custom_fields/);
  });

  it('answers a current tag with 304', async () => {
    const { headers } = await ask('GET', META);
    expect((await ask('GET', META, { headers: { 'If-None-Match': String(headers.etag) } })).status).toBe(304);
  });

  itInProcess('is read once, beside taking and giving back the lock', async () => {
    await ask('GET', META);
    expect(logged.at(-1)).toMatchObject({ route: 'showMeta', status: 200, trips: 3 });
  });

  it('is for those alone who may see insights', async () => {
    expect((await ask('GET', META, { as: 'Workflow Manager' })).status).toBe(200);
    for (const as of ['Agent', 'Reporting Agent'] as const) expect((await ask('GET', META, { as })).status).toBe(403);
  });

  it('refuses a second request of the site at once while one is outstanding', async () => {
    await table.put({ ...keys.lock(site.name), owner: 'another', expiresAt: clock() + 4_900 });
    const refused = await ask('GET', META);
    expect([refused.status, refused.body]).toEqual([
      429,
      { message: 'Too Many Requests', details: [saysOf('too_many_requests', /report of the site.*in 1 s/)] },
    ]);
    expect(refused.headers).toMatchObject({ 'x-rate-limit-reset': '1', 'retry-after': '1' });
    await table.delete(keys.lock(site.name));
    expect((await ask('GET', META)).status).toBe(200);
    expect(await table.get(keys.lock(site.name))).toBeUndefined();
  });
});
