import { caseHistory } from '../../../../lib/history/cases/case-history.ts';
import type { CaseRow, FactKind } from '../../../../lib/history/cases/case-row.ts';
import { OPENINGS } from '../../../../lib/history/cases/case-row.ts';
import type { CaseEvent, SessionEvent } from '../../../../lib/history/cases/event.ts';
import { caseRow, sessionRow } from '../../../../lib/history/cases/facts.ts';

type Detail = CaseEvent extends infer E ? (E extends CaseEvent ? Omit<E, 'id' | 'at' | 'case'> : never) : never;

const DAY = 86_400;

/** The row of a case from [second, event] pairs; ids rise in the order given. */
function row(...events: readonly [second: number, detail: Detail][]): CaseRow {
  const dated = events.map(([second, detail], place): CaseEvent => {
    return { ...detail, id: String(place).padStart(3, '0'), at: Math.round(second * 1_000_000), case: '7' };
  });
  return caseRow('7', caseHistory(dated));
}

const seconds = (of: CaseRow, kind: FactKind): number[] => of.facts[kind].map(({ second }) => second);
const values = (of: CaseRow, kind: FactKind): number[] => of.facts[kind].map(({ value }) => value);

const CREATED: Detail = { type: 'case.created' };
const INBOUND: Detail = { type: 'interaction', direction: 'inbound' };
const OUTBOUND: Detail = { type: 'interaction', direction: 'outbound', agent: 1, group: 2 };
const RESOLVED: Detail = { type: 'case.status', to: 'resolved' };
const OPEN: Detail = { type: 'case.status', to: 'open' };
const viewed = (agent: number): Detail => ({ type: 'case.viewed', agent });

/** The value of a resolve. */
const resolve = (replies: number, quiet: boolean): number => 2 * replies + (quiet ? 1 : 0);

