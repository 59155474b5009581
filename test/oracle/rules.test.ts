import type { CaseEvent, HistoryEvent } from '../../lib/history/cases/event.ts';
import type { Example, ReportBody, Row } from '../support/oracle/example.ts';
import { type Oracle, openOracle } from '../support/oracle/oracle.ts';

const micros = (text: string): number => Date.parse(text) * 1000;
const BOB = 1;
const SALLY = 2;

/** Case 7: Bob resolves, it is reopened, goes to Sally, and she resolves (docs/rules.md 9). */
const HANDED_OVER: readonly CaseEvent[] = [
  { type: 'case.created', id: '1', at: micros('2026-01-01T00:00:00Z'), case: '7', labels: [3] },
  { type: 'case.assigned', id: '2', at: micros('2026-01-01T00:00:01Z'), case: '7', to: { agent: BOB, group: 1 } },
  { type: 'interaction', id: '3', at: micros('2026-01-01T01:00:00Z'), case: '7', direction: 'inbound' },
  { type: 'interaction', id: '4', at: micros('2026-01-01T02:00:00.9Z'), case: '7', direction: 'outbound', agent: BOB },
  {
    type: 'case.status',
    id: '5',
    at: micros('2026-01-01T02:00:00.1Z'),
    case: '7',
    to: 'resolved',
    agent: BOB,
    group: 1,
  },
  { type: 'case.status', id: '6', at: micros('2026-01-02T00:00:00Z'), case: '7', to: 'open' },
  { type: 'case.assigned', id: '7', at: micros('2026-01-02T01:00:00Z'), case: '7', to: { agent: SALLY, group: 2 } },
  { type: 'case.status', id: '8', at: micros('2026-01-03T00:00:00Z'), case: '7', to: 'closed', agent: SALLY, group: 2 },
];

const JANUARY = { min: '2026-01-01T00:00:00Z', max: '2026-02-01T00:00:00Z', window_size: 'none' } as const;

const asked = (events: readonly HistoryEvent[], body: Partial<ReportBody>, timeZone = 'UTC'): Example => ({
  events,
  reference: [{ type: 'agent', id: BOB, name: 'Bob', groups: [1, 5] }],
  site: { timeZone, weekStart: 'monday' },
  body: { fields: ['case_resolves'], time: JANUARY, ...body },
});

const days = (min: string, max: string, window_size: 'hour' | 'day' | 'week' | 'month', time_zone?: string) => ({
  time: { min, max, window_size, ...(time_zone === undefined ? {} : { time_zone }) },
});

