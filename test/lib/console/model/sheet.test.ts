import { read, type WorkSheet } from '@e965/xlsx';
import * as fc from 'fast-check';
import type { ShownTile } from '../../../../lib/console/model/board/board.ts';
import { boardSheets } from '../../../../lib/console/model/board/board-sheets.ts';
import { csvStyles } from '../../../../lib/console/model/csv-style.ts';
import type { Definitions } from '../../../../lib/console/model/definitions.ts';
import { createFormat } from '../../../../lib/console/model/format.ts';
import { createNames, type Meta } from '../../../../lib/console/model/names.ts';
import { readReport } from '../../../../lib/console/model/report/report.ts';
import { USUAL_REPORT } from '../../../../lib/console/model/report/report-state.ts';
import { casesSheet, reportSheet, type Sheet, type SheetCell, sheetCsv } from '../../../../lib/console/model/sheet.ts';
import { toXlsx } from '../../../../lib/console/model/xlsx.ts';
import { definitions as definitionsOf } from '../../../../lib/insights/definitions/definitions.ts';
import { tries } from '../../../support/generators/depth.ts';

const SITE = { title: 'Acme', time_zone: 'UTC', week_start: 'monday', locales: ['en'], case_url: null };
const definitions = JSON.parse(JSON.stringify({ ...definitionsOf(), site: SITE })) as Definitions;
const meta: Meta = {
  agents: { '3': { name: '=cmd|calc!A0' }, '4': { name: '+49 30' }, '5': { name: '＝1' } },
  channels: { '1': { name: 'Mail, "old"' } },
};
const site = { definitions, format: createFormat('en'), names: createNames(definitions, meta, createFormat('en')) };
const MOMENT = { now: Date.parse('2026-01-20T12:00:00Z'), zone: 'UTC' };

/** A workbook's first sheet as another library reads it: values and texts as a person sees them. */
async function opened(sheet: Sheet): Promise<WorkSheet> {
  const book = read(await toXlsx([sheet]), { cellNF: true });
  expect(book.SheetNames).toEqual([sheet.name.slice(0, 31).trim()]);
  return book.Sheets[book.SheetNames[0] ?? ''] ?? {};
}

const column = (index: number): string => String.fromCharCode(65 + index);
const cellsOf = (sheet: WorkSheet, part: 'v' | 'w' | 't' | 'f', columns: number, rows: number): unknown[][] =>
  Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, at) => sheet[`${column(at)}${row + 1}`]?.[part]),
  );

/** The table of a report below the lines about it, which a test looks at. */
const ABOUT = 5;
const tableOf = (...[sheet, part, columns, rows]: Parameters<typeof cellsOf>): unknown[][] =>
  cellsOf(sheet, part, columns, ABOUT + rows).slice(ABOUT);

const TIME = { min: '2026-01-05T00:00:00Z', max: '2026-01-19T00:00:00Z' };
const REPLY = {
  request: {
    fields: ['outbound_interactions', 'time_to_first_response:p50', 'first_contact_resolution_rate'],
    time: { ...TIME, window_size: 'week' },
    dimension1: 'action_agent',
    dimension2: null,
  },
  data: [
    ['2026-01-05 00:00:00', 3, null, 1, 95_405.4, 33.333333],
    ['2026-01-05 00:00:00', 4, null, 1200, null, null],
    ['2026-01-12 00:00:00', 5, null, 0, 59, 100],
  ],
  totals: { members: [], windows: [], all: [[null, null, null, 1201, 95_405.4, 50]] },
} as const;

