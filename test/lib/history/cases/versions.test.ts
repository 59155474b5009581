import * as fc from 'fast-check';
import { compareEvents } from '../../../../lib/history/cases/case-history.ts';
import type { AsOf, CaseEvent, HistoryEvent } from '../../../../lib/history/cases/event.ts';
import { countedEvents, mergeVersions } from '../../../../lib/history/cases/versions.ts';
import { arbitraryVersions } from '../../../support/generators/arbitrary-versions.ts';
import { bySubject } from '../../../support/generators/by-subject.ts';
import { currentEvents } from '../../../support/oracle/versions.ts';

const note = (id: string, at: number, more: Partial<CaseEvent> = {}): HistoryEvent =>
  ({ type: 'note', id, at, case: '7', ...more }) as CaseEvent;
const of = (as_of: AsOf, source = 'export') => ({ source, as_of });
const mark = (as_of: AsOf, source = 'export'): HistoryEvent => ({
  ...{ type: 'case.version', id: '', at: 0, case: '7', source, as_of },
});

/** The events of a case after some lists of them came one after the other. */
const afterwards = (...lists: readonly (readonly HistoryEvent[])[]): readonly HistoryEvent[] =>
  lists.reduce<readonly HistoryEvent[]>((known, list) => mergeVersions(known, list).events, []);

const byOrder = (events: readonly HistoryEvent[]) =>
  [...events].sort((a, b) => compareEvents(a, b) || (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

describe('events of a log', () => {
  const one: CaseEvent = { type: 'macro.applied', id: 'a', at: 1, case: '7', macro: 3 };

  it('are the same whatever the order of their keys', () => {
    const created = { type: 'case.created', labels: [1], custom_fields: { 1: 'x', 2: 'y' } } as const;
    const other = { custom_fields: { 2: 'y', 1: 'x' }, labels: [1], type: 'case.created' } as const;
    expect(mergeVersions([note('a', 1, created)], [note('a', 1, other)]).fates).toEqual(['unchanged']);
  });

  it('conflict where a value, a time, a type or an added key differs', () => {
    for (const other of [{ ...one, macro: 4 }, { ...one, at: 2 }, note('a', 1), { ...one, agent: 1 }])
      expect(mergeVersions([one], [other]).fates).toEqual(['conflict']);
  });

  it('take a new reading where they may, of what was there before alone', () => {
    const log = [note('a', 1, { source: 'desk' }), note('b', 1, { source: 'desk' })];
    const came = [note('a', 2, { source: 'desk' }), note('a', 3, { source: 'desk' }), note('b', 2, { source: 'desk' })];
    const merged = mergeVersions(log, came, ({ id }) => id === 'a');
    expect(merged).toMatchObject({ fates: ['replaced', 'conflict', 'conflict'], isRewritten: true, isSame: false });
    expect(byOrder(merged.events)).toEqual([log[1], came[0]]);
    expect(merged.added).toEqual([came[0]]);
    expect(mergeVersions(merged.events, came.slice(0, 1), () => true)).toMatchObject({
      ...{ fates: ['unchanged'], isRewritten: false, isSame: true },
    });
  });

  it('of two sources do not conflict', () => {
    expect(mergeVersions([one], [{ ...one, at: 2, source: 'mail' }]).fates).toEqual(['added']);
  });
});

describe('a version', () => {
  it('takes the place of an older one, and tells what became of each event', () => {
    const before = [note('a', 1, of([1])), note('b', 2, of([1])), note('c', 3, of([1]))];
    const came = [note('a', 1, of([2])), note('b', 9, of([2])), note('d', 4, of([2])), note('a', 5, of([1]))];
    const merged = mergeVersions(before, came);
    expect(merged.fates).toEqual(['unchanged', 'replaced', 'added', 'superseded']);
    expect(merged.events).toEqual(came.slice(0, 3));
    expect(merged).toMatchObject({ removed: 1, isRewritten: true, isSame: false });
  });

  it('that says the same only raises the mark', () => {
    const merged = mergeVersions([note('a', 1, of([1]))], [note('a', 1, of([2]))]);
    expect(merged).toMatchObject({ fates: ['unchanged'], removed: 0, isRewritten: true, isSame: true });
    expect(merged.events).toEqual([note('a', 1, of([2]))]);
  });

  it('changes nothing where it comes late, and conflicts where it says two things', () => {
    const before = [note('a', 1, of([2]))];
    expect(mergeVersions(before, [note('b', 1, of([1])), mark([1])])).toMatchObject({
      ...{ events: before, fates: ['superseded', 'superseded'], isRewritten: false, added: [] },
    });
    expect(mergeVersions(before, [note('a', 5, of([2])), mark([2])])).toMatchObject({
      ...{ events: before, fates: ['conflict', 'unchanged'], isRewritten: false, added: [] },
    });
  });

  it('may be empty, and then keeps an older one away', () => {
    const empty = afterwards([note('a', 1, of([1]))], [mark([2])]);
    expect(empty).toEqual([mark([2])]);
    expect(afterwards(empty, [note('a', 1, of([1]))])).toEqual([mark([2])]);
    expect(afterwards(empty, [note('b', 1, of([2]))])).toEqual([note('b', 1, of([2]))]);
    expect(afterwards(empty, [note('b', 1, of([2]))], [mark([2])])).toEqual([note('b', 1, of([2]))]);
  });

  it('compares part by part, a missing part smallest', () => {
    const rising: AsOf[] = [[null, null, 1], [null, 1], [0], [0, null, 3], [0, 1], [0, 1, 0], [2]];
    for (const [place, later] of rising.slice(1).entries()) {
      const events = [note('a', 1, of(rising[place]!)), note('b', 1, of(later))];
      expect(afterwards(events)).toEqual([events[1]]);
      expect(afterwards(events.toReversed())).toEqual([events[1]]);
    }
  });
});

describe('equal ids of several sources', () => {
  it('count once, with the content of the smallest name', () => {
    const events = [note('a', 3, { source: 'b' }), note('a', 2, of([1], 'B')), note('a', 1, { source: 'ä' })];
    expect(countedEvents(events)).toEqual([events[1]]);
    expect(countedEvents([...events, note('a', 4)])).toEqual([note('a', 4)]);
  });
});

describe('the events of a case', () => {
  it('end as the rule says, however the records are split, ordered and repeated', () => {
    const parts = arbitraryVersions.chain((all) =>
      fc.tuple(
        fc.constant(all),
        fc.array(fc.shuffledSubarray(all), { maxLength: 4 }),
        fc.shuffledSubarray(all, { minLength: all.length }),
      ),
    );
    fc.assert(
      fc.property(parts, ([all, lists, last]) => {
        const expected = bySubject(currentEvents(all));
        for (const [subject, records] of bySubject(all)) {
          const mine = (list: readonly HistoryEvent[]) => bySubject(list).get(subject) ?? [];
          const straight = afterwards(records);
          const events = afterwards(...lists.map(mine), mine(last));
          expect(byOrder(events)).toEqual(byOrder(straight));
          expect(byOrder(countedEvents(events))).toEqual(byOrder(expected.get(subject) ?? []));
        }
      }),
      { endOnFailure: true },
    );
  });
});
