import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { strToU8, unzipSync, zipSync } from 'fflate';
import { writeOds } from 'hucre/ods';
import { writeXlsx } from 'hucre/xlsx';
import { command } from '../../../support/service/command.ts';

let folder: string;
let place: readonly string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bad-files-'));
  place = ['--data-dir', join(folder, 'data'), '--site', 'bad'];
  await command(['site', 'add', 'bad', '--data-dir', join(folder, 'data')]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const HEAD = 'Ticket ID,Status,Created,Resolved';
const ROWS = ['1,Zorb,2026-03-01T09:00:00Z,', '2,Solved,2026-03-01T09:00:00Z,2026-03-02T09:00:00Z'];

async function load(content: string | Uint8Array, ...args: string[]) {
  const file = join(folder, 'file.csv');
  await writeFile(file, content);
  return command(['import', file, ...place, '--dry-run', ...args]);
}

const TABLE = [HEAD, '1,Solved,2026-03-01T09:00:00Z,2026-03-02T09:00:00Z', '2,Open,2026-03-01T09:00:00Z,'];
const AGENTS = ['Agent,Team', 'Ann,North'];
const STRINGS = 'xl/sharedStrings.xml';
const NO_VALUE = /^[^\n]* has formulas without a value: open it in a spreadsheet, and save it\.\n$/;

/** A workbook of sheets by their names, one of whose parts is written by hand. */
async function workbook(
  sheets: Readonly<Record<string, readonly string[]>>,
  part: string,
  edit: (xml: string) => string,
  write: typeof writeOds | typeof writeXlsx = writeXlsx,
): Promise<Uint8Array> {
  const written = Object.entries(sheets).map(([name, rows]) => ({ name, rows: rows.map((row) => row.split(',')) }));
  const parts = unzipSync(await write({ sheets: written as never }));
  return zipSync({ ...parts, [part]: strToU8(edit(Buffer.from(parts[part] ?? []).toString())) });
}

/** A zip file whose names are in cp437: no flag says that they are UTF-8. */
function zipOf(files: readonly (readonly [name: Buffer, text: string])[]): Buffer {
  const [bodies, list]: [Buffer[], Buffer[]] = [[], []];
  for (const [name, text] of files) {
    const size = Buffer.byteLength(text);
    const at = Buffer.concat(bodies).length;
    const fields = (signature: number, length: number, from: number): Buffer => {
      const head = Buffer.alloc(length);
      head.writeUInt32LE(signature, 0);
      for (const [offset, value] of [crc32(text), size, size].entries()) head.writeUInt32LE(value, from + 4 * offset);
      head.writeUInt16LE(name.length, from + 12);
      return head;
    };
    const entry = fields(0x02014b50, 46, 16);
    entry.writeUInt32LE(at, 42);
    bodies.push(fields(0x04034b50, 30, 14), name, Buffer.from(text));
    list.push(entry, name);
  }
  const [body, listed] = [Buffer.concat(bodies), Buffer.concat(list)];
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(body.length, 16);
  return Buffer.concat([body, listed, end]);
}

describe('a file that no help desk writes', () => {
  it('with a million columns is refused in one sentence', async () => {
    const { status, out, err } = await load(`${HEAD}${',x'.repeat(1_000_000)}\n${ROWS.join('\n')}\n`);
    expect([status, out]).toEqual([2, '']);
    expect(err).toMatch(/^[^\n]*The file has more than 5000 columns: export fewer\.\n$/);
  });

  it('with a cell of 10 MB has that row rejected, and the others loaded', async () => {
    const long = `3,Open,2026-03-01T09:00:00Z,${'x'.repeat(10_000_000)}`;
    const { status, out, err } = await load([...TABLE, long].join('\n'), '--json');
    expect([status, JSON.parse(out)]).toMatchObject([1, { cases: { added: 2 }, rejected: 1 }]);
    const told = err.replaceAll(/^(?:reading|storing) .*\n/gm, ''); // progress, on a slow machine
    expect(told).toMatch(/^[^\n]*:4: the line is longer than 4194304 bytes; only its beginning is kept\n$/);
  });

  it.each([
    ['a header of 10 MB', [`${HEAD},${'x'.repeat(10_000_000)}`, ...TABLE.slice(1).map((row) => `${row},y`)], 1],
    ['a title of 10 MB', ['x'.repeat(10_000_000), ...TABLE], undefined],
    ['a cell of 10 MB over many lines', [...TABLE, `3,"${'a line of it\n'.repeat(800_000)}",,`, ...ROWS], 4],
    ['such a cell at once', [HEAD, `3,"${'1,Open,2026-03-01T09:00:00Z\n'.repeat(350_000)}",,`, ...ROWS], 2],
  ])('with %s is refused in one sentence', async (_, lines, line) => {
    const { status, out, err } = await load(lines.join('\n'));
    expect([status, out]).toEqual([2, '']);
    const sentence =
      line === undefined ? /^[^\n]* is no CSV: [^\n]*\n$/ : new RegExp(`^Line ${line} is too long, [^\n]*\n$`);
    expect(err).toMatch(sentence);
  });

  it('with a quote that is never closed loses that line alone, also when the next quote is far away', async () => {
    const rows = Array.from({ length: 50_000 }, (_, index) => `${index + 3},Open,2026-03-01T09:00:00Z,`);
    const { status, out, err } = await load([...TABLE, '3,"Open,2026-03-01T09:00:00Z,', ...rows].join('\n'), '--json');
    expect([status, JSON.parse(out)]).toMatchObject([1, { cases: { added: 50_002 }, rejected: 1 }]);
    expect(err).toContain(':4: a quote " is opened and not closed within 1048576 characters\n');
  });
});

describe('a workbook that no spreadsheet writes', () => {
  it('with a cell of 10 MB is refused in one sentence', async () => {
    const rows = [`${HEAD},Subject`, ...TABLE.slice(1).map((row) => `${row},LONG`)];
    const long = await workbook({ T: rows }, STRINGS, (xml) => xml.replace('LONG', 'x'.repeat(10_000_000)));
    const { status, out, err } = await load(long);
    expect([status, out]).toEqual([2, '']);
    expect(err).toMatch(/^[^\n]* has a cell of 10000000 characters\.\n$/);
  });

  it.each([
    ['texts', '<si><t>x</t></si>', 600_000],
    ['empty texts', '<si/>', 2_100_000],
    ['parts of one text', '<r><t>x</t></r>', 600_000],
    ['attributes', ' a="1"', 2_100_000],
  ])('with millions of shared %s is refused in one sentence', async (_, text, times) => {
    const bomb = await workbook({ T: TABLE }, STRINGS, (xml) =>
      text.startsWith(' ')
        ? xml.replace('<si', `<si${text.repeat(times)}`)
        : xml.replace('</sst>', `${text.repeat(times)}</sst>`),
    );
    expect(bomb.length).toBeLessThan(100_000);
    const { status, out, err } = await load(bomb);
    expect([status, out]).toEqual([2, '']);
    expect(err).toMatch(/^[^\n]* has more texts than are read of a workbook: save it as CSV\.\n$/);
  });

  it.each([
    ['without a value is refused in one sentence', '<c r="B3"><f>IF(1,"Open")</f></c>', 2],
    ['with an empty value likewise', '<c r="B3"><f>IF(1,"Open")</f><v/></c>', 2],
    ['that is shared likewise', '<c r="B3"><f t="shared" si="0"/></c>', 2],
    ['whose names have a prefix likewise', '<x:c r="B3"><x:f>IF(1,"Open")</x:f></x:c>', 2],
    ['whose value is an empty text is read', '<c r="B3" t="str"><f>IF(1,"")</f><v></v></c>', 0],
  ])('with a formula %s', async (_, cell, expected) => {
    const written = (xml: string) =>
      cell.startsWith('<x:') ? xml.replace(/<(\/?)(?!\?)/g, '<$1x:').replace('xmlns=', 'xmlns:x=') : xml;
    const edit = (xml: string) => written(xml).replace(/<(x:)?c r="B3".*?<\/\1c>/, cell);
    const { status, err } = await load(await workbook({ T: TABLE }, 'xl/worksheets/sheet1.xml', edit));
    expect([status, err]).toEqual([expected, expected === 2 ? expect.stringMatching(NO_VALUE) : '']);
  });

  it.each([
    ['without a value is refused in one sentence', 'table:formula="of:=1+1"', 2],
    ['with its value is read', 'table:formula="of:=&quot;Open&quot;" office:value-type="string"', 0],
  ])('with a formula of OpenDocument %s', async (_, attributes, expected) => {
    const edit = (xml: string) =>
      xml.replace(/<table:table-cell[^>]*>(?=<text:p>Open)/, `<table:table-cell ${attributes}>`);
    const { status, err } = await load(await workbook({ T: TABLE }, 'content.xml', edit, writeOds));
    expect([status, err]).toEqual([expected, expected === 2 ? expect.stringMatching(NO_VALUE) : '']);
  });

  it.each(['../x', '/etc/passwd', '..', 'a/'])(
    'with a sheet named %s reads that sheet and nothing else',
    async (name) => {
      const book = await workbook({ A: AGENTS, UPUP: TABLE }, 'xl/workbook.xml', (xml) => xml.replace('UPUP', name));
      expect(JSON.parse((await load(book, '--json')).out).questions[0].choices[1].answer).toBe(name);
      const { status, out, err } = await load(book, '--answer', `sheet=${name}`, '--json');
      expect([status, err, JSON.parse(out)]).toMatchObject([0, '', { cases: { added: 2 } }]);
    },
  );
});

describe('an archive of DOS', () => {
  it('whose names are in cp437 asks and is answered by the names as they were', async () => {
    const names = [
      Buffer.from([0x81, ...Buffer.from('ber.csv')]),
      Buffer.from([0x84, ...Buffer.from('.csv')]),
    ] as const;
    const zip = zipOf([
      [names[0], TABLE.join('\n')],
      [names[1], AGENTS.join('\n')],
    ]);
    const asked = JSON.parse((await load(zip, '--json')).out).questions[0];
    expect(asked.choices.map(({ answer }: { answer: string }) => answer).sort()).toEqual(['ä.csv', 'über.csv']);
    const { status, out } = await load(zip, '--answer', 'sheet=über.csv', '--json');
    expect([status, JSON.parse(out)]).toMatchObject([0, { cases: { added: 2 } }]);
  });
});

describe('an archive whose names are in UTF-8, which no flag says', () => {
  it('asks and is answered by the names as they were', async () => {
    const zip = zipOf([
      [Buffer.from('über.csv'), TABLE.join('\n')],
      [Buffer.from('ä/ж.csv'), AGENTS.join('\n')],
    ]);
    const { status, out } = await load(zip, '--answer', 'sheet=über.csv', '--json');
    expect([status, JSON.parse(out)]).toMatchObject([0, { cases: { added: 2 } }]);
  });
});

describe('a mapping of tickets', () => {
  it('with solve dates and no status counts a ticket with a solve date as resolved', async () => {
    const file = join(folder, 'map.json');
    const mapping = { kind: 'tickets', case: 'Ticket ID', created: 'Created', solved: 'Resolved', ignore: ['Status'] };
    await writeFile(file, JSON.stringify(mapping));
    const { status, out } = await load(TABLE.join('\n'), '--map', file, '--json');
    expect([status, JSON.parse(out)]).toMatchObject([0, { records: { 'case.created': 2, 'case.status': 1 } }]);
  });
});

describe('answers', () => {
  const open = [HEAD, ...ROWS].join('\n');
  it.each([
    ['a meaning that there is none of', 'meaning:Status={"Zorb":"later"}'],
    ['a value of last week', 'meaning:Status={"Gone":"open"}'],
  ])('with %s leave the question open', async (_, answer) => {
    const { status, out } = await load(open, '--answer', answer, '--json');
    expect([status, JSON.parse(out).questions[0].id]).toEqual([2, 'meaning:Status']);
  });

  it('about another file are not used, which is said', async () => {
    const answers = ['--answer', 'meaning:Status={"Zorb":"pending"}', '--answer', 'meaning:Other={"x":"open"}'];
    const { status, out } = await load(open, ...answers);
    expect([status, out]).toEqual([0, expect.stringContaining('meaning:Other')]);
  });
});
