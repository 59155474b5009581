import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { command } from '../../support/service/command.ts';

const MAPPING = {
  kind: 'tickets',
  time: { format: 'yyyy-MM-dd HH:mm', zone: 'UTC' },
  case: 'Id',
  created: 'Created',
  updated: 'Updated',
  as_of: 'Updated',
  status: { column: 'Status', table: { Solved: 'resolved' }, default: 'open' },
};
const WEEKS = [
  ['1,2026-03-02 09:00,2026-03-02 10:00,Open', '2,2026-03-04 09:00,2026-03-04 09:30,Open'],
  ['1,2026-03-02 09:00,2026-03-09 11:00,Solved', '3,2026-03-10 09:00,2026-03-10 09:10,Open'],
];

let folder: string;
const at = (name: string): string => join(folder, name);
const support = async (...args: string[]) => {
  const { status, out, err } = await command([...args, '--site', 'acme', '--data-dir', at('data'), '--json']);
  return { status, err, json: out === '' ? undefined : JSON.parse(out) };
};
const load = (week: number, ...more: string[]) =>
  support('import', at(`week${week}.csv`), '--map', at('tickets.json'), '--source', 'helpdesk', ...more);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'support-'));
  await writeFile(at('tickets.json'), JSON.stringify(MAPPING));
  for (const [place, rows] of WEEKS.entries())
    await writeFile(at(`week${place + 1}.csv`), ['Id,Created,Updated,Status', ...rows].join('\n'));
  expect((await command(['site', 'add', 'acme', '--data-dir', at('data')])).status).toBe(0);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('exports that come every week', () => {
  it('replace one another, lose where they come late, and can be taken away', async () => {
    expect(await load(1, '--complete')).toMatchObject({ status: 0, json: { added: 6, removed: 0, completed: true } });
    const rehearsed = await load(2, '--complete', '--dry-run');
    expect(rehearsed).toMatchObject({ status: 0, json: { added: 3, missing: { cases: 1, events: 3 } } });
    expect(await load(2, '--complete')).toMatchObject({
      status: 0,
      json: { added: 3, replaced: 1, unchanged: 2, removed: 3 },
    });
    expect(await load(1)).toMatchObject({
      status: 0,
      json: {
        added: 0,
        unchanged: 0,
        superseded: 6,
        warnings: expect.arrayContaining([expect.stringMatching(/^All of it is older/)]),
      },
    });
    const { json } = await support('source', 'list');
    expect(json).toMatchObject([{ source: 'helpdesk', kind: 'versioned', cases: 2, events: 6 }]);
    expect(await support('source', 'remove', 'helpdesk')).toMatchObject({ status: 1, json: { removed: false } });
    const removed = await support('source', 'remove', 'helpdesk', '--yes', '--now');
    expect(removed).toMatchObject({ status: 0, json: { events: 6 } });
    const [entry] = (await support('audit', '--resource', 'sources/helpdesk')).json;
    expect(entry).toMatchObject({ action: 'delete', user: null, via: 'command line', count: 2 });
    expect((await support('source', 'list')).json).toEqual([]);
  });

  it('are taken back alone, the last one first, and the reports are those of before, byte for byte', async () => {
    const report = async () => {
      const fields = 'case_creates,case_resolves,open_cases,avg_time_to_resolution';
      const { status, out } = await command([
        ...['report', '--site', 'acme', '--data-dir', at('data'), '--fields', fields, '--json'],
        ...['--min', '2026-03-01', '--max', '2026-03-15', '--window', 'day'],
      ]);
      expect(status).toBe(0);
      return out;
    };
    const none = await report();
    await load(1, '--complete');
    const before = await report();
    expect(before).not.toBe(none);
    await load(2, '--complete');
    expect(await report()).not.toBe(before);
    expect(await support('source', 'undo', 'helpdesk')).toMatchObject({ status: 1, json: { undone: false } });
    expect(await support('source', 'undo', 'helpdesk', '--yes')).toMatchObject({
      ...{ status: 0, json: { undone: true, sources: ['helpdesk'], cases: 3 } },
    });
    expect(await report()).toBe(before);
    expect(await support('source', 'undo', 'helpdesk', '--yes')).toMatchObject({ status: 0, json: { cases: 2 } });
    expect(await report()).toBe(none);
    const { status, err } = await support('source', 'undo', 'helpdesk', '--yes');
    expect([status, err]).toEqual([1, 'The site has no source helpdesk: source list shows the sources.\n']);
  });

  it('refuse options that make no sense together', async () => {
    await writeFile(at('log.ndjson'), '');
    const log = (...more: string[]) => support('import', at('log.ndjson'), ...more);
    expect(await log('--complete')).toMatchObject({ status: 2, err: '--complete is for --replace: add it.\n' });
    expect(await log('--replace', '--as-of', '2026-03-01')).toMatchObject({
      status: 2,
      err: '--as-of 2026-03-01 is not a time with an offset, such as 2026-03-01T00:00:00Z.\n',
    });
    expect(await load(1, '--zone', 'Asia/Tokyo')).toMatchObject({
      status: 2,
      err: `${at('tickets.json')} says itself in which zone its times are: change "zone" there, and leave out --zone.\n`,
    });
    expect(await log('--source', 's'.repeat(65))).toMatchObject({ status: 2 });
  });

  it('are a source for each file of a pack, and a ticket that changed has what all of them say now', async () => {
    const write = async (week: string, files: Readonly<Record<string, readonly string[]>>) => {
      await mkdir(at(week), { recursive: true });
      for (const [name, lines] of Object.entries(files))
        await writeFile(at(join(week, `${name}.csv`)), lines.join('\n'));
    };
    const user = ['id,role,name', '42,agent,Ann', '501,end-user,Bo'];
    await write('one', {
      user,
      ticket: [
        'id,created_at,updated_at,status,via_channel,requester_id',
        '71,2026-03-01 09:00:00,2026-03-02 00:00:00,open,web,501',
        '72,2026-03-01 09:00:00,2026-03-02 00:00:00,open,web,501',
      ],
      ticket_comment: ['id,ticket_id,user_id,public,created', '11,71,501,true,2026-03-01 09:00:00'],
      ticket_tag: ['ticket_id,tag', '71,vip', '71,late', '72,vip'],
    });
    await write('two', {
      user,
      ticket: [
        'id,created_at,updated_at,status,via_channel,requester_id',
        '71,2026-03-01 09:00:00,2026-03-09 00:00:00,solved,web,501',
      ],
      ticket_comment: [
        'id,ticket_id,user_id,public,created',
        '11,71,501,false,2026-03-01 09:00:00',
        '12,71,42,true,2026-03-08 09:00:00',
      ],
      ticket_tag: ['ticket_id,tag', '71,vip'],
    });
    const pack = (week: string, ...more: string[]) =>
      support('import', at(week), '--format', 'fivetran-zendesk', ...more);
    const sources = ['ticket', 'ticket_comment', 'ticket_tag'].map((part) => `fivetran-zendesk:${part}`);
    expect(await pack('one')).toMatchObject({ status: 0, json: { added: 8, rejected: 0, sources } });
    expect(await pack('one')).toMatchObject({ status: 0, json: { added: 0, replaced: 0, unchanged: 8, removed: 0 } });
    expect(await pack('two', '--complete', '--dry-run')).toMatchObject({ json: { missing: { cases: 1, events: 3 } } });
    expect(await pack('two', '--complete')).toMatchObject({
      ...{ status: 0, json: { added: 1, replaced: 2, unchanged: 1, removed: 5 } },
    });
    expect(await pack('one')).toMatchObject({ status: 0, json: { added: 0, superseded: 8 } });
    const { json } = await support('source', 'list');
    expect(json).toMatchObject(
      sources.map((source, place) => ({ source, kind: 'versioned', events: [1, 2, 1][place] })),
    );
    expect(
      (await support('import', at('two'), '--format', 'fivetran-zendesk', '--source', 'x'.repeat(55))).err,
    ).toContain('has more than 64 characters: choose a shorter --source.');
  });
});
