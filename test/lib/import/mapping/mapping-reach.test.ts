import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memberId as id } from '../../../../lib/access/member-id.ts';
import { formatInstant } from '../../../../lib/history/cases/instant.ts';
import { newFindings } from '../../../../lib/import/formats/findings.ts';
import { readCsvRows, recordsOf, rejectionsOf } from '../../../support/generators/read-rows.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reach-'));
});
afterAll(() => rm(folder, { recursive: true }));

const SMALL = { kind: 'activities', time: { zone: 'UTC' }, case: 'case', at: 'at', created: {} };

/** What a log gives: its events as short texts, its rejections and what was noticed. */
async function read(log: string, mapping: object) {
  const findings = newFindings();
  const isTickets = 'created' in mapping && typeof mapping.created === 'string';
  const rows = await readCsvRows(log, isTickets ? mapping : { ...SMALL, ...mapping }, undefined, findings);
  const events = recordsOf(rows).flatMap((record) => ('case' in record ? [record] : []));
  const told = events.map(({ id: _, at, case: key, type, ...rest }) => {
    const more = Object.values(rest).map((value) => ` ${JSON.stringify(value)}`);
    return `${key} ${formatInstant(at).slice(0, 16)} ${type}${more.join('')}`;
  });
  return { told: told.sort(), rejections: rejectionsOf(rows), findings: findings.summary(), records: recordsOf(rows) };
}

