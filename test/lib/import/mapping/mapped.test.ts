import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { type Row, rowsIn } from '../../../../lib/import/formats/row.ts';
import { parseMapping } from '../../../../lib/import/mapping/parse-mapping.ts';
import { isEvent } from '../../../../lib/import/records/records.ts';
import type { SpillBounds } from '../../../../lib/import/spill/spill.ts';
import { tries } from '../../../support/generators/depth.ts';
import { bytesOf, readMappedBytes, rejectionsOf } from '../../../support/generators/read-rows.ts';

const MAPPING = {
  kind: 'snapshots',
  time: { format: 'epoch_seconds' },
  case: { column: 'case', table: { 'two\nlines': 'one\nkey' }, default: 'other' },
  at: 'at',
  status: { column: 'state', table: { Done: 'resolved' }, default: 'open' },
  custom_fields: [{ name: 'Text', id: 5, column: 'text' }],
};
const mapping = parseMapping(JSON.stringify({ ...MAPPING, case: 'case' }), 'map.json');
const HEADER = 'unnamed,text,case,state,at,unnamed too';
const LAST = 'x,t,last,New,100,y'; // so that no row of little text before it is taken for a footer
const WHOLE: SpillBounds = { waiting: 1e9, group: 1e9 };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mapped-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** What comes of a file: whole cases with the lines of their rows, and what was rejected. */
async function read(csv: string | readonly string[], map: typeof mapping, bounds: SpillBounds) {
  const { batches, rows } = readMappedBytes(bytesOf(...[csv].flat()), map, { folder, bounds });
  const all: Row[] = [];
  const cases = new Map<string, { lines: number[]; events: string[] }>();
  const batchOf = new Map<string, number>();
  let number = 0;
  for await (const batch of batches) {
    number += 1;
    for (const row of rowsIn(batch)) {
      all.push(row);
      for (const event of 'records' in row ? row.records.filter(isEvent) : []) {
        const key = 'case' in event ? event.case : '';
        expect(batchOf.get(key) ?? number).toBe(number); // whole
        batchOf.set(key, number);
        const found = cases.get(key) ?? { lines: [], events: [] };
        cases.set(key, { lines: [...found.lines, row.line], events: [...found.events, JSON.stringify(event)] });
      }
    }
  }
  expect(rows().given).toBe(rows().read);
  return { cases: Object.fromEntries(cases), rejections: rejectionsOf(all) };
}

const text = fc.string({
  unit: fc.constantFrom('a', 'ü', '😀', ' ', ',', '"', '\n', '\u001f', '1', '['),
  maxLength: 5,
});
const cell = (value: string): string => (/[,"\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
const row = fc.record({
  text,
  case: fc.constantFrom('1', '2', 'INC3', '"4', 'a,b', 'two\nlines', ' 1 ', ''),
  state: fc.constantFrom('New', 'Done', 'New'),
  at: fc.constantFrom('100', '200', '200', '300', 'never', ''),
});

describe('readMapped', () => {
  it('gives each case whole with the same events and rejections, however small the groups it comes in', async () => {
    const property = fc.asyncProperty(
      fc.array(row),
      fc.nat({ max: 300 }),
      fc.nat({ max: 300 }),
      async (rows, ...size) => {
        const lines = rows.map((each) => ['x', each.text, each.case, each.state, each.at, 'y,y'].map(cell).join(','));
        const csv = [HEADER, ...lines, LAST].join('\n');
        const whole = await read(csv, mapping, WHOLE);
        expect(await read(csv, mapping, { waiting: size[0], group: size[1] + 1 })).toEqual(whole);
        const sound = rows.filter((each) => each.case !== '' && /\d/.test(each.at));
        expect(whole.rejections.length).toBe(rows.length - sound.length);
        for (const each of sound) expect(Object.keys(whole.cases)).toContain(each.case.trim());
      },
    );
    await fc.assert(property, { numRuns: tries(60) });
    expect(await readdir(folder)).toEqual([]);
  });

  it('gives cells as they stand in the file, whatever they hold', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1 }), async (texts) => {
        const rows = texts.map((given, place) => ['x', given, String(place), 'New', '100', ''].map(cell).join(','));
        const { cases } = await read([HEADER, ...rows].join('\n'), mapping, { waiting: 1, group: 50 });
        for (const [place, given] of texts.entries()) {
          const value = JSON.parse(cases[place]?.events[0] ?? '').custom_fields?.['5'];
          expect(value).toBe(given.trim() === '' ? undefined : given.trim());
        }
      }),
      { numRuns: tries(60) },
    );
  });

  it('takes a key of several lines that a table gives', async () => {
    const map = parseMapping(JSON.stringify(MAPPING), 'map.json');
    const { cases } = await read(`${HEADER}\nx,t,"two\nlines",New,1,\nx,t,1,New,2,`, map, { waiting: 1, group: 1 });
    expect(Object.keys(cases).sort()).toEqual(['one\nkey', 'other']);
    const plain = { ...MAPPING, case: { column: 'case', table: { a: 'one\nkey' } } };
    const found = await read(`${HEADER}\nx,t,a,New,1,\n`, parseMapping(JSON.stringify(plain), 'map.json'), WHOLE);
    expect(Object.keys(found.cases)).toEqual(['one\nkey']);
  });

  it('reads rows alike, with a quote somewhere near them or not', async () => {
    const cells = fc.array(fc.constantFrom('1', 'INC3', 'ü', '', ' ', '\t', '\r', 'New', 'Done', '100', 'never'), {
      minLength: 1,
      maxLength: 8,
    });
    const usual = fc
      .tuple(text, fc.constantFrom('1', 'INC3', ' a'), fc.constantFrom('New', ''))
      .map(([value, key, state]) => ['x', value.replaceAll(/[,"\n]/g, ''), key, state, '100', 'y']);
    const lines = fc.array(fc.oneof(usual, cells), { maxLength: 12 }).map((rows) => rows.map((row) => row.join(',')));
    const property = fc.asyncProperty(lines, fc.constantFrom('\n', '\r\n'), async (given, end) => {
      const body = given.join(end);
      const quoted = `"q",,q,New,300,`; // in the first block with the rows, which are then cut as texts
      const texts = await read([`${HEADER}\n${quoted}\n${body}`], mapping, WHOLE);
      expect(await read([`${HEADER}\n${quoted}\n`, `${body}\n`], mapping, WHOLE)).toEqual(texts);
    });
    await fc.assert(property, { numRuns: tries(200) });
  });

  it('finds the columns of a mapping wherever they stand', async () => {
    const rows = ['a,New,100,x,t\n', 'a,Done,200,x,t\nb,New,100,x,t\n'];
    const { cases } = await read(['case,state,at,other,text\n', ...rows], mapping, WHOLE);
    const apart = rows.map((part) => part.replaceAll(/^(.*),(.*),(.*),x,(.*)$/gm, '$4,-,$1,-,$3,$2'));
    expect((await read(['text,one,case,two,at,state\n', ...apart], mapping, WHOLE)).cases).toEqual(cases);
    expect(cases.a?.lines).toEqual([2, 2, 3]); // created, opened, resolved
  });
});
