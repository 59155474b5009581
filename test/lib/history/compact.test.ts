import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { readManifest } from '../../../lib/history/commit.ts';
import { compact, compactIfNeeded, FRESH_SEGMENTS } from '../../../lib/history/compact.ts';
import { CLAIM_MS, openDraft } from '../../../lib/history/draft.ts';
import type { CaseEvent } from '../../../lib/history/event.ts';
import type { HistoryContext } from '../../../lib/history/history-context.ts';
import { ingest } from '../../../lib/history/live.ts';
import { mergeEvents } from '../../../lib/history/merge.ts';
import { subjectOf } from '../../../lib/history/subject.ts';
import { GRACE_MS } from '../../../lib/history/sweep.ts';
import { readTail } from '../../../lib/history/tail.ts';
import {
  arbitraryHistory,
  expectedRows,
  freshHistory,
  loadEvents,
  orphans,
  readRows,
  storedSegments,
} from '../../support/history.ts';
import { freshTable } from '../../support/table.ts';

const table = await freshTable();

/** Small segments and passes, so that a few cases already make many. */
const fine = { segmentWeight: 250, factsAtOnce: 20 };

describe('compaction', () => {
  it('ends in the same segments, whatever way the events came', async () => {
    const ways = arbitraryHistory.chain((events) =>
      fc.tuple(
        fc.constant(events),
        fc.array(fc.tuple(fc.shuffledSubarray(events), fc.constantFrom('live', 'file', 'compact')), { maxLength: 5 }),
      ),
    );
    const property = fc.asyncProperty(ways, async ([events, plan]) => {
      const straight = freshHistory(table);
      await loadEvents(straight, events);
      expect(await compact(straight, fine)).toBe(true);
      const winding = freshHistory(table);
      for (const [part, way] of plan) {
        if (way === 'compact') await compact(winding, fine);
        if (way === 'live') await ingest(winding, part);
        if (way === 'file') await loadEvents(winding, part);
      }
      await loadEvents(winding, events);
      await compact(winding, fine);
      expect(await readRows(winding)).toEqual(expectedRows(events));
      expect(await storedSegments(winding)).toEqual(await storedSegments(straight));
    });
    await fc.assert(property, { numRuns: 8 });
  });

  it('leaves nothing behind of what it replaced, once reports can no longer need it', async () => {
    const context = freshHistory(table);
    const events = fc.sample(arbitraryHistory, { numRuns: 1, seed: 7 })[0]!;
    for (const event of events) await ingest(context, [event]);
    await compact(context);
    context.now += GRACE_MS;
    await compact(context);
    expect(await orphans(context)).toEqual([]);
    expect(await readRows(context)).toEqual(expectedRows(events));
  });

  it('waits for an import that is at work, but not for one that died', async () => {
    const context = freshHistory(table);
    for (let at = 0; at <= FRESH_SEGMENTS; at += 1) await mergeOne(context, at);
    const draft = openDraft(context);
    await draft.add('leaf', new Uint8Array(1));
    expect(await compactIfNeeded(context)).toBe(false);
    context.now += CLAIM_MS + 1;
    expect(await compactIfNeeded(context)).toBe(true);
    const { segments } = await readManifest(table, context.site.name);
    expect(segments.map(({ settled }) => settled)).toEqual([true]);
  });

  it('takes a live event that cost reports a look into the ledger', async () => {
    const context = freshHistory(table);
    await ingest(context, [note(1)]);
    await loadEvents(context, [{ ...note(2), case: '1' }]);
    await compactIfNeeded(context);
    expect((await readTail(context)).pending).toEqual([]);
  });
});

const note = (at: number): CaseEvent => ({
  type: 'interaction',
  id: String(at),
  at: (1_760_000_000 + at) * 1_000_000,
  case: '1',
  direction: 'inbound',
});

/** Commits one event by itself. */
async function mergeOne(context: HistoryContext, at: number): Promise<void> {
  const event = { ...note(at), case: String(at) };
  await mergeEvents(context, new Map([[subjectOf(event), [{ event, line: 1 }]]]));
}
