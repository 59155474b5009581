import type { CaseEvent } from '../../../../lib/history/cases/event.ts';
import { NO_REFERENCE, type Reference, valueHash } from '../../../../lib/insights/reference.ts';
import { ask, caseRows, reportOf } from '../../../support/generators/report-of.ts';

const AT = Date.parse('2026-01-05T00:00:00Z') * 1000;

const REFERENCE: Reference = {
  ...NO_REFERENCE,
  names: {
    ...NO_REFERENCE.names,
    labels: new Map([
      [1, 'Billing'],
      [2, 'billing EU'],
      [3, 'Ärger'],
    ]),
    agents: new Map([[4, 'Ann']]),
  },
  customFields: new Map([
    [7, { name: 'Plan', listed: true }],
    [8, { name: 'Mood', listed: false }],
  ]),
};

const created = (more: object): CaseEvent => ({ type: 'case.created', id: 'a', at: AT, case: '', ...more });

/** Four cases that differ in everything; each has its own channel, by which a report tells them. */
const CASES = caseRows(
  new Map<string, CaseEvent[]>([
    ['one', [created({ channel: 1, labels: [1, 2], priority: 5, custom_fields: { 7: 'Gold', 8: 'happy' } })]],
    ['two', [created({ channel: 2, labels: [2], priority: 10, company: 66, custom_fields: { 7: 'silver' } })]],
    [
      'three',
      [
        created({ channel: 3, labels: [3] }),
        { type: 'csat.rated', id: 'b', at: AT, case: '', score: 4 },
        { type: 'case.assigned', id: 'c', at: AT, case: '', to: { agent: 4, group: 9 } },
      ],
    ],
    ['four', [created({ channel: 4 }), { type: 'macro.applied', id: 'b', at: AT, case: '', macro: 12 }]],
  ]),
);

/** The channels of the cases that pass. */
function passing(...filters: unknown[][]): unknown[] {
  const request = ask({ fields: ['case_creates'], dimension1: 'channel', filters });
  return reportOf(request, CASES, [], REFERENCE).map(([, channel]) => channel);
}

const ids = (...list: (string | number)[]) => list.map((id) => ({ id: String(id) }));
const is = (object: string, text: string, caseSensitive = false) => ['Include', object, 'Is', text, caseSensitive, []];
const contains = (object: string, text: string, caseSensitive = false) =>
  [...is(object, text, caseSensitive)].with(2, 'Contains');

describe('filters', () => {
  it('let a case pass when one group holds, and a group when all its conditions do', () => {
    const billing = ['Include', 'Labels', ids(1)];
    const european = ['Include', 'Labels', ids(2)];
    expect(passing([billing, european])).toEqual([1]);
    expect(passing([billing], [european])).toEqual([1, 2]);
    expect(passing([billing], [])).toEqual([1, 2, 3, 4]);
    expect(passing()).toEqual([1, 2, 3, 4]);
  });

  it.each<[string, string | number, number]>([
    ['Channels', 3, 3],
    ['Groups', 9, 3],
    ['Agents', 4, 3],
    ['Labels', 1, 1],
    ['Custom Fields', `7:${valueHash('silver')}`, 2],
    ['Custom Fields', 8, 1],
    ['Priorities', 10, 2],
    ['Macros', 12, 4],
    ['Companies', 66, 2],
    ['CSat Score', 4, 3],
  ])('find %s by id %s, and exclude by it', (object, id, channel) => {
    expect(passing([['Include', object, ids(id)]])).toEqual([channel]);
    expect(passing([['Exclude', object, ids(id)]])).toEqual([1, 2, 3, 4].filter((other) => other !== channel));
  });

  it('compare whole names with Is, and ignore case unless told', () => {
    expect(passing([is('Labels', 'BILLING')])).toEqual([1]);
    expect(passing([is('Labels', 'BILLING', true)])).toEqual([]);
    expect(passing([is('Labels', 'ärger')])).toEqual([3]);
    expect(passing([is('Labels', 'bill')])).toEqual([]);
  });

  it('look into names with Contains, beside any ids', () => {
    expect(passing([contains('Labels', 'BILL')])).toEqual([1, 2]);
    expect(passing([contains('Labels', 'bill', true)])).toEqual([1, 2]);
    expect(passing([contains('Labels', 'Bill', true)])).toEqual([1]);
    expect(passing([['Include', 'Labels', 'Contains', 'EU', false, ids(3)]])).toEqual([1, 2, 3]);
  });

  it('name a value of a custom field by itself, a field without a list by its name, priorities by their digits', () => {
    expect(passing([is('Custom Fields', 'gold')])).toEqual([1]);
    expect(passing([is('Custom Fields', 'mood')])).toEqual([1]);
    expect(passing([is('Custom Fields', 'happy')])).toEqual([]);
    expect(passing([contains('Priorities', '1')])).toEqual([2]);
  });

  it('name a member that no reference record has brought by its id', () => {
    expect(passing([is('Companies', '66')])).toEqual([2]);
  });

  it('find nothing by an empty text, by neither ids nor text, or by an unknown id', () => {
    expect(passing([contains('Labels', '')])).toEqual([]);
    expect(passing([['Include', 'Labels', []]])).toEqual([]);
    expect(passing([['Include', 'Labels', ids('nobody')]])).toEqual([]);
    expect(passing([['Exclude', 'Labels', []]])).toEqual([1, 2, 3, 4]);
  });

  it('ignore the text of Is when there are ids', () => {
    expect(passing([['Include', 'Labels', 'Is', 'Ärger', false, ids(1)]])).toEqual([1]);
  });
});
