import * as fc from 'fast-check';
import type { CaseEvent, HistoryEvent } from '../../../lib/history/cases/event.ts';
import { ingest } from '../../../lib/history/live.ts';
import { mergeEvents } from '../../../lib/history/merge.ts';
import { readTail } from '../../../lib/history/storage/tail.ts';
import { itAtLength, tries } from '../../support/generators/depth.ts';
import { arbitraryHistory } from '../../support/generators/histories.ts';
import { expectedRows, freshHistory, largeCase, loadEvents, readRows } from '../../support/generators/history.ts';
import { freshTable } from '../../support/service/table.ts';

const table = await freshTable();
const fold = (context: ReturnType<typeof freshHistory>) => mergeEvents(context, new Map(), { wholeTail: true });

const opened: CaseEvent = { type: 'case.created', id: '1', at: 1_760_000_000_000_000, case: '7', channel: 1 };
const closed: CaseEvent = { type: 'case.status', id: '2', at: 1_760_000_100_000_000, case: '7', to: 'closed' };

describe('live events', () => {
  it('are in the next report', async () => {
    const context = freshHistory(table);
    await loadEvents(context, [opened]);
    expect(await ingest(context, [closed])).toEqual([{ outcome: 'added' }]);
    expect(await readRows(context)).toEqual(expectedRows([opened, closed]));
  });

  it('are taken once, whether the first one waits in the tail or lies in the ledger', async () => {
    const context = freshHistory(table);
    await loadEvents(context, [opened]);
    const conflict = { ...closed, to: 'open' as const };
    expect(await ingest(context, [opened, closed, closed, conflict])).toEqual([
      { outcome: 'unchanged' },
      { outcome: 'added' },
      { outcome: 'unchanged' },
      { outcome: 'conflict' },
    ]);
    await fold(context);
    expect(await ingest(context, [closed, conflict])).toEqual([{ outcome: 'unchanged' }, { outcome: 'conflict' }]);
    expect((await readTail(context)).pending).toEqual([]);
    expect(await readRows(context)).toEqual(expectedRows([opened, closed]));
  });

  it('win over a file that comes later with other content', async () => {
    const context = freshHistory(table);
    await ingest(context, [closed]);
    expect((await loadEvents(context, [opened, { ...closed, to: 'open' }])).lines).toEqual([2]);
    expect(await readRows(context)).toEqual(expectedRows([opened, closed]));
  });

  it('give the same reports as a file, in any mixture of messages, files and folds', async () => {
    const steps = arbitraryHistory.chain((events) =>
      fc.tuple(
        fc.constant(events),
        fc.array(fc.tuple(fc.shuffledSubarray(events), fc.constantFrom('live', 'file', 'fold')), { maxLength: 6 }),
      ),
    );
    const property = fc.asyncProperty(steps, async ([events, plan]) => {
      const context = freshHistory(table);
      const seen = new Set<HistoryEvent>();
      for (const [part, way] of plan) {
        if (way === 'fold') await fold(context);
        else for (const event of part) seen.add(event);
        if (way === 'live') await ingest(context, part);
        if (way === 'file') await loadEvents(context, part);
        expect(await readRows(context)).toEqual(expectedRows([...seen]));
      }
      await ingest(context, events);
      await fold(context);
      expect(await readRows(context)).toEqual(expectedRows(events));
    });
    await fc.assert(property, { numRuns: tries(10) });
  });

  itAtLength('of a case of very many wait without a row, which reports work out themselves', async () => {
    const context = freshHistory(table);
    const events = largeCase(50_002);
    await loadEvents(context, events.slice(0, -1));
    expect(await ingest(context, events.slice(-2))).toEqual([{ outcome: 'unchanged' }, { outcome: 'added' }]);
    expect((await readTail(context)).pending).toMatchObject([{ events: events.slice(-1), row: undefined }]);
    expect(await readRows(context)).toEqual(expectedRows(events));
  });

  it('are committed at once where they are too many for an item', async () => {
    const context = freshHistory(table);
    const events = largeCase(6_000);
    await ingest(context, events.slice(0, 2_000));
    const outcomes = await ingest(context, events);
    expect(outcomes.filter(({ outcome }) => outcome === 'added').length).toBe(4_000);
    expect((await readTail(context)).pending).toEqual([]);
    expect(await readRows(context)).toEqual(expectedRows(events));
  });
});
