import { macroRoutes } from '../../lib/macros/routes.ts';
import { topicRoutes } from '../../lib/topics/routes.ts';
import { startService } from '../support/service/service.ts';

const { ask } = await startService([...topicRoutes, ...macroRoutes], { roles: ['Administrator', 'Agent'] });

describe.each(['topics', 'macros'])('moving %s', (kind) => {
  const path = `/api/v2/${kind}`;
  const listed = async (): Promise<{ id: number; name: string; position: number }[]> =>
    (await ask('GET', `${path}?per_page=1000`)).body._embedded.entries;
  const names = async (): Promise<string> => (await listed()).map(({ name }) => name).join('');
  const make = async (name: string): Promise<number> => (await ask('POST', path, { body: { name } })).body.id;
  const move = (id: number, before: unknown) => ask('POST', `${path}/${id}/move`, { body: { before } });

  it('puts one before another or last, changes nothing else, and can be repeated', async () => {
    const [a, b, c, d] = [await make('a'), await make('b'), await make('c'), await make('d')];
    const positions = (await listed()).map(({ position }) => position);
    for (const [id, before, after] of [
      [d, b, 'adbc'],
      [d, b, 'adbc'],
      [a, null, 'dbca'],
      [b, b, 'dbca'],
      [c, d, 'cdba'],
    ] as const) {
      const reply = await move(id, before);
      expect([reply.status, await names()]).toEqual([200, after]);
      expect(reply.body).toEqual((await ask('GET', `${path}/${id}`)).body);
      expect((await listed()).map(({ position }) => position)).toEqual(positions);
    }
    for (const id of [a, b, c, d]) await ask('DELETE', `${path}/${id}`);
  });

  it('refuses what is no member of the list, and changes nothing', async () => {
    const [a, b] = [await make('a'), await make('b')];
    const before = await listed();
    for (const [wrong, code] of [
      [undefined, 'blank'],
      ['7', 'invalid'],
      [0, 'invalid'],
      [987654321, 'not_found'],
    ] as const)
      expect(await move(a, wrong)).toMatchObject({ status: 422, body: { errors: { before: [code] } } });
    expect((await ask('POST', `${path}/987654321/move`, { body: { before: null } })).status).toBe(404);
    expect((await ask('POST', `${path}/${b}/move`, { as: 'Agent', body: { before: a } })).status).toBe(403);
    expect(await listed()).toEqual(before);
    for (const id of [a, b]) await ask('DELETE', `${path}/${id}`);
  });
});

it('moves a macro past at most 89 others at a time', async () => {
  const ids: number[] = [];
  for (let nth = 0; nth < 92; nth += 1)
    ids.push((await ask('POST', '/api/v2/macros', { body: { name: `m${nth}` } })).body.id);
  const last = ids.at(-1) ?? 0;
  const move = (before: number | undefined) => ask('POST', `/api/v2/macros/${last}/move`, { body: { before } });
  expect(await move(ids[0])).toMatchObject({ status: 422, body: { errors: { before: ['too_large'] } } });
  expect((await move(ids[2])).status).toBe(200);
  expect((await move(ids[0])).status).toBe(200);
  const { entries } = (await ask('GET', '/api/v2/macros?per_page=1')).body._embedded;
  expect(entries[0].id).toBe(last);
});
