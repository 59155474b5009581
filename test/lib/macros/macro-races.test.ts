import { macroRoutes } from '../../../lib/macros/routes.ts';
import { type Received, startService } from '../../support/service/service.ts';

const MACROS = '/api/v2/macros';
const first = await startService(macroRoutes);
const other = await startService(macroRoutes, { wiring: { table: first.table }, site: { name: 'other' } });
/** The second process, asked for the first one's site. */
const second: typeof first = {
  ...other,
  ask: (method, target, sent) => other.ask(method, target, { host: 'test.localhost', ...sent }),
};

/** Asks two processes in turn, all at once, for the same site. */
const together = (count: number, ask: (process: typeof first, n: number) => Promise<Received>): Promise<Received[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => ask(n % 2 === 0 ? first : second, n)));

const create = async (name: string) => (await first.ask('POST', MACROS, { body: { name } })).body;

describe('macros written by two processes at once', () => {
  it('lose no change of another field', async () => {
    const { id } = await create('Shared');
    const bodies = [{ name: 'Renamed' }, { enabled: false }, { folders: ['F'] }, { description: 'Described' }];
    const replies = await together(bodies.length, ({ ask }, n) => ask('PATCH', `${MACROS}/${id}`, { body: bodies[n] }));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await first.ask('GET', `${MACROS}/${id}`)).body).toMatchObject(Object.assign({}, ...bodies));
  });

  it('let one alone of those pass that saw the same state', async () => {
    const { id } = await create('Contested');
    const { headers } = await first.ask('GET', `${MACROS}/${id}`);
    const match = { 'If-Match': String(headers.etag) };
    const replies = await together(6, ({ ask }, n) =>
      ask('PATCH', `${MACROS}/${id}`, { body: { name: `Writer ${n}` }, headers: match }),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412, 412]);
    const winner = replies.findIndex(({ status }) => status === 200);
    expect((await second.ask('GET', `${MACROS}/${id}`)).body.name).toBe(`Writer ${winner}`);
  });

  it('give every action an id of its own', async () => {
    const { id } = await create('Many');
    const replies = await together(12, ({ ask }, n) =>
      ask('POST', `${MACROS}/${id}/actions`, { body: { type: 'set-case-note', value: `note ${n}` } }),
    );
    const ids = replies.map(({ body }) => body.id);
    expect(new Set(ids).size).toBe(12);
    const { body } = await second.ask('GET', `${MACROS}/${id}/actions`);
    expect(body._embedded.entries.map((action: { id: number }) => action.id)).toEqual(ids.sort((a, b) => a - b));
  });

  it('leave no action behind a macro that goes', async () => {
    const { id } = await create('Going');
    const [gone, ...added] = await together(6, ({ ask }, n) =>
      n === 0
        ? ask('DELETE', `${MACROS}/${id}`)
        : ask('POST', `${MACROS}/${id}/actions`, { body: { type: 'set-case-note', value: 'late' } }),
    );
    expect(gone?.status).toBe(204);
    for (const { status } of added) expect([201, 404]).toContain(status);
    for (const { ask } of [first, second]) expect((await ask('GET', `${MACROS}/${id}/actions`)).status).toBe(404);
    expect(await first.table.query(`site#${first.site.name}#macro#${id}`)).toEqual([]);
  });
});
