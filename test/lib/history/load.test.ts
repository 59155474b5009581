import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { arbitraryHistory, expectedRows, freshHistory, loadEvents, readRows } from '../../support/history.ts';
import { freshTable } from '../../support/table.ts';

const table = await freshTable();

describe('load', () => {
  it('brings a history into reports, whatever its order', async () => {
    const property = fc.asyncProperty(arbitraryHistory, async (events) => {
      const context = freshHistory(table);
      const summary = await loadEvents(context, events);
      expect(summary).toMatchObject({ read: events.length, added: events.length, repeated: 0, conflicts: 0 });
      expect(await readRows(context)).toEqual(expectedRows(events));
    });
    await fc.assert(property, { numRuns: 30 });
  });

  it('takes every event once, however files share and repeat them', async () => {
    const files = arbitraryHistory.chain((events) =>
      fc.array(fc.shuffledSubarray(events), { minLength: 1, maxLength: 4 }).map((parts) => ({ events, parts })),
    );
    const property = fc.asyncProperty(files, async ({ events, parts }) => {
      const context = freshHistory(table);
      for (const part of [...parts, events, events]) await loadEvents(context, part);
      expect(await readRows(context)).toEqual(expectedRows(events));
      expect(await loadEvents(context, events)).toMatchObject({ added: 0, repeated: events.length });
    });
    await fc.assert(property, { numRuns: 20 });
  });
});
