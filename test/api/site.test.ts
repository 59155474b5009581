import { routes } from '../../lib/routes.ts';
import { byPerson, itInProcess, startService } from '../support/service/service.ts';

const { ask, again } = await startService(routes, {
  roles: ['Administrator', 'Agent'],
  site: { locales: ['en_us', 'de'] },
});
const SITE = '/api/v2/site';
const set = (body: object) => ask('PATCH', SITE, { ...byPerson(), body });

describe('the settings of a site', () => {
  it('are shown to all, and changed by an Administrator, at once', async () => {
    const before = await ask('GET', SITE, { as: 'Agent' });
    expect([before.status, before.body]).toMatchObject([
      200,
      { time_zone: 'UTC', rating: 'four_star', locales: ['en_us', 'de'], default_locale: 'en_us', case_url: null },
    ]);
    expect((await ask('PATCH', SITE, { as: 'Agent', body: {} })).status).toBe(403);
    const change = {
      ...{ name: 'Acme <b>Support</b>', time_zone: 'Europe/Berlin', week_start: 'sunday', rating: 'yes_no' },
      ...{ locales: ['en-US', 'ja', 'JA'], case_url: 'https://help.example/tickets/{case}?from={case}' },
    };
    const after = await set(change);
    expect([after.status, after.body]).toEqual([200, { ...before.body, ...change, locales: ['en_us', 'ja'] }]);
    expect((await ask('GET', SITE)).body).toEqual(after.body);
    expect((await set({})).body).toEqual(after.body);
    expect((await set({ case_url: null })).body.case_url).toBeNull();
    const { entries } = (await ask('GET', '/api/v2/audit?resource=site')).body._embedded;
    const changed = entries.map(({ fields }: { readonly fields: string[] }) => fields.join()).sort(); // of one moment
    expect(changed).toEqual(['case_url', 'name,time_zone,week_start,rating,locales,case_url']);
  });

  itInProcess('have an engine, which may be the warehouse only where there is one', async () => {
    expect((await ask('GET', SITE)).body.engine).toBe('auto');
    expect((await set({ engine: 'scan' })).body.engine).toBe('scan');
    const refused = await set({ engine: 'warehouse', name: 'Not this' });
    expect([refused.status, refused.body.errors]).toEqual([422, { engine: ['invalid'] }]);
    expect(refused.body.details[0].message).toContain('-c warehouse=on');
    expect((await ask('GET', SITE)).body).toMatchObject({
      engine: 'scan',
      name: expect.not.stringMatching('Not this'),
    });
    const withEngine = again({ hasEngine: true });
    const change = (engine: unknown) => withEngine('PATCH', SITE, { ...byPerson(), body: { engine } });
    expect((await change('warehouse')).body.engine).toBe('warehouse');
    expect((await change('duckdb')).status).toBe(422);
    expect((await change('auto')).body.engine).toBe('auto');
  });

  it('are not overwritten unasked, nor half when two change different ones', async () => {
    const tag = String((await ask('GET', SITE)).headers.etag);
    const both = await Promise.all([set({ name: 'One' }), set({ week_start: 'monday' })]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect((await ask('GET', SITE)).body).toMatchObject({ name: 'One', week_start: 'monday' });
    expect(
      (
        await ask('PATCH', SITE, {
          as: null,
          body: { name: 'Two' },
          headers: { ...byPerson().headers, 'If-Match': tag },
        })
      ).status,
    ).toBe(412);
  });

  it.each([
    [{ name: '' }, { name: ['blank'] }],
    [{ name: 'Acme\r\nBcc: all@acme.example' }, { name: ['invalid'] }],
    [{ name: 'x'.repeat(101) }, { name: ['too_long'] }],
    [
      { time_zone: 'Europe/Atlantis', week_start: 'Monday', rating: 'stars' },
      { time_zone: ['invalid'], week_start: ['invalid'], rating: ['invalid'] },
    ],
    [{ locales: ['de'] }, { locales: ['invalid'] }],
    [{ locales: ['en_us', 'klingon'] }, { locales: ['invalid'] }],
    [{ locales: 'en_us' }, { locales: ['invalid'] }],
    [
      { time_zone: null, locales: null },
      { time_zone: ['invalid'], locales: ['invalid'] },
    ],
  ])('refuse %j', async (body, errors) => {
    const before = await ask('GET', SITE);
    const reply = await set(body);
    expect([reply.status, reply.body.errors]).toEqual([422, errors]);
    expect((await ask('GET', SITE)).body).toEqual(before.body);
  });

  it.each([
    'javascript:alert({case})',
    'JavaScript:alert(1)//{case}',
    'data:text/html,{case}',
    'https://{case}.example/',
    'https://help.example:{case}/',
    'https://{case}@help.example/',
    'https://ann:{case}@help.example/tickets',
    'https://help.example/tickets',
    'https://help.example/tickets/{case}\r\nX: y',
    '/tickets/{case}',
    `https://help.example/${'x'.repeat(1000)}{case}`,
    '',
  ])('refuses the address of a case %j', async (case_url) => {
    const reply = await set({ case_url });
    expect([reply.status, reply.body.errors]).toEqual([422, { case_url: ['invalid'] }]);
    expect(reply.body.details[0].message).toMatch(/address of a case/);
  });
});
