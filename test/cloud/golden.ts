/** A report and the values of its rows. */
interface Expected {
  readonly title: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly rows: readonly (readonly unknown[])[];
}

const none = { min: '2015-01-01T00:00:00Z', max: '2020-01-01T00:00:00Z', window_size: 'none' };
export const WHOLE_TIME = none;

/** The golden numbers of the incident log (docs/rules.md). */
export const GOLDEN: readonly Expected[] = [
  {
    title: 'creates, resolves, resolved cases, reopens and time to resolution of the incident log',
    body: {
      fields: ['case_creates', 'case_resolves', 'resolved_cases', 'case_reopens', 'avg_time_to_resolution'],
      time: none,
    },
    rows: [[20_769, 21_045, 20_768, 277, 622_247.18]],
  },
  {
    title: 'its creates by month',
    body: {
      fields: ['case_creates'],
      time: { min: '2016-02-01T00:00:00Z', max: '2016-06-01T00:00:00Z', window_size: 'month' },
    },
    rows: [[207], [8_995], [7_934], [3_633]],
  },
];

const CASES = 300;

/** A history of cases that are each created, answered and resolved, as NDJSON. */
export function madeUpHistory(): string {
  const at = (hour: number) => new Date(Date.UTC(2016, 0, 1, hour)).toISOString();
  const events = Array.from({ length: CASES }, (_, n) => [
    { type: 'case.created', id: 'a', at: at(n), case: `made-${n + 1}`, channel: 1 },
    { type: 'interaction', id: 'b', at: at(n), case: `made-${n + 1}`, direction: 'inbound' },
    { type: 'interaction', id: 'c', at: at(n + 1), case: `made-${n + 1}`, direction: 'outbound', agent: 1 + (n % 3) },
    { type: 'case.status', id: 'd', at: at(n + 2), case: `made-${n + 1}`, to: 'resolved' },
  ]);
  return `${events
    .flat()
    .map((event) => JSON.stringify(event))
    .join('\n')}\n`;
}

/** What the made-up history must give. */
export const MADE_UP: readonly Expected[] = [
  {
    title: 'creates, resolves, first response and time to resolution of the made-up history',
    body: {
      fields: ['case_creates', 'case_resolves', 'time_to_first_response', 'avg_time_to_resolution'],
      time: none,
    },
    rows: [[CASES, CASES, 3_600, 7_200]],
  },
];
