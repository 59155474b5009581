import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ReportReply, readReport } from '../../lib/console/model/report/report.ts';
import { routes } from '../../lib/routes.ts';
import { ALL_TELLINGS } from '../../lib/vocabulary.ts';
import { importRecords } from '../support/service/import.ts';
import { startService } from '../support/service/service.ts';
import { testUploads } from '../support/service/uploads.ts';

const FIELDS = ['case_creates', 'resolved_cases', 'case_reopens', 'case_reopen_rate', 'reply_time:p50', 'open_cases'];
const time = { min: '2026-01-01T00:00:00Z', max: '2026-02-01T00:00:00Z', window_size: 'none' };
const request = { fields: FIELDS, time, totals: true };
const map = { kind: 'tickets', case: 'id', created: 'opened', solved: 'done', source: 'list', status: 'state' };
const list = (...rows: readonly string[]) => ['id,opened,done,state', ...rows].join('\n');
const FIRST = list('1,2026-01-05T09:00:00Z,2026-01-06T09:00:00Z,closed', '2,2026-01-07T09:00:00Z,,open');

async function start() {
  const service = await startService(routes, { roles: ['Administrator', 'Workflow Manager'] });
  const { ask, table, site } = service;
  const uploads = testUploads(service, await mkdtemp(join(tmpdir(), 'tells-')));
  const load = async (content: string) => {
    const { id } = await uploads.bring(content, { mapping: map, source: 'list' });
    expect(await uploads.work(id, 'load')).toMatchObject({ status: 'done', problem: null });
    return id;
  };
  const definitions = async () => (await ask('GET', '/api/v2/report_definitions')).body;
  const noData = async (name: string) =>
    (await definitions()).fields.find((field: { readonly name: string }) => field.name === name).no_data;
  const reply = async () => (await ask('POST', '/api/v2/insights3/reports', { body: request })).body as ReportReply;
  return {
    ...{ service, uploads, load, definitions, noData, reply, ask },
    records: (...records: readonly unknown[]) => importRecords(table, site, records),
    tells: async () =>
      Object.fromEntries(
        (await ask('GET', '/api/v2/sources')).body._embedded.entries.map(
          ({ name, tells }: { readonly name: string; readonly tells: unknown }) => [name, tells],
        ),
      ),
    /** The numbers as pages, mails and workbooks have them. */
    shown: async () => {
      const read = readReport(await reply(), {
        now: service.now.at,
        zone: 'UTC',
        definitions: await definitions(),
      });
      return [read.totals?.all.values, read.rows[0]?.values];
    },
  };
}

/** Objects of Zendesk's API: a ticket as it is now, what somebody wrote, and how it came to be so. */
const TICKET = { id: 7, requester_id: 501, status: 'solved', created_at: '2026-01-05T09:00:00Z', tags: ['gold'] };
const COMMENT = { id: 12, ticket_id: 7, author_id: 501, public: true, created_at: '2026-01-05T09:05:00Z' };
const AUDIT = {
  ...{ id: 20, ticket_id: 7, author_id: 42, created_at: '2026-01-06T09:00:00Z' },
  events: [{ id: 21, type: 'Change', field_name: 'status', value: 'solved', previous_value: 'open' }],
};
const BESIDE_STATE = ['customer_messages', 'first_replies', 'replies', 'notes', 'handling'];

const zendesk = (key: string) => ({
  ...{ type: 'case.created', source: 'live', case: key, id: `${key} created`, at: '2026-01-08T09:00:00Z' },
});

