import fc from 'fast-check';
import { cellsOf, type Dialect, readCsv } from '../../../../lib/import/formats/csv.ts';
import { bytesOf } from '../../../support/generators/read-rows.ts';

const COMMA: Dialect = { separator: ',', quote: '"', encoding: 'utf-8', skip: 0 };

async function read(dialect: Dialect, ...chunks: (string | Uint8Array)[]) {
  const rows: (readonly [number, readonly string[] | string])[] = [];
  for await (const batch of readCsv(bytesOf(...chunks), dialect)) {
    for (const row of batch) rows.push([row.line, 'reason' in row ? row.reason : cellsOf(row, dialect)]);
  }
  return rows;
}

describe('readCsv', () => {
  it('cuts rows into cells, quoted or not, over several lines, and numbers them by their first line', async () => {
    expect(await read(COMMA, 'a,b\r\n1,"x, ""y""\nz"\n\n"",\n3,4')).toEqual([
      [1, ['a', 'b']],
      [2, ['1', 'x, "y"\nz']],
      [5, ['', '']],
      [6, ['3', '4']],
    ]);
  });

  it('takes a quote within a cell as itself', async () => {
    expect(await read(COMMA, 'a 5" pipe,b\n')).toEqual([[1, ['a 5" pipe', 'b']]]);
  });

  it('takes other separators, quotes and encodings', async () => {
    const dialect = { separator: ';', quote: "'", encoding: 'windows-1252', skip: 0 };
    expect(await read(dialect, Uint8Array.from([0x27, 0x3b, 0xe4, 0x27, 0x3b, 0x80, 0x0a]))).toEqual([
      [1, [';ä', '€']],
    ]);
    expect(await read({ ...COMMA, separator: '\t' }, 'a\tb,c')).toEqual([[1, ['a', 'b,c']]]);
  });

  it('rejects a row whose quote does not end its cell', async () => {
    expect(await read(COMMA, '"a"b,c\nd,e')).toEqual([
      [1, 'cell 1 has text after its closing quote'],
      [2, ['d', 'e']],
    ]);
  });

  it('cuts rows the same however many of their cells span lines', async () => {
    const cell = fc.constantFrom('', 'a', 'x\ny', '"', ',', 'a""b', '\n', '"\n"');
    const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(rows, async (all) => {
        const written = all.map((cells) => cells.map((one) => `"${one.replaceAll('"', '""')}"`).join(',')).join('\n');
        expect((await read(COMMA, written)).map(([, cells]) => cells)).toEqual(all);
      }),
    );
  });

  it.each([
    ['doubled quotes', 'x""y'],
    ['cells that end and begin', '","'],
    ['quotes of its own', '"a'],
  ])('reads 2 MB behind an open quote in linear time: %s', async (_, line) => {
    const text = `a,b\n1,"open\n${`${line}\n`.repeat(2_000_000 / (line.length + 1))}`;
    const rows = await read(COMMA, text); // quadratic, it would take hours
    expect(rows.some(([, cells]) => typeof cells === 'string')).toBe(true);
  });

  it('loses one line to a quote that is never closed', async () => {
    expect(await read(COMMA, 'a,b\n"c,d\ne,f\ng,"h"\n')).toEqual([
      [1, ['a', 'b']],
      [2, 'a quote " is opened and never closed'],
      [3, ['e', 'f']],
      [4, ['g', 'h']],
    ]);
    expect(await read(COMMA, '"c,d\n', 'e,f\n'.repeat(300_000), 'g,h').then((rows) => rows.length)).toBe(300_002);
  });

  it('rejects a line that is not UTF-8', async () => {
    expect(await read(COMMA, Uint8Array.from([0x61, 0xff, 0x0a]), 'b,c\n')).toEqual([
      [1, 'the line is not UTF-8, and the mapping names no other csv.encoding'],
      [2, ['b', 'c']],
    ]);
    expect(await read({ ...COMMA, encoding: 'UTF8' }, Uint8Array.of(0xff, 0x0a))).toEqual([
      [1, expect.stringContaining('not UTF-8')],
    ]);
  });

  it('reads back whatever cells were written, however the bytes are cut', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', ' ', 'ä', '😀'), maxLength: 6 });
    const row = fc.array(cell, { minLength: 2, maxLength: 4 });
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1 }), fc.nat(), async (rows, cut) => {
        const bytes = Buffer.from(rows.map((cells) => cells.map(quoted).join(',')).join('\r\n'));
        const place = cut % (bytes.length + 1);
        const found = await read(COMMA, bytes.subarray(0, place), bytes.subarray(place));
        expect(found.map(([, cells]) => cells)).toEqual(rows);
      }),
    );
  });
});
