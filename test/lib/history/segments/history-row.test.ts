import * as fc from 'fast-check';
import { agentSubject, caseSubject } from '../../../../lib/history/cases/subject.ts';
import { nameOf, namesOfRow, rowOf } from '../../../../lib/history/segments/history-row.ts';
import { tries } from '../../../support/generators/depth.ts';
import { arbitraryEvents, arbitrarySessions } from '../../../support/generators/histories.ts';

it('names the row of some events as the row itself does', () => {
  fc.assert(
    fc.property(arbitraryEvents('7'), arbitrarySessions, (events, sessions) => {
      for (const [subject, list] of [
        [caseSubject('7'), events],
        [agentSubject(1), sessions.filter(({ agent }) => agent === 1)],
      ] as const) {
        const row = rowOf(subject, list);
        expect(namesOfRow(subject, list)[0]).toEqual(row && nameOf(row));
      }
    }),
    { numRuns: tries(500, 1 / 4) },
  );
});
