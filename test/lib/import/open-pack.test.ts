import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPack } from '../../../infra/cli/import/recognise.ts';
import { memberId } from '../../../lib/access/member-id.ts';
import type { CaseEvent } from '../../../lib/history/cases/event.ts';
import { formatInstant } from '../../../lib/history/cases/instant.ts';
import { countedEvents } from '../../../lib/history/cases/versions.ts';
import { rowsIn } from '../../../lib/import/formats/row.ts';
import { openPack } from '../../../lib/import/open-pack.ts';
import { PACKS, ratedPack } from '../../../lib/import/packs/pack.ts';
import { isEvent } from '../../../lib/import/records/records.ts';
import { readZendeskFiles } from '../../support/zendesk/read-zendesk.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pack-'));
});
afterEach(() => rm(folder, { recursive: true }));

const write = async (files: Readonly<Record<string, string>>) => {
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
};

/** What a pack makes of the files in the folder, or of one of them. */
async function load(name: string, file = '', rating: 'yes_no' | 'four_star' = 'yes_no') {
  const pack = ratedPack(await findPack(name, 'UTC'), rating);
  const source = await openPack({ path: join(folder, file), pack, zone: 'UTC', folder: tmpdir() });
  const events: CaseEvent[] = [];
  const references: unknown[] = [];
  const rejected: unknown[] = [];
  for await (const batch of source.batches) {
    for (const row of rowsIn(batch)) {
      if ('reason' in row) rejected.push([source.placeOf(row.line), row.reason]);
      else
        for (const record of row.records) isEvent(record) ? events.push(record as CaseEvent) : references.push(record);
    }
  }
  const told = events.map(({ id, at, case: key, type, as_of: _, source: __, ...rest }) => {
    const more = Object.entries(rest).map(([field, value]) => ` ${field}=${JSON.stringify(value)}`);
    return `${key} ${formatInstant(at).slice(5, 16)} ${type}${more.join('')}`;
  });
  return {
    told: told.sort(),
    references,
    rejected,
    findings: source.findings.summary(),
    ids: events.map(({ id }) => id),
    events,
  };
}

