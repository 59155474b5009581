import { routes } from '../../lib/routes.ts';
import { itByItsClock, startService } from '../support/service/service.ts';

const { ask, now, origin } = await startService(routes);
const PATH = '/api/v2/saved_reports';
const request = { fields: ['case_creates'], time: { last: 2, unit: 'day', window_size: 'day' } };

const save = (name: string, fields: object = {}) => ask('POST', PATH, { body: { name, request, ...fields } });

describe('saved reports', () => {
  it('are created, shown, listed, changed and deleted', async () => {
    const made = await save('By day', { description: 'For Mondays' });
    const { id } = made.body;
    const path = `${PATH}/${id}`;
    expect([made.status, made.headers.location, made.body]).toEqual([
      201,
      `${origin}${path}`,
      {
        id,
        name: 'By day',
        description: 'For Mondays',
        request,
        created_at: '2026-03-01T12:00:00Z',
        updated_at: '2026-03-01T12:00:00Z',
        _links: { self: { href: path, class: 'saved_report' }, run: { href: `${path}/run`, class: 'report' } },
      },
    ]);
    expect((await ask('GET', path)).body).toEqual(made.body);
    const second = await save('Another');
    expect(second.body.id).toBeGreaterThan(id);
    const page = await ask('GET', `${PATH}?per_page=1&page=2`);
    expect([page.body.total_entries, page.body._embedded.entries]).toEqual([2, [second.body]]);

    now.at += 60_000;
    const changed = await ask('PATCH', path, { body: { name: 'By hour', request: { ...request, totals: true } } });
    expect(changed.body).toMatchObject({
      ...{ name: 'By hour', request: { ...request, totals: true }, updated_at: '2026-03-01T12:01:00Z' },
    });
    now.at += 60_000;
    expect((await ask('PATCH', path, { body: { name: 'By hour' } })).body).toEqual(changed.body);

    expect((await ask('DELETE', path)).status).toBe(204);
    expect((await ask('GET', path)).status).toBe(404);
    expect((await ask('POST', `${path}/run`)).status).toBe(404);
    expect((await ask('GET', PATH)).body._embedded.entries).toEqual([second.body]);
  });

  it('run as the report that they stand for', async () => {
    const { body } = await save('Two days');
    const run = await ask('POST', `${PATH}/${body.id}/run`);
    expect([run.status, run.body]).toEqual([
      200,
      (await ask('POST', '/api/v2/insights3/reports', { body: request })).body,
    ]);
  });

  itByItsClock('run with relative times as of now, as CSV too', async () => {
    const { body } = await save('Yesterday');
    now.at += 86_400_000;
    const later = await ask('POST', `${PATH}/${body.id}/run?format=csv`);
    expect(later.text).toBe('window_time,case_creates\r\n2026-02-28 00:00:00,0\r\n2026-03-01 00:00:00,0\r\n');
  });

  it('answer 304 to a known tag and 412 to a stale one', async () => {
    const { body, headers } = await save('Tagged');
    const path = `${PATH}/${body.id}`;
    const tag = String(headers.etag);
    expect((await ask('GET', path, { headers: { 'If-None-Match': tag } })).status).toBe(304);
    const list = await ask('GET', PATH);
    expect((await ask('GET', PATH, { headers: { 'If-None-Match': String(list.headers.etag) } })).status).toBe(304);
    expect((await ask('PATCH', path, { body: { name: 'Retagged' }, headers: { 'If-Match': tag } })).status).toBe(200);
    expect((await ask('DELETE', path, { headers: { 'If-Match': tag } })).status).toBe(412);
    const changed = await ask('GET', PATH, { headers: { 'If-None-Match': String(list.headers.etag) } });
    expect(changed.status).toBe(200);
  });

  it('are refused with every fault, those of the request at their places in it', async () => {
    const bad = { fields: ['case_create'], time: { last: 2, window_size: 'day', unit: 'decade' } };
    const faults = { fields: ['invalid'], time: { unit: ['invalid'] } };
    const cases: readonly [object, object][] = [
      [{}, { name: ['blank'], request: ['blank'] }],
      [
        { name: ' ', request: [] },
        { name: ['blank'], request: ['invalid'] },
      ],
      [
        { name: 'n'.repeat(256), request: bad, description: 7 },
        { name: ['too_long'], description: ['invalid'], request: faults },
      ],
      [
        { name: 'n', request: { ...request, filters: [[['Include', 'Labels', 'Is', 'x'.repeat(70_000), false, []]]] } },
        { request: ['too_long'] },
      ],
    ];
    for (const [body, errors] of cases) {
      const reply = await ask('POST', PATH, { body });
      expect([reply.status, reply.body.errors]).toEqual([422, errors]);
    }
    const { body } = await save('Kept');
    const reply = await ask('PATCH', `${PATH}/${body.id}`, { body: { name: 'Lost', request: bad } });
    expect([reply.status, reply.body.errors]).toEqual([422, { request: faults }]);
    expect((await ask('GET', `${PATH}/${body.id}`)).body.name).toBe('Kept');
    expect((await save('n'.repeat(255))).status).toBe(201);
  });
});

describe('GET /api/v2/report_definitions', () => {
  it('says of everything that can be asked for what it means', async () => {
    const { status, body } = await ask('GET', '/api/v2/report_definitions');
    expect(status).toBe(200);
    const named = (list: string, name: string) => body[list].find((one: { name: string }) => one.name === name);
    expect(named('fields', 'first_contact_resolution_rate')).toMatchObject({
      ...{ unit: 'percent', kind: 'rate', may_change: true, extension: false, null_by: [] },
    });
    expect(named('fields', 'open_cases')).toMatchObject({
      title: 'Cases open at the end',
      better: 'down',
      level: true,
    });
    expect(named('fields', 'case_reopens')).toMatchObject({
      ...{ level: false, null_by: [] },
      not_told: { action_agent: { sentence: expect.stringMatching(/^Customers reopen/), instead: 'assigned_agent' } },
    });
    expect(named('statistics', 'p1 … p99')).toMatchObject({ unit: 'seconds', kind: 'statistic', better: 'down' });
    expect(named('dimensions', 'priority')).toMatchObject({
      written: 'number',
      values: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    });
    expect(named('dimensions', 'channel')).toMatchObject({ written: 'name', values: null });
    expect(named('fields', 'agent_time_online').null_by).toEqual(expect.arrayContaining(['channel', 'custom_field']));
    expect(named('dimensions', 'custom_field:<id>').extension).toBe(true);
    expect(body.site).toMatchObject({ time_zone: expect.any(String), locales: expect.any(Array) });
    expect(named('fields', 'case_creates')).toMatchObject({ label: 'Created', group: 'Cases' });
    expect(named('filter_objects', 'CSat Score')).toMatchObject({
      label: 'Satisfaction score',
      dimension: 'csat_score',
    });
    expect(named('action_types', 'set-case-agent')).toEqual({
      ...{ name: 'set-case-agent', label: 'Assign to agent', input: { kind: 'member', of: 'agents' } },
    });
    const { site: _, action_types, ...lists } = body;
    expect(action_types).toHaveLength(13);
    for (const one of Object.values(lists)
      .flat()
      .filter((each) => typeof each === 'object'))
      expect(one).toMatchObject({ name: expect.stringMatching(/./), meaning: expect.stringMatching(/\.$/) });
  });
});
