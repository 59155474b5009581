import { readdirSync, readFileSync } from 'node:fs';
import { parseMapping } from '../../../../lib/import/mapping/parse-mapping.ts';
import { bytesOf, readCsvRows, recordsOf } from '../../../support/generators/read-rows.ts';

const SMALLEST = { kind: 'snapshots', time: { zone: 'UTC' }, case: 'case', at: 'at' };
const parse = (change: object) => () => parseMapping(JSON.stringify({ ...SMALLEST, ...change }), 'map.json');

describe('parseMapping', () => {
  it.each(readdirSync('test/data').filter((name) => name.endsWith('.mapping.json')))('accepts %s', (name) => {
    expect(parseMapping(readFileSync(`test/data/${name}`, 'utf8'), name).kind).toMatch(/^\w+$/);
  });

  it('accepts every mapping that the documentation shows', () => {
    const shown = [...readFileSync('docs/import/mappings.md', 'utf8').matchAll(/```json\n(\{\n {2}"kind".*?)```/gs)];
    expect(shown.length).toBeGreaterThanOrEqual(3);
    for (const [, json] of shown) parseMapping(json ?? '', 'docs/import/mappings.md', 'UTC');
  });

  it.each([
    [{ kind: 'rows' }, /^map\.json, at kind: /],
    [
      { statsu: 'x' },
      'map.json, at the top level: Unrecognized key: "statsu". docs/import/mappings.md lists what a mapping can say.',
    ],
    [{ case: undefined }, /^map\.json, at case: /],
    [{ status: { column: 'a', value: 'b' } }, 'map.json, at status: needs either "column", "columns" or "value".'],
    [{ status: {} }, 'map.json, at status: needs either "column", "columns" or "value".'],
    [{ at: { column: 'a', columns: ['b'] } }, 'map.json, at at: needs either "column" or "columns".'],
    [{ at: undefined }, 'map.json, at at: is missing.'],
    [{ status: { column: 'a', pattern: '(' } }, 'map.json, at status.pattern: is not a regular expression.'],
    [{ csv: { separator: '--' } }, /^map\.json, at csv\.separator: /],
    [{ csv: { encoding: 'klingon' } }, 'map.json, at csv.encoding: is not a text encoding.'],
    [{ time: { format: 'd/M/yyyy' } }, 'map.json, at at: the time format "d/M/yyyy" has no offset, so name a zone'],
    [{ time: { zone: 'Mars/Base' } }, 'map.json, at time.zone: "Mars/Base" is not a time zone'],
    [
      { created: { at: { column: 'x', format: 'QQ' } } },
      'map.json, at created.at: The time format "QQ" has unknown letters',
    ],
    ...(['closed', 'ended_when', 'updated'] as const).map((key): [object, string] => [
      { kind: 'tickets', at: undefined, created: 'x', status: 'y', [key]: { column: 'x', format: 'QQ' } },
      `map.json, at ${key}: The time format "QQ" has unknown letters`,
    ]),
    [
      { kind: 'messages', key: ['k'], direction: 'x', call_end: { column: 'x', format: 'QQ' } },
      'map.json, at call_end: The time format "QQ" has unknown letters',
    ],
    [{ kind: 'messages', direction: 'x' }, /^map\.json, at key: /],
    [
      {
        kind: 'activities',
        activity: 'a',
        activities: {},
        otherwise: { type: 'note', at: { column: 'b', format: 'd' } },
      },
      'map.json, at otherwise.at: The time format "d" lacks year or day',
    ],
    [
      { kind: 'activities', activity: 'a', activities: { Done: { type: 'case.done' } } },
      /^map\.json, at activities\.Done\.0\.type: /,
    ],
  ])('says where %j is wrong', (change, sentence) => {
    expect(parse(change)).toThrow(sentence);
  });

  it('lets a byte order mark pass', () => {
    expect(parseMapping(`\uFEFF${JSON.stringify(SMALLEST)}`, 'map.json').kind).toBe('snapshots');
  });

  it('says where the file is no JSON', () => {
    expect(() => parseMapping('{"kind":', 'map.json')).toThrow(/^map\.json is not JSON \(.*\): correct it\.$/);
  });
});

describe('readMapped', () => {
  it('says which column the file lacks', async () => {
    await expect(readCsvRows('a,at\n1,2', SMALLEST)).rejects.toThrow(
      'The mapping names the column "case", which the file does not have: its columns are a, at.',
    );
  });

  it('says that a file is empty or begins with what is not a header', async () => {
    await expect(readCsvRows('', SMALLEST)).rejects.toThrow('rows.csv is empty: a CSV starts with its header.');
    await expect(readCsvRows('"a"b,c\n', SMALLEST)).rejects.toThrow(
      /^The first line of rows\.csv is not a header \(cell 1 has text/,
    );
    await expect(readCsvRows(bytesOf(Uint8Array.of(0xe4, 0x0a)), SMALLEST)).rejects.toThrow(
      /\(the line is not UTF-8, /,
    );
  });

  it('takes the names of columns from the mapping where the file has none', async () => {
    const rows = await readCsvRows('2026-03-01,9', { ...SMALLEST, csv: { columns: ['at', 'case'] } });
    expect(recordsOf(rows)).toEqual([
      { type: 'case.created', id: 'created', at: Date.UTC(2026, 2, 1) * 1000, case: '9' },
    ]);
  });

  it('leaves out lines before the header', async () => {
    const rows = await readCsvRows('sep=,\n"never closed\nat,case\n2026-03-01,9', { ...SMALLEST, csv: { skip: 2 } });
    expect(recordsOf(rows)).toMatchObject([{ type: 'case.created', case: '9' }]);
  });

  it('joins the cells of several columns that are not empty', async () => {
    const mapping = {
      ...SMALLEST,
      at: { columns: ['day', 'hour'], format: ['dd.MM.yyyy HH:mm', 'dd.MM.yyyy'] },
      case: { columns: ['unit', 'number'], join: '-' },
      csv: { null: ['NULL'] },
    };
    const rows = await readCsvRows(
      'unit,number,day,hour\nA,1,01.03.2026, 9:00\nB,NULL,01.03.2026,09:00\nC,3,01.03.2026,',
      mapping,
    );
    const inOrder = [...rows].sort((a, b) => a.line - b.line);
    expect(inOrder.map((row) => ('records' in row ? row.records : row.reason))).toMatchObject([
      'day + hour: "01.03.2026 9:00" is not a time in the format dd.MM.yyyy HH:mm or dd.MM.yyyy',
      [{ case: 'B', at: Date.UTC(2026, 2, 1, 9) * 1000 }],
      [{ case: 'C-3', at: Date.UTC(2026, 2, 1) * 1000 }],
    ]);
  });

  it('takes a custom field that rules alone set only where it is declared', async () => {
    const rule = { type: 'case.custom_field', field: 'Tier', value: { value: 'gold' } };
    const mapping = { ...SMALLEST, kind: 'activities', activity: 'case', activities: { '1': rule } };
    await expect(readCsvRows('case,at\n1,2026-03-01', mapping)).rejects.toThrow(/sets the custom field "Tier", which/);
    const declared = { ...mapping, created: { custom_fields: [{ name: 'Tier', id: 4, values: true }] } };
    expect(recordsOf(await readCsvRows('case,at\n1,2026-03-01', declared)).slice(1)).toMatchObject([
      { type: 'case.custom_field', field: 4, value: 'gold' },
      { type: 'custom_field', id: 4, values: ['gold'] },
    ]);
  });
});
