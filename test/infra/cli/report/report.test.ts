import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import { read } from '@e965/xlsx';
import { readCsv } from '../../../support/generators/read-csv.ts';
import { command } from '../../../support/service/command.ts';

let folder: string;
let place: readonly string[];
const report = (...args: string[]) => command(['report', '--site', 'acme', ...args, ...place]);
const dataOf = async (...args: string[]) => {
  const { out, err } = await report(...args, '--json');
  return { err, ...JSON.parse(out || '{}') };
};
const MARCH = ['--min', '2026-03-01', '--max', '2026-04'];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'support-'));
  place = ['--data-dir', join(folder, 'data')];
  const created = (number: number, more: object) => ({
    ...{ type: 'case.created', id: `c${number}`, case: number, at: `2026-03-0${number}T08:00:00Z`, channel: 1 },
    ...more,
  });
  const records = [
    { type: 'label', id: 3, name: 'Billing, late' },
    { type: 'label', id: 4, name: 'Bug' },
    { type: 'agent', id: 41, name: 'Ann' },
    { type: 'agent', id: 42, name: 'Bob' },
    { type: 'agent', id: 43, name: 'bob' },
    { type: 'company', id: 9, name: 'North' },
    { type: 'custom_field', id: 12, object: 'case', name: 'plan', values: ['gold'] },
    created(1, { labels: [3], company: 9, custom_fields: { 12: 'gold' } }),
    created(2, { labels: [4], priority: 7 }),
    created(3, { labels: [4] }),
    { type: 'case.assigned', id: 'a', case: 1, at: '2026-03-01T08:00:00Z', agent: 41 },
    { type: 'case.assigned', id: 'b', case: 2, at: '2026-03-02T08:00:00Z', agent: 42 },
    { type: 'case.status', id: 's', case: 3, at: '2026-03-04T08:00:00Z', to: 'resolved', agent: 41 },
  ];
  const file = join(folder, 'history.ndjson');
  await writeFile(file, records.map((record) => JSON.stringify(record)).join('\n'));
  await command(['site', 'add', 'acme', '--time-zone', 'Europe/Berlin', ...place]);
  expect((await command(['import', file, '--site', 'acme', ...place])).status).toBe(0);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a table of a report', () => {
  it('shows – and a sentence where no source tells a number, and is of all time on request', async () => {
    const site = ['--site', 'untold', ...place];
    const file = join(folder, 'tickets.csv');
    await writeFile(
      file,
      'Ticket ID,Created at,Resolved at,Status\n1,2024-05-01T08:00:00Z,2024-05-02T08:00:00Z,Solved\n',
    );
    await command(['site', 'add', 'untold', ...place]);
    expect((await command(['import', file, ...site])).status).toBe(0);
    const { out, err } = await command(['report', ...site, '--fields', 'case_creates,case_reopens', '--all']);
    expect(err).toBe('');
    expect(
      out
        .split('\n')
        .slice(0, 2)
        .map((line) => line.trim().split(/ {2,}/)),
    ).toEqual([
      ['case_creates', 'case_reopens'],
      ['1', '–'],
    ]);
    expect(out).toMatch(/reopens.*\.\n/i);
  });

  it('refuses --all beside another range', async () => {
    const { status, err } = await report('--fields', 'case_creates', '--all', '--last', '1', '--unit', 'week');
    expect([status, err]).toEqual([2, expect.stringContaining('--all excludes')]);
  });
});

