import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { openInput } from '../../../../lib/import/formats/input.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cells-'));
});
afterEach(() => rm(folder, { recursive: true }));

const zip = (parts: Readonly<Record<string, string>>): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])));

async function rows(name: string, bytes: Uint8Array, sheet = ''): Promise<string[][]> {
  await writeFile(join(folder, name), bytes);
  const chunks: Uint8Array[] = [];
  for await (const chunk of (await openInput(join(folder, name, sheet))).bytes) chunks.push(chunk);
  const lines = Buffer.concat(chunks).toString().trimEnd().split('\n');
  return lines.map((line) => line.split(','));
}

/** A cell of Excel: its value with a format of its own, a number of a built-in one, or a kind. */
type Cell = readonly [value: string, format: string | number, shown: string];

function xlsx(cells: readonly Cell[], is1904 = false): Uint8Array {
  const own = cells.flatMap(([, format], at) =>
    typeof format === 'string'
      ? [`<numFmt numFmtId="${164 + at}" formatCode="${format.replaceAll('"', '&quot;')}"/>`]
      : [],
  );
  const styles = cells.map(([, format], at) => `<xf numFmtId="${typeof format === 'string' ? 164 + at : format}"/>`);
  const row = cells.map(([value], at) => {
    const kind = value === 'TRUE' ? ['b', '1'] : value.startsWith('#') ? ['e', value] : ['n', value];
    return `<x:c t="${kind[0]}" s="${at}"><x:v>${kind[1]}</x:v></x:c>`;
  });
  return zip({
    'xl/workbook.xml': `<workbook><workbookPr date1904="${is1904 ? 1 : 0}"/><sheets><sheet name="T" r:id="a"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="a" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/styles.xml': `<styleSheet><numFmts>${own.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${styles.join('')}</cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `<x:worksheet><x:sheetData><x:row r="1">${row.join('')}</x:row></x:sheetData></x:worksheet>`,
  });
}

const ANY: readonly Cell[] = [
  ['0.25', 46, '06:00:00'],
  ['1.09375', '[h]:mm', '26:15:00'],
  ['59.5', '[hh]:mm:ss', '1428:00:00'],
  ['60.5', '[hh]:mm:ss', '1452:00:00'],
  ['61.5', '[m]', '1476:00:00'],
  ['2500', '[h]"h"', '60000:00:00'],
  ['1.5', 'h:mm', '12:00:00'],
  ['0.999988425925926', 21, '23:59:59'],
  ['0.75', '[$-409]h:mm AM/PM', '18:00:00'],
  ['0.95', 9, '95%'],
  ['0.125', '0.0%', '12.5%'],
  ['1.5', '0.00 "days"', '1.5'],
  ['46083.5', 0, '46083.5'],
  ['-0.5', '[h]:mm', '-0.5'],
  ['TRUE', 0, 'TRUE'],
  ['#N/A', 14, '#N/A'],
];

describe('a cell of a workbook of Excel means what it shows', () => {
  it.each([
    [
      false,
      [...ANY, ['46083.3333333333', 'yyyy-mm-dd h:mm', '2026-03-02 08:00:00'], ['59', 14, '1900-02-28 00:00:00']],
    ],
    [
      false,
      [...ANY, ['61', 'd. mmm yy', '1900-03-01 00:00:00'], ['0', 14, ''], ['46083.5', 20, '2026-03-02 12:00:00']],
    ],
    [
      true,
      [
        ...ANY,
        ['44621.5', 22, '2026-03-02 12:00:00'],
        ['0', 'mmm', '1904-01-01 00:00:00'],
        ['1', 14, '1904-01-02 00:00:00'],
      ],
    ],
  ] as readonly (readonly [boolean, readonly Cell[]])[])('with days from 1904: %s', async (is1904, cells) => {
    const [row = []] = await rows('a.xlsx', xlsx(cells, is1904));
    expect(row).toEqual(
      cells.map(([, , shown]) => shown).filter((shown, at, all) => shown !== '' || at < all.length - 1),
    );
  });

  it('also where a row is wider than all before it, which says nothing', async () => {
    const cell = (text: string): string => `<c t="inlineStr"><is><r><t>${text}</t></r><rPh><t>x</t></rPh></is></c>`;
    const line = (...texts: string[]): string => `<row>${texts.map(cell).join('')}</row>`;
    const parts = {
      'xl/workbook.xml': '<workbook><sheets><sheet name="T" r:id="a"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels': '<R><Relationship Id="a" Target="/xl/worksheets/s.xml"/></R>',
      'xl/worksheets/s.xml': `<worksheet>${line('Id', 'Status').repeat(60)}${line('9', 'Open', 'note', 'x')}</worksheet>`,
    };
    expect((await rows('wide.xlsx', zip(parts))).at(-1)).toEqual(['9', 'Open']);
  });
});

describe('a cell of a workbook of OpenDocument means what it shows', () => {
  const cell = (attributes: string, text = ''): string =>
    `<table:table-cell ${attributes}><office:annotation><text:p>a remark</text:p></office:annotation><text:p>${text}</text:p></table:table-cell>`;
  const table = (name: string, ...lines: readonly string[]): string =>
    `<table:table table:name="${name}">${lines.map((line) => `<table:table-row>${line}</table:table-row>`).join('')}</table:table>`;
  const CELLS: readonly (readonly [string, string, string])[] = [
    ['office:value-type="float" office:value="1234.5"', '1.234,50', '1234.5'],
    ['office:value-type="percentage" office:value="0.95"', '95 %', '95%'],
    ['office:value-type="boolean" office:boolean-value="true"', 'WAHR', 'TRUE'],
    ['office:value-type="date" office:date-value="2026-03-02T08:00:00"', '02.03.26', '2026-03-02 08:00:00'],
    ['office:value-type="date" office:date-value="2026-03-02"', '02.03.26', '2026-03-02'],
    ['office:value-type="time" office:time-value="PT26H15M00S"', '26:15:00', '26:15:00'],
    ['office:value-type="time" office:time-value="PT1446H30M00.000S"', '', '1446:30:00'],
    ['office:value-type="float" office:value="0" calcext:value-type="error"', '#DIV/0!', '#DIV/0!'],
    ['office:value-type="string"', 'two  <text:s text:c="2"/>words', 'two    words'],
    ['', '', ''],
    ['office:value-type="string" table:number-columns-repeated="2"', 'x', 'x'],
  ];

  it('in the sheet that is named', async () => {
    const content = `<office:document-content><office:body><office:spreadsheet>${table('Other', cell('office:value-type="string"', 'o').repeat(2)).repeat(1)}${table('T', CELLS.map(([attributes, text]) => cell(attributes, text)).join(''))}</office:spreadsheet></office:body></office:document-content>`;
    const bytes = zip({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet', 'content.xml': content });
    expect(await rows('a.ods', bytes, 'T')).toEqual([[...CELLS.map(([, , shown]) => shown), 'x']]);
    expect(await rows('b.ods', bytes, 'Other')).toEqual([['o', 'o']]);
  });
});
