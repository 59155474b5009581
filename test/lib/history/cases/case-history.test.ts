import * as fc from 'fast-check';
import { caseHistory, secondOf } from '../../../../lib/history/cases/case-history.ts';
import type { CaseEvent } from '../../../../lib/history/cases/event.ts';
import { arbitraryEvents } from '../../../support/generators/histories.ts';

const note = (id: string, at: number): CaseEvent => ({ type: 'note', id, at, case: '7' });
const created = (id: string, at: number): CaseEvent => ({ type: 'case.created', id, at, case: '7' });
const ids = (events: readonly CaseEvent[]): string[] => caseHistory(events).map(({ id }) => id);

describe('a case history', () => {
  it('goes by time, then by id in code-point order', () => {
    expect(ids([note('\u{1f600}', 5), note('\uffee', 5), note('b', 5), note('10', 5), note('9', 4)])).toEqual([
      '9',
      '10',
      'b',
      '\uffee',
      '\u{1f600}',
    ]);
  });

  it('puts the creation first whatever its time, and drops later ones', () => {
    expect(ids([note('a', 1), created('late', 9), created('early', 5), note('b', 7)])).toEqual(['early', 'a', 'b']);
  });

  it('keeps the first given of events with one id', () => {
    expect(caseHistory([note('a', 2), note('a', 1), note('b', 0)])).toEqual([note('b', 0), note('a', 2)]);
  });

  it('is the same whatever order its events come in, and however often', () => {
    fc.assert(
      fc.property(
        arbitraryEvents('7').chain((events) =>
          fc.tuple(fc.constant(events), fc.shuffledSubarray([...events, ...events])),
        ),
        ([events, shuffled]) => {
          expect(caseHistory([...shuffled, ...events])).toEqual(caseHistory(events));
        },
      ),
    );
  });
});

describe('a second', () => {
  it('is cut off an instant, never rounded', () => {
    expect([0, 999_999, 1_000_000, 1_999_999].map(secondOf)).toEqual([0, 0, 1, 1]);
  });
});
