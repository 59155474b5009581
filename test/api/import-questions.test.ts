import { strToU8, zipSync } from 'fflate';
import { writeXlsx } from 'hucre/xlsx';
import { mayBeUnknown } from '../../lib/console/model/file-import.ts';
import { keys } from '../../lib/store/keys.ts';
import { type BucketService, startBucketService } from '../support/service/bucket-service.ts';
import { itInProcess as it } from '../support/service/service.ts';

const PATH = '/api/v2/imports';
const HEAD = 'Ticket,Created at,Resolved at,Status';
const WEEK = [
  HEAD,
  '1,2026-01-05 10:00:00,2026-01-06 10:00:00,Solved',
  '2,2026-01-05 11:00:00,,Gamma',
  '3,2026-01-06 09:00:00,,Gamma',
].join('\n');
const rowsOf = (csv: string) => csv.split('\n').map((row) => row.split(','));

let service: BucketService['service'];
let tools: BucketService;
let ask: BucketService['ask'];
beforeEach(async () => {
  tools = await startBucketService();
  ({ service, ask } = tools);
});

const bring = (file: string | Uint8Array, name = 'tickets.csv') => tools.bring(file, name);
const answer = (id: number, answers: object) => tools.answer(id, answers);
const step = (id: number, what: 'load' | 'undo') => tools.step(id, what);

async function counts(...fields: string[]): Promise<unknown[]> {
  const time = { min: '2026-01-01T00:00:00Z', max: '2026-02-01T00:00:00Z', window_size: 'none' };
  const { body } = await service.ask('POST', '/api/v2/insights3/reports', { body: { fields, time } });
  return body.data[0].slice(-fields.length);
}

const ids = (questions: readonly { readonly id: string }[]): string[] => questions.map(({ id }) => id);

