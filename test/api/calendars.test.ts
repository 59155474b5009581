import * as fc from 'fast-check';
import { routes } from '../../lib/routes.ts';
import { tries } from '../support/generators/depth.ts';
import { startService } from '../support/service/service.ts';

const { ask } = await startService(routes, { roles: ['Administrator', 'Agent', 'Content Manager'] });
const CALENDARS = '/api/v2/calendars';
const POLICIES = '/api/v2/sla_policies';
const WEEK = { mon: [['09:00', '12:00'] as const, ['13:00', '17:00'] as const], fri: [['00:00', '24:00'] as const] };
const calendar = { name: 'Berlin', time_zone: 'Europe/Berlin', hours: WEEK };
const policy = { name: 'Gold', targets: [{ metric: 'first_response', seconds: 3600 }] };

describe.each([
  [CALENDARS, calendar, { holidays: [], default: false, groups: [] }, { time_zone: 'UTC' }],
  [
    POLICIES,
    policy,
    {
      ...{ position: null, filters: null },
      targets: [{ metric: 'first_response', priorities: null, seconds: 3600, hours: 'calendar' }],
    },
    { position: 2 },
  ],
] as const)('%s', (path, usual, defaults, change) => {
  it('are created, shown, listed, changed and deleted by an Administrator, and read by all', async () => {
    const made = await ask('POST', path, { body: usual });
    const own = `${path}/${made.body.id}`;
    expect([made.status, made.body]).toMatchObject([201, { ...usual, ...defaults }]);
    expect((await ask('GET', own, { as: 'Agent' })).body).toEqual(made.body);
    expect((await ask('PATCH', own, { as: 'Content Manager', body: change })).status).toBe(403);
    const changed = await ask('PATCH', own, { body: change });
    expect(changed.body).toEqual({ ...made.body, ...change });
    const stale = { body: { name: 'x' }, headers: { 'If-Match': String(made.headers.etag) } };
    expect((await ask('PATCH', own, stale)).status).toBe(412);
    expect((await ask('GET', path)).body._embedded.entries).toEqual([changed.body]);
    expect((await ask('DELETE', own)).status).toBe(204);
    expect([(await ask('GET', own)).status, (await ask('GET', path)).body.total_entries]).toEqual([404, 0]);
    const { entries } = (await ask('GET', `/api/v2/audit?resource=${own.slice('/api/v2/'.length)}`)).body._embedded;
    expect(entries.map(({ action }: { readonly action: string }) => action).sort()).toEqual([
      'create',
      'delete',
      'update',
    ]);
  });

  it.each(['Two\r\nlines', '', ' ', 'x'.repeat(256), null, 7])('are not named %j', async (name) => {
    const reply = await ask('POST', path, { body: { ...usual, name } });
    expect([reply.status, Object.keys(reply.body.errors)]).toEqual([422, ['name']]);
  });

  it('keep any other sign of a name', async () => {
    const name = '<b onmouseover="x">&amp;</b>';
    const made = await ask('POST', path, { body: { ...usual, name } });
    expect(made.body.name).toBe(name);
    expect((await ask('DELETE', `${path}/${made.body.id}`)).status).toBe(204);
  });
});

describe('a calendar', () => {
  it.each([
    [{ hours: {} }, 'hours', 'hours: has no hours of work.'],
    [{ hours: { mon: [] } }, 'hours', 'hours: has no hours of work.'],
    [{ hours: { mon: [['17:00', '09:00']] } }, 'hours', /does not end after it begins/],
    [
      {
        hours: {
          mon: [
            ['09:00', '12:00'],
            ['11:00', '13:00'],
          ],
        },
      },
      'hours',
      /overlaps/,
    ],
    [{ hours: { mon: [['9', '12']] } }, 'hours', /not a time of day/],
    [{ hours: { someday: [['09:00', '12:00']] } }, 'hours', /./],
    [{ hours: null }, 'hours', /./],
    [{ time_zone: 'Europe/Atlantis' }, 'time_zone', /./],
    [{ holidays: [{ date: '2026-02-30' }] }, 'holidays', /"2026-02-30" is not a date such as 2026-12-25/],
    [{ holidays: [{ from: '2026-12-31', to: '2026-12-24' }] }, 'holidays', /lies after/],
    [{ holidays: [{ date: '2026-12-25', name: 'Christmas\r\nday' }] }, 'holidays', /./],
    [{ holidays: Array.from({ length: 1001 }, () => ({ date: '2026-12-25' })) }, 'holidays', /more than 1000/],
    [{ holidays: 'all' }, 'holidays', /./],
    [{ groups: ['one'] }, 'groups', /./],
  ])('is not made of %j', async (part, field, sentence) => {
    const reply = await ask('POST', CALENDARS, { body: { ...calendar, ...part } });
    expect([reply.status, Object.keys(reply.body.errors)]).toEqual([422, [field]]);
    expect(reply.body.details[0].message).toMatch(sentence);
    expect((await ask('GET', CALENDARS)).body.total_entries).toBe(0);
  });

  it('gives reports their working hours from the next one on', async () => {
    const request = {
      ...{ fields: ['time_to_first_response'], hours: 'business' },
      time: { min: '2026-02-01T00:00:00Z', max: '2026-02-02T00:00:00Z', window_size: 'none' },
    };
    const report = async () => (await ask('POST', '/api/v2/insights3/reports', { body: request })).status;
    expect(await report()).toBe(422);
    const { id } = (await ask('POST', CALENDARS, { body: calendar })).body;
    expect(await report()).toBe(200);
    expect((await ask('DELETE', `${CALENDARS}/${id}`)).status).toBe(204);
    expect(await report()).toBe(422);
  });
});

