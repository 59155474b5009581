import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPack } from '../../../infra/cli/import/recognise.ts';
import type { CaseEvent } from '../../../lib/history/cases/event.ts';
import { rowsIn } from '../../../lib/import/formats/row.ts';
import { openPack } from '../../../lib/import/open-pack.ts';
import { ratedPack } from '../../../lib/import/packs/pack.ts';
import { recogniseFile } from '../../../lib/import/recognise.ts';
import { isEvent } from '../../../lib/import/records/records.ts';
import { readRequest } from '../../../lib/insights/request.ts';
import { caseRows, reportOf } from '../../support/generators/report-of.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packs-'));
});
afterEach(() => rm(folder, { recursive: true }));

const SITE = { timeZone: 'UTC', weekStart: 'monday' as const };
const NOW = Date.parse('2026-06-01T00:00:00Z');

/** The events that a pack makes of some files, its empty cases, and the numbers of a report over all of 2026. */
async function load(name: string, files: Readonly<Record<string, string>>) {
  for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text);
  const [only, ...others] = Object.keys(files);
  const pack = ratedPack(await findPack(name, 'UTC'), 'yes_no');
  const path = others.length === 0 ? join(folder, only ?? '') : folder;
  const source = await openPack({ path, pack, zone: 'UTC', folder: tmpdir() });
  const cases = new Map<string, CaseEvent[]>();
  const empty: unknown[] = [];
  const rejected: string[] = [];
  for await (const batch of source.batches) {
    for (const row of rowsIn(batch)) {
      if ('reason' in row) {
        rejected.push(row.reason);
        continue;
      }
      if (row.empty) empty.push([row.empty.case, row.empty.source]);
      for (const record of row.records) {
        if (!isEvent(record) || !('case' in record)) continue;
        cases.set(record.case, [...(cases.get(record.case) ?? []), record]);
      }
    }
  }
  const numbers = (...fields: string[]): unknown[] => {
    const time = { min: '2026-01-01T00:00:00Z', max: '2026-06-01T00:00:00Z', window_size: 'none' };
    const [row] = reportOf(readRequest({ fields, time }, SITE, NOW), caseRows(cases));
    return row?.slice(3) ?? [];
  };
  return { cases, empty, rejected, numbers, findings: source.findings.summary() };
}

const USERS = 'id,role,name,email\n42,agent,Ann,a@x\n43,admin,Cy,c@x\n501,end-user,Bo,b@x\n502,end-user,Di,d@x\n';

describe("Intercom's tables", () => {
  it('have messages in closes and opens that have a body, and reopens in notes and assignments', async () => {
    const { numbers, rejected } = await load('fivetran-intercom', {
      'admin.csv': 'id,name,email,job_title\n9,Ann,a@x,\n',
      'conversation_history.csv': `id,created_at,updated_at,source_type,state,source_author_type
1,2026-03-01 09:00:00,2026-03-02 09:00:00,conversation,open,user
2,2026-03-01 09:00:00,2026-03-02 09:00:00,conversation,open,user
`,
      'conversation_part_history.csv': `id,conversation_id,part_type,body,author_type,author_id,created_at,assigned_to_type,assigned_to_id
1,1,close,<p>Done</p>,admin,9,2026-03-01 10:00:00,,
2,1,open,<p>No</p>,user,77,2026-03-01 11:00:00,,
3,2,comment,<p>Hi</p>,admin,9,2026-03-01 10:00:00,,
4,2,close,,admin,9,2026-03-01 11:00:00,,
5,2,note_and_reopen,<p>log</p>,admin,9,2026-03-01 12:00:00,,
6,2,close,,admin,9,2026-03-01 13:00:00,,
7,2,assign_and_reopen,,admin,9,2026-03-01 14:00:00,admin,9
`,
    });
    expect(rejected).toEqual([]);
    expect(
      numbers('open_cases', 'inbound_interactions', 'outbound_interactions', 'case_resolves', 'case_reopens'),
    ).toEqual([2, 3, 2, 3, 3]);
    expect(numbers('resolved_without_response', 'time_to_first_response:count')).toEqual([0, 2]);
  });
});

