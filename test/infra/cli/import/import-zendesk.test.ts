import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { command } from '../../../support/service/command.ts';

const AUDITS = [
  {
    id: 1,
    ticket_id: 7,
    created_at: '2026-03-01T09:00:00Z',
    author_id: 501,
    via: { channel: 'email' },
    events: [
      { id: 2, type: 'Comment', author_id: 501, public: true },
      { id: 3, type: 'Create', field_name: 'status', value: 'new' },
      { id: 4, type: 'Create', field_name: 'tags', value: ['billing'] },
      { id: 5, type: 'Create', field_name: 'requester_id', value: '501' },
    ],
  },
  {
    id: 90,
    ticket_id: 7,
    created_at: '2026-03-01T09:30:05Z',
    author_id: 42,
    via: { channel: 'web' },
    events: [
      { id: 91, type: 'Comment', author_id: 42, public: true },
      { id: 92, type: 'Change', field_name: 'assignee_id', value: '42', previous_value: null },
      { id: 93, type: 'Change', field_name: 'group_id', value: '7', previous_value: null },
      { id: 94, type: 'Change', field_name: 'status', value: 'solved', previous_value: 'new' },
      { id: 95, type: 'AgentMacroReference', macro_id: '8', macro_title: 'Thanks' },
    ],
  },
  {
    id: 400,
    ticket_id: 7,
    created_at: '2026-03-05T09:30:05Z',
    author_id: -1,
    via: { channel: 'rule' },
    events: [{ id: 401, type: 'Change', field_name: 'status', value: 'closed', previous_value: 'solved' }],
  },
];
const MACRO = {
  id: 8,
  title: 'Thanks',
  active: true,
  url: 'https://acme.zendesk.com/api/v2/macros/8.json',
  actions: [
    { field: 'status', value: 'solved' },
    { field: 'comment_value', value: ['channel:all', 'Thank you'] },
    { field: 'cc', value: '9' },
  ],
};
const lines = (records: readonly object[]): string => records.map((one) => `${JSON.stringify(one)}\n`).join('');