describe('the questions of an import', () => {
  it('are answered by PATCH, one part after the other, and nothing loads before', async () => {
    const { id, questions, state, can } = await bring(WEEK);
    expect([state, can, ids(questions)]).toEqual(['checked', ['correct', 'undo'], ['meaning:Status', 'zone']]);
    expect(questions[0].values).toEqual([
      {
        ...{ value: 'Gamma', rows: 2, proposed: 'open', filled: { 'Resolved at': 0 } },
        effect: { resolved_cases: { open: 0, closed: 2 } },
      },
    ]);
    const early = await ask('POST', `${PATH}/${id}/load`);
    expect([early.status, early.body.errors]).toEqual([422, { questions: ['blank'] }]);
    for (const { id: open, text } of questions)
      expect(JSON.stringify(early.body)).toContain(`${open} (${JSON.stringify(text).slice(1, -1)})`);
    expect(ids((await answer(id, { zone: 'Mars/Olympus' })).questions)).toEqual(['meaning:Status', 'zone']);
    expect(ids((await answer(id, { zone: 'UTC' })).questions)).toEqual(['meaning:Status']);
    expect(ids((await answer(id, { 'meaning:Status': {} })).questions)).toEqual(['meaning:Status']); // a value left blank
    const done = await answer(id, { 'meaning:Status': { Gamma: 'pending' }, 'meaning:Gone': { a: 'open' } });
    expect(done).toMatchObject({ questions: [], answers: { zone: 'UTC' }, check: { cases: { added: 3 } } });
    expect(await counts('case_creates')).toEqual([0]);
    expect(await step(id, 'load')).toMatchObject({ state: 'loaded' });
    expect(await counts('case_creates', 'case_resolves')).toEqual([3, 1]);
  });

  it('can be answered otherwise after loading: what was loaded is taken back, and the file is tried anew', async () => {
    const { id } = await bring(WEEK);
    await answer(id, { zone: 'UTC', 'meaning:Status': { Gamma: 'closed' }, ended_when: 'unknown' });
    const loaded = await step(id, 'load');
    expect([loaded.state, loaded.can]).toEqual(['loaded', ['correct', 'undo']]);
    expect(await counts('case_creates', 'open_cases')).toEqual([3, 0]);
    const tried = await answer(id, { 'meaning:Status': { Gamma: 'pending' } });
    expect(tried).toMatchObject({ state: 'checked', result: null, check: { cases: { added: 3 } } });
    expect(await counts('case_creates')).toEqual([0]);
    await step(id, 'load');
    expect(await counts('case_creates', 'open_cases')).toEqual([3, 2]);
    expect(await step(id, 'undo')).toMatchObject({ state: 'undone' });
    expect(await counts('case_creates')).toEqual([0]);
  });

  it('stay as they are where a later import of the source must be undone first', async () => {
    const { id } = await bring(WEEK);
    const answers = { zone: 'UTC', 'meaning:Status': { Gamma: 'pending' } };
    await answer(id, answers);
    const { source } = await step(id, 'load');
    const later = await bring(WEEK.replace('3,2026', '4,2026'), 'later.csv');
    await answer(later.id, { ...answers, newer_copy: source });
    expect(await step(later.id, 'load')).toMatchObject({ state: 'loaded', source });
    const refused = await answer(id, { 'meaning:Status': { Gamma: 'closed' } });
    expect(refused).toMatchObject({ state: 'loaded', result: {} });
    expect(refused.problem).toContain(`import ${later.id} wrote to the same source`);
    expect(await counts('case_creates', 'open_cases')).toEqual([4, 3]);
  });

  it('begin again where all answers are dropped', async () => {
    const { id } = await bring(WEEK);
    expect((await answer(id, { zone: 'UTC' })).answers).toEqual({ zone: 'UTC' });
    await ask('PATCH', `${PATH}/${id}`, { body: { answers: null } });
    expect(await tools.settled(id)).toMatchObject({
      answers: {},
      questions: [{ id: 'meaning:Status' }, { id: 'zone' }],
    });
    expect((await ask('PATCH', `${PATH}/${id}`, { body: { answers: 'all' } })).body.errors).toEqual({
      answers: ['invalid'],
    });
  });

  it('are which sheet of a workbook is meant, and then those of the sheet', async () => {
    const sheets = [
      { name: 'Agents', rows: rowsOf('Agent,Team\nAnn,North') },
      { name: 'Tickets', rows: rowsOf(WEEK) },
    ];
    const { id, questions, preview } = await bring(await writeXlsx({ sheets: sheets as never }), 'book.xlsx');
    expect(questions).toMatchObject([
      { id: 'sheet', choices: [{ answer: 'Agents', text: 'Agents: Agent, Team' }, { answer: 'Tickets' }] },
    ]);
    expect(preview).toEqual({ lines: [] });
    const next = await answer(id, { sheet: 'Tickets' });
    expect([ids(next.questions), next.preview.header]).toEqual([['meaning:Status', 'zone'], HEAD.split(',')]);
    await answer(id, { zone: 'UTC', 'meaning:Status': { Gamma: 'pending' } });
    await step(id, 'load');
    expect(await counts('case_creates')).toEqual([3]);
  });

  it('do not come up for the files of one export in an archive', async () => {
    const files = {
      'user.csv': 'id,role,name,email\n1,agent,Ann,a@b.c',
      'ticket.csv': 'id,created_at,status,requester_id,via_channel\n7,2026-01-06 09:00:00,open,2,web',
      'ticket_field_history.csv': 'ticket_id,field_name,value,user_id,updated\n7,status,new,1,2026-01-06 09:00:00',
    };
    const zip = zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));
    const { id, ...found } = await bring(zip, 'export.zip');
    expect(found).toMatchObject({ state: 'checked', format: 'fivetran-zendesk', questions: [] });
    await step(id, 'load');
    expect(await counts('case_creates')).toEqual([1]);
  });
});