describe('the facts of a case', () => {
  it('count no automated outbound message, and give other automated events no actor', () => {
    const of = row(
      [0, CREATED],
      [1, { ...OUTBOUND, automated: true }],
      [2, { ...INBOUND, agent: 5, automated: true }],
      [3, { type: 'macro.applied', macro: 4, agent: 5, group: 6, automated: true }],
    );
    expect(of.facts.outbound).toEqual([]);
    expect(of.facts.inbound).toEqual([{ second: 2, agent: null, group: null, value: 0 }]);
    expect(of.facts.macro).toEqual([{ second: 3, agent: null, group: null, value: 4 }]);
  });

  it('resolve into resolved or closed from anything else, and reopen out of them', () => {
    const to = (status: 'new' | 'open' | 'pending' | 'resolved' | 'closed'): Detail => ({
      type: 'case.status',
      to: status,
    });
    const of = row(
      [1, to('open')],
      [2, to('closed')],
      [3, to('resolved')],
      [4, to('new')],
      [5, to('pending')],
      [6, to('resolved')],
      [7, to('closed')],
    );
    expect(seconds(of, 'resolve')).toEqual([2, 6]);
    expect(seconds(of, 'reopen')).toEqual([4]);
  });

  it('have no resolve of a case that begins done, and a reopen when it opens', () => {
    const begun: Detail = { type: 'case.created', status: 'closed' };
    const of = row([0, begun], [1, INBOUND], [5, RESOLVED]);
    expect([of.facts.resolve, of.facts.reopen]).toEqual([[], []]);
    expect(of.facts.presence).toEqual([{ second: 0, agent: null, group: null, value: 0 }]);
    expect(row([0, { type: 'case.created', status: 'open' }]).facts.presence).toEqual([]);
    const again = row([0, begun], [5, OPEN], [9, RESOLVED], [20, OPEN]);
    expect([seconds(again, 'reopen'), seconds(again, 'resolve')]).toEqual([[5, 20], [9]]);
    expect(values(again, 'resolve')).toEqual([resolve(0, false)]);
    expect(values(row([0, begun], [5, OPEN], [9, RESOLVED]), 'resolve')).toEqual([resolve(0, true)]);
  });

  it('count replies in the very second of a resolve as before it, whatever their ids', () => {
    const of = row([0, CREATED], [5, RESOLVED], [5.5, OUTBOUND], [5.9, OUTBOUND], [6, OPEN], [7, RESOLVED]);
    expect(values(of, 'resolve')).toEqual([resolve(2, false), resolve(2, true)]);
  });

  it('call a resolve quiet unless an interaction or a reopen follows within 14 days', () => {
    const quiet = (...later: [number, Detail][]): boolean =>
      values(row([0, RESOLVED], ...later), 'resolve')[0]! % 2 === 1;
    expect(quiet()).toBe(true);
    expect(quiet([0.9, INBOUND])).toBe(true);
    expect(quiet([1, INBOUND])).toBe(false);
    expect(quiet([1, { ...OUTBOUND, automated: true }])).toBe(true);
    expect(quiet([14 * DAY - 0.1, OUTBOUND])).toBe(false);
    expect(quiet([14 * DAY, OUTBOUND])).toBe(true);
    expect(quiet([0, OPEN])).toBe(false);
    expect(quiet([14 * DAY - 1, OPEN])).toBe(false);
    expect(quiet([14 * DAY, OPEN])).toBe(true);
  });

  it('know which resolve is the first with a macro before it', () => {
    const macro = (id: number): Detail => ({ type: 'macro.applied', macro: id });
    const of = row(
      [1, RESOLVED],
      [1.5, macro(8)],
      [2, OPEN],
      [3, macro(9)],
      [4, RESOLVED],
      [5, macro(3)],
      [6, macro(8)],
    );
    expect(of.attributes.macros).toEqual([
      { macro: 3, resolve: 2 },
      { macro: 8, resolve: 0 },
      { macro: 9, resolve: 1 },
    ]);
  });

  it('count a view of the same agent again at 60 s from the last that counted', () => {
    const of = row(
      ...[0, 59.9, 60, 119.9, 120].map((second): [number, Detail] => [second, viewed(1)]),
      [30, viewed(2)],
      [31, { type: 'case.viewed' }],
      [500, { ...viewed(1), automated: true }],
    );
    expect(of.facts.view.map(({ second, agent }) => [second, agent])).toEqual([
      [0, 1],
      [30, 2],
      [60, 1],
      [120, 1],
    ]);
  });

  it('place a handled interval by its own ends, in whole seconds, and leave out an empty one', () => {
    const handled = (from: number, to: number): Detail => ({
      type: 'case.handled',
      from: from * 1e6,
      to: to * 1e6,
      agent: 1,
    });
    const of = row([100, handled(50.9, 60.1)], [101, handled(5, 5.9)], [102, handled(9, 8)], [103, handled(10, 20)]);
    expect(of.facts.handle.map(({ second, value }) => [second, value])).toEqual([
      [10, 10],
      [50, 10],
    ]);
    expect([of.start, of.end]).toEqual([10, 100]); // its first event, from which on it is open
  });

  it('apply each label the case has after an event and had not before it', () => {
    const labels = (change: { set?: number[]; add?: number[]; remove?: number[] }): Detail => ({
      type: 'case.labels',
      ...change,
    });
    const of = row(
      [0, { type: 'case.created', labels: [2, 1], agent: 9 }],
      [1, labels({ add: [1, 3] })],
      [2, labels({ remove: [3], add: [3] })],
      [3, labels({ set: [4, 3] })],
      [4, labels({ remove: [4] })],
      [5, labels({ add: [4] })],
    );
    expect(of.facts.label.map(({ second, value, agent }) => [second, value, agent])).toEqual([
      [0, 1, 9],
      [0, 2, 9],
      [1, 3, null],
      [3, 4, null],
      [5, 4, null],
    ]);
    expect(of.attributes.labels).toEqual([3, 4]);
  });

  it('open a case by its first interaction, even one dated before its creation', () => {
    const opening = (...events: [number, Detail][]): number => values(row([10, CREATED], ...events), 'created')[0]!;
    expect(opening()).toBe(OPENINGS.none);
    expect(opening([11, { ...OUTBOUND, automated: true }], [12, INBOUND])).toBe(OPENINGS.inbound);
    expect(opening([5, OUTBOUND], [12, INBOUND])).toBe(OPENINGS.outbound);
  });

  it('create a case once, by the earliest creation, which acts first whatever its time', () => {
    const of = row(
      [1, { type: 'case.priority', priority: 9 }],
      [7, { type: 'case.created', channel: 2, agent: 2 }],
      [5, { type: 'case.created', channel: 1, priority: 3, agent: 1 }],
    );
    expect(of.facts.created).toEqual([{ second: 5, agent: 1, group: null, value: OPENINGS.none }]);
    expect(of.attributes).toMatchObject({ channel: 1, priority: 9 });
  });

  it('count every deletion and let later events still apply', () => {
    const of = row(
      [0, CREATED],
      [1, { type: 'case.deleted' }],
      [2, { type: 'csat.rated', score: 3 }],
      [3, { type: 'case.deleted' }],
    );
    expect(seconds(of, 'delete')).toEqual([1, 3]);
    expect(of.attributes.score).toBe(3);
  });

  it('show the case as it is after its last event: absent keeps, null clears', () => {
    const of = row(
      [0, { type: 'case.created', channel: 1, company: 4, custom_fields: { '12': 'gold', '3': 'x', '5': null } }],
      [1, { type: 'case.assigned', to: { agent: 1, group: 2 } }],
      [2, { type: 'case.assigned', to: { group: null } }],
      [3, { type: 'case.company', company: null }],
      [4, { type: 'case.custom_field', field: 3, value: null }],
      [5, { type: 'csat.rated', score: 1 }],
      [6, { type: 'csat.rated', score: 4 }],
    );
    expect(of.attributes).toEqual({
      status: 0,
      channel: 1,
      agent: 1,
      group: null,
      priority: null,
      company: null,
      score: 4,
      labels: [],
      macros: [],
      customValues: [{ field: 12, value: 'gold' }],
    });
  });
});

describe('the sessions of an agent', () => {
  it('are united in whole seconds, without empty ones', () => {
    const session = (id: string, from: number, to: number): SessionEvent => {
      return { type: 'agent.session', id, agent: 1, at: from * 1e6, from: from * 1e6, to: to * 1e6 };
    };
    const events = [
      session('a', 10, 20.9),
      session('b', 20, 30),
      session('c', 12, 15),
      session('d', 40, 40.5),
      session('e', 50, 51),
    ];
    expect(sessionRow(1, events)).toEqual({
      agent: 1,
      sessions: [
        { from: 10, to: 30 },
        { from: 50, to: 51 },
      ],
    });
  });
});