describe('what the history cannot tell', () => {
  it('is nothing, as long as there is none', async () => {
    const { noData, tells } = await start();
    expect([await tells(), await noData('case_reopens')]).toEqual([{}, null]);
  });

  it('is empty on pages, in mails and workbooks, and the reply keeps its numbers', async () => {
    const { load, tells, noData, reply, shown } = await start();
    await load(FIRST);
    expect(await tells()).toEqual({ list: ['creations', 'statuses', 'resolves'] });
    expect((await reply()).data).toEqual([[null, null, null, 2, 1, 0, 0, null, 1]]);
    const numbers = [2, 1, null, null, null, 1];
    expect(await shown()).toEqual([numbers, numbers]);
    expect(await noData('case_creates')).toBeNull();
    expect(await noData('case_reopens')).toEqual({ sentence: 'No data on reopens in your files.', everywhere: true });
    expect((await noData('reply_time')).sentence).toBe('No data on messages of customers and replies in your files.');
  });

  it('is told in part where another source tells it', async () => {
    const { load, records, tells, noData, shown } = await start();
    await load(FIRST);
    await records(zendesk('9'));
    expect(await tells()).toEqual({ list: ['creations', 'statuses', 'resolves'], live: [...ALL_TELLINGS] });
    expect(await noData('case_reopens')).toEqual({
      ...{ sentence: 'No data on reopens in list; the other sources tell it.', everywhere: false },
    });
    expect((await shown())[0]).toEqual([3, 1, 0, 0, null, 2]);
  });

  it('follows a newer copy with other columns, and its undoing', async () => {
    const { load, uploads, tells } = await start();
    await load(FIRST);
    const more = { ...map, csat: 'stars' };
    const newer = await uploads.bring('id,opened,done,state,stars\n1,2026-01-05T09:00:00Z,,open,4', {
      mapping: more,
      source: 'list',
    });
    await uploads.work(newer.id, 'load');
    expect(await tells()).toEqual({ list: ['creations', 'statuses', 'resolves', 'ratings'] });
    await uploads.work(newer.id, 'undo');
    expect(await tells()).toEqual({ list: ['creations', 'statuses', 'resolves'] });
  });

  it.each([
    [[TICKET], ['creations', 'statuses', 'labels']],
    [[COMMENT], BESIDE_STATE],
    [
      [TICKET, COMMENT],
      [...BESIDE_STATE, 'creations', 'statuses', 'labels'],
    ],
    [[TICKET, COMMENT, AUDIT], ALL_TELLINGS],
  ])('is of objects of Zendesk what their kinds say: case %#', async (objects, told) => {
    const { uploads, tells, noData } = await start();
    const content = objects.map((one) => JSON.stringify(one)).join('\n');
    const { id } = await uploads.bring(content, { source: 'desk' }, 'desk.ndjson');
    expect(await uploads.work(id, 'load')).toMatchObject({ status: 'done', problem: null });
    expect(await tells()).toEqual({ desk: ALL_TELLINGS.filter((each) => told.includes(each)) });
    const lacking = { sentence: 'No data on resolves in your files.', everywhere: true };
    expect(await noData('case_resolves')).toEqual(told.includes('resolves') ? null : lacking);
  });

  it('is of a log what all its files say, the one without a history as well as the one with it', async () => {
    const { uploads, tells } = await start();
    for (const one of [TICKET, AUDIT]) {
      const { id } = await uploads.bring(JSON.stringify(one), { source: 'desk' }, 'desk.ndjson');
      await uploads.work(id, 'load');
    }
    expect(await tells()).toEqual({ desk: [...ALL_TELLINGS] });
  });

  it('is not of a file that was only looked at, or of events without a source', async () => {
    const { uploads, records, tells, noData } = await start();
    await uploads.bring(FIRST, { mapping: map });
    expect(await tells()).toEqual({});
    const { source: _, ...nameless } = zendesk('9');
    await records(nameless);
    expect([await tells(), await noData('case_reopens')]).toEqual([{ null: [...ALL_TELLINGS] }, null]);
  });

  it('is said in mails and ends no alert', async () => {
    const { load, ask } = await start();
    await load(FIRST);
    const relative = { fields: ['case_reopens'], time: { last: 3, unit: 'month', window_size: 'none' } };
    const body = { name: 'Reopens', request: relative };
    const saved_report = (await ask('POST', '/api/v2/saved_reports', { body })).body.id;
    const as = 'Workflow Manager';
    const recipients = ['administrator@test.example'];
    const made = await ask('POST', '/api/v2/subscriptions', { body: { saved_report, every: 'day', recipients }, as });
    const mail = (await ask('POST', `/api/v2/subscriptions/${made.body.id}/mail`, { as })).body;
    for (const part of [mail.html, mail.text]) expect(part).toContain('No data on reopens in your files.');
    expect(mail.text).toMatch(/Reopens.*–/);
    const alert = { name: 'Many', saved_report, comparison: 'below', bound: 5, check: 'day', recipients };
    const { id } = (await ask('POST', '/api/v2/alerts', { body: alert, as })).body;
    const checked = (await ask('POST', `/api/v2/alerts/${id}/check`, { as })).body;
    expect(checked).toMatchObject({ value: null, crossed: null, shown: '–' });
  });
});
