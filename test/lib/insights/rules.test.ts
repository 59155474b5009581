import type { CaseEvent, SessionEvent } from '../../../lib/history/cases/event.ts';
import { NO_REFERENCE, valueHash } from '../../../lib/insights/reference.ts';
import { ask, caseRows, reportOf, sessionRows } from '../../support/generators/report-of.ts';

type Detail = CaseEvent extends infer E ? (E extends CaseEvent ? Omit<E, 'id' | 'at' | 'case'> : never) : never;

const JANUARY = Date.parse('2026-01-01T00:00:00Z') / 1000;
const HOUR = 3600;
const DAY = 24 * HOUR;
const [BOB, SALLY] = [1, 2];

/** Rows of cases given as [seconds into January, event] pairs. */
const cases = (...histories: readonly (readonly [number, Detail])[][]) =>
  caseRows(
    new Map(
      histories.map((history, place) => {
        const key = String(place + 1);
        const events = history.map(([second, detail], index): CaseEvent => {
          return { ...detail, id: String(index), at: (JANUARY + second) * 1_000_000, case: key };
        });
        return [key, events];
      }),
    ),
  );

const created = (more: object = {}): Detail => ({ type: 'case.created', ...more });
const status = (to: 'resolved' | 'open', agent: number, group: number): Detail => ({
  type: 'case.status',
  to,
  agent,
  group,
});
const assigned = (agent: number, group: number): Detail => ({ type: 'case.assigned', to: { agent, group } });
const inbound: Detail = { type: 'interaction', direction: 'inbound' };
const reply = (agent: number): Detail => ({ type: 'interaction', direction: 'outbound', agent });
const macro = (id: number): Detail => ({ type: 'macro.applied', macro: id });

const BOB_THEN_SALLY = cases([
  [0, created()],
  [0, assigned(BOB, 1)],
  [HOUR, status('resolved', BOB, 1)],
  [2 * HOUR, status('open', BOB, 1)],
  [3 * HOUR, assigned(SALLY, 2)],
  [4 * HOUR, status('resolved', SALLY, 2)],
]);