describe('the table of a report as a workbook', () => {
  it('has labels, names, dates, durations and rates as a person sees them, and its totals', async () => {
    const sheet = await opened(reportSheet(readReport(REPLY, MOMENT), null, site));
    expect(cellsOf(sheet, 'w', 1, ABOUT).flat()).toEqual([
      'Messages to customers, First response, median, Resolved at first contact',
      'Mon, Jan 5 – Sun, Jan 18, 2026',
      'UTC · Acme',
      'as of Tue, Jan 20, 12:00 PM',
      undefined,
    ]);
    expect(tableOf(sheet, 'w', 5, 5)).toEqual([
      ['Week from', 'Agent who acted', 'Messages to customers', 'First response, median', 'Resolved at first contact'],
      ['2026-01-05', '=cmd|calc!A0', '1', '26:30:05', '33.3%'],
      ['2026-01-05', '+49 30', '1,200', undefined, undefined],
      ['2026-01-12', '＝1', '0', '0:00:59', '100.0%'],
      ['All cases', undefined, '1,201', '26:30:05', '50.0%'],
    ]);
    expect(tableOf(sheet, 'v', 5, 2)[1]?.slice(2)).toEqual([1, 95_405.4 / 86_400, 33.333333 / 100]);
  });

  it('runs no name as a formula', async () => {
    const sheet = await opened(reportSheet(readReport(REPLY, MOMENT), null, site));
    expect(
      cellsOf(sheet, 'f', 5, 10)
        .flat()
        .every((formula) => formula === undefined),
    ).toBe(true);
    expect(tableOf(sheet, 't', 2, 4).map(([, type]) => type)).toEqual(['s', 's', 's', 's']);
  });

  it('has the period before beside each field, and the order of the screen', async () => {
    const { totals: _, ...alone } = REPLY;
    const before = [['2025-12-22 00:00:00', 3, null, 7, 60, 0]] as const;
    const report = readReport({ ...alone, comparison: { time: TIME, data: before } }, MOMENT);
    const { columns, rows } = reportSheet(report, { column: 2, descending: true }, site);
    expect(columns.map(({ header }) => header).slice(2, 4)).toEqual([
      'Messages to customers',
      'Messages to customers, before',
    ]);
    expect(rows.map((row) => row[2])).toEqual([1200, 1, 0]);
    expect(rows[1]?.[3]).toBe(7);
  });

  it('gives another library every cell that it was given, whatever the texts and numbers', async () => {
    const cell = fc.oneof(
      fc.constant(null),
      fc.string({ unit: 'binary', minLength: 1 }),
      fc.constantFrom('_x0041_', '_x005F_', '=1+1', '\u0000\u001F', ' a '),
      fc.double({ noNaN: true, min: -1e9, max: 1e9 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 8 }), async (rows) => {
        const kept = (one: SheetCell) => (typeof one === 'string' ? xmlText(one) : one);
        const given = rows.map((row) => row.map(kept));
        const columns = ['A', 'B'].map((header) => ({ header, kind: 'text' }) as const);
        const sheet = await opened({ name: 'Report', columns, rows: given });
        const found = cellsOf(sheet, 'v', 2, rows.length + 1).slice(1);
        expect(found.map((row) => row.map((one) => one ?? null))).toEqual(given.map((row) => row.map(plainZero)));
        expect(cellsOf(sheet, 'f', 2, rows.length + 1).flat()).toEqual(
          found
            .flat()
            .map(() => undefined)
            .concat([undefined, undefined]),
        );
      }),
      { numRuns: tries(60, 1 / 4) },
    );
  });
});

/** Texts as XML holds them: its line ends are LF. */
const xmlText = (text: string): string => text.replaceAll(/[\uFFFE\uFFFF]/g, '\uFFFD').replaceAll(/\r\n?/g, '\n');
const plainZero = (cell: SheetCell): SheetCell => (cell === 0 ? 0 : cell);

const ENTRY = {
  ...{ case: 'INC-7', at: '2026-01-06T12:30:05-05:00', value: 95_405, counted: true, status: 'resolved' },
  ...{ deleted: false, channel: 1, priority: 5, assignee: 3, group: null, labels: [] },
};

describe('the cases behind a number as a workbook', () => {
  it('has the columns of the screen, with the time of the site', async () => {
    const sheet = await opened(casesSheet([ENTRY], 'time_to_first_response', site));
    expect(cellsOf(sheet, 'w', 8, 2)[1]).toEqual([
      ...['INC-7', '2026-01-06 12:30:05', '26:30:05', 'Resolved', 'Mail, "old"', '5', '=cmd|calc!A0', undefined],
    ]);
  });
});

describe('a deleted case behind a number', () => {
  it('says so beside its status', () => {
    const { rows } = casesSheet([{ ...ENTRY, deleted: true }], 'case_creates', site);
    expect(rows[0]?.[3]).toBe('Resolved, deleted');
  });
});

