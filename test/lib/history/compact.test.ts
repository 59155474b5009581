import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { readBlobs } from '../../../lib/history/blobs.ts';
import { readManifest } from '../../../lib/history/commit.ts';
import { compact } from '../../../lib/history/compact.ts';
import type { HistoryContext } from '../../../lib/history/history-context.ts';
import { ingest } from '../../../lib/history/live.ts';
import { comparePlaces, segmentBlob } from '../../../lib/history/manifest.ts';
import { GRACE_MS } from '../../../lib/history/sweep.ts';
import { arbitraryHistory, expectedRows, freshHistory, loadEvents, readRows } from '../../support/history.ts';
import { freshTable } from '../../support/table.ts';

const table = await freshTable();

/** The bytes of all live segments, by kind and place. */
async function storedSegments(context: HistoryContext): Promise<unknown[]> {
  const { segments } = await readManifest(table, context.site.name);
  const sorted = [...segments].sort((a, b) =>
    a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : comparePlaces(a.low, b.low),
  );
  const bytes = await readBlobs(table, context.site.name, sorted.map(segmentBlob));
  return sorted.map(({ kind, settled, start, end, weight }, place) => [
    kind,
    settled,
    start,
    end,
    weight,
    bytes[place],
  ]);
}

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
    const items = await table.query(`site#${context.site.name}#history`, { prefix: 'garbage#' });
    expect(items).toEqual([]);
    expect(await readRows(context)).toEqual(expectedRows(events));
  });
});
