import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { strToU8, unzipSync, zipSync } from 'fflate';
import { writeOds } from 'hucre/ods';
import { writeXlsx } from 'hucre/xlsx';
import { openInput, openRereadable } from '../../../../lib/import/formats/input.ts';
import { findInputs } from '../../../../lib/import/formats/inputs.ts';
import { tablesWithin } from '../../../../lib/import/unpack/tables-within.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unpack-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** What is read of a file with these bytes, or the sentence that refuses it, without the folder. */
async function read(name: string, bytes: Uint8Array | string, member = ''): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of (await openInput(join(path, member))).bytes) chunks.push(chunk);
  } catch (error) {
    return `! ${error instanceof Error ? error.message : error}`.replaceAll(`${folder}/`, '');
  }
  return Buffer.concat(chunks).toString();
}

const CSV = 'id,when\n1,2026-03-01\n';
const ZSTD = 'KLUv/SQVqQAAaWQsd2hlbgoxLDIwMjYtMDMtMDEK1TaVUw=='; // of CSV
const NINE = new Date('2026-03-01T09:00:00Z');
const ROWS = [
  ['Id', 'Created', 'Done', 'Took', 'Subject'],
  [1, NINE, 0.5, 'x', 'He said "no",\nthen left'],
  [null, null, null, null, null],
  [1234567890123, NINE, true, '', '#N/A'],
];
const sheet = (name: string, rows: unknown[][]) => ({ name, rows }) as never;

