import { routes } from '../../lib/routes.ts';
import { startService } from '../support/service/service.ts';

const { ask, now, origin } = await startService(routes);
const PATH = '/api/v2/boards';
const request = { fields: ['case_creates'], time: { last: 2, unit: 'day', window_size: 'day' } };

const saveReport = async (name = 'By day'): Promise<number> =>
  (await ask('POST', '/api/v2/saved_reports', { body: { name, request } })).body.id;
const tileOf = (saved_report: number, more: object = {}) => ({
  ...{ saved_report, shown_as: 'bars', width: 1, pinned: false },
  ...more,
});
const shown = (tile: { readonly saved_report: number }) => ({
  ...tile,
  _links: { saved_report: { href: `/api/v2/saved_reports/${tile.saved_report}`, class: 'saved_report' } },
});
const make = (fields: object = {}) => ask('POST', PATH, { body: { name: 'Monday', ...fields } });

describe('boards', () => {
  it('are created, shown, listed, changed and deleted', async () => {
    const report = await saveReport();
    const tiles = [tileOf(report), tileOf(report, { shown_as: 'number', width: 2, pinned: true })];
    const filters = [[['Include', 'Channels', [{ id: 1 }]]]];
    const made = await make({ tiles, time: { last: 4, unit: 'week' }, filters });
    const { id } = made.body;
    const path = `${PATH}/${id}`;
    expect([made.status, made.headers.location, made.body]).toEqual([
      201,
      `${origin}${path}`,
      {
        id,
        name: 'Monday',
        tiles: tiles.map(shown),
        time: { last: 4, unit: 'week' },
        filters,
        created_at: '2026-03-01T12:00:00Z',
        updated_at: '2026-03-01T12:00:00Z',
        _links: { self: { href: path, class: 'board' } },
      },
    ]);
    expect((await ask('GET', path)).body).toEqual(made.body);
    const second = await make({ name: 'Empty' });
    expect(second.body).toMatchObject({ tiles: [], time: null, filters: null });
    const page = await ask('GET', `${PATH}?per_page=1&page=2`);
    expect([page.body.total_entries, page.body._embedded.entries]).toEqual([2, [second.body]]);

    now.at += 60_000;
    const moved = await ask('PATCH', path, { body: { tiles: tiles.toReversed(), time: null } });
    expect(moved.body).toMatchObject({ tiles: tiles.toReversed().map(shown), time: null, filters, name: 'Monday' });
    expect(moved.body.updated_at).toBe('2026-03-01T12:01:00Z');
    now.at += 60_000;
    expect((await ask('PATCH', path, { body: { name: 'Monday' } })).body).toEqual(moved.body);
    expect((await ask('DELETE', path)).status).toBe(204);
    expect((await ask('GET', path)).status).toBe(404);
    const { entries } = (await ask('GET', `/api/v2/audit?resource=boards/${id}`)).body._embedded;
    expect(entries.map(({ action }: { readonly action: string }) => action)).toEqual(['delete', 'update', 'create']);
  });

  it('take the move of the first of two people, and tell the second', async () => {
    const [one, two] = [await saveReport('One'), await saveReport('Two')];
    const made = await make({ tiles: [tileOf(one), tileOf(two)] });
    const path = `${PATH}/${made.body.id}`;
    const move = (tiles: object[]) =>
      ask('PATCH', path, { body: { tiles }, headers: { 'If-Match': String(made.headers.etag) } });
    expect((await move([tileOf(two), tileOf(one)])).status).toBe(200);
    expect((await move([tileOf(one)])).status).toBe(412);
    expect((await ask('GET', path)).body.tiles).toEqual([two, one].map((id) => shown(tileOf(id))));
    const tag = String((await ask('GET', path)).headers.etag);
    expect((await ask('GET', path, { headers: { 'If-None-Match': tag } })).status).toBe(304);
  });

  it('keep a tile whose report was deleted, and take no new one of it', async () => {
    const [kept, gone] = [await saveReport('Kept'), await saveReport('Gone')];
    const { id } = (await make({ tiles: [tileOf(kept), tileOf(gone)] })).body;
    expect((await ask('DELETE', `/api/v2/saved_reports/${gone}`)).status).toBe(204);
    const moved = await ask('PATCH', `${PATH}/${id}`, { body: { tiles: [tileOf(gone), tileOf(kept)] } });
    expect([moved.status, moved.body.tiles[0].saved_report]).toEqual([200, gone]);
    const refused = await make({ tiles: [tileOf(kept), tileOf(gone)] });
    expect([refused.status, refused.body.errors]).toEqual([422, { tiles: { 1: { saved_report: ['not_found'] } } }]);
    expect(refused.body.details[0].field).toBe('tiles.1.saved_report');
  });

  it('have headings and texts in place of reports, and goals', async () => {
    const report = await saveReport();
    const goal = { value: 40, better: 'above' };
    const sent = [
      { heading: 'This <b>week</b>' },
      tileOf(report, { goal }),
      { text: 'See https://example.com/a?b=1&c=2.', width: 2 },
    ];
    const { status, body } = await make({ tiles: sent });
    const words = { _links: { saved_report: null } };
    expect([status, body.tiles]).toEqual([
      201,
      [
        { heading: 'This <b>week</b>', width: 1, ...words },
        shown(tileOf(report, { goal })),
        { text: 'See https://example.com/a?b=1&c=2.', width: 2, ...words },
      ],
    ]);
    const without = await ask('PATCH', `${PATH}/${body.id}`, { body: { tiles: [tileOf(report, { goal: null })] } });
    expect(without.body.tiles).toEqual([shown(tileOf(report))]);
  });

  it('are refused with every fault', async () => {
    const report = await saveReport();
    const cases: readonly [object, object][] = [
      [{ name: ' ' }, { name: ['blank'] }],
      [{ tiles: {} }, { tiles: ['invalid'] }],
      [{ tiles: [7] }, { tiles: ['invalid'] }],
      [{ tiles: [{ shown_as: 'bars' }] }, { tiles: { 0: { saved_report: ['blank'] } } }],
      [{ tiles: [tileOf(report, { shown_as: 'pie' })] }, { tiles: { 0: { shown_as: ['invalid'] } } }],
      [{ tiles: [tileOf(report, { width: 3 })] }, { tiles: { 0: { width: ['invalid'] } } }],
      [{ tiles: [tileOf(report, { pinned: 'yes' })] }, { tiles: { 0: { pinned: ['invalid'] } } }],
      [{ tiles: [{}] }, { tiles: { 0: { saved_report: ['blank'], shown_as: ['blank'] } } }],
      [{ tiles: [{ heading: ' ' }] }, { tiles: { 0: { heading: ['blank'] } } }],
      [{ tiles: [{ heading: 'x'.repeat(256) }] }, { tiles: { 0: { heading: ['too_long'] } } }],
      [{ tiles: [{ text: 'x'.repeat(4_001) }] }, { tiles: { 0: { text: ['too_long'] } } }],
      [{ tiles: [{ heading: 'One', text: 'Two' }] }, { tiles: { 0: { heading: ['invalid'] } } }],
      [{ tiles: [tileOf(report, { text: 'Two' })] }, { tiles: { 0: { text: ['invalid'] } } }],
      [{ tiles: [{ heading: 'One', goal: { value: 1, better: 'above' } }] }, { tiles: { 0: { goal: ['invalid'] } } }],
      [
        { tiles: [tileOf(report, { goal: { value: '1', better: 'more' } })] },
        { tiles: { 0: { goal: { value: ['invalid'], better: ['invalid'] } } } },
      ],
      [{ tiles: [tileOf(report, { goal: {} })] }, { tiles: { 0: { goal: { value: ['blank'], better: ['blank'] } } } }],
      [{ tiles: Array.from({ length: 100 }, () => tileOf(report)) }, { tiles: ['too_long'] }],
      [{ time: { last: 0, unit: 'century' } }, { time: { last: ['invalid'], unit: ['invalid'] } }],
      [{ time: 'monday' }, { time: ['invalid'] }],
      [{ filters: [[['Include', 'Planets', []]]] }, { filters: { 0: { 0: ['invalid'] } } }],
      [{ time: { last: 1, unit: 'day', note: 'x'.repeat(70_000) } }, { time: ['too_long'] }],
    ];
    for (const [fields, errors] of cases) {
      const reply = await make(fields);
      expect([fields, reply.status, reply.body.errors]).toEqual([fields, 422, errors]);
    }
    const { details } = (await make({ tiles: [tileOf(report), { shown_as: 'bars' }] })).body;
    expect(details).toEqual([expect.objectContaining({ field: 'tiles.1.saved_report', code: 'blank' })]);
    expect((await make({ tiles: Array.from({ length: 30 }, () => tileOf(report)) })).status).toBe(201);
  });
});