let folder: string;
let place: readonly string[];
const load = (...args: string[]) => command(['import', ...args, '--site', 'acme', '--format', 'zendesk', ...place]);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zendesk-'));
  place = ['--data-dir', join(folder, 'data')];
  expect((await command(['site', 'add', 'acme', ...place])).status).toBe(0);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('support import --format zendesk', () => {
  it('reads a folder with pages, connectors and gzip, and gives the reports that the history has', async () => {
    const export_ = join(folder, 'export');
    await mkdir(join(export_, 'more'), { recursive: true });
    await writeFile(
      join(export_, 'audits.json'),
      JSON.stringify({ audits: AUDITS, count: 3, next_page: null }, null, 2),
    );
    await writeFile(
      join(export_, 'more', 'macros.ndjson.gz'),
      gzipSync(lines([{ type: 'RECORD', stream: 'macros', record: MACRO }])),
    );
    await writeFile(
      join(export_, 'users.json'),
      lines([
        {
          users: [
            { id: 42, name: 'Ann', role: 'agent' },
            { id: 501, name: 'Bo', role: 'end-user' },
          ],
        },
      ]),
    );
    await writeFile(
      join(export_, 'groups.jsonl'),
      lines([{ _airbyte_data: { id: 7, name: 'First line', url: 'https://x/api/v2/groups/7.json' } }]),
    );
    await writeFile(join(export_, 'audits.json.rejected.ndjson'), 'nonsense');
    const { status, out, err } = await load(export_, '--json');
    expect([err, status]).toEqual(['', 0]);
    expect(JSON.parse(out)).toMatchObject({
      added: 7,
      met: { audit: 3, macro: 1, user: 2, group: 1 },
      ignored: { 'action of a macro: cc': 1, 'user who is no agent': 1 },
      records: { agent: 1, group: 1, macro: 1, macro_action: 2, label: 1, channel: 1 },
    });
    const again = await load(export_, '--json');
    expect(JSON.parse(again.out)).toMatchObject({ added: 0, unchanged: 7, rejected: 0 });

    const fields = [
      'case_creates',
      'case_resolves',
      'time_to_first_response',
      'case_reopens',
      'cases_resolved_with_macro',
    ];
    const request = join(folder, 'request.json');
    await writeFile(
      request,
      JSON.stringify({
        fields,
        time: { min: '2026-03-01T00:00:00Z', max: '2026-04-01T00:00:00Z', window_size: 'none' },
      }),
    );
    const report = await command(['report', request, '--site', 'acme', ...place, '--output', 'csv']);
    expect(report).toMatchObject({ err: '', status: 0 });
    expect(report.out.trim().split(/\r\n/).at(-1)).toBe(',1,1,1805,0,1');
  });

  it('reads a comment anew in a later export: its author became known, it was made private', async () => {
    const audit = (id: number, minute: number, author_id: number, events: readonly object[]) => ({
      ...{ id, ticket_id: 9, created_at: `2026-03-02T09:0${minute}:00Z`, author_id, via: { channel: 'web' }, events },
    });
    const wrote = (id: number, author_id: number) => ({ id, type: 'Comment', author_id, public: true });
    const created = { id: 3, type: 'Create', field_name: 'requester_id', value: '501' };
    const week = [audit(901, 0, 501, [created, wrote(911, 501)]), audit(902, 1, 43, [wrote(912, 43)])];
    const secret = audit(903, 2, 42, [{ id: 904, type: 'CommentPrivacyChange', comment_id: 911, public: false }]);
    const [first, second, third] = ['week1.json', 'week2.json', 'week3.json'].map((name) => join(folder, name));
    await writeFile(first!, lines(week));
    await writeFile(second!, lines([{ id: 43, name: 'Cy', role: 'agent' }, ...week]));
    await writeFile(third!, lines([secret]));
    expect(JSON.parse((await load(first!, '--json')).out)).toMatchObject({ added: 3, replaced: 0 });
    const known = await load(second!);
    expect([known.status, known.out]).toEqual([0, expect.stringContaining('1 comment took a new reading.')]);
    expect(JSON.parse((await load(third!, '--json')).out)).toMatchObject({ replaced: 1, rejected: 0 });
    expect(JSON.parse((await load(third!, '--json')).out)).toMatchObject({ replaced: 0, unchanged: 1 });
    const { out } = await command(['cases', '9', '--site', 'acme', ...place, '--json']);
    expect(JSON.parse(out)).toMatchObject({
      events: [{ type: 'case.created' }, { type: 'note' }, { type: 'interaction', direction: 'outbound', agent: 43 }],
    });
  });

  it('reports what breaks off with file and line, and loads the rest', async () => {
    const file = join(folder, 'cut.json');
    const other = AUDITS.map((audit) => ({ ...audit, ticket_id: 8 }));
    await writeFile(file, `{"audits":[\n${JSON.stringify(other[0])},\n${JSON.stringify(other[1]).slice(0, 100)}`);
    const { status, out, err } = await load(file);
    expect([status, err]).toEqual([1, `${file}:1: the page that begins here is incomplete: the file ends inside it\n`]);
    expect(out).toContain('2 events added');
    expect(await readFile(`${file}.rejected.ndjson`, 'utf8')).toBe(`${JSON.stringify(other[1]).slice(0, 100)}\n`);
  });

  it('says what it looked for where nothing is known, and refuses options of other formats', async () => {
    const file = join(folder, 'other.json');
    await writeFile(file, '{"hello":"world"}');
    const nothing = await load(file);
    expect([nothing.status, nothing.err]).toEqual([
      2,
      expect.stringMatching(/^Nothing in .* was recognised: the import looks for audits, /),
    ]);
    const misplaced = await command(['import', file, '--site', 'acme', '--merged', 'skip', ...place]);
    expect([misplaced.status, misplaced.err]).toEqual([2, '--merged is for --format zendesk.\n']);
    const status = await load(file, '--status', 'hold');
    expect([status.status, status.err]).toEqual([2, expect.stringMatching(/^--status hold: write their status/)]);
  });
});