describe('a report by options', () => {
  it('is the request that they stand for: dates of the zone, dimensions, members and filters by name', async () => {
    const options = ['--by', 'label,assigned_agent', '--values', 'billing, late', '--values2', 'Ann,42'];
    const { request, data } = await dataOf(
      ...['--fields', 'case_creates,time_to_resolution:p50', ...MARCH, ...options],
      ...['--filter', 'Companies~nor', '--filter', 'custom_fields=gold', '--statuses', 'new,open', '--totals'],
    );
    expect(request).toEqual({
      fields: ['case_creates', 'time_to_resolution:p50'],
      time: {
        ...{ min: '2026-03-01T00:00:00+01:00', max: '2026-04-01T00:00:00+02:00' },
        window_size: 'none',
      },
      ...{ dimension1: 'label', dimension1_values: [3], dimension2: 'assigned_agent', dimension2_values: [41, 42] },
      filters: [
        [
          ['Include', 'Companies', 'Contains', 'nor', false, []],
          ['Include', 'Custom Fields', 'Is', '', false, [{ id: expect.stringMatching(/^12:[0-9a-f]{16}$/) }]],
          ['Include', 'Statuses', 'Is', '', false, [{ id: 'new' }, { id: 'open' }]],
        ],
      ],
      totals: true,
    });
    expect(data).toEqual([[null, 3, 41, 1, null]]);
  });

  it('goes before what a file says, of which names are taken too', async () => {
    const file = join(folder, 'request.json');
    const time = { last: 1, unit: 'month', window_size: 'day', time_zone: 'UTC' };
    const body = { fields: ['case_views'], time, dimension1: 'label', dimension1_values: ['bug', 99], hours: null };
    await writeFile(file, JSON.stringify(body));
    const { request, data, unknown } = await dataOf(file, '--fields', 'case_creates', '--min', '2026-03-02');
    expect(request).toMatchObject({
      fields: ['case_creates'],
      time: { min: '2026-03-02T00:00:00+00:00', window_size: 'day', time_zone: 'UTC' },
      dimension1_values: [4, 99],
      hours: null,
    });
    expect(request.time).not.toHaveProperty('last');
    expect([data.length, unknown]).toEqual([2, { dimension1_values: [99] }]);
  });

  it('has names as CSV, and a relative time has the unit as its window', async () => {
    const csv = await report('--fields', 'case_creates', '--by', 'label', ...MARCH, '--output', 'csv');
    expect(readCsv(csv.out)).toEqual([
      ['window_time', 'label', 'label_name', 'case_creates'],
      ['', '3', 'Billing, late', '1'],
      ['', '4', 'Bug', '2'],
    ]);
    const relative = ['--last', '2', '--unit', 'week', '--including-current', '--compare', 'previous_year'];
    const { request } = await dataOf('--fields', 'case_creates', ...relative);
    expect(request.time).toMatchObject({
      ...{ last: 2, unit: 'week', window_size: 'week', including_current: true, compare: 'previous_year' },
    });
  });

  it('is refused with what would do', async () => {
    const { status, err } = await report('--fields', 'case_crates', ...MARCH);
    expect([status, err]).toEqual([2, expect.stringContaining('Did you mean case_creates?')]);
  });
});

describe('members', () => {
  it('are listed with the names and ids that requests take, by dimension and by text', async () => {
    const members = async (...args: string[]) => (await command(['members', ...args, '--site', 'acme', ...place])).out;
    expect((await members('label', 'bil')).trim().split('\n')).toEqual([
      'dimension  id  name',
      'label      3   Billing, late',
    ]);
    const all: string = await members('--json');
    expect(JSON.parse(all)).toContainEqual({
      ...{ dimension: 'custom_field', id: expect.stringMatching(/^12:/), name: 'plan: gold', deleted: false },
    });
    const wrong = await command(['members', 'labels2', '--site', 'acme', ...place]);
    expect([wrong.status, wrong.err]).toEqual([2, expect.stringContaining('neither a dimension nor a filter object')]);
  });
});

describe('cases', () => {
  const CELL = ['--fields', 'case_creates', ...MARCH, '--by', 'channel', '--values', '1'];
  const cases = (...args: string[]) => command(['cases', '--site', 'acme', ...args, ...place]);

  it('behind a number are listed page by page, up to a limit, as table, CSV and JSON', async () => {
    const table = await cases(...CELL, '--sort', 'at', '--direction', 'desc', '--limit', '2');
    expect(table.out.trim().split('\n')).toEqual([
      expect.stringMatching(/^case +at +value +status +channel/),
      expect.stringMatching(/^3 +2026-03-03T09:00:00\+01:00 +1 +resolved +1 .*Bug$/),
      expect.stringMatching(/^2 .* 7 +Bob +Bug$/),
      '',
      '2 of 3 entries.',
    ]);
    const csv = readCsv((await cases(...CELL, '--output', 'csv')).out);
    expect(csv.map(([key]) => key)).toEqual(['case', '1', '2', '3']);
    const json = JSON.parse((await cases(...CELL, '--json')).out);
    expect([json.total_entries, json.cases.length, json.cursor]).toEqual([3, 3, null]);
    const refused = await cases('--fields', 'case_creates,case_views', ...MARCH);
    expect([refused.status, refused.err]).toEqual([2, expect.stringContaining('fields')]);
  });

  it('have stories', async () => {
    const { out } = await cases('3');
    expect(out).toMatch(/2026-03-04T09:00:00\+01:00 +case.status +agent: .*to: "resolved"/);
    expect(out).toMatch(/What reports count of it:[\s\S]*avg_time_to_resolution .* 86,400/);
    const none = await cases('17');
    expect([none.status, none.err]).toEqual([1, 'No event names a case 17.\n']);
  });
});

