import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { writeXlsx } from 'hucre/xlsx';
import { command } from '../../../support/service/command.ts';

let folder: string;
let place: readonly string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'questions-'));
  place = ['--data-dir', join(folder, 'data')];
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A command that imports a file of these rows into a site of its own. */
async function importing(site: string, rows: readonly string[]) {
  await command(['site', 'add', site, ...place]);
  const file = join(folder, `${site}.csv`);
  await writeFile(file, rows.join('\n'));
  const load = (...args: string[]) => command(['import', file, '--site', site, ...place, ...args]);
  const rewrite = (next: readonly string[], encoding: BufferEncoding = 'utf8') =>
    writeFile(file, next.join('\n'), encoding);
  return { file, load, rewrite };
}

const HEAD = 'Ticket ID,Status,Created,Resolved';
const WEEK = [
  HEAD,
  '1,Resolved,2026-03-01T09:00:00Z,2026-03-02T09:00:00Z',
  '2,Open,2026-03-02T09:00:00Z,',
  '3,Resolved,2026-03-03T09:00:00Z,2026-03-04T09:00:00Z',
];
const BARE = WEEK.map((row) => row.replaceAll('Z', ''));

const creations = async (site: string): Promise<string> => {
  const report = {
    fields: ['case_creates', 'case_resolves'],
    time: { min: '2026-03-01T00:00:00Z', max: '2026-03-31T00:00:00Z' },
  };
  const file = join(folder, 'report.json');
  await writeFile(file, JSON.stringify(report));
  return (await command(['report', file, '--site', site, ...place, '--output', 'csv'])).out;
};

const sheet = (name: string, rows: readonly string[]) => ({ name, rows: rows.map((row) => row.split(',')) }) as never;
const BOOK = [
  sheet('About', ['Exported on 1 March']),
  sheet('Agents', ['Agent,Team', 'Ann,North']),
  sheet('Tickets', [...WEEK, '4,Open,some day,']),
];

describe('a file that holds several tables', () => {
  it('is asked which sheet is meant, and keeps the rejected rows of that one beside it', async () => {
    await command(['site', 'add', 'book', ...place]);
    const file = join(folder, 'book.xlsx');
    await writeFile(file, await writeXlsx({ sheets: BOOK }));
    const load = (...args: string[]) => command(['import', file, '--site', 'book', ...place, '--json', ...args]);
    const asked = await load();
    expect([asked.status, JSON.parse(asked.out)]).toEqual([
      2,
      {
        questions: [
          expect.objectContaining({
            ...{ id: 'sheet', about: 'sheet', proposed: 'Agents' },
            choices: [
              { answer: 'Agents', text: 'Agents: Agent, Team' },
              { answer: 'Tickets', text: `Tickets: ${HEAD.replaceAll(',', ', ')}` },
            ],
          }),
        ],
      },
    ]);
    expect(JSON.parse((await load('--answer', 'sheet=Other')).out).questions[0].text).toMatch(
      /^"Other" is no answer\. /,
    );
    const loaded = await load('--answer', 'sheet=Tickets');
    expect([loaded.status, JSON.parse(loaded.out)]).toMatchObject([1, { cases: { added: 3 }, rejected: 1 }]);
    expect(await readFile(`${file}.rejected.csv`, 'utf8')).toContain('4,Open,some day,');
    const mapped = await command(['mapping', file, '--answer', 'sheet=Tickets']);
    expect([mapped.status, mapped.out]).toEqual([0, expect.stringContaining(`import ${file}/Tickets --site`)]);
    expect((await load('--answer', 'sheet=Tickets', '--map', `${file}.mapping.json`)).status).toBe(1);
  });

  it('is asked which file of an archive is meant, or which sheet of its workbook, unless they are one export', async () => {
    await command(['site', 'add', 'zip', ...place]);
    const load = (file: string, ...args: string[]) =>
      command(['import', file, '--site', 'zip', ...place, '--json', ...args]);
    const csvs = join(folder, 'several.zip');
    await writeFile(csvs, zipSync({ 'a.csv': strToU8(HEAD), 'in/b.csv': strToU8(WEEK.join('\n')) }));
    expect(JSON.parse((await load(csvs)).out)).toMatchObject({
      questions: [{ id: 'sheet', choices: [{ answer: 'a.csv' }, { answer: 'in/b.csv' }] }],
    });
    expect((await load(csvs, '--answer', 'sheet=in/b.csv')).status).toBe(0);
    const book = join(folder, 'book.zip');
    await writeFile(book, zipSync({ 'b.xlsx': await writeXlsx({ sheets: BOOK }) }));
    expect(JSON.parse((await load(book)).out)).toMatchObject({
      questions: [{ id: 'sheet', choices: [{ answer: 'b.xlsx/Agents' }, { answer: 'b.xlsx/Tickets' }] }],
    });
    const user = 'id,role,name,email\n1,agent,Ann,a@b.c';
    const ticket = 'id,created_at,status,requester_id,via_channel\n7,2026-03-01 09:00:00,open,2,web';
    const history = 'ticket_id,field_name,value,user_id,updated\n7,status,new,1,2026-03-01 09:00:00';
    const pack = join(folder, 'pack.zip');
    const files = { 'user.csv': user, 'ticket.csv': ticket, 'ticket_field_history.csv': history };
    await writeFile(
      pack,
      zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]))),
    );
    const { status, err } = await load(pack, '--yes');
    expect([status, err]).toEqual([0, expect.stringContaining('fivetran-zendesk')]);
  });
});