describe('a policy', () => {
  it.each([
    [{ targets: [{ metric: 'happiness', seconds: 1 }] }, 'targets'],
    [{ targets: [{ metric: 'reply', seconds: -1 }] }, 'targets'],
    [{ targets: [{ metric: 'reply', seconds: 1.5 }] }, 'targets'],
    [{ targets: [{ metric: 'reply', seconds: 1, priorities: [11] }] }, 'targets'],
    [{ targets: null }, 'targets'],
    [{ filters: [[['Include', 'Moon', [{ id: '1' }]]]] }, 'filters'],
    [{ filters: 'all' }, 'filters'],
    [{ position: -1 }, 'position'],
  ])('is not made of %j', async (part, field) => {
    const reply = await ask('POST', POLICIES, { body: { ...policy, ...part } });
    expect([reply.status, Object.keys(reply.body.errors)]).toEqual([422, [field]]);
    expect(reply.body.details[0].message).toMatch(/./);
    expect((await ask('GET', POLICIES)).body.total_entries).toBe(0);
  });

  it('has the filters of a report, and can lose them', async () => {
    const filters = [[['Include', 'Companies', [{ id: '9' }]]]];
    const made = await ask('POST', POLICIES, { body: { ...policy, filters } });
    expect([made.status, made.body.filters]).toEqual([201, expect.arrayContaining([expect.anything()])]);
    const changed = await ask('PATCH', `${POLICIES}/${made.body.id}`, { body: { filters: null } });
    expect(changed.body.filters).toBeNull();
    expect((await ask('DELETE', `${POLICIES}/${made.body.id}`)).status).toBe(204);
  });

  const make = async (name: string, position: number | null = null): Promise<number> =>
    (await ask('POST', POLICIES, { body: { ...policy, name, position } })).body.id;
  const removeAll = async (ids: readonly number[]): Promise<void> => {
    for (const id of ids) expect((await ask('DELETE', `${POLICIES}/${id}`)).status).toBe(204);
  };
  const move = (id: number | undefined, before: unknown, as?: 'Content Manager') =>
    ask('POST', `${POLICIES}/${id}/move`, { body: { before }, ...(as && { as }) });

  /** The ids in the order in which the policies apply. */
  const inOrder = async (): Promise<number[]> => {
    const { entries } = (await ask('GET', `${POLICIES}?per_page=1000`)).body._embedded;
    const places: { readonly id: number; readonly place: number }[] = entries.map(
      ({ id, position }: { readonly id: number; readonly position: number | null }) => ({
        id,
        place: position ?? Number.MAX_SAFE_INTEGER,
      }),
    );
    return places.sort((a, b) => a.place - b.place || a.id - b.id).map(({ id }) => id);
  };

  it('moves before another or last, whatever positions the others have, and nothing else changes its place', async () => {
    const position = fc.option(fc.nat({ max: 4 }), { nil: null });
    const moves = fc.array(fc.tuple(fc.nat({ max: 4 }), fc.nat({ max: 5 })), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.array(position, { minLength: 5, maxLength: 5 }), moves, async (positions, wanted) => {
        const ids: number[] = [];
        for (const [nth, each] of positions.entries()) ids.push(await make(`p${nth}`, each));
        for (const [from, to] of wanted) {
          const order = await inOrder();
          const [id, before = null] = [order[from], order[to]];
          const others = before === id ? order : order.filter((other) => other !== id);
          const place = before === null ? others.length : others.indexOf(before);
          const reply = await move(id, before);
          expect([reply.status, await inOrder()]).toEqual([
            200,
            before === id ? order : others.toSpliced(place, 0, Number(id)),
          ]);
          expect(reply.body).toEqual((await ask('GET', `${POLICIES}/${id}`)).body);
        }
        await removeAll(ids);
      }),
      { numRuns: tries(12, 1 / 4) },
    );
  });

  it('fits between two that have room, and moves nowhere for others than an Administrator or before none', async () => {
    const [a, b, c] = [await make('a', 10), await make('b', 20), await make('c')];
    expect((await move(c, b)).body.position).toBe(15);
    expect((await ask('GET', `${POLICIES}/${b}`)).body.position).toBe(20);
    expect((await move(c, a, 'Content Manager')).status).toBe(403);
    expect(await move(c, 987654321)).toMatchObject({ status: 422, body: { errors: { before: ['not_found'] } } });
    expect((await move(987654321, null)).status).toBe(404);
    expect(await inOrder()).toEqual([a, c, b]);
    const { entries } = (await ask('GET', `/api/v2/audit?resource=sla_policies/${c}`)).body._embedded;
    const done = entries.map(({ action }: { readonly action: string }) => action);
    expect(done.sort()).toEqual(['create', 'update']);
    await removeAll([Number(a), Number(b), Number(c)]);
  });

  it('changes at most 90 positions at a time, or none', async () => {
    const ids: number[] = [];
    for (let nth = 0; nth < 93; nth += 1) ids.push(await make(`p${nth}`, nth));
    const last = ids.at(-1);
    expect(await move(last, ids[0])).toMatchObject({ status: 422, body: { errors: { before: ['too_large'] } } });
    expect(await inOrder()).toEqual(ids);
    expect((await move(last, ids[5])).status).toBe(200);
    expect((await inOrder()).indexOf(Number(last))).toBe(5);
    await removeAll(ids);
  });
});