describe('a known export whose lines cannot be read', () => {
  it('says why of three of them, and is read as a file that nobody described', async () => {
    const days = ['25 January 2025', '26 January 2025', '27 January 2025', '28 January 2025'];
    const rows = days.map((day, at) => `${at},Open,Email,${day} 13:30,,${day} 14:30`);
    const head = 'Ticket ID,Status,Source,Created time,Resolved time,Last update time';
    const { id, ...found } = await bring([head, ...rows].join('\n'));
    expect(found).toMatchObject({ format: 'freshdesk-tickets-csv', check: { rejected: 4, events: 0 } });
    expect(mayBeUnknown({ id, ...found })).toBe(true);
    expect(found.check.rejections).toMatchObject([{ count: 4, reason: expect.stringMatching(/^Created time: /) }]);
    const [{ reason, first }] = found.check.rejections;
    expect([...first].sort()).toEqual(['2', '3', '4', '5']);
    expect(days.filter((day) => reason.includes(day)).length).toBeGreaterThanOrEqual(3);
    await ask('PATCH', `${PATH}/${id}`, { body: { format: 'csv', answers: { zone: 'UTC' } } });
    const read = await tools.settled(id);
    expect(read).toMatchObject({ format: 'csv', questions: [], check: { rejected: 0, cases: { added: 4 } } });
    expect(mayBeUnknown(read)).toBe(false);
  });
});

describe('a column that no role takes', () => {
  const KEPT = [
    `${HEAD},Product,Customer email`,
    '1,2026-01-05 10:00:00,2026-01-06 10:00:00,Solved,Router,a@x.org',
    '2,2026-01-05 11:00:00,,Open,Router,b@x.org',
    '3,2026-01-06 09:00:00,,Open,Modem,a@x.org',
  ].join('\n');
  const NEWER = `${KEPT.replaceAll('Router', 'Router 2')}\n4,2026-01-07 09:00:00,,Open,Switch,c@x.org`;

  /** Cases created by product, as reports name the products. */
  async function byProduct(): Promise<unknown> {
    const { body: meta } = await service.ask('GET', '/api/v2/insights3/meta');
    const fields: Record<string, { name: string; id?: number }> = meta.custom_fields;
    const id = Object.values(fields).find(({ name }) => name === 'Product')?.id;
    const time = { min: '2026-01-01T00:00:00Z', max: '2026-02-01T00:00:00Z', window_size: 'none' };
    const body = { fields: ['case_creates'], dimension1: `custom_field:${id}`, time };
    const { body: report } = await service.ask('POST', '/api/v2/insights3/reports', { body });
    return Object.fromEntries(report.data.map((row: unknown[]) => [fields[String(row[1])]?.name, row.at(-1)]));
  }

  it('is kept as a custom field by which reports split, and a newer copy changes neither name nor values', async () => {
    const { id, questions, proposal, notes } = await bring(KEPT);
    expect([ids(questions), proposal.fields.map(({ name }: { name: string }) => name)]).toEqual([
      ['zone'],
      ['Product'],
    ]);
    expect(notes).toContainEqual({ what: 'Kept as custom fields: "Product".', why: '', is_sure: true });
    await answer(id, { zone: 'UTC' });
    const { source } = await step(id, 'load');
    expect(await byProduct()).toEqual({ Router: 2, Modem: 1 });
    const newer = await bring(NEWER, 'newer.csv');
    await answer(newer.id, { zone: 'UTC', newer_copy: source });
    expect(await step(newer.id, 'load')).toMatchObject({ state: 'loaded', source });
    expect(await byProduct()).toEqual({ 'Router 2': 2, Modem: 1, Switch: 1 });
    expect(await step(newer.id, 'undo')).toMatchObject({ state: 'undone' });
    expect(await byProduct()).toEqual({ Router: 2, Modem: 1 });
  });

  it('has another name, or is left out, as a person says', async () => {
    const { id } = await bring(KEPT);
    const named = await answer(id, { zone: 'UTC', 'field:Product': 'Device' });
    expect(named.proposal.fields).toMatchObject([{ column: 'Product', name: 'Device', why: 'as answered' }]);
    expect((await answer(id, { 'field:Product': null })).mapping).not.toHaveProperty('custom_fields');
    const chosen = await answer(id, { 'field:Status': 'Stage' });
    expect(chosen.mapping.custom_fields).toMatchObject([{ column: 'Status', name: 'Stage' }]);
    expect(chosen.mapping).not.toHaveProperty('status');
  });
});