describe('the packs', () => {
  it.each(PACKS)('%s is well formed', async (name) => {
    expect((await findPack(name, 'UTC')).name).toBe(name);
  });

  it('of one file read it as a spreadsheet saved it, and do not tell what a site lacks', async () => {
    const csv = `sep=;\r\nTicket ID;Status;Source;Agent;Created time;Last update time;Resolved time
1;Closed;Email;Müller, Jörg;01.03.2026 09:00;02.03.2026 09:00;01.03.2026 10:30\r\n`;
    await writeFile(join(folder, 'tickets.csv'), Buffer.from(csv, 'latin1'));
    const { told, rejected, findings, references } = await load('freshdesk-tickets-csv', 'tickets.csv');
    expect([rejected, told]).toEqual([
      [],
      [
        expect.stringMatching(/^1 03-01T09:00 case.assigned/),
        expect.stringMatching(/^1 03-01T09:00 case.created/),
        '1 03-01T09:00 interaction direction="inbound"',
        '1 03-01T10:30 case.status to="resolved"',
        '1 03-02T09:00 case.status to="closed"',
      ],
    ]);
    expect(references).toContainEqual(expect.objectContaining({ type: 'agent', name: 'Müller, Jörg' }));
    expect(findings.warnings.filter((warning) => warning.startsWith('Nothing used'))).toEqual([]);
  });

  it('read Zendesk by Fivetran: creation, changes, comments and tags', async () => {
    await write({
      'user.csv': 'id,role,name,email\n42,agent,Ann,a@x\n501,end-user,Bo,b@x\n43,agent,Cy,c@x\n',
      'ticket.csv':
        'id,created_at,updated_at,status,via_channel,requester_id,organization_id,custom_tier\n7,2026-03-01 09:00:00,2026-03-02T00:00:00Z,closed,email,501,9,gold\n8,2026-03-01 09:00:00+00,2026-03-02 00:00:00.123 UTC,deleted,mail,43,,\n',
      'ticket_field_history.csv':
        'ticket_id,field_name,value,user_id,updated\n7,status,new,501,2026-03-01 09:00:00\n7,status,solved,42,2026-03-01 10:00:00\n7,status,solved,42,2026-03-01 10:00:00\n7,assignee_id,42,42,2026-03-01 09:30:00\n7,assignee_id,,,2026-03-01 11:00:00\n7,360001,x,501,2026-03-01 11:30:00\n7,subject,Hi,501,2026-03-01 09:00:00\n',
      'ticket_comment.csv':
        'id,ticket_id,user_id,public,created\n11,7,501,true,2026-03-01 09:00:00\n12,7,42,TRUE,2026-03-01 09:40:00\n13,7,42,False,2026-03-01 09:50:00\n14,8,43,true,2026-03-01 09:00:00\n',
      'ticket_tag.csv': 'ticket_id,tag\n7,vip\n',
    });
    const { told, references, rejected, ids } = await load('fivetran-zendesk');
    const [email, tier, vip] = [
      memberId('channel', 'Email'),
      memberId('custom_field', 'custom_tier'),
      memberId('label', 'vip'),
    ];
    expect(rejected).toEqual([]);
    expect(told).toEqual(
      [
        `7 03-01T09:00 case.created channel=${email} company=9 custom_fields={"${tier}":"gold"}`,
        `8 03-01T09:00 case.created channel=${email}`,
        '7 03-01T09:00 case.status to="new"',
        `7 03-01T09:00 case.labels add=[${vip}]`,
        '7 03-01T09:00 interaction direction="inbound"',
        '8 03-01T09:00 interaction direction="inbound"',
        '7 03-01T09:30 case.assigned to={"agent":42}',
        '7 03-01T09:40 interaction agent=42 direction="outbound"',
        '7 03-01T09:50 note agent=42',
        '7 03-01T10:00 case.status agent=42 to="resolved"',
        '7 03-01T11:00 case.assigned to={"agent":null}',
        '7 03-01T11:30 case.custom_field field=360001 value="x"',
        '8 03-02T00:00 case.deleted',
      ].sort(),
    );
    expect(ids).toContain('zd:c:0000000000000012');
    expect(references).toContainEqual({ type: 'agent', id: 42, name: 'Ann' });
  });

  it('count a comment once that came from Zendesk itself, too', async () => {
    await write({
      'user.csv': 'id,role,name\n42,agent,Ann\n',
      'ticket.csv':
        'id,created_at,updated_at,status,requester_id\n7,2026-03-01 09:00:00,2026-03-02 00:00:00,open,501\n',
      'ticket_comment.csv':
        'id,ticket_id,user_id,public,created\n11,7,501,true,2026-03-01 09:00:00\n12,7,-1,true,2026-03-01 09:01:00\n',
    });
    const audit = {
      ...{ id: 1, ticket_id: 7, created_at: '2026-03-01T09:00:00Z', author_id: 501 },
      events: [{ id: 11, type: 'Comment', author_id: 501, public: true }],
    };
    const event = {
      ...audit,
      timestamp: 1_772_355_600,
      updater_id: 501,
      child_events: audit.events,
      events: undefined,
    };
    const { records } = await readZendeskFiles([[audit, event].map((one) => JSON.stringify(one)).join('\n')]);
    const known = records.filter(isEvent).map((one) => ({ ...one, source: 'zendesk' }) as CaseEvent);
    const { events } = await load('fivetran-zendesk');
    const counted = countedEvents([...known, ...events]).filter(({ type }) => type === 'interaction');
    expect(counted).toMatchObject([
      { id: 'zd:c:0000000000000011', direction: 'inbound' },
      { id: 'zd:c:0000000000000012', direction: 'outbound', automated: true },
    ]);
  });

  it('say what is missing, or there twice', async () => {
    await write({ 'ticket_comment.csv': 'id,ticket_id,user_id,public,created\n' });
    await expect(load('fivetran-zendesk')).rejects.toThrow(
      'fivetran-zendesk needs the file user, because its ticket_comment looks things up in it.',
    );
    await write({ 'ticket.csv': '', 'zendesk_ticket.csv': '' });
    await expect(load('fivetran-zendesk')).rejects.toThrow(
      /ticket\.csv and .*zendesk_ticket\.csv are both the ticket of fivetran-zendesk/,
    );
    await expect(load('fivetran-jira')).rejects.toThrow(
      'No file of fivetran-jira was found: it looks for files named user, status, ',
    );
  });

  it('read the CSV of a view of Zendesk, and go without columns that it lacks', async () => {
    await write({
      'export.csv':
        'Id,Requester,Submitter,Assignee,Status,Priority,Via,Created at,Updated at,Solved at,First reply time in minutes,Satisfaction Score\n7,Bo,Bo,Ann,Closed,High,Mail,2026-03-01 09:00,2026-03-05 10:00,2026-03-01 10:00,30,Good\n',
    });
    const { told, rejected, findings } = await load('zendesk-tickets-csv', 'export.csv');
    expect(rejected).toEqual([]);
    expect(told).toEqual(
      [
        `7 03-01T09:00 case.created channel=${memberId('channel', 'Email')} priority=8`,
        `7 03-01T09:00 case.assigned to={"agent":${memberId('agent', 'Ann')}}`,
        '7 03-01T09:00 interaction direction="inbound"',
        '7 03-01T09:30 interaction direction="outbound"',
        '7 03-01T10:00 case.status to="resolved"',
        '7 03-05T10:00 csat.rated score=1',
        '7 03-05T10:00 case.status to="closed"',
      ].sort(),
    );
    expect(findings.warnings).toContain('The file has no column "Group", so its values are left out.');
    const { told: starred } = await load('zendesk-tickets-csv', 'export.csv', 'four_star');
    expect(starred).toContain('7 03-05T10:00 csat.rated score=4');
  });

  it('tell which statuses they do not know, and how they read them', async () => {
    const header = 'Ticket ID,Status,Source,Created time,Last update time';
    const rows = ['Open', 'Gelöst', 'Waiting', 'Gelöst', ''].map(
      (status, place) => `${place},${status},Email,2026-03-01 09:00:00,2026-03-02 09:00:00`,
    );
    await write({ 'tickets.csv': [header, ...rows].join('\n') });
    const { findings } = await load('freshdesk-tickets-csv', 'tickets.csv');
    expect(findings.ignored).toEqual({ 'Status Gelöst (read as open)': 2, 'Status Waiting (read as open)': 1 });
  });

  it('can be one of your own, in a folder', async () => {
    const pack = {
      name: 'mine',
      about: 'Mine.',
      parts: [{ name: 'log', file: 'log.csv', mappings: [{ kind: 'snapshots', case: 'case', at: 'at' }] }],
    };
    await write({ 'pack.json': JSON.stringify(pack), 'log.csv': 'case,at\n1,2026-03-01T00:00:00Z\n' });
    expect((await load(folder)).told).toEqual(['1 03-01T00:00 case.created']);
    await write({
      'pack.json': JSON.stringify({ ...pack, parts: [{ ...pack.parts[0], mappings: [{ kind: 'snapshots' }] }] }),
    });
    await expect(load(folder)).rejects.toThrow(/pack\.json, part log, at case: /);
  });

  it('say once what stands in several places', async () => {
    const ref = (name: string) => ({ $ref: `#/$defs/${name}` });
    const packOf = (time: string) =>
      JSON.stringify({
        ...{
          name: 'mine',
          about: 'Mine.',
          $defs: { when: 'at', log: { kind: 'snapshots', case: 'case', at: ref(time) } },
        },
        parts: [{ name: 'log', file: 'log.csv', mappings: [ref('log')] }],
      });
    await write({ 'pack.json': packOf('when'), 'log.csv': 'case,at\n1,2026-03-01T00:00:00Z\n' });
    expect((await load(folder)).told).toEqual(['1 03-01T00:00 case.created']);
    await write({ 'pack.json': packOf('log') });
    await expect(load(folder)).rejects.toThrow('pack.json: #/$defs/log names nothing that stands before it in $defs.');
  });

  it('have one record of a member that several of their files name', async () => {
    const part = (name: string) => ({
      name,
      file: `${name}\\.csv`,
      mappings: [{ kind: 'snapshots', case: 'case', at: 'at', agent: 'who' }],
    });
    await write({
      'pack.json': JSON.stringify({ name: 'mine', about: 'Mine.', parts: [part('first'), part('second')] }),
      'first.csv': 'case,at,who\n1,2026-03-01T00:00:00Z,Ann\n',
      'second.csv': 'case,at,who\n1,2026-03-02T00:00:00Z,Ann\n2,2026-03-02T00:00:00Z,Bob\n',
    });
    expect((await load(folder)).references).toMatchObject([
      { type: 'agent', name: 'Ann' },
      { type: 'agent', name: 'Bob' },
    ]);
  });

  it('refuse a file that lacks the column of the case', async () => {
    await write({ 'x.csv': 'Number,Status\n1,Open\n' });
    await expect(load('zendesk-tickets-csv', 'x.csv')).rejects.toThrow(
      'The mapping names the column "Id", which the file does not have',
    );
  });
});