describe('a mapping', () => {
  it('names each of several columns of one name in a file that it looks up in, and is told which it leaves', async () => {
    const users = join(folder, 'twice.csv');
    await writeFile(users, 'id,name,name\n5,Ann,Anna\n');
    const look = (value: string) =>
      read('case,at,who\n1,2026-03-01,5\n', {
        activity: { value: 'x' },
        activities: {
          x: { type: 'macro.applied', macro: { column: 'who', lookup: { file: users, key: 'id', value } } },
        },
      });
    const [first, second] = [await look('name'), await look('name (2)')];
    expect(first.told.at(-1)).toContain(String(id('macro', 'Ann')));
    expect(second.told.at(-1)).toContain(String(id('macro', 'Anna')));
    expect(first.findings.warnings).toEqual([
      `${users} has several columns "name": the mapping does not look in "name (2)".`,
    ]);
    expect(second.findings.warnings).toEqual([]);
  });

  it('looks things up in other files, one after the other', async () => {
    const [users, teams] = [join(folder, 'users.csv'), join(folder, 'teams.csv')];
    await writeFile(users, 'id,name,team\n5,Ann,t1\n6,Bo,\n');
    await writeFile(teams, 'id,title\nt1,First line\n');
    const lookup = [
      { file: users, key: 'id', value: 'team' },
      { file: teams, key: 'id', value: 'title' },
    ];
    const mapping = {
      activity: { value: 'x' },
      activities: {
        x: {
          type: 'case.assigned',
          agent: { column: 'who', lookup: { ...lookup[0], value: 'name' } },
          group: { column: 'who', lookup, default: null },
        },
      },
    };
    const { told, rejections, findings } = await read(
      'case,at,who\n1,2026-03-01,5\n2,2026-03-01,6\n3,2026-03-01,7\n',
      mapping,
    );
    expect(told.filter((event) => event.includes('assigned'))).toEqual([
      `1 2026-03-01T00:00 case.assigned {"agent":${id('agent', 'Ann')},"group":${id('group', 'First line')}}`,
      `2 2026-03-01T00:00 case.assigned {"agent":${id('agent', 'Bo')}}`,
    ]);
    expect(rejections).toEqual([[4, `who: "7" is not in the column id of ${users}`]]);
    expect(findings).toMatchObject({ ignored: {}, warnings: [] });
    const nowhere = { activity: { column: 'who', lookup: { ...lookup[0], value: 'nothing' } }, activities: {} };
    await expect(read('case,at,who\n', nowhere)).rejects.toThrow(
      /looks up the column "nothing" of .*: its columns are id, name, team/,
    );
    const missing = {
      activity: { column: 'who', lookup: { ...lookup[0], file: join(folder, 'none.csv') } },
      activities: {},
    };
    await expect(read('case,at,who\n', missing)).rejects.toThrow(/none\.csv does not exist/);
  });

  it('uses the default for an empty cell of the other file', async () => {
    const stages = join(folder, 'stages.csv');
    await writeFile(stages, 'id,state\ns1,CLOSED\ns2,\n');
    const to = {
      column: 'stage',
      lookup: { file: stages, key: 'id', value: 'state' },
      table: { CLOSED: 'resolved' },
      default: 'open',
    };
    const { told, rejections } = await read('case,at,stage\n1,2026-03-01,s1\n1,2026-03-02,s2\n', {
      activity: { value: 'x' },
      activities: { x: { type: 'case.status', to } },
    });
    expect(told.filter((event) => event.includes('status'))).toEqual([
      '1 2026-03-01T00:00 case.status "resolved"',
      '1 2026-03-02T00:00 case.status "open"',
    ]);
    expect(rejections).toEqual([]);
  });

  it('refuses an empty file to look things up in, and tells of damaged rows there', async () => {
    const users = join(folder, 'users.csv');
    const mapping = { activity: { column: 'who', lookup: { file: users, key: 'id', value: 'name' } }, activities: {} };
    await writeFile(users, '');
    await expect(read('case,at,who\n', mapping)).rejects.toThrow(`${users} is empty: a CSV starts with its header.`);
    await writeFile(users, 'id,name\n5,Lee, Ann\n6,"Bo"x\n7,Cy\n');
    const { findings } = await read('case,at,who\n', mapping);
    expect(findings.warnings).toEqual([`${users} has 2 damaged rows: nothing is looked up in these.`]);
  });

  it('knows activities by patterns and events by conditions', async () => {
    const log =
      'case,at,what,value\n1,2026-03-01,custom_a,x\n1,2026-03-02,status,deleted\n1,2026-03-03,status,open\n1,2026-03-04,other,\n';
    const mapping = {
      activity: 'what',
      activities: {
        '/^custom_/': {
          type: 'case.custom_field',
          field: { column: 'what', pattern: '^custom_(.+)$' },
          value: 'value',
        },
        status: [
          { type: 'case.deleted', when: { column: 'value', is: 'deleted' } },
          { type: 'case.status', to: 'value', when: { column: 'value', not: ['deleted', ''] } },
        ],
        never: [],
      },
      otherwise: 'ignore',
    };
    const { told, findings, records } = await read(log, mapping);
    expect(told).toEqual([
      '1 2026-03-01T00:00 case.created',
      `1 2026-03-01T00:00 case.custom_field ${id('custom_field', 'a')} "x"`,
      '1 2026-03-02T00:00 case.deleted',
      '1 2026-03-03T00:00 case.status "open"',
    ]);
    expect(records).toContainEqual({
      type: 'custom_field',
      object: 'case',
      id: id('custom_field', 'a'),
      name: 'a',
      updated_at: 0,
    });
    expect(findings.ignored).toEqual({ 'what other': 1 });
    expect(findings.warnings).toEqual(['No row used these keys of the mapping\'s activities: "never".']);
  });

  it('creates a case by a row that is refused for its activity, its value or its direction', async () => {
    const log = 'case,at,what,to\n1,2026-03-01,odd,\n1,2026-03-02,status,wrong\n1,2026-03-03,status,open\n';
    const { told, rejections } = await read(log, {
      activity: 'what',
      activities: { status: { type: 'case.status', to: 'to' } },
    });
    expect(told).toEqual(['1 2026-03-01T00:00 case.created', '1 2026-03-03T00:00 case.status "open"']);
    expect(rejections.map(([line]) => line)).toEqual([2, 3]);

    const snapshots = { kind: 'snapshots', status: 'to', priority: 'p' };
    const states = await read(
      'case,at,to,p\n1,2026-03-01,new,5\n1,2026-03-02,wrong,8\n1,2026-03-03,open,9x\n',
      snapshots,
    );
    expect(states.told).toEqual([
      '1 2026-03-01T00:00 case.created 5',
      '1 2026-03-02T00:00 case.priority 8',
      '1 2026-03-03T00:00 case.status "open"',
    ]);
    expect(states.rejections.map(([line]) => line)).toEqual([3, 4]);

    const messages = { kind: 'messages', key: ['key'], direction: 'to' };
    const written = await read('case,at,key,to\n1,2026-03-01,a,sideways\n1,2026-03-02,b,inbound\n', messages);
    expect(written.told).toEqual(['1 2026-03-01T00:00 case.created', '1 2026-03-02T00:00 interaction "inbound"']);
  });

  it('takes the lines of equal times from the last to the first where the file has the newest first', async () => {
    const log = 'case,at,to\n1,2026-03-01,closed\n1,2026-03-01,resolved\n1,2026-03-01,new\n';
    const rows = await readCsvRows(log, { ...SMALL, kind: 'snapshots', status: 'to', order: 'descending' });
    const events = recordsOf(rows).flatMap((record) => (record.type === 'case.status' ? [record] : []));
    expect(events.sort((a, b) => (a.id < b.id ? -1 : 1)).map(({ to }) => to)).toEqual(['resolved', 'closed']);
    const { findings } = await read(log, { kind: 'snapshots', status: 'to' });
    expect(findings.warnings).toEqual([expect.stringMatching(/^2 rows have the same time as another row/)]);
  });

  it('says what no row created, and that a column holds days', async () => {
    const log = `case,at,what\n${Array.from({ length: 12 }, (_, at) => `${at},2026-03-01,a`).join('\n')}`;
    const { created: _, ...rest } = SMALL;
    const findings = newFindings();
    await readCsvRows(log, { ...rest, activity: 'what', activities: { a: { type: 'note' } } }, undefined, findings);
    expect(findings.summary().warnings).toEqual([
      expect.stringMatching(/^12 of 12 cases have no creation in this file/),
      'All times have the same time of day, so the column seems to hold days, not times.',
    ]);
  });

  it('says that a text in an event is a column', async () => {
    const mapping = { activity: 'what', activities: { a: { type: 'case.assigned', agent: 'org:resource' } } };
    await expect(read('case,at,what\n', mapping)).rejects.toThrow(
      /names the column "org:resource", which the file does not have: .* \(A constant is written \{"value": "org:resource"\}\.\)$/,
    );
  });
});