describe('the statement of a report', () => {
  const ASKED = ['--fields', 'case_creates,time_to_resolution:p50', ...MARCH, '--by', 'label', '--window', 'day'];
  const FILTER = ['--filter', 'Companies~nor', '--filter', 'custom_fields=gold'];

  it('gives its numbers over an export, by names and values of custom fields too', async () => {
    const to = join(folder, 'warehouse');
    expect((await command(['warehouse', 'export', '--to', to, ...place])).status).toBe(0);
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    await connection.run(await readFile(join(to, 'views.sql'), 'utf8'));
    const cellsOf = async (sql: string) =>
      (await connection.runAndReadAll(sql)).getRowsJson().map((row) => row.map(String));
    const all = await report(...ASKED, '--sql', 'duckdb');
    expect(all.err).toBe('');
    const created = (await cellsOf(all.out))
      .filter(([tag]) => tag === '0')
      .map(([, window, label, , creates]) => [window, label, creates]);
    expect(created.sort()).toEqual([
      ['0', '3', '1'],
      ['1', '4', '1'],
      ['2', '4', '1'],
      ['3', '4', '0'], // a resolve
    ]);
    const { out } = await report(...ASKED, ...FILTER, '--sql', 'duckdb');
    expect((await cellsOf(out)).map(([tag, window, label]) => [tag, window, label])).toEqual([['0', '0', '3']]);
    connection.closeSync();
    instance.closeSync();
  });

  it('is printed for Trino, and no other engine', async () => {
    expect((await report(...ASKED, '--sql', 'trino')).out).toMatch(
      /^WITH [\s\S]*site = 'acme'[\s\S]*TIMESTAMP '2026-02-28 23:00:00'/,
    );
    expect(await report(...ASKED, '--sql', 'mysql')).toMatchObject({
      status: 2,
      err: expect.stringContaining('duckdb, trino'),
    });
  });
});

describe('a workbook', () => {
  const workbook = async (...args: string[]) => {
    const run = promisify(execFile)(process.execPath, ['bin/support.js', ...args, ...place], { encoding: 'buffer' });
    const [sheet] = Object.values(read((await run).stdout).Sheets);
    return (row: number, columns: string) => [...columns].map((column) => sheet?.[`${column}${row}`]?.w);
  };

  it('has the report with labels, names, durations and totals', async () => {
    const fields = ['--fields', 'case_creates,time_to_resolution:p50'];
    const rowOf = await workbook(
      'report',
      '--site',
      'acme',
      ...fields,
      ...MARCH,
      '--by',
      'label',
      '--totals',
      '--output',
      'xlsx',
    );
    expect(rowOf(2, 'A')).toEqual(['Sun, Mar 1 – Tue, Mar 31, 2026']);
    expect([6, 7, 8, 9].map((row) => rowOf(row, 'ABC'))).toEqual([
      ['Label', 'Created', 'Time to resolution, median'],
      ['Billing, late', '1', undefined],
      ['Bug', '2', '24:00:00'],
      ['All cases', '3', '24:00:00'],
    ]);
  });

  it('has the cases behind a number, with the wall clock of the site', async () => {
    const rowOf = await workbook(
      'cases',
      '--site',
      'acme',
      '--fields',
      'avg_time_to_resolution',
      ...MARCH,
      '--output',
      'xlsx',
    );
    expect(rowOf(2, 'ABCD')).toEqual(['3', '2026-03-04 09:00:00', '24:00:00', 'Resolved']);
  });

  it('is refused for the story of one case', async () => {
    const told = await command(['cases', '3', '--site', 'acme', '--output', 'xlsx', ...place]);
    expect(told).toMatchObject({ status: 2, err: expect.stringContaining('cannot be printed as xlsx') });
  });
});