describe("Zendesk's tables", () => {
  const TICKET = 'id,created_at,status,requester_id,via_channel,updated_at';
  const HISTORY = 'ticket_id,field_name,value,user_id,updated';

  it('read a status that they do not know as open, and those they know in any case', async () => {
    const { numbers, findings } = await load('fivetran-zendesk', {
      'user.csv': USERS,
      'ticket.csv': `${TICKET}\n1,2026-03-01 09:00:00,on-hold,501,email,2026-03-10 00:00:00\n`,
      'ticket_field_history.csv': `${HISTORY}
1,status,new,501,2026-03-01 09:00:00
1,status,SOLVED,42,2026-03-02 09:00:00
1,status,in-repair,42,2026-03-03 09:00:00
`,
    });
    expect(numbers('case_reopens', 'open_cases')).toEqual([1, 1]);
    expect(findings.ignored).toMatchObject({ 'value in-repair (read as open)': 1 });
  });

  it.each([
    '2026-03-01 09:00:00.000 +0000',
    '2026-03-01 09:00:00.123 Z',
    '2026-03-01 09:00:00.0000000',
    '2026-03-01 09:00:00.0000000 +00:00',
    '2026-03-01T09:00:00.000+00:00',
    '2026-03-01T09:00:00.000Z',
    '2026-03-01 09:00:00 UTC',
  ])('have times as warehouses write them: %s', async (time) => {
    const { rejected, numbers } = await load('fivetran-zendesk', {
      'user.csv': USERS,
      'ticket.csv': `${TICKET}\n1,${time},open,501,email,${time}\n`,
      'ticket_comment.csv': `id,ticket_id,user_id,public,created\n1,1,501,true,${time}\n`,
    });
    expect([rejected, numbers('case_creates', 'inbound_interactions')]).toEqual([[], [1, 1]]);
  });

  it('go without deleted rows, and without all that is said of a deleted ticket', async () => {
    const { cases, empty, findings } = await load('fivetran-zendesk', {
      'user.csv': USERS,
      'ticket.csv': `${TICKET},_fivetran_deleted
1,2026-03-01 09:00:00,open,501,email,2026-03-02 00:00:00,false
2,2026-03-01 09:00:00,open,501,email,2026-03-02 00:00:00,true
`,
      'ticket_comment.csv': `id,ticket_id,user_id,public,created,_fivetran_deleted
1,1,501,true,2026-03-01 09:00:00,false
2,1,42,true,2026-03-01 09:10:00,TRUE
3,2,42,true,2026-03-01 09:10:00,false
`,
    });
    expect([...cases].map(([key, events]) => [key, events.map(({ type }) => type)])).toEqual([
      ['1', ['case.created', 'case.status', 'interaction']],
    ]);
    expect(empty).toEqual([
      ['2', 'fivetran-zendesk:ticket'],
      ['2', 'fivetran-zendesk:ticket_comment'],
    ]);
    expect(findings.ignored['deleted row']).toBe(3);
  });

  it('take a comment for the requester’s by who that was at its moment', async () => {
    const history = 'ticket_id,field_name,value,user_id,updated\n';
    const comments = 'id,ticket_id,user_id,public,created\n';
    const { cases } = await load('fivetran-zendesk', {
      'user.csv': USERS,
      'ticket.csv': `${TICKET}\n1,2026-03-01 09:00:00,open,43,email,2026-03-09 00:00:00\n2,2026-03-01 09:00:00,open,43,email,2026-03-09 00:00:00\n`,
      // Ticket 1 was Ann's first, an agent who asked herself; later it is Cy's. Ticket 2 says nothing of its requesters.
      'ticket_field_history.csv': `${history}1,requester_id,43,42,2026-03-05 09:00:00.000 +0000\n1,requester_id,42,42,2026-03-01 09:00:00.000 +0000\n1,status,open,42,2026-03-01 09:00:00\n`,
      'ticket_comment.csv': `${comments}${[
        '5,1,42,true,2026-03-01 09:00:00', // in the same second as the first requester
        '6,1,43,true,2026-03-02 09:00:00',
        '7,1,42,true,2026-03-06 09:00:00',
        '8,1,43,true,2026-03-07T09:00:00Z',
        '9,1,501,true,2026-02-01 09:00:00', // before all that the history knows
        '10,2,43,true,2026-03-02 09:00:00',
        '11,2,42,true,2026-03-02 09:30:00',
      ].join('\n')}\n`,
    });
    const directions = (key: string) =>
      cases.get(key)?.flatMap((event) => (event.type === 'interaction' ? [[event.id.slice(-2), event.direction]] : []));
    expect(directions('1')?.toSorted()).toEqual([
      ['05', 'inbound'],
      ['06', 'outbound'],
      ['07', 'outbound'],
      ['08', 'inbound'],
      ['09', 'inbound'],
    ]);
    expect(directions('2')).toEqual([
      ['10', 'inbound'],
      ['11', 'outbound'],
    ]);
  });

  it('say who created a ticket, how long a call took, and that a ticket lost its last tag', async () => {
    const { cases, empty } = await load('fivetran-zendesk', {
      'user.csv': USERS,
      'ticket.csv': `${TICKET},submitter_id\n1,2026-03-01 09:00:00,open,501,phone,2026-03-02 00:00:00,42\n2,2026-03-01 09:00:00,open,501,email,2026-03-02 00:00:00,501\n`,
      'ticket_comment.csv':
        'id,ticket_id,user_id,public,created,voice_comment,call_duration\n5,1,42,true,2026-03-01 09:30:00,true,300\n6,2,501,true,2026-03-01 09:00:00,false,\n',
      'ticket_tag.csv': 'ticket_id,tag\n2,vip\n',
    });
    expect(cases.get('1')).toContainEqual(expect.objectContaining({ type: 'case.created', agent: 42 }));
    expect(cases.get('2')?.[0]).not.toHaveProperty('agent');
    const from = Date.parse('2026-03-01T09:30:00Z') * 1000;
    expect(cases.get('1')).toContainEqual(
      expect.objectContaining({
        id: 'zd:c:0000000000000005:h',
        type: 'case.handled',
        agent: 42,
        from,
        to: from + 300e6,
      }),
    );
    expect(empty).toEqual([['1', 'fivetran-zendesk:ticket_tag']]);
  });
});