describe('the cases behind a number, of a site with an address for cases', () => {
  const linked = {
    ...site,
    definitions: { ...definitions, site: { ...definitions.site, case_url: 'https://help.example/t/{case}?of={case}' } },
  };
  const entries = [ENTRY, { ...ENTRY, case: 12 }, { ...ENTRY, case: '="a/b?c#d' }];
  const addresses = ['INC-7', '12', '%3D%22a%2Fb%3Fc%23d'].map((id) => `https://help.example/t/${id}?of=${id}`);

  it('are links in a workbook, which show their numbers', async () => {
    const sheet = await opened(casesSheet(entries, 'time_to_first_response', linked));
    const cells = [2, 3, 4].map((row) => sheet[`A${row}`]);
    expect(cells.map((cell) => cell?.l?.Target)).toEqual(addresses);
    expect(cells.map((cell) => cell?.v)).toEqual(entries.map((entry) => String(entry.case)));
    expect(sheet.A1?.l).toBeUndefined();
    expect(sheet.B2?.l).toBeUndefined();
  });

  it('have their addresses in the last column of a CSV', () => {
    const lines = sheetCsv(casesSheet(entries, 'time_to_first_response', linked)).split('\r\n');
    expect(lines[0]).toMatch(/Labels,Case in the help desk$/);
    expect(lines.slice(1, 4).map((line) => line.split(',').at(-1))).toEqual(addresses);
    expect(sheetCsv(casesSheet(entries, 'time_to_first_response', site))).not.toContain('help desk');
  });
});

describe('a table as CSV for a spreadsheet', () => {
  it('begins with a BOM, has units in its header, and guards what would run as a formula', () => {
    expect(sheetCsv(reportSheet(readReport(REPLY, MOMENT), null, site))).toBe(
      [
        '\uFEFFWeek from,Agent who acted,Messages to customers,"First response, median (seconds)",Resolved at first contact (%)',
        "2026-01-05,'=cmd|calc!A0,1,95405.4,33.333333",
        "2026-01-05,'+49 30,1200,,",
        "2026-01-12,'＝1,0,59,100",
        'All cases,,1201,95405.4,50',
        '',
      ].join('\r\n'),
    );
  });

  it('has semicolons and decimal commas where the spreadsheets of a language expect them', () => {
    const csv = sheetCsv(reportSheet(readReport(REPLY, MOMENT), null, site), 'semicolon');
    expect(csv.split('\r\n').slice(0, 2)).toEqual([
      '\uFEFFWeek from;Agent who acted;Messages to customers;First response, median (seconds);Resolved at first contact (%)',
      "2026-01-05;'=cmd|calc!A0;1;95405,4;33,333333",
    ]);
    const styles = ['en-US', 'en-GB', 'de', 'fr', 'de-CH', 'ja', 'pt-BR'].map((locale) => csvStyles(locale)[0]);
    expect(styles).toEqual(['comma', 'comma', 'semicolon', 'semicolon', 'comma', 'comma', 'semicolon']);
  });
});

describe('the sheets of a board', () => {
  const state = { ...USUAL_REPORT, fields: ['outbound_interactions'], by: 'action_agent', per: 'week' } as const;
  const filters = [
    [{ action: 'Include', object: 'Channels', ids: ['1'], text: '' }],
    [{ action: 'Exclude', object: 'Agents', ids: [], text: 'bot' }],
  ] as const;
  const long = 'By agent: a name [that] is longer than 31 characters';
  const tile = (title: string, more: object = {}): ShownTile => ({
    ...{ key: '0', title, shownAs: 'table', wide: false, state: { ...state, filters } },
    ...more,
  });

  it('are one a tile, by its name, and say report, range, zone, filters, moment and goal first', async () => {
    const tiles = [tile(long), tile(long, { goal: { value: 100, better: 'above' } }), tile('By agent')];
    const plan = { requests: [], of: [0, 0, 1] };
    const sheets = boardSheets(tiles, plan, [readReport(REPLY, MOMENT), undefined], site);
    const book = read(await toXlsx(sheets), { cellNF: true });
    expect(book.SheetNames).toEqual(['By agent  a name  that  is long', 'By agent  a name  that  is (2)']);
    expect(cellsOf(book.Sheets[book.SheetNames[1] ?? ''] ?? {}, 'w', 1, 6).flat()).toEqual([
      long,
      'Mon, Jan 5 – Sun, Jan 18, 2026',
      'UTC · Acme',
      'Channel is Mail, "old", or Assigned agent is not name contains “bot”',
      expect.stringContaining('as of'),
      'Goal: at least 100 – kept in 1 of 3',
    ]);
  });
});
