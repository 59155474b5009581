import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { command } from '../../../support/service/command.ts';

const TEST = join(import.meta.dirname, '../../..');
const described = (name: string): string => join(TEST, 'lib/import/proposal/files', `${name}.csv`);
const packed = (name: string): string => join(TEST, 'data/first-contact', name);

let folder: string;
let place: readonly string[];
let sites = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'first-contact-'));
  place = ['--data-dir', join(folder, 'data')];
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const MARCH = { min: '2026-03-01T00:00:00Z', max: '2026-04-01T00:00:00Z', window_size: 'none' };
const ALWAYS = { min: '2020-01-01T00:00:00Z', max: '2030-01-01T00:00:00Z', window_size: 'none' };

/** The numbers of a site of its own after it has imported files, each with its options: field → number. */
async function imported(
  imports: readonly (readonly string[])[],
  fields: readonly string[],
  time = MARCH,
): Promise<unknown> {
  sites += 1;
  const site = ['--site', `contact${sites}`, ...place];
  await command(['site', 'add', `contact${sites}`, ...place]);
  for (const one of imports) {
    const { status, out, err } = await command(['import', ...one, ...site]);
    expect([status, err, out]).toEqual([0, '', expect.any(String)]);
  }
  const report = join(folder, 'report.json');
  await writeFile(report, JSON.stringify({ fields, time }));
  const { out } = await command(['report', report, ...site, '--output', 'csv']);
  const cells = out.trim().split(/\r?\n/).at(-1)?.split(',').slice(-fields.length) ?? [];
  return Object.fromEntries(fields.map((field, at) => [field, cells[at] === '' ? null : Number(cells[at])]));
}

interface Case {
  readonly name: string;
  readonly imports: readonly (readonly string[])[];
  readonly numbers: Readonly<Record<string, number | null>>;
}

const UTC = ['--zone', 'UTC'];

/** A file that no pack describes, imported alone. */
const plain = (name: string, numbers: Case['numbers']): Case => ({
  name,
  imports: [[described(name), ...UTC]],
  numbers,
});

/** The files of a pack. */
const pack = (name: string, format: string, numbers: Case['numbers'], ...files: (readonly string[])[]): Case => ({
  name,
  imports: files.map(([file = '', ...options]) => [join(packed(name), file), '--format', format, ...options]),
  numbers,
});

const SIDES = { inbound_interactions: 2, outbound_interactions: 2 };
const CASES: readonly Case[] = [
  plain('unresolved', { open_cases: 3, resolved_cases: 1 }),
  plain('targets', { avg_time_to_resolution: 86_400 }),
  plain('targets-frappe', { avg_time_to_resolution: 86_400 }),
  plain('targets-due', { avg_time_to_resolution: 86_400, time_to_first_response: 1_800 }),
  plain('date-order', { case_creates: 5, resolved_cases: 4, avg_time_to_resolution: 259_200 }),
  plain('direction', SIDES),
  plain('direction-chatwoot', SIDES),
  plain('direction-freshdesk', { ...SIDES, time_to_first_response: 2_700 }),
  plain('business-hours', { time_to_first_response: 234_000 }),
  plain('business-hours-alone', { time_to_first_response: null }),
  plain('visibility', { outbound_interactions: 2, time_to_first_response: 2_700 }),
  plain('visibility-public', { outbound_interactions: 2, time_to_first_response: 2_700 }),
  pack('fivetran-zendesk-status', 'fivetran-zendesk', { case_reopens: 1, open_cases: 1 }, ['.']),
  pack(
    'fivetran-intercom-parts',
    'fivetran-intercom',
    {
      ...{ open_cases: 2, inbound_interactions: 3, outbound_interactions: 2, case_resolves: 3, case_reopens: 3 },
      ...{ resolved_without_response: 0, 'time_to_first_response:count': 2 },
    },
    ['.'],
  ),
  pack('servicenow-closed', 'servicenow-incidents', { avg_time_to_resolution: 86_400 }, ['incident.csv', ...UTC]),
  pack(
    'empty-rows',
    'zendesk-tickets-csv',
    { case_creates: 2 },
    ['week1.csv', ...UTC],
    ['week2.csv', ...UTC, '--complete'],
  ),
];

const ASSUME = '--assume';
const [CREATED, RESOLVED] = ['case_creates', 'resolved_cases'];
const P50 = 'time_to_resolution:p50';
const FIRST = 'time_to_first_response:count';
const ENDS = { [CREATED]: 60, [RESOLVED]: 45, open_cases: 15, [P50]: 122_400, [FIRST]: 0 };
const WRITTEN = { [CREATED]: 3, [RESOLVED]: 2, [P50]: 46_800 };

/** A file of which every proposal is taken, or a pack without its tables of history. */
const proposed = (file: string, numbers: Case['numbers'], ...options: string[]): Case => ({
  name: file,
  imports: [[packed(file), ...(options.length === 0 ? [ASSUME] : options)]],
  numbers,
});
const bare = (format: string, numbers: Case['numbers']): Case =>
  proposed(`no-history/${format}`, numbers, '--format', format);

const PROPOSED: readonly Case[] = [
  proposed('workbook-durations/in.xlsx', { [P50]: 68_850, 'time_to_resolution:min': 21_600 }),
  proposed('no-history/tickets.json', { [CREATED]: 5, open_cases: 2, [RESOLVED]: 0 }, '--format', 'zendesk', '--yes'),
  bare('fivetran-zendesk', { [CREATED]: 5, open_cases: 2, [RESOLVED]: 0 }),
  bare('fivetran-jira', { [CREATED]: 3, open_cases: 1, [RESOLVED]: 2, [P50]: 172_800 }),
  bare('fivetran-hubspot', { [CREATED]: 2, open_cases: 1, [RESOLVED]: 1, [P50]: 172_800 }),
  bare('fivetran-intercom', { [CREATED]: 3, open_cases: 2, [RESOLVED]: 0 }),
  proposed('end-column/filled-for-done.csv', ENDS),
  proposed('end-column/wrapped-up.csv', ENDS),
  proposed('proposal-refuses/open-date.csv', { [CREATED]: 6, [RESOLVED]: 5, [P50]: 9_000 }),
  proposed('proposal-refuses/data_inicio.csv', { [CREATED]: 4, [RESOLVED]: 0, open_cases: 4 }),
  ...['arab', 'at', 'compact', 'ctime', 'ordinal', 'thai', 'uhr'].map((name) =>
    proposed(`written-times/${name}.csv`, WRITTEN, ...UTC, '--yes'),
  ),
  ...['basic', 'dotnet', 'javadate', 'jsdate'].map((name) => proposed(`written-times/${name}.csv`, WRITTEN, '--yes')),
  proposed('written-times/zoned.csv', { [CREATED]: 4, [RESOLVED]: 4, [P50]: 2_205 }, '--yes'),
  proposed('wide-row/in.xlsx', { [CREATED]: 60, [RESOLVED]: 45 }),
];

describe('a file whose proposals were once wrong or refused', () => {
  it.each(PROPOSED)('has the right numbers with all of them taken: $name', async ({ imports, numbers }) => {
    expect(await imported(imports, Object.keys(numbers), ALWAYS)).toEqual(numbers);
  });
});

describe('a small file that was once read wrongly', () => {
  it.each(CASES)('has the right numbers: $name', async ({ imports, numbers }) => {
    expect(await imported(imports, Object.keys(numbers))).toEqual(numbers);
  });
});
