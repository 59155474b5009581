import * as fc from 'fast-check';
import { encodeSessions, openSessions } from '../../../../lib/history/segments/session-segment.ts';
import { arbitrarySessions } from '../../../support/generators/histories.ts';
import { sessionRows } from '../../../support/generators/report-of.ts';

const arbitraryRows = arbitrarySessions.map(sessionRows);

it('gives back the sessions it was made of, by rising agent', () => {
  fc.assert(
    fc.property(arbitraryRows, (rows) => {
      expect(openSessions(encodeSessions(rows)).rows()).toEqual([...rows].sort((a, b) => a.agent - b.agent));
    }),
  );
});

it('has the same bytes in whatever order its rows come', () => {
  fc.assert(
    fc.property(arbitraryRows, (rows) => {
      expect(encodeSessions([...rows].reverse())).toEqual(encodeSessions(rows));
    }),
  );
});