describe('members', () => {
  it('are reference records, as far as rows meet the condition', async () => {
    const mapping = {
      kind: 'members',
      type: 'agent',
      id: 'id',
      name: 'name',
      deleted: 'gone',
      when: { column: 'role', is: ['agent', 'admin'] },
    };
    const findings = newFindings();
    const rows = await readCsvRows(
      'id,name,role,gone\n5,Ann,agent,false\n6,Bo,end-user,false\n7,Cy,admin,true\n,Di,agent,\n',
      mapping,
      undefined,
      findings,
    );
    expect(recordsOf(rows)).toEqual([
      { type: 'agent', id: 5, name: 'Ann' },
      { type: 'agent', id: 7, name: 'Cy', deleted: true },
    ]);
    expect([rejectionsOf(rows), findings.summary().ignored]).toEqual([
      [[5, 'the id is empty']],
      { 'row that does not meet "when"': 1 },
    ]);
  });
});

describe('columns of one name', () => {
  it('are told apart by a number, and those that a mapping leaves are named', async () => {
    const log = 'case,at,tag,tag (2),tag,tag,,\n1,2026-03-01T09:00:00Z,a,b,c,d,,\n';
    const labels = async (taken: unknown) => {
      const mapping = { kind: 'tickets', time: { zone: 'UTC' }, case: 'case', created: 'at', labels: taken };
      const { records, findings } = await read(log, mapping);
      return [records.flatMap((record) => (record.type === 'label' ? [record.name] : [])), findings.warnings];
    };
    expect(await labels('tag')).toEqual([
      ['a'],
      [
        'The file has several columns "tag": the mapping does not use "tag (3)".',
        'The file has several columns "tag": the mapping does not use "tag (4)".',
      ],
    ]);
    const all = { columns: ['tag', 'tag (2)', 'tag (3)', 'tag (4)'], join: ' ', split: ' ' };
    expect(await labels(all)).toEqual([['a', 'b', 'c', 'd'], []]);
  });
});

