import { join } from 'node:path';

const TEST = join(import.meta.dirname, '..');
const described = (name: string): string => join(TEST, 'lib/import/proposal/files', `${name}.csv`);
const packed = (name: string): string => join(TEST, 'data/first-contact', name);

/** A file or folder as a person brings it, with what is said of it beside the answers. */
export interface Brought {
  readonly path: string;
  readonly format?: string;
  readonly zone?: string;
  readonly isComplete?: boolean;
  readonly isAssumed?: boolean; // every proposed answer is taken
}

/** Files that were once read wrongly, each with the right numbers of reports, whatever the door. */
export interface ContactCase {
  readonly name: string;
  readonly imports: readonly Brought[];
  readonly numbers: Readonly<Record<string, number | null>>; // by field
}

/** The period of the reports. */
export const CONTACT_TIME = { min: '2020-01-01T00:00:00Z', max: '2030-01-01T00:00:00Z', window_size: 'none' };

type Numbers = ContactCase['numbers'];
const zone = 'UTC';

/** A file that no pack describes, imported alone. */
const plain = (name: string, numbers: Numbers): ContactCase => ({
  name,
  imports: [{ path: described(name), zone }],
  numbers,
});

const SIDES = { inbound_interactions: 2, outbound_interactions: 2 };
const INTERCOM = {
  ...{ open_cases: 2, inbound_interactions: 3, outbound_interactions: 2, case_resolves: 3, case_reopens: 3 },
  ...{ resolved_without_response: 0, 'time_to_first_response:count': 2 },
};
const week = (file: string) => ({ path: packed(`empty-rows/${file}`), format: 'zendesk-tickets-csv', zone });
const folder = (name: string, format: string) => [{ path: packed(name), format }];

/** Files that once were wrong without a word. */
export const SILENT: readonly ContactCase[] = [
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
  {
    name: 'fivetran-zendesk-status',
    imports: folder('fivetran-zendesk-status', 'fivetran-zendesk'),
    numbers: { case_reopens: 1, open_cases: 1 },
  },
  {
    name: 'fivetran-intercom-parts',
    imports: folder('fivetran-intercom-parts', 'fivetran-intercom'),
    numbers: INTERCOM,
  },
  {
    name: 'servicenow-closed',
    imports: [{ path: packed('servicenow-closed/incident.csv'), format: 'servicenow-incidents', zone }],
    numbers: { avg_time_to_resolution: 86_400 },
  },
  {
    name: 'empty-rows',
    imports: [week('week1.csv'), { ...week('week2.csv'), isComplete: true }],
    numbers: { case_creates: 2 },
  },
];

const [CREATED, RESOLVED] = ['case_creates', 'resolved_cases'];
const P50 = 'time_to_resolution:p50';
const ENDS = { [CREATED]: 60, [RESOLVED]: 45, open_cases: 15, [P50]: 122_400, 'time_to_first_response:count': 0 };
const WRITTEN = { [CREATED]: 3, [RESOLVED]: 2, [P50]: 46_800 };

/** A file of which every proposal is taken. */
const assumed = (file: string, numbers: Numbers): ContactCase => ({
  name: file,
  imports: [{ path: packed(file), isAssumed: true }],
  numbers,
});
/** A pack without its tables of history, and Zendesk's objects without audits. */
const bare = (format: string, numbers: Numbers, file = format): ContactCase => ({
  name: `no-history/${file}`,
  imports: [{ path: packed(`no-history/${file}`), format }],
  numbers,
});
const written = (name: string, said: Partial<Brought> = {}, numbers: Numbers = WRITTEN): ContactCase => ({
  name: `written-times/${name}`,
  imports: [{ path: packed(`written-times/${name}.csv`), ...said }],
  numbers,
});

/** Files whose proposals once were wrong or refused. */
export const PROPOSED: readonly ContactCase[] = [
  assumed('workbook-durations/in.xlsx', { [P50]: 68_850, 'time_to_resolution:min': 21_600 }),
  bare('zendesk', { [CREATED]: 5, open_cases: 2, [RESOLVED]: 0 }, 'tickets.json'),
  bare('fivetran-zendesk', { [CREATED]: 5, open_cases: 2, [RESOLVED]: 0 }),
  bare('fivetran-jira', { [CREATED]: 3, open_cases: 1, [RESOLVED]: 2, [P50]: 172_800 }),
  bare('fivetran-hubspot', { [CREATED]: 2, open_cases: 1, [RESOLVED]: 1, [P50]: 172_800 }),
  bare('fivetran-intercom', { [CREATED]: 3, open_cases: 2, [RESOLVED]: 0 }),
  assumed('end-column/filled-for-done.csv', ENDS),
  assumed('end-column/wrapped-up.csv', ENDS),
  assumed('proposal-refuses/open-date.csv', { [CREATED]: 6, [RESOLVED]: 5, [P50]: 9_000 }),
  assumed('proposal-refuses/data_inicio.csv', { [CREATED]: 4, [RESOLVED]: 0, open_cases: 4 }),
  ...['arab', 'at', 'compact', 'ctime', 'ordinal', 'thai', 'uhr'].map((name) => written(name, { zone })),
  ...['basic', 'dotnet', 'javadate', 'jsdate'].map((name) => written(name)),
  written('zoned', {}, { [CREATED]: 4, [RESOLVED]: 4, [P50]: 2_205 }),
  assumed('wide-row/in.xlsx', { [CREATED]: 60, [RESOLVED]: 45 }),
];
