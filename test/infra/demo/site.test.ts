import { randomUUID } from 'node:crypto';
import { demoRecords } from '../../../infra/demo/records.ts';
import { makeDemoSite } from '../../../infra/demo/site.ts';
import { DEMO_LOGINS, DEMO_PASSWORD, DEMO_SITE, demoLogin } from '../../../infra/demo/users.ts';
import { readAudit } from '../../../lib/access/audit.ts';
import { serve } from '../../../lib/http/serve.ts';
import { DIMENSION_NAMES } from '../../../lib/insights/definitions/dimensions.ts';
import { FIELD_NAMES } from '../../../lib/insights/definitions/fields.ts';
import { FILTER_OBJECTS } from '../../../lib/insights/definitions/filters.ts';
import { ACTION_TYPES } from '../../../lib/macros/action-types.ts';
import { routes } from '../../../lib/routes.ts';
import { LIMITS } from '../../../lib/settings.ts';
import { basic } from '../../support/service/credentials.ts';
import { askThrough } from '../../support/service/service.ts';
import { freshTable } from '../../support/service/table.ts';

const NOW = Date.parse('2026-07-01T03:30:00Z'); // in New York it is still June
const table = await freshTable();
const ask = askThrough(
  serve({ routes, open: {}, table, log: () => undefined, clock: () => NOW, newId: randomUUID, ...LIMITS }),
  'demo.localhost',
);
const as = (login: string) => ({
  as: null,
  headers: { Authorization: basic(login, DEMO_PASSWORD) },
});
const report = async (fields: readonly string[], more: object = {}) => {
  const time = { min: '2026-01-01T00:00:00-05:00', max: '2026-12-31T00:00:00-05:00', window_size: 'none' };
  const body = { fields, time, ...more };
  const { status, body: answer } = await ask('POST', '/api/v2/insights3/reports', {
    ...as(demoLogin('Administrator')),
    body,
  });
  expect(status).toBe(200);
  return answer.data as (number | null)[][];
};

beforeAll(() => makeDemoSite(table, NOW));

describe('the demo site', () => {
  it('is the same whenever it is made on the same day', () => {
    const made = (now: number) => JSON.stringify([...demoRecords(now, 'America/New_York')]);
    expect(made(NOW)).toBe(made(NOW - 3_600_000));
    expect(made(NOW)).not.toBe(made(NOW + 3_600_000));
  });

  it('has 90 days of history that end yesterday', () => {
    const days = [...demoRecords(NOW, 'America/New_York')].flatMap(({ type, at }) =>
      type === 'case.created' ? [String(at).slice(0, 10)] : [],
    );
    expect([new Set(days).size, days[0], days.at(-1)]).toEqual([90, '2026-04-01', '2026-06-29']);
  });

  it('lets one user of each role sign in, each an agent with an id', async () => {
    for (const { login, role } of DEMO_LOGINS) {
      const { status, body } = await ask('GET', '/api/v2/users/me', as(login));
      expect([status, body]).toEqual([200, expect.objectContaining({ id: expect.any(Number), name: role, role })]);
    }
  });

  it('has something to show for each field, dimension and filter', async () => {
    const [row = []] = await report(FIELD_NAMES);
    for (const [place, field] of FIELD_NAMES.entries())
      expect([field, Number(row[3 + place]) > 0]).toEqual([field, true]);
    for (const dimension1 of DIMENSION_NAMES)
      expect([dimension1, (await report(['case_creates', 'case_resolves'], { dimension1 })).length > 1]).toEqual([
        dimension1,
        true,
      ]);
    for (const object of Object.keys(FILTER_OBJECTS)) {
      const any = [
        [['Include', object, 'Contains', 'e', false, []]],
        [['Include', object, 'Contains', '1', false, []]],
      ];
      const [[, , , count = 0] = []] = await report(['case_creates'], { filters: any });
      expect([object, Number(count) > 0]).toEqual([object, true]);
    }
  });

  it('has topics in three languages, brands, articles, and macros with all types of actions', async () => {
    const user = as(demoLogin('Agent'));
    const names = async (language: string) => {
      const { body } = await ask('GET', '/api/v2/topics', {
        ...user,
        headers: { ...user.headers, 'Accept-Language': language },
      });
      return body._embedded.entries.map(({ name }: { name: string }) => name);
    };
    expect([(await names('en')).length, (await names('de'))[1], (await names('ja'))[1]]).toEqual([
      5,
      'Abrechnung',
      '請求',
    ]);
    const { body: brands } = await ask('GET', '/api/v2/topics/1/brands', user);
    expect(brands.total_entries).toBe(2);
    const { body: actions } = await ask('GET', '/api/v2/macros/1/actions', user);
    const types = actions._embedded.entries.map(({ type }: { type: string }) =>
      type.replace('custom-plan', 'custom-N'),
    );
    expect(types.sort()).toEqual([...ACTION_TYPES.keys()].sort());
  });

  it('is made through the gate of all changes of access, which leaves its entries in the audit', async () => {
    const { entries } = await readAudit(table, DEMO_SITE, { limit: 100 });
    const made = entries
      .filter(({ resource }) => /^(site|users)/.test(resource))
      .map(({ resource, via }) => `${via} ${resource}`);
    const parts = ['site', ...DEMO_LOGINS.map(({ login }) => `users/${login}`)];
    expect(new Set(made)).toEqual(new Set(parts.map((part) => `command line ${part}`)));
  });

  it('is finished, not doubled, when it is made again', async () => {
    const before = await report(FIELD_NAMES);
    await makeDemoSite(table, NOW);
    expect(await report(FIELD_NAMES)).toEqual(before);
  });
});
