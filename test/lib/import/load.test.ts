import * as fc from 'fast-check';
import type { HistoryEvent } from '../../../lib/history/cases/event.ts';
import { subjectOf } from '../../../lib/history/cases/subject.ts';
import type { Batch } from '../../../lib/import/formats/row.ts';
import { REHEARSING } from '../../../lib/import/load-mode.ts';
import { bySubject } from '../../support/generators/by-subject.ts';
import { tries } from '../../support/generators/depth.ts';
import { arbitraryHistory } from '../../support/generators/histories.ts';
import {
  expectedRows,
  freshHistory,
  largeCase,
  loadBatches,
  loadEvents,
  readRows,
} from '../../support/generators/history.ts';
import { freshTable } from '../../support/service/table.ts';

const table = await freshTable();

describe('load', () => {
  it('brings a history into reports, whatever its order', async () => {
    const property = fc.asyncProperty(arbitraryHistory, async (events) => {
      const context = freshHistory(table);
      const summary = await loadEvents(context, events);
      expect(summary).toMatchObject({ read: events.length, added: events.length, unchanged: 0, conflicts: 0 });
      expect(await readRows(context)).toEqual(expectedRows(events));
    });
    await fc.assert(property, { numRuns: tries(20) });
  });

  it('takes every event once, however files share and repeat them', async () => {
    const files = arbitraryHistory.chain((events) =>
      fc.array(fc.shuffledSubarray(events), { minLength: 1, maxLength: 4 }).map((parts) => ({ events, parts })),
    );
    const property = fc.asyncProperty(files, async ({ events, parts }) => {
      const context = freshHistory(table);
      for (const part of [...parts, events, events]) await loadEvents(context, part);
      expect(await readRows(context)).toEqual(expectedRows(events));
      expect(await loadEvents(context, events)).toMatchObject({ added: 0, unchanged: events.length });
    });
    await fc.assert(property, { numRuns: tries(10) });
  });

  it('takes cases that come whole beside events that come one by one', async () => {
    const split = arbitraryHistory.chain((events) =>
      fc.subarray([...bySubject(events)]).map((whole) => ({ events, whole: new Map(whole) })),
    );
    const property = fc.asyncProperty(split, async ({ events, whole }) => {
      const context = freshHistory(table);
      const rowOf = (event: HistoryEvent) => ({ line: 1 + events.indexOf(event), records: [event] });
      async function* batches(): AsyncGenerator<Batch> {
        yield events.filter((event) => !whole.has(subjectOf(event))).map(rowOf);
        for (const list of whole.values()) yield { cases: list.map(rowOf) };
      }
      const summary = await loadBatches(context, batches());
      expect(summary).toMatchObject({ read: events.length, added: events.length, unchanged: 0, conflicts: 0 });
      expect(await readRows(context)).toEqual(expectedRows(events));
      expect(await loadBatches(context, batches())).toMatchObject({ added: 0, unchanged: events.length });
    });
    await fc.assert(property, { numRuns: tries(10) });
  });

  it('holds a case of any size', async () => {
    const context = freshHistory(table);
    const events = largeCase(16_000);
    await loadEvents(context, events);
    await loadEvents(context, events.slice(0, 10));
    expect(await readRows(context)).toEqual(expectedRows(events));
  });

  it('writes nothing in a dry run, and tells the same', async () => {
    const context = freshHistory(table);
    const events = largeCase(10);
    const wrong = { ...events[3]!, at: 0 };
    const summary = await loadEvents(context, [...events, wrong, events[0]!], { mode: REHEARSING });
    expect(summary).toMatchObject({ read: 12, added: 10, unchanged: 1, conflicts: 1, lines: [11] });
    expect(await table.query(`site#${context.site.name}#history`)).toEqual([]);
    expect(await loadEvents(context, [...events, wrong, events[0]!])).toEqual(summary);
  });
});