describe('a workbook', () => {
  const AS_CSV = `Id,Created,Done,Took,Subject
1,2026-03-01 09:00:00,0.5,x,"He said ""no"", then left"

1234567890123,2026-03-01 09:00:00,TRUE,,#N/A
`;

  it('of Excel is read as the CSV that it would be, a line for each row of the sheet', async () => {
    expect(await read('a.xlsx', await writeXlsx({ sheets: [sheet('T', ROWS)] }))).toBe(AS_CSV);
    const old = await writeXlsx({ sheets: [sheet('T', ROWS)], dateSystem: '1904' });
    expect(await read('old.xlsx', old)).toBe(AS_CSV);
  });

  it('of OpenDocument likewise', async () => {
    const lines = (await read('a.ods', await writeOds({ sheets: [sheet('T', ROWS)] }))).split('\n');
    expect(lines[0]).toBe('Id,Created,Done,Took,Subject');
    expect(lines[1]).toContain('1,2026-03-01 09:00:00,0.5,x,');
  });

  it('gives the sheet that has a table, or the one that is named; of several one must be chosen', async () => {
    const note = sheet('Read me', [['Exported on 1 March']]);
    const one = sheet('Tickets', [
      ['Id', 'Status'],
      [1, 'Open'],
    ]);
    const two = sheet('UPUP', [
      ['Id', 'Status'],
      [2, 'Open'],
    ]);
    expect(await read('one.xlsx', await writeXlsx({ sheets: [note, one] }))).toBe('Id,Status\n1,Open\n');
    const { 'xl/workbook.xml': names = new Uint8Array(), ...parts } = unzipSync(
      await writeXlsx({ sheets: [note, one, two] }),
    );
    const renamed = Buffer.from(names).toString().replace('UPUP', '../../etc/passwd');
    const several = zipSync({ ...parts, 'xl/workbook.xml': strToU8(renamed) });
    expect(await read('two.xlsx', several)).toBe(
      '! two.xlsx has several sheets with a table: Tickets, ../../etc/passwd. Name one, as in "two.xlsx/Tickets".',
    );
    expect(await tablesWithin(join(folder, 'two.xlsx'))).toEqual({
      isWorkbook: true,
      tables: ['Tickets', '../../etc/passwd'].map((name) => ({ name, header: ['Id', 'Status'] })),
    });
    expect(await read('two.xlsx', several, 'Tickets')).toBe('Id,Status\n1,Open\n');
    expect(await read('two.xlsx', several, 'Nothing')).toMatch(/^! two.xlsx has no sheet "Nothing": its sheets are /);
  });

  it.each([
    ['xl/vbaProject.bin', 'a.xlsx holds macros: save it as a workbook without them.'],
    [
      'xl/externalLinks/externalLink1.xml',
      'a.xlsx takes values from other files: save it with values alone, or as CSV.',
    ],
  ])('with %s is refused', async (part, sentence) => {
    const bytes = zipSync({ 'xl/workbook.xml': strToU8('<workbook/>'), [part]: strToU8('x') });
    expect(await read('a.xlsx', bytes)).toBe(`! ${sentence}`);
  });

  it('that is damaged is refused in one sentence', async () => {
    const whole = await writeXlsx({ sheets: [sheet('T', ROWS)] });
    expect(await read('cut.xlsx', whole.subarray(0, whole.length / 2))).toMatch(/^! cut.xlsx is damaged \(/);
    expect(await read('empty.xlsx', zipSync({ 'xl/workbook.xml': strToU8('<workbook/>') }))).toBe(
      '! empty.xlsx has no sheet.',
    );
  });
});

describe('a packed file', () => {
  it.each([
    ['a.csv.gz', gzipSync(CSV)],
    ['a.zip', zipSync({ 'folder/a.csv': strToU8(CSV), '__MACOSX/a': strToU8('x'), '.DS_Store': strToU8('x') })],
    ['a.csv.zst', Buffer.from(ZSTD, 'base64')],
    ['twice.zip', zipSync({ 'a.csv.gz': gzipSync(CSV) })],
  ])('%s is unpacked as it is read', async (name, bytes) => {
    expect(await read(name, bytes)).toBe(CSV);
  });

  it('may hold a workbook', async () => {
    const book = await writeXlsx({
      sheets: [
        sheet('T', [
          ['Id', 'Status'],
          [1, 'Open'],
        ]),
      ],
    });
    expect(await read('book.zip', zipSync({ 'b.xlsx': book }))).toBe('Id,Status\n1,Open\n');
    expect(await read('books.zip', zipSync({ 'b.xlsx': book, 'c.csv': strToU8(CSV) }), 'b.xlsx/T')).toBe(
      'Id,Status\n1,Open\n',
    );
  });

  it('of several files is read like a folder', async () => {
    const bytes = zipSync({ 'e/user.csv': strToU8('id\n'), 'e/ticket.csv': strToU8(CSV) });
    expect(await read('e.zip', bytes)).toBe(
      '! e.zip holds several files: e/ticket.csv, e/user.csv. Name one, as in "e.zip/e/ticket.csv".',
    );
    expect(await read('e.zip', bytes, 'e/ticket.csv')).toBe(CSV);
    const { names, isFolder, size } = await findInputs(join(folder, 'e.zip'));
    expect([isFolder, names, size]).toEqual([
      true,
      ['ticket', 'user'].map((file) => join(folder, 'e.zip', 'e', `${file}.csv`)),
      bytes.length,
    ]);
  });

  it('comes by standard input, too', async () => {
    const input = await openRereadable('-', () => Readable.from([zipSync({ 'a.csv': strToU8(CSV) })]));
    const texts: string[] = [];
    for await (const chunk of input.bytes) texts.push(String(chunk));
    await input.close();
    expect(texts.join('')).toBe(CSV);
  });

  it('that is a bomb, damaged, or names files outside of it is refused in one sentence', async () => {
    const zeros = Buffer.alloc(70_000_000);
    const bomb = / unpacks to far more than its size, as no export does: it is not read\.$/;
    const packed = gzipSync(zeros);
    expect(await read('bomb.gz', packed)).toMatch(bomb);
    expect(await read('bomb.zip', zipSync({ 'a.csv': zeros }))).toMatch(bomb);
    expect(await read('bomb2.zip', zipSync({ 'a.csv.gz': packed }))).toMatch(bomb);
    const nested = [1, 2, 3].reduce((inner) => gzipSync(inner), gzipSync(CSV));
    expect(await read('deep.gz', nested)).toBe('! deep.gz is packed too many times.');
    const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`${at}.csv`, new Uint8Array(0)]));
    expect(await read('many.zip', zipSync(many))).toBe('! many.zip holds more than 10000 files.');
    expect(await read('out.zip', zipSync({ '../a.csv': strToU8(CSV) }))).toBe(
      '! out.zip names a file outside of its folder, as no export does: it is not read.',
    );
    const whole = zipSync({ 'a.csv': strToU8(CSV) });
    expect(await read('cut.zip', whole.subarray(0, 40))).toMatch(/^! cut.zip is damaged \(/);
    const secret = Buffer.from(whole);
    for (const at of [secret.indexOf('PK\x01\x02') + 8, 6]) secret[at] = 1;
    expect(await read('secret.zip', secret)).toBe(
      '! secret.zip is encrypted: unpack it, or save it without a password.',
    );
    expect(await read('none.zip', zipSync({}))).toBe('! none.zip holds no file.');
    expect(await read('cut.zst', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xff, 0xff, 0xff]))).toMatch(/broken zstd file/);
  });
});

describe('a file', () => {
  it('whose lines end in CR alone has lines', async () => {
    expect(await read('mac.csv', 'id,a\r1,x\r2,y')).toBe('id,a\n1,x\n2,y');
    expect(await read('dos.csv', 'id,a\r\n1,x\r\n')).toBe('id,a\r\n1,x\r\n');
  });

  it.each([
    ['a.csv', '%PDF-1.7\n', 'a.csv is a PDF: export the table as CSV or .xlsx instead.'],
    [
      'a.xls',
      '\n<html><table>',
      'a.xls is a web page: open it in a spreadsheet, and save or export it as CSV or .xlsx.',
    ],
    [
      'a.eml',
      'Subject: Hi\r\nFrom: x\r\nMIME-Version: 1.0\r\n',
      'a.eml is an e-mail: save the file that is attached to it.',
    ],
    [
      'b.xls',
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      'b.xls is an old or encrypted Excel workbook: open it, and save it as .xlsx without a password.',
    ],
    [
      'b.docx',
      zipSync({ 'word/document.xml': strToU8('x') }),
      'b.docx is a text document: save its table as CSV or .xlsx.',
    ],
  ])('%s that holds no records is told what it is, and what to do', async (name, bytes, sentence) => {
    expect(await read(name, bytes)).toBe(`! ${sentence}`);
  });
});