describe("Jira's tables", () => {
  it('take a comment by another customer for no reply', async () => {
    const { numbers } = await load('fivetran-jira', {
      'user.csv': 'id,name,email,time_zone\n1,Bo,b@x,UTC\n2,Di,d@x,UTC\n3,Ann,a@x,UTC\n4,Cy,c@x,UTC\n',
      'issue.csv':
        'id,key,created,updated,status,assignee,reporter\n10,A-1,2026-03-01 09:00:00,2026-03-02 09:00:00,1,3,1\n',
      'priority.csv': 'id,name\n1,High\n',
      'status.csv': 'id,name,status_category_id\n1,Open,1\n',
      'status_category.csv': 'id,name\n1,To Do\n',
      'issue_field_history.csv': 'issue_id,field_id,time,value\n10,assignee,2026-03-01 09:10:00,3\n',
      'comment.csv': `id,issue_id,author_id,created,is_public
1,10,1,2026-03-01 09:20:00,true
2,10,2,2026-03-01 09:30:00,true
3,10,3,2026-03-01 10:00:00,true
4,10,4,2026-03-01 11:00:00,false
5,10,4,2026-03-01 12:00:00,true
`,
    });
    expect(numbers('inbound_interactions', 'outbound_interactions')).toEqual([2, 2]);
  });
});

describe('the CSV of tickets', () => {
  it('is recognised though a column is missing or in another language, if many others are there', async () => {
    const packs = [ratedPack(await findPack('zendesk-tickets-csv', 'UTC'), 'yes_no')];
    const header =
      'Id,Requester,Submitter,Estado,Created at,Updated at,Solved at,Assignee,Group,Via,First reply time in minutes';
    const found = async (columns: string) =>
      (await recogniseFile({ name: 'a.csv', bytes: Buffer.from(`${columns}\n`) }, packs))?.format;
    expect(await found(header)).toBe('zendesk-tickets-csv');
    expect(await found('Id,Requester,Estado,Created at,First reply time in minutes')).toBeUndefined();
    expect(await found(header.replace('Requester', 'Solicitante'))).toBeUndefined();
  });

  it('of ServiceNow is resolved when it was closed, also in other words and numbers', async () => {
    const { numbers } = await load('servicenow-incidents', {
      'incident.csv': `number,state,opened_at,resolved_at,closed_at,sys_updated_on
INC1,Closed,2026-03-26 09:00:00,,2026-03-27 09:00:00,2026-04-20 09:00:00
INC2,8,2026-03-26 09:00:00,,2026-03-27 09:00:00,2026-04-20 09:00:00
INC3,on hold,2026-03-26 09:00:00,,,2026-04-20 09:00:00
`,
    });
    expect(numbers('case_resolves', 'avg_time_to_resolution', 'open_cases')).toEqual([2, 86_400, 1]);
  });

  it('of ServiceNow has one order of day and month, which a row shows', async () => {
    const header = 'number,state,opened_at,resolved_at,sys_updated_on';
    const file = (...days: string[]) => ({
      'incident.csv': `${header}\n${days.map((day, at) => `INC${at},New,${day} 09:00:00,,${day} 10:00:00`).join('\n')}\n`,
    });
    const created = async (...days: string[]) => {
      const { cases } = await load('servicenow-incidents', file(...days));
      const event = cases.get('INC1')?.find(({ type }) => type === 'case.created');
      return new Date(Number(event?.at) / 1000).toISOString().slice(0, 10);
    };
    expect(await created('03-26-2026', '03-04-2026')).toBe('2026-03-04');
    expect(await created('26-03-2026', '03-04-2026')).toBe('2026-04-03');
    await expect(created('03-05-2026', '03-04-2026')).rejects.toThrow(
      /may have the day or the month first, and no row/,
    );
  });

  it('of Freshdesk is resolved when it was closed, and waits for others as pending', async () => {
    const { cases, findings } = await load('freshdesk-tickets-csv', {
      'tickets.csv': `Ticket ID,Status,Source,Created time,Last update time,Resolved time,Closed time
1,CLOSED,Email,2026-03-26 09:00:00,2026-04-20 09:00:00,,2026-03-27 09:00:00
2,Waiting on Customer,Email,2026-03-26 09:00:00,2026-04-20 09:00:00,,
3,waiting on third party,Email,2026-03-26 09:00:00,2026-04-20 09:00:00,,
`,
    });
    const statuses = [...cases.values()].flat().flatMap((event) => (event.type === 'case.status' ? [event.to] : []));
    expect([statuses, findings.ignored]).toEqual([['resolved', 'closed', 'pending', 'pending'], {}]);
  });
});