describe('tickets', () => {
  const PLAIN = {
    ...{ kind: 'tickets', time: { zone: 'UTC' }, case: 'Id', created: 'Created', inbound: false, updated: 'Updated' },
    status: { column: 'Status', table: { Done: 'resolved', Closed: 'closed', Open: 'open' } },
  };
  const DATES = `Id,Created,Status,Solved,Closed,Updated
1,2026-03-01,Closed,2026-03-02,2026-03-03,2026-03-09
2,2026-03-01,Closed,,2026-03-03,2026-03-09
3,2026-03-01,Done,,,2026-03-09
4,2026-03-01,Open,,,2026-03-09
5,2026-03-01,,2026-03-02,,2026-03-09
`;
  const statuses = async (mapping: object) => {
    const { told, findings } = await read(DATES, { ...PLAIN, ...mapping });
    const shown = told.map((event) => event.replace('T00:00 case.', ' '));
    return { shown: shown.filter((event) => !event.endsWith('created')), warnings: findings.warnings };
  };

  it('are solved when they are closed where they have no time of the solve, or no status says so', async () => {
    const { shown } = await statuses({ solved: 'Solved', closed: 'Closed' });
    expect(shown).toEqual([
      '1 2026-03-02 status "resolved"',
      '1 2026-03-03 status "closed"',
      '2 2026-03-03 status "closed"',
      '2 2026-03-03 status "resolved"',
      '3 2026-03-09 status "resolved"',
      '4 2026-03-09 status "open"',
      '5 2026-03-02 status "resolved"',
    ]);
    const { shown: unsaid } = await statuses({ solved: 'Solved', status: undefined });
    expect(unsaid).toEqual(['1 2026-03-02 status "resolved"', '5 2026-03-02 status "resolved"']);
  });

  it('begin with their status if nobody knows since when they are done, and the summary says how many', async () => {
    const unknown = await statuses({ solved: 'Solved', ended_when: 'unknown' });
    expect(unknown.shown).toEqual([
      '1 2026-03-02 status "resolved"',
      '1 2026-03-09 status "closed"',
      '2 2026-03-01 created "closed"',
      '3 2026-03-01 created "resolved"',
      '4 2026-03-09 status "open"',
      '5 2026-03-02 status "resolved"',
    ]);
    expect(unknown.warnings).toContainEqual(expect.stringMatching(/^2 of 5 cases are resolved or closed, and /));
    const given = await statuses({
      solved: 'Solved',
      ended_when: { column: 'Created', plus: { column: 'Id', unit: 'hours' } },
    });
    expect(given.shown).toContain('3 2026-03-01T03:00 case.status "resolved"');
    expect(given.warnings).toEqual([]);
  });

  const MAPPING = {
    kind: 'tickets',
    time: { format: 'yyyy-MM-dd HH:mm', zone: 'UTC' },
    case: 'Id',
    created: 'Created at',
    requester: 'Requester',
    submitter: 'Submitter',
    replied: { column: 'Created at', plus: { column: 'First reply', unit: 'minutes' } },
    agent: 'Assignee',
    assigned: 'Assigned at',
    solved: 'Solved at',
    status: {
      column: 'Status',
      table: { Solved: 'resolved', Closed: 'closed', Open: 'open', New: 'new', Deleted: 'deleted' },
    },
    updated: 'Updated at',
    csat: { column: 'Score', table: { Good: 1, Bad: 0 }, default: null },
    priority: { column: 'Priority', table: { High: 8 }, default: null },
    otherwise: 'custom_field',
    ignore: ['Subject'],
  };
  const HEADER =
    'Id,Created at,Requester,Submitter,First reply,Assignee,Assigned at,Solved at,Status,Updated at,Score,Priority,Subject,Tier';

  it('are told by one row each', async () => {
    const log = `${HEADER}
1,2026-03-01 09:00,Bo,Bo,30,Ann,2026-03-01 09:10,2026-03-01 10:00,Closed,2026-03-05 10:00,Good,High,Hello,gold
2,2026-03-01 09:00,Bo,Ann,,,,,New,2026-03-02 09:00,Offered,,Hello,
3,2026-03-01 09:00,Bo,Bo,,,,2026-03-01 10:00,Open,2026-03-02 09:00,,Low,Hello,
4,2026-03-01 09:00,Bo,Bo,x,,,,Deleted,2026-03-02 09:00,,,Hello,
`;
    const { told, rejections, findings } = await read(log, MAPPING);
    const tier = id('custom_field', 'Tier');
    expect(told).toEqual([
      `1 2026-03-01T09:00 case.created 8 {"${tier}":"gold"}`,
      '1 2026-03-01T09:00 interaction "inbound"',
      `1 2026-03-01T09:10 case.assigned {"agent":${id('agent', 'Ann')}}`,
      '1 2026-03-01T09:30 interaction "outbound"',
      '1 2026-03-01T10:00 case.status "resolved"',
      '1 2026-03-05T10:00 case.status "closed"',
      '1 2026-03-05T10:00 csat.rated 1',
      '2 2026-03-01T09:00 case.created',
      '3 2026-03-01T09:00 case.created',
      '3 2026-03-01T09:00 interaction "inbound"',
      '3 2026-03-02T09:00 case.status "open"',
      '4 2026-03-01T09:00 case.created',
      '4 2026-03-01T09:00 interaction "inbound"',
      '4 2026-03-02T09:00 case.deleted',
    ]);
    expect(rejections).toEqual([[5, 'First reply: "x" is not a duration in minutes']]);
    expect(findings.ignored).toEqual({ 'Score Offered': 1, 'Priority Low': 1 });
  });

  it('count by the row that changed last', async () => {
    const log = `${HEADER}
1,2026-03-01 09:00,Bo,Bo,,,,,Open,2026-03-05 10:00,,,,
1,2026-03-01 09:00,Bo,Bo,,,,,New,2026-03-01 10:00,,,,
`;
    expect((await read(log, MAPPING)).told).toEqual([
      '1 2026-03-01T09:00 case.created',
      '1 2026-03-01T09:00 interaction "inbound"',
      '1 2026-03-05T10:00 case.status "open"',
    ]);
  });
});
