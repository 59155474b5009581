import { randomUUID } from 'node:crypto';
import type { Route } from '../../lib/http/route.ts';
import { routes } from '../../lib/routes.ts';
import { startService } from '../support/service/service.ts';

const MARK = `only here ${randomUUID()}`;
const one = await startService(routes, { site: { name: 'one' } });
const other = await startService(routes, { site: { name: 'other' }, wiring: { table: one.table } });

/** Creates something on the first site; returns its id. */
async function create(path: string, body: object): Promise<number> {
  const reply = await one.ask('POST', `/api/v2/${path}`, { body });
  expect([path, reply.status, reply.text]).toEqual([path, 201, expect.stringContaining(MARK)]);
  return reply.body.id;
}

const request = {
  fields: ['case_creates'],
  time: { min: '2026-01-01T00:00:00Z', max: '2026-01-02T00:00:00Z', window_size: 'none' },
};
const topic_id = await create('topics', { name: MARK });
const macro_id = await create('macros', { name: MARK });
const ids: Readonly<Record<string, string | number>> = {
  topic_id,
  macro_id,
  action_id: await create(`macros/${macro_id}/actions`, { type: 'set-case-note', value: MARK }),
  saved_report_id: await create('saved_reports', { name: MARK, request }),
  brand_id: await create('brands', { name: MARK }),
  label_id: await create('labels', { name: MARK }),
  company_id: await create('companies', { name: MARK }),
  article_id: await create(`topics/${topic_id}/articles`, { subject: MARK }),
  locale: 'en_us',
};

/** A route's path with the ids of the first site. */
const pathOf = ({ path }: Route): string => path.replace(/\{([^}]+)\}/g, (_, name) => String(ids[name] ?? 1));

describe.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (_, route) => {
  it('shows and changes nothing of another site, by whatever ids', async () => {
    const own = await one.ask('GET', `/api/v2/topics/${topic_id}`);
    const reply = await other.ask(route.method, pathOf(route), { body: route.example ?? {} });
    expect([200, 201, 204, 404, 422, 429]).toContain(reply.status);
    expect(reply.text).not.toContain(MARK);
    expect(await one.ask('GET', `/api/v2/topics/${topic_id}`)).toMatchObject({ status: 200, text: own.text });
  });
});

it('what there is on a site stays as it was, whatever another one did with its ids', async () => {
  for (const [name, id] of Object.entries(ids)) {
    if (name === 'locale' || name === 'action_id') continue;
    const things = name.replace('_id', '').replace('company', 'companie');
    const reply = await one.ask('GET', `/api/v2/${things}s/${id}`);
    expect([name, reply.status, reply.text]).toEqual([name, 200, expect.stringContaining(MARK)]);
  }
});
