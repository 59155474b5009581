import { takesBody } from '../../lib/http/route.ts';
import { routes } from '../../lib/routes.ts';
import { keys } from '../../lib/store/keys.ts';
import { startService } from '../support/service/service.ts';

const { ask, table, site } = await startService(routes, { roles: ['Administrator'] });
const { id: topic } = (await ask('POST', '/api/v2/topics', { body: { name: 'Returns' } })).body;

/** Nested deeper than can be written again by recursion. */
const DEEP = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
const writing = routes.filter((route) => takesBody(route) && !route.streams);
const pathOf = (path: string): string =>
  path
    .replace('{topic_id}', String(topic))
    .replace('{locale}', 'en_us')
    .replace(/\{[^}]+\}/g, '987654321');
const fieldsOf = ({ body, example }: (typeof routes)[number]): string[] => [
  ...new Set([...Object.keys(body), ...Object.keys(Object(example)), 'unknown']),
];

describe.each(writing.map((route) => [route.name, route] as const))('%s', (_, route) => {
  it('refuses a body that is nested too deep, wherever it is', async () => {
    for (const field of fieldsOf(route)) {
      const reply = await ask(route.method, pathOf(route.path), { body: `{"${field}":${DEEP}}` });
      expect([404, 422]).toContain(reply.status); // 404: there is no such resource
      if (reply.status === 422) expect(reply.body.errors).toEqual({ base: ['too_large'] });
      await table.delete(keys.lock(site.name));
    }
  });
});

it('a list of more elements than anything has is refused before it is looked at', async () => {
  const wrong = { brand_ids: new Array(200_000).fill('x'), name: 'x' };
  const { status, body } = await ask('POST', '/api/v2/topics', { body: wrong });
  expect([status, body.errors]).toEqual([422, { brand_ids: ['too_long'] }]);
  expect(body.details[0].message).toBe(
    'brand_ids is too long; it takes a list of at most 10000 elements, each a whole number from 1.',
  );
});

it('the first wrong element of a list is named', async () => {
  const { body } = await ask('POST', '/api/v2/topics', { body: { name: 'x', brand_ids: [1, 'x', 'y', 2] } });
  expect(body.details).toEqual([
    { field: 'brand_ids.1', code: 'invalid', message: 'brand_ids.1 is "x"; it takes a whole number from 1.' },
  ]);
});