describe('the oracle', () => {
  let oracle: Oracle;
  beforeAll(async () => {
    oracle = await openOracle();
  });
  afterAll(() => oracle.close());
  const report = async (example: Example): Promise<Row[]> => (await oracle.reports([example]))[0] ?? [];
  const starts = async (example: Example): Promise<unknown[]> => (await report(example)).map(([label]) => label);

  it('gives resolves to the assignee as it is now, and to each who acted', async () => {
    expect(await report(asked(HANDED_OVER, { dimension1: 'assigned_agent' }))).toEqual([[null, SALLY, null, 2]]);
    expect(await report(asked(HANDED_OVER, { dimension2: 'action_agent' }))).toEqual([
      [null, null, BOB, 1],
      [null, null, SALLY, 1],
    ]);
  });

  it('lets the last resolve of a cell decide, and counts a reply in its second as before it', async () => {
    const fields = [
      'avg_time_to_resolution',
      'agent_replies_per_resolve',
      'first_contact_resolution_rate',
      'case_reopen_rate',
    ];
    const sent = { fields, dimension1: 'action_agent' };
    expect(await report(asked(HANDED_OVER, { fields }))).toEqual([[null, null, null, 172_800, 1, 100, 50]]);
    expect(await report(asked(HANDED_OVER, sent))).toEqual([
      [null, BOB, null, 7200, 1, 0, 0],
      [null, SALLY, null, 172_800, 1, 100, 0],
    ]);
  });

  it('gives a resolve that was taken back to who resolved, however the reopen acts', async () => {
    const fields = ['reopened_resolves', 'reopened_resolve_rate'];
    expect(await report(asked(HANDED_OVER, { fields, dimension1: 'action_agent' }))).toEqual([
      [null, BOB, null, 1, 100],
      [null, SALLY, null, 0, 0],
    ]);
  });

  it('counts a view again at 60 s from the last that counted', async () => {
    const views = [0, 59, 60, 119, 119.9, 120].map(
      (second, place): CaseEvent => ({
        ...{ type: 'case.viewed', id: String(place), case: '7', agent: BOB },
        at: micros('2026-01-05T00:00:00Z') + second * 1_000_000,
      }),
    );
    expect(await report(asked(views, { fields: ['case_views'] }))).toEqual([[null, null, null, 3]]);
  });

  it('lays overlapping sessions together and spreads them over the groups of their agent', async () => {
    const session = (id: string, from: string, to: string): HistoryEvent => ({
      ...{ type: 'agent.session', id, agent: BOB, at: micros(from), from: micros(from), to: micros(to) },
    });
    const online = [
      session('a', '2026-01-01T10:00:00Z', '2026-01-01T11:00:00Z'),
      session('b', '2026-01-01T10:30:00Z', '2026-01-01T11:30:00Z'),
      session('c', '2026-01-31T23:59:00Z', '2026-02-01T09:00:00Z'),
    ];
    const fields = ['agent_time_online'];
    expect(await report(asked(online, { fields, dimension1: 'action_agent', dimension2: 'assigned_group' }))).toEqual([
      [null, BOB, 1, 5460],
      [null, BOB, 5, 5460],
    ]);
    expect(await report(asked(online, { fields, dimension1: 'label' }))).toEqual([]);
    expect(await report(asked(online, { fields, filters: [[['Include', 'Labels', []]]] }))).toEqual([
      [null, null, null, null],
    ]);
    expect(await report(asked(online, { fields, filters: [[['Exclude', 'Groups', [{ id: '5' }]]]] }))).toEqual([
      [null, null, null, 0],
    ]);
  });

  it('cuts hours where the clock of New York shows one twice and skips one', async () => {
    const autumn = days('2025-11-02T00:30:00-04:00', '2025-11-02T03:00:00-05:00', 'hour', 'America/New_York');
    expect(await starts(asked([], autumn))).toEqual(['00', '01', '01', '02'].map((hour) => `2025-11-02 ${hour}:00:00`));
    const spring = days('2026-03-08T01:00:00-05:00', '2026-03-08T04:00:00-04:00', 'hour', 'America/New_York');
    expect(await starts(asked([], spring))).toEqual(['2026-03-08 01:00:00', '2026-03-08 03:00:00']);
  });

  it('cuts half hours where the clock of Lord Howe moves by one', async () => {
    const autumn = days('2026-04-04T14:00:00Z', '2026-04-04T16:00:00Z', 'hour', 'Australia/Lord_Howe');
    expect(await starts(asked([], autumn))).toEqual(['01:00', '01:30', '02:00'].map((time) => `2026-04-05 ${time}:00`));
  });

  it('starts a day without midnight at one', async () => {
    const spring = days('2018-11-03T12:00:00-03:00', '2018-11-05T12:00:00-02:00', 'day', 'America/Sao_Paulo');
    expect(await starts(asked([], spring))).toEqual([
      '2018-11-03 00:00:00',
      '2018-11-04 01:00:00',
      '2018-11-05 00:00:00',
    ]);
  });

  it("takes the site's zone where its offset at min is the one sent, else the offset", async () => {
    const sent = (offset: string) => days(`2026-06-30T23:30:00${offset}`, `2026-07-02T00:00:00${offset}`, 'month');
    expect(await starts(asked([], sent('-04:00'), 'America/New_York'))).toEqual([
      '2026-06-01 00:00:00',
      '2026-07-01 00:00:00',
    ]);
    const fixed = days('2026-01-31T20:00:00+05:45', '2026-01-31T21:00:00+05:45', 'week');
    expect(await starts(asked([], fixed, 'America/New_York'))).toEqual(['2026-01-26 00:00:00']);
  });

  it('rounds half up from the exact quotient', async () => {
    const handled = [1, 2, 2, 3, 3, 3, 3, 4].map((length, place): CaseEvent => {
      const at = micros('2026-01-05T00:00:00Z');
      return { type: 'case.handled', id: '1', case: String(place), at, from: at, to: at + length * 1_000_000 };
    });
    expect(await report(asked(handled, { fields: ['avg_handle_time'] }))).toEqual([[null, null, null, 2.63]]); // 21 ÷ 8 = 2.625
  });
});