describe('an export that a pack knows', () => {
  it('is asked for its encoding where names that it uses read otherwise in another one', async () => {
    await command(['site', 'add', 'packed', ...place]);
    const file = join(folder, 'freshdesk.csv');
    const rows = [
      'Ticket ID,Subject,Status,Agent,Created time,Resolved time',
      '1,Help,Open,\xe8\xe8ra,2026-03-01 09:00:00,',
    ];
    await writeFile(file, rows.join('\n'), 'latin1');
    const load = (...args: string[]) =>
      command(['import', file, '--site', 'packed', ...place, '--format', 'freshdesk-tickets-csv', ...args]);
    const asked = await load('--json');
    expect(JSON.parse(asked.out)).toMatchObject({ questions: [{ id: 'encoding', proposed: 'windows-1252' }] });
    expect((await load('--answer', 'zone=UTC')).status).toBe(2);
    const { status, out } = await load('--assume');
    expect([status, out]).toEqual([0, expect.stringContaining('The proposed answers were taken: encoding.')]);
    await writeFile(
      file,
      rows.map((row) => row.replace('Help,Open,\xe8\xe8ra', '\xe8\xe8ra,Open,Ann')).join('\n'),
      'latin1',
    );
    expect((await load()).status).toBe(0);
  });

  it('is taken as what it was recognised as by --assume, where it leaves nothing open, too', async () => {
    await command(['site', 'add', 'taken', ...place]);
    const file = join(folder, 'taken.csv');
    const rows = [
      'Ticket ID,Status,Source,Agent,Created time,Resolved time,Last update time',
      '1,Resolved,Email,Ann,25/01/2025 1:30,26/01/2025 1:40,26/01/2025 1:40',
      '2,Open,Email,Ann,03/02/2025 16:30,,03/02/2025 16:30:05',
    ];
    await writeFile(file, rows.join('\n'));
    const load = (...args: string[]) => command(['import', file, '--site', 'taken', ...place, ...args]);
    expect((await load()).status).toBe(2); // nobody is there to say yes
    const { status, out, err } = await load('--assume', '--json');
    expect([status, JSON.parse(out)]).toMatchObject([0, { cases: { added: 2 }, rejected: 0 }]);
    expect(err).toContain('looks like --format freshdesk-tickets-csv');
    expect((await load('--assume', '--format', 'freshdesk-tickets-csv')).status).toBe(0);
    const us = rows.map((row) => row.replaceAll(/(\d\d)\/(\d\d)\/2025/g, '$2/$1/2025'));
    await writeFile(file, us.join('\n'));
    expect((await load('--assume')).out).toMatch(/unchanged/); // the same cases, by the order that the file shows
    await writeFile(file, [rows[0], rows[2]].join('\n'));
    expect((await load('--assume')).err).toContain('may have the day or the month first, and no row shows which');
  });
});

