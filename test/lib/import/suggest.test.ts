import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parseMapping } from '../../../lib/import/formats/parse-mapping.ts';
import { sniffCsv } from '../../../lib/import/sniff.ts';
import { suggestMapping } from '../../../lib/import/suggest/suggest.ts';

async function suggest(csv: string | Uint8Array) {
  const sample = await sniffCsv(Buffer.from(csv));
  const suggestion = sample && suggestMapping(sample);
  if (suggestion !== undefined) parseMapping(JSON.stringify(suggestion.mapping), 'map.json'); // it is well formed
  return suggestion;
}
const doubts = (suggestion: Awaited<ReturnType<typeof suggest>>) =>
  suggestion?.notes.filter(({ isSure }) => !isSure).map(({ what }) => what);

const repeated = (rows: readonly string[]) =>
  Array.from({ length: 6 }, () => rows)
    .flat()
    .join('\n');

describe('a suggested mapping', () => {
  it('reads a log of activities', async () => {
    const suggestion = await suggest(readFileSync('test/data/requests.csv'));
    expect(suggestion?.mapping).toMatchObject({
      kind: 'activities',
      csv: { separator: ';' },
      time: { format: 'yyyy/MM/dd HH:mm:ss[.SSS]', zone: 'UTC' },
      case: 'Case ID',
      at: 'Complete Timestamp',
      activity: 'Activity',
      activities: { Closed: [{ type: 'case.status', to: { value: 'closed' } }], 'Require upgrade': [] },
      otherwise: 'ignore',
    });
    expect(doubts(suggestion)).toContain('Times are in UTC.');
  });

  it('reads one row a ticket, in any separator and encoding', async () => {
    const rows =
      'Ticket\tState\tPriority\tAssigned to\tOpened\tResolved\n7\tGelöst closed\t1 - Critical\tJörg\t13.02.2026 09:00\t\n8\tNew\t3\t\t01.03.2026 10:00\t02.03.2026 10:00\n';
    const suggestion = await suggest(Buffer.from(rows, 'latin1'));
    expect(suggestion?.mapping).toEqual({
      kind: 'tickets',
      csv: { separator: '\t', encoding: 'windows-1252' },
      time: { format: 'd.M.yyyy H:mm[:ss]', zone: 'UTC' },
      case: 'Ticket',
      created: 'Opened',
      solved: 'Resolved',
      agent: 'Assigned to',
      status: { column: 'State', table: { 'Gelöst closed': 'closed', New: 'new' } },
      priority: { column: 'Priority', table: { '1 - Critical': 10, '3': 5 }, default: null },
    });
  });

  it.each(['utf-16le', 'utf-16be'])('reads a file in %s, as a spreadsheet saves Unicode text', async (encoding) => {
    const bytes = Buffer.from(
      '\uFEFFTicket\tState\tOpened\n7\tNew\t13.02.2026 09:00\n8\tNew\t14.02.2026 09:00\n',
      'utf16le',
    );
    const suggestion = await suggest(encoding === 'utf-16le' ? bytes : bytes.swap16());
    expect(suggestion?.mapping).toMatchObject({
      csv: { separator: '\t', encoding },
      case: 'Ticket',
      created: 'Opened',
    });
  });

  it.each([
    ['a spreadsheet', 'PK\x03\x04\x14\0,\x06,\x08\n1,2,3\n4,5,6\n'],
    ['lines that end with a bare CR', 'Ticket,State,Opened\r7,New,2026-01-13\r8,New,2026-01-13\r'],
  ])('takes %s for no CSV', async (_, text) => {
    expect(await sniffCsv(Buffer.from(text))).toBeUndefined();
  });

  it.each([',', '|', ';'])('splits labels at %s', async (separator) => {
    const rows = ['7', '8'].map((id) => `${id}\tNew\t2026-01-13 12:36:00\tvip${separator}big printer`);
    const suggestion = await suggest(['Ticket\tState\tOpened\tTags', ...rows].join('\n'));
    expect(suggestion?.mapping).toMatchObject({ labels: { column: 'Tags', split: separator } });
  });

  it('reads issues with columns of one name, years of two digits and statuses of a service desk', async () => {
    const rows = `Summary,Issue key,Status,Reporter,Creator,Assignee,Created,Updated,Resolved,Labels,Labels
"Printer, 2nd floor
broken",IT-1,Waiting for support,Kim,Kim,,13/Jan/26 12:36 PM,17/Jan/26 1:48 AM,,vip,printer
Mouse,IT-2,Done,Kim,Bob,Bob,14/Jan/26 9:00 AM,17/Jan/26 1:48 AM,16/Jan/26 9:23 PM,,
`;
    const suggestion = await suggest(rows.replaceAll('\n', '\r\n'));
    expect(suggestion?.mapping).toEqual({
      kind: 'tickets',
      time: { format: 'd/MMM/yy h:mm[:ss] a', zone: 'UTC' },
      case: 'Issue key',
      created: 'Created',
      solved: 'Resolved',
      updated: 'Updated',
      as_of: 'Updated',
      requester: 'Reporter',
      submitter: 'Creator',
      agent: 'Assignee',
      status: { column: 'Status', table: { 'Waiting for support': 'open', Done: 'resolved' } },
      labels: { columns: ['Labels', 'Labels (2)'], join: ' ', split: ' ' },
    });
    expect(suggestion?.notes.at(-1)?.what).toBe('Not used: "Summary".');
  });

  it('reads ids with a mark, how long things took, and texts that mean nothing', async () => {
    const rows = `Number,Status,Assigned To,Team,Created At,First Response Time,Hours to resolve
#001,Closed,"Lee, K.",-,"Jan 12, 2026 2:12 PM",1 day 8 hours 15 min,"40,5"
#002,Pending,Unassigned,n/a,"Jan 13, 2026 3:01 PM",,
`;
    expect((await suggest(rows))?.mapping).toEqual({
      kind: 'tickets',
      csv: { null: ['Unassigned', '-', 'n/a'] },
      time: { format: 'MMM d, yyyy h:mm[:ss] a', zone: 'UTC' },
      case: { column: 'Number', pattern: '^#(\\d+)' },
      created: 'Created At',
      replied: { column: 'Created At', plus: { column: 'First Response Time', unit: 'words' } },
      solved: { column: 'Created At', plus: { column: 'Hours to resolve', unit: 'hours' } },
      agent: 'Assigned To',
      group: 'Team',
      status: { column: 'Status', table: { Closed: 'closed', Pending: 'pending' } },
    });
  });

  it("reads HubSpot's associated company as the company", async () => {
    const suggestion = await suggest(
      'Ticket ID,Create date,Ticket status,Associated Company\n7,2026-02-13 09:00,New,Acme\n8,2026-02-14 09:00,New,Initech\n',
    );
    expect(suggestion?.mapping).toMatchObject({ kind: 'tickets', case: 'Ticket ID', company: 'Associated Company' });
  });

  it('says when days and months cannot be told apart', async () => {
    const either = await suggest('id,created\n1,01/02/2026 09:00\n2,03/04/2026 09:00\n');
    expect(either?.notes).toContainEqual(
      expect.objectContaining({ what: 'Times are written d/M/yyyy H:mm[:ss].', isSure: false }),
    );
    const american = await suggest('id,created\n1,01/22/2026 09:00\n2,03/04/2026 09:00\n');
    expect(american?.mapping).toMatchObject({ time: { format: 'M/d/yyyy H:mm[:ss]' } });
  });

  it('reads messages, and states after each update', async () => {
    const messages = await suggest(
      `issue,message,sent,sender_type\n${repeated(['1,5,1772355630,customer', '1,6,1772355730,agent'])}`,
    );
    expect(messages?.mapping).toMatchObject({
      kind: 'messages',
      time: { format: 'epoch_seconds' },
      key: ['message'],
      direction: { column: 'sender_type', table: { customer: 'inbound', agent: 'outbound' } },
    });
    const states = await suggest(
      `number,state,opened_at,sys_created_by,sys_updated_by,sys_updated_at,sys_mod_count,team\n${repeated([
        'I1,New,2026-02-28T09:00:00Z,?,Ann,2026-03-01T09:00:00Z,0,a',
        'I1,Closed,2026-02-28T09:00:00Z,?,Bob,2026-03-02T09:00:00Z,1,b',
      ])}`,
    );
    expect(states?.mapping).toMatchObject({
      ...{ kind: 'snapshots', csv: { null: ['?'] }, time: {}, at: 'sys_updated_at', order: ['sys_mod_count'] },
      ...{ actor: { agent: 'sys_updated_by' }, created: { at: 'opened_at' }, group: 'team' },
    });
    const numbers = await suggest(`issueid,at,state\n${repeated(['1004298.0,2026-03-01T09:00:00Z,New'])}`);
    expect(numbers?.mapping).toMatchObject({ case: { column: 'issueid', pattern: '^(\\d+)' } });
  });

  it('is not made of what has neither case nor time', async () => {
    expect(await suggest('a,b\n1,2\n')).toBeUndefined();
    expect(await suggest('hello')).toBeUndefined();
  });
});
