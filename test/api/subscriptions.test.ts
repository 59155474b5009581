import { routes } from '../../lib/routes.ts';
import { startService } from '../support/service/service.ts';

const roles = ['Administrator', 'Workflow Manager', 'Business Manager', 'Agent'] as const;
const { ask, now } = await startService(routes, { roles });
const PATH = '/api/v2/subscriptions';
const [ADMIN, WORKFLOW, BUSINESS] = ['administrator', 'workflow-manager', 'business-manager'].map(
  (name) => `${name}@test.example`,
);
const request = { fields: ['case_creates'], time: { last: 2, unit: 'day', window_size: 'day' } };
const report = (await ask('POST', '/api/v2/saved_reports', { body: { name: 'By day', request } })).body.id;
const board = (await ask('POST', '/api/v2/boards', { body: { name: 'Monday' } })).body.id;
const usual = { saved_report: report, every: 'week', recipients: [ADMIN] };
const make = (fields: object = {}, as: (typeof roles)[number] = 'Workflow Manager') =>
  ask('POST', PATH, { body: { ...usual, ...fields }, as });

describe('subscriptions', () => {
  it('are created, shown, listed, changed and deleted', async () => {
    const made = await make({ recipients: [String(ADMIN).toUpperCase(), BUSINESS, ADMIN] });
    const path = `${PATH}/${made.body.id}`;
    expect([made.status, made.body]).toEqual([
      201,
      {
        id: made.body.id,
        board: null,
        saved_report: report,
        every: 'week',
        weekday: 'monday',
        day: 1,
        at: '07:00',
        recipients: [ADMIN, BUSINESS],
        enabled: true,
        owner: WORKFLOW,
        created_at: '2026-03-01T12:00:00Z',
        updated_at: '2026-03-01T12:00:00Z',
        _links: {
          self: { href: path, class: 'subscription' },
          mail: { href: `${path}/mail`, class: 'mail' },
          board: null,
          saved_report: { href: `/api/v2/saved_reports/${report}`, class: 'saved_report' },
        },
      },
    ]);
    const as = 'Workflow Manager';
    expect((await ask('GET', path, { as })).body).toEqual(made.body);
    expect((await ask('GET', PATH, { as })).body._embedded.entries).toEqual([made.body]);
    now.at += 60_000;
    const changed = await ask('PATCH', path, { body: { board, every: 'month', day: 31, at: '08:30' }, as });
    expect(changed.body).toMatchObject({ board, saved_report: null, every: 'month', day: 31, at: '08:30' });
    const etag = { 'If-Match': String(made.headers.etag) };
    expect((await ask('PATCH', path, { body: { at: '09:00' }, as, headers: etag })).status).toBe(412);
    expect((await ask('DELETE', path, { as })).status).toBe(204);
    expect((await ask('GET', path, { as })).status).toBe(404);
  });

  it('are found by their owners and by Administrators alone', async () => {
    const { id } = (await make()).body;
    const path = `${PATH}/${id}`;
    for (const method of ['GET', 'PATCH', 'DELETE'] as const)
      expect((await ask(method, path, { body: { at: '01:00' }, as: 'Business Manager' })).status).toBe(404);
    expect((await ask('POST', `${path}/mail`, { as: 'Business Manager' })).status).toBe(404);
    expect((await ask('GET', PATH, { as: 'Business Manager' })).body.total_entries).toBe(0);
    const theirs = await ask('GET', PATH, { as: 'Workflow Manager' });
    const tag = { 'If-None-Match': String(theirs.headers.etag) };
    expect((await ask('GET', PATH, { as: 'Business Manager', headers: tag })).status).toBe(200);
    expect((await ask('GET', PATH)).body._embedded.entries.map((each: { id: number }) => each.id)).toContain(id);
    expect((await ask('PATCH', path, { body: { enabled: false } })).body).toMatchObject({ owner: WORKFLOW });
    expect((await ask('DELETE', path)).status).toBe(204);
  });

  it('are refused with every fault', async () => {
    const many = Array.from({ length: 21 }, (_, at) => `ann-${at}@acme.example`);
    const cases: readonly [object, object][] = [
      [{ saved_report: null }, { saved_report: ['blank'] }],
      [{ board }, { saved_report: ['invalid'] }],
      [{ saved_report: 999_999 }, { saved_report: ['not_found'] }],
      [{ saved_report: null, board: 999_999 }, { board: ['not_found'] }],
      [{ every: 'fortnight' }, { every: ['invalid'] }],
      [{ at: '24:00' }, { at: ['invalid'] }],
      [{ at: '7:00' }, { at: ['invalid'] }],
      [{ weekday: 'someday' }, { weekday: ['invalid'] }],
      [{ day: 32 }, { day: ['invalid'] }],
      [{ recipients: [] }, { recipients: ['blank'] }],
      [{ recipients: many.slice(0, 21) }, { recipients: ['too_long'] }],
      [{ recipients: many.slice(0, 20) }, { recipients: ['not_found'] }],
      [{ recipients: ['stranger@acme.example'] }, { recipients: ['not_found'] }],
      ...[
        'ann',
        'ann@',
        '@acme.example',
        'ann@acme.example, bob@acme.example',
        'ann@acme.example\r\nBcc: bob@acme.example',
        'Ann <ann@acme.example>',
        '"ann"@acme.example',
        'ann@[127.0.0.1]',
        `${'a'.repeat(250)}@acme.example`,
        7,
      ].map((address): [object, object] => [{ recipients: [address] }, { recipients: ['invalid'] }]),
    ];
    for (const [fields, errors] of cases) {
      const reply = await make(fields);
      expect([fields, reply.status, reply.body.errors]).toEqual([fields, 422, errors]);
    }
    expect((await make({}, 'Agent')).status).toBe(403);
  });

  it('show their mail as it would be now', async () => {
    const { id } = (await make()).body;
    const mail = await ask('POST', `${PATH}/${id}/mail`, { as: 'Workflow Manager' });
    const days = expect.stringMatching(/^By day: \w{3}, \w{3} \d+(, \d{4})? – \w{3}, \w{3} \d+, \d{4}$/); // the last two of the clock
    expect([mail.status, mail.body.subject]).toEqual([200, days]);
    expect(mail.body.text).toContain('By day');
    expect(mail.body.attachments).toEqual([
      { name: '1-by-day.csv', content: expect.stringContaining('window_time,case_creates'), type: 'csv' },
      { name: 'by-day.xlsx', content: expect.stringMatching(/^UEsD/), type: 'xlsx' }, // PK, in base64
    ]);
  });
});