describe('a CSV without a mapping', () => {
  it('is loaded alone where it proves what it means', async () => {
    const { load } = await importing('alone', WEEK);
    const { status, out } = await load('--json');
    expect([status, JSON.parse(out)]).toEqual([
      0,
      expect.objectContaining({ events: 9, added: 9, leftOut: 0, cases: { added: 3, changed: 0 }, rejected: 0 }),
    ]);
    expect(await creations('alone')).toMatch(/3,2$/m);
  });

  it('asks what it leaves open, as text and as JSON, and changes nothing before', async () => {
    const { load } = await importing('asked', BARE);
    const told = await load('--yes');
    expect([told.status, told.err]).toEqual([2, '']);
    expect(told.out).toContain("Answer: --answer 'zone=UTC'");
    const asked = await load('--json');
    expect([asked.status, asked.err]).toEqual([2, '']);
    expect(JSON.parse(asked.out)).toEqual({ questions: [expect.objectContaining({ id: 'zone', proposed: 'UTC' })] });
    expect(await creations('asked')).toMatch(/^[^1-9]*$/m);

    const twice = await load('--answer', 'zone=UTC', '--answer', 'zone=Asia/Tokyo');
    expect([twice.status, twice.out, twice.err]).toEqual([2, '', '--answer zone is given twice: keep one of them.\n']);
    const wrong = await load('--json', '--answer', 'zone=Mars/Olympus');
    expect([wrong.status, wrong.err]).toEqual([2, '']);
    expect(JSON.parse(wrong.out)).toEqual({
      questions: [
        expect.objectContaining({ id: 'zone', text: expect.stringMatching(/^"Mars\/Olympus" is no answer\. /) }),
      ],
    });

    const answers = join(folder, 'answers.json');
    await writeFile(answers, JSON.stringify({ zone: 'Asia/Tokyo', 'meaning:Gone': { a: 'open' } }));
    const answered = await load('--answers', answers, '--answer', 'zone=Europe/Berlin');
    expect([answered.status, answered.err]).toEqual([0, '']);
    expect(answered.out).toContain('These answers are of no question, and were ignored: meaning:Gone.');
  });

  it('is asked again for the answers that are left blank, and for these alone', async () => {
    const { load } = await importing('blank', [
      ...BARE,
      '4,Gamma,2026-03-04T09:00:00,',
      '5,Delta,2026-03-05T09:00:00,',
    ]);
    const left = async (...answers: readonly string[]) => {
      const { status, out, err } = await load('--json', ...answers.flatMap((one) => ['--answer', one]));
      expect([status, err]).toEqual([2, '']);
      return JSON.parse(out).questions.map(({ id }: { readonly id: string }) => id);
    };
    expect(await left()).toEqual(['meaning:Status', 'zone']);
    expect(await left('zone=UTC')).toEqual(['meaning:Status']);
    expect(await left('zone=UTC', 'meaning:Status={"Gamma":"pending"}')).toEqual(['meaning:Status']);
    expect(await creations('blank')).toMatch(/^[^1-9]*$/m);
    const all = 'meaning:Status={"Gamma":"pending","Delta":"closed"}';
    expect((await load('--answer', 'zone=UTC', '--answer', all)).status).not.toBe(0); // when Delta ended is asked
    const unknown = ['--answer', 'ended_when=unknown'];
    expect((await load('--answer', 'zone=UTC', '--answer', all, ...unknown)).status).toBe(0);
    expect(await creations('blank')).toMatch(/5,2$/m);
  });

  it('is asked for its encoding before all else where two fit, and read in the one that was answered', async () => {
    const { file, load, rewrite } = await importing('encoded', []);
    await rewrite([`${HEAD},Assignee`, ...BARE.slice(1).map((row) => `${row},\xe8\xe8ra`)], 'latin1');
    const asked = await load('--json');
    expect([asked.status, JSON.parse(asked.out)]).toEqual([
      2,
      {
        questions: [
          expect.objectContaining({
            id: 'encoding',
            proposed: 'windows-1252',
            choices: expect.arrayContaining([
              { answer: 'windows-1252', text: 'èèra' },
              { answer: 'windows-1250', text: 'ččra' },
            ]),
          }),
          expect.objectContaining({ id: 'zone' }), // reads the same in all encodings
        ],
      },
    ]);
    const wrong = await load('--json', '--answer', 'encoding=runes');
    expect(JSON.parse(wrong.out).questions[0].text).toMatch(/^"runes" is no answer\. /);
    const chosen = ['--answer', 'encoding=windows-1250', '--answer', 'zone=UTC'];
    const { status, out } = await load(...chosen);
    expect([status, out]).toEqual([0, expect.not.stringContaining('ignored')]);
    const exported = await command(['site', 'export', 'encoded', ...place]);
    expect(exported.out).toContain('"ččra"');
    expect((await command(['mapping', file, ...chosen])).status).toBe(0);
    expect(JSON.parse(await readFile(`${file}.mapping.json`, 'utf8')).csv).toEqual({ encoding: 'windows-1250' });
  });

  it('is not asked for its encoding by letters in columns that are not used', async () => {
    const { load, rewrite } = await importing('unused', []);
    await rewrite([`${HEAD},Remark`, ...BARE.slice(1).map((row) => `${row},\xe8\xe8ra`)], 'latin1');
    const asked = JSON.parse((await load('--json')).out);
    expect(asked.questions.map(({ id }: { id: string }) => id)).toEqual(['zone']);
    expect((await load('--answer', 'zone=UTC')).status).toBe(0);
  });

  it('is asked for its encoding by letters that come late, too', async () => {
    const { load, rewrite } = await importing('late', []);
    const rows = Array.from({ length: 9_000 }, (_, at) => `${at},Open,2026-03-01T09:00:00Z,,Ann`);
    await rewrite([`${HEAD},Assignee`, ...rows, '9000,Open,2026-03-01T09:00:00Z,,\xe8\xe8ra'], 'latin1');
    const asked = JSON.parse((await load('--json')).out);
    expect(asked.questions).toMatchObject([{ id: 'encoding', proposed: 'windows-1252' }]);
  });

  it('is loaded with what is proposed by --assume, which the summary says', async () => {
    const { load } = await importing('assumed', BARE);
    const { status, out } = await load('--assume');
    expect([status, out]).toEqual([0, expect.stringContaining('The proposed answers were taken: zone.')]);
  });

  it('takes no answers beside a mapping, which is never asked about', async () => {
    const { file, load } = await importing('mapped', BARE);
    const { status } = await command(['mapping', file, '--answer', 'zone=UTC']);
    expect(status).toBe(0);
    expect(JSON.parse(await readFile(`${file}.answers.json`, 'utf8'))).toEqual({ zone: 'UTC' });
    const map = ['--map', `${file}.mapping.json`];
    expect((await load(...map, '--assume')).err).toContain('--assume is for a CSV without a mapping');
    expect((await load(...map)).status).toBe(0);
  });

  it('is recognised as a newer copy, with what it changes, and replaces that one or stands beside it', async () => {
    const { load, rewrite } = await importing('weekly', WEEK);
    expect((await load()).status).toBe(0);
    const next = [
      HEAD,
      '2,Resolved,2026-03-02T09:00:00Z,2026-03-09T09:00:00Z',
      ...WEEK.slice(3),
      WEEK[1]!.replace('1,', '4,'),
    ];
    await rewrite(next);
    const asked = await load('--json', '--complete');
    expect(asked.status).toBe(2);
    expect(JSON.parse(asked.out).questions).toEqual([
      expect.objectContaining({
        id: 'newer_copy',
        proposed: 'csv',
        text: expect.stringContaining('1 changed and 1 new cases, 1 gone.'),
      }),
    ]);
    expect((await load('--complete', '--answer', 'newer_copy=csv')).status).toBe(0);
    expect(await creations('weekly')).toMatch(/3,3$/m);
    expect((await load('--answer', 'newer_copy=null')).status).toBe(0);
    const { out } = await command(['source', 'list', '--site', 'weekly', ...place, '--json']);
    expect(JSON.parse(out)).toMatchObject([{ source: 'csv' }, { source: 'csv-2' }]);
  });
});
