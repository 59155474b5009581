import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { compact } from '../../../lib/history/compact.ts';
import { ingest } from '../../../lib/history/live.ts';
import { GRACE_MS } from '../../../lib/history/sweep.ts';
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
    await fc.assert(property, { numRuns: 12 });
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
});