describe('what a person says of a column', () => {
  it('counts, with what the file says against it; where no cell can be read so, it is asked again', async () => {
    const late = WEEK.replaceAll('2026-01-06 10', '2026-01-04 10');
    const { id } = await bring(late);
    const said = await answer(id, { zone: 'UTC', 'meaning:Status': { Gamma: 'open' }, 'role:solved': 'Resolved at' });
    expect(said.questions).toEqual([]);
    expect(said.mapping).toMatchObject({ solved: 'Resolved at' });
    expect(said.proposal.roles).toContainEqual(
      expect.objectContaining({ role: 'solved', column: 'Resolved at', against: 'It lies before the creation.' }),
    );
    const barred = await answer(id, { 'role:created': 'Status' });
    expect(barred.questions).toMatchObject([
      {
        id: 'role:created',
        text: expect.stringContaining('"Status" cannot be the time of the creation: it holds no times.'),
      },
    ]);
    const opposite = await answer(id, {
      'role:created': 'Created at',
      'meaning:Status': { Gamma: 'open', Solved: 'open' },
    });
    expect(opposite.proposal.meanings[0].values[0]).toMatchObject({ value: 'Solved', meaning: 'open' });
  });
});

describe('an import that is older than what its source said', () => {
  const SAYS = 'All of it is older than what its source said before: it changes nothing.';
  const TICKETS = 'Ticket,Created at,Updated at,Resolved at,Status';
  const ticket = (id: number, day: number, ended: boolean) => [
    id,
    '2026-01-05 10:00:00',
    `2026-01-${day} 10:00:00`,
    ...(ended ? ['2026-01-06 10:00:00', 'Solved'] : ['', 'Open']),
  ];
  const created = (id: number, day: number, hour: number) =>
    JSON.stringify({
      ...{ type: 'case.created', id: `c${id}`, case: id, at: `2026-01-05T${hour}:00:00Z` },
      ...{ source: 'weekly', as_of: `2026-01-${day}T10:00:00Z` },
    });

  it.each([
    [
      'tickets.csv',
      [TICKETS, ticket(1, 20, true), ticket(2, 21, true), ticket(3, 21, false)].join('\n'),
      [TICKETS, ticket(1, 12, false), ticket(2, 12, false)].join('\n'),
    ],
    [
      'records.ndjson',
      [created(1, 20, 10), created(2, 20, 11)].join('\n'),
      [created(1, 12, 12), created(2, 12, 13)].join('\n'),
    ],
  ])('changes nothing, says so, and is loaded: %s', async (name, newer, older) => {
    const answers = { zone: 'UTC' };
    const first = await bring(newer, name);
    expect((await answer(first.id, answers)).questions).toEqual([]);
    const { source } = await step(first.id, 'load');
    const { table, site } = service;
    /** All that reports are made of: the history without the notes of what was tried, and the next id of a blob. */
    const history = async () =>
      (await table.query(keys.manifest(site.name).pk)).filter(({ sk }) => !/^(source#|blob-ids$)/.test(sk));
    const before = [await counts('case_creates', 'case_resolves', 'open_cases'), await history()];

    const late = await bring(older, name);
    const { check, questions } = await answer(late.id, {
      ...answers,
      ...(name.endsWith('.csv') && { newer_copy: source }),
    });
    expect(questions).toEqual([]);
    const nothing = { added: 0, replaced: 0, unchanged: 0, removed: 0, rejected: 0 };
    expect(check).toMatchObject({ ...nothing, superseded: check.events, warnings: [SAYS] });
    const loaded = await step(late.id, 'load');
    expect(loaded).toMatchObject({ state: 'loaded', problem: null, result: { ...nothing, warnings: [SAYS] } });
    expect(loaded.result.superseded).toBeGreaterThan(0);
    expect([await counts('case_creates', 'case_resolves', 'open_cases'), await history()]).toEqual(before);
  });
});