describe('a report', () => {
  it('gives Sally both resolves by assigned agent, and Bob his own by action agent', () => {
    const by = (dimension1: string) => reportOf(ask({ fields: ['case_resolves'], dimension1 }), BOB_THEN_SALLY);
    expect(by('assigned_agent')).toEqual([[null, SALLY, null, 2]]);
    expect(by('assigned_group')).toEqual([[null, 2, null, 2]]);
    expect(by('action_agent')).toEqual([
      [null, BOB, null, 1],
      [null, SALLY, null, 1],
    ]);
  });

  it('measures a cell from its own facts: each agent by their own last resolve', () => {
    const fields = ['avg_time_to_resolution', 'resolved_cases'];
    expect(reportOf(ask({ fields, dimension1: 'action_agent' }), BOB_THEN_SALLY)).toEqual([
      [null, BOB, null, HOUR, 1],
      [null, SALLY, null, 4 * HOUR, 1],
    ]);
    expect(reportOf(ask({ fields }), BOB_THEN_SALLY)).toEqual([[null, null, null, 4 * HOUR, 1]]);
  });

  it('gives resolves that a reopen took back within 14 days to who resolved, by the order of the case', () => {
    const fields = ['reopened_resolves', 'reopened_resolve_rate'];
    expect(reportOf(ask({ fields }), BOB_THEN_SALLY)).toEqual([[null, null, null, 1, 50]]);
    expect(reportOf(ask({ fields, dimension1: 'action_agent' }), BOB_THEN_SALLY)).toEqual([
      [null, BOB, null, 1, 100],
      [null, SALLY, null, 0, 0],
    ]);
    const within = (seconds: number) =>
      cases([
        [0, created()],
        [1, status('resolved', BOB, 1)],
        [1 + seconds, status('open', SALLY, 1)],
      ]);
    expect(reportOf(ask({ fields }), within(14 * DAY - 1))).toEqual([[null, null, null, 1, 100]]);
    expect(reportOf(ask({ fields }), within(14 * DAY))).toEqual([[null, null, null, 0, 0]]);
    // In one second: a case that begins done is reopened first, the other one resolved first.
    const begunDone = cases([
      [0, created({ status: 'closed' })],
      [5, status('open', SALLY, 1)],
      [5, status('resolved', BOB, 1)],
    ]);
    const begunOpen = cases([
      [0, created()],
      [5, status('resolved', BOB, 1)],
      [5, status('open', SALLY, 1)],
    ]);
    expect(reportOf(ask({ fields }), begunDone)).toEqual([[null, null, null, 0, 0]]);
    expect(reportOf(ask({ fields }), begunOpen)).toEqual([[null, null, null, 1, 100]]);
  });

  it('counts distinct cases exactly in every size of window', () => {
    const fields = ['resolved_cases', 'case_resolves'];
    const time = { min: '2026-01-01T00:00:00Z', max: '2026-01-01T05:00:00Z', window_size: 'hour' };
    const rows = reportOf(ask({ fields, time }), BOB_THEN_SALLY);
    expect(rows.map(([, , , distinct]) => distinct)).toEqual([0, 1, 0, 0, 1]);
    expect(reportOf(ask({ fields }), BOB_THEN_SALLY)).toEqual([[null, null, null, 1, 2]]);
  });

  it('has every window without dimensions, and only what happened with them', () => {
    const time = { min: '2026-01-01T12:00:00Z', max: '2026-01-03T12:00:00Z', window_size: 'day' };
    const rows = cases([[DAY, created({ channel: 3 })]]);
    const fields = ['case_creates', 'case_reopen_rate'];
    expect(reportOf(ask({ fields, time }), rows)).toEqual([
      ['2026-01-01 00:00:00', null, null, 0, null],
      ['2026-01-02 00:00:00', null, null, 1, null],
      ['2026-01-03 00:00:00', null, null, 0, null],
    ]);
    expect(reportOf(ask({ fields, time, dimension2: 'channel' }), rows)).toEqual([
      ['2026-01-02 00:00:00', null, 3, 1, null],
    ]);
  });

  it('keeps the row of a real rate of 0', () => {
    const rows = cases([
      [0, created({ channel: 3 })],
      [1, status('resolved', BOB, 1)],
    ]);
    expect(reportOf(ask({ fields: ['case_reopen_rate'], dimension1: 'channel' }), rows)).toEqual([[null, 3, null, 0]]);
  });

  it('orders members: integers by size, then texts by code point', () => {
    const reference = { ...NO_REFERENCE, customFields: new Map([[5, { name: 'Plan', listed: true }]]) };
    const rows = cases(
      [[0, created({ custom_fields: { 5: 'gold', 10: 'x', 9: 'y' } })]],
      [[0, created({ custom_fields: { 5: 'tin' } })]],
    );
    const keys = ['gold', 'tin'].map((value) => `5:${valueHash(value)}`).sort();
    const report = reportOf(ask({ fields: ['case_creates'], dimension1: 'custom_field' }), rows, [], reference);
    expect(report.map(([, member]) => member)).toEqual([9, 10, ...keys]);
  });

  it('keeps all cases of a field without a list when its member is asked for, however many values they have', () => {
    const rows = cases(
      ...Array.from({ length: 20 }, (_, n) => [[n, created({ custom_fields: { 9: `text ${n}` } })] as const]),
    );
    for (const dimension1 of ['custom_field', 'custom_field:9']) {
      const request = { fields: ['case_creates'], dimension1, dimension1_values: [9] };
      expect(reportOf(ask(request), rows)).toEqual([[null, 9, null, 20]]);
    }
  });

  it('hashes a value of a custom field to 16 hex digits of its SHA-256', () => {
    expect(valueHash('gold')).toMatch(/^[0-9a-f]{16}$/);
    expect(valueHash('')).toBe('e3b0c44298fc1c14');
  });

  it('gives label_applied to the label applied, other fields to the labels the case has', () => {
    const rows = cases([
      [0, created({ labels: [1] })],
      [1, { type: 'case.labels', set: [2, 3] }],
    ]);
    expect(reportOf(ask({ fields: ['label_applied', 'case_creates'], dimension1: 'label' }), rows)).toEqual([
      [null, 1, null, 1, 0],
      [null, 2, null, 1, 1],
      [null, 3, null, 1, 1],
    ]);
  });

  it('gives cases_resolved_with_macro to macros applied at or before that resolve, by labels of the case too', () => {
    const rows = cases([
      [0, created({ labels: [7] })],
      [1, macro(5)],
      [2, status('resolved', BOB, 1)],
      [3, macro(6)],
    ]);
    const request = ask({
      fields: ['cases_resolved_with_macro', 'resolved_cases'],
      dimension1: 'label',
      dimension2: 'macro',
    });
    expect(reportOf(request, rows)).toEqual([
      [null, 7, 5, 1, 1],
      [null, 7, 6, 0, 1],
    ]);
  });

  it('counts creation and its interactions for the creator, the first response for the replier', () => {
    const rows = cases([
      [0, created({ agent: BOB })],
      [5, inbound],
      [65, reply(SALLY)],
      [70, reply(BOB)],
    ]);
    const fields = ['case_creates', 'inbound_cases', 'time_to_first_response', 'avg_interactions'];
    expect(reportOf(ask({ fields, dimension1: 'action_agent' }), rows)).toEqual([
      [null, BOB, null, 1, 1, null, 1],
      [null, SALLY, null, 0, 0, 65, 1],
    ]);
  });

  it('has neither creation counts nor durations of a case without a creation', () => {
    const rows = cases([
      [0, inbound],
      [5, reply(BOB)],
      [9, status('resolved', BOB, 1)],
    ]);
    const fields = [
      'case_creates',
      'time_to_first_response',
      'avg_time_to_resolution',
      'resolved_cases',
      'agent_replies_per_resolve',
    ];
    expect(reportOf(ask({ fields }), rows)).toEqual([[null, null, null, 0, null, null, 1, 1]]);
  });

  it('clips handled intervals to windows and sums them plainly, overlaps each for itself', () => {
    const handled = (from: number, to: number): Detail => {
      return { type: 'case.handled', from: (JANUARY + from) * 1e6, to: (JANUARY + to) * 1e6, agent: BOB };
    };
    const time = { min: '2026-01-01T00:30:00Z', max: '2026-01-01T02:00:00Z', window_size: 'hour' };
    const rows = cases(
      [
        [0, handled(0, 4000)],
        [0, handled(3500, 3700)],
      ],
      [[0, handled(3590, 3600)]],
    );
    expect(reportOf(ask({ fields: ['avg_handle_time'], time }), rows)).toEqual([
      ['2026-01-01 00:00:00', null, null, (1800 + 100 + 10) / 2],
      ['2026-01-01 01:00:00', null, null, 500],
    ]);
  });

  it('adds online time by agent and each of their groups, by both dimensions too', () => {
    const session = (agent: number, from: number, to: number): SessionEvent => {
      const at = (JANUARY + from) * 1e6;
      return { type: 'agent.session', id: `${agent} ${from}`, agent, at, from: at, to: (JANUARY + to) * 1e6 };
    };
    const reference = {
      ...NO_REFERENCE,
      agentGroups: new Map([
        [BOB, [1, 5]],
        [SALLY, [5]],
      ]),
    };
    const sessions = sessionRows([session(BOB, 0, 100), session(BOB, 50, 150), session(SALLY, 0, 10)]);
    const online = (body: object) => reportOf(ask({ fields: ['agent_time_online'], ...body }), [], sessions, reference);
    expect(online({})).toEqual([[null, null, null, 160]]);
    expect(online({ dimension1: 'assigned_group' })).toEqual([
      [null, 1, null, 150],
      [null, 5, null, 160],
    ]);
    expect(online({ dimension1: 'action_agent', dimension2: 'assigned_agent' })).toEqual([
      [null, BOB, BOB, 150],
      [null, SALLY, SALLY, 10],
    ]);
    expect(online({ dimension1: 'action_group', dimension2: 'assigned_group' }).map((row) => row.slice(1))).toEqual([
      [1, 1, 150],
      [1, 5, 150],
      [5, 1, 150],
      [5, 5, 160],
    ]);
    expect(online({ filters: [[['Exclude', 'Groups', [{ id: '1' }]]]] })).toEqual([[null, null, null, 10]]);
    expect(online({ filters: [[['Include', 'Labels', []]]] })).toEqual([[null, null, null, null]]);
    expect(online({ dimension1: 'channel' })).toEqual([]);
  });

  it('compares dimension values as text, ignores unknown ones and takes an empty list for all', () => {
    const rows = cases([[0, created({ channel: 1 })]], [[0, created({ channel: 2 })]]);
    const members = (dimension1_values: unknown) =>
      reportOf(ask({ fields: ['case_creates'], dimension1: 'channel', dimension1_values }), rows).map(
        ([, member]) => member,
      );
    expect(members(['2', 99])).toEqual([2]);
    expect(members([1.0])).toEqual([1]);
    expect(members([])).toEqual([1, 2]);
    expect(members(null)).toEqual([1, 2]);
  });
});
