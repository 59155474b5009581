import * as fc from 'fast-check';
import { compact, compactIfNeeded } from '../../../lib/history/compact.ts';
import { hasOlderRows } from '../../../lib/history/compaction/rebuild.ts';
import { ingest } from '../../../lib/history/live.ts';
import { createHistoryReader } from '../../../lib/history/read.ts';
import type { HistoryRow } from '../../../lib/history/segments/history-row.ts';
import { readManifest } from '../../../lib/history/storage/commit.ts';
import { some } from '../../support/generators/depth.ts';
import { arbitraryHistory } from '../../support/generators/histories.ts';
import { expectedRows, freshHistory, loadEvents, readRows, storedSegments } from '../../support/generators/history.ts';
import { makeOlder, olderRow } from '../../support/generators/older-segments.ts';
import { freshTable } from '../../support/service/table.ts';

const table = await freshTable();
const fine = { segmentWeight: 250, factsAtOnce: 20 };
const histories = fc.sample(arbitraryHistory, { numRuns: 12, seed: 8 });

/** Rows as an older version had them, in a fixed order: those that only newer versions have are left out. */
function asOlder(rows: readonly HistoryRow[]): string[] {
  const older = rows.flatMap((row) => ('sessions' in row ? row : (olderRow(row) ?? [])));
  return older.map((row) => JSON.stringify(row)).sort();
}

describe('segments that an older version wrote', () => {
  it('give the same rows as before, also where newer ones replace some of them', async () => {
    for (const events of some(histories, 2)) {
      const context = freshHistory(table);
      const half = Math.ceil(events.length / 2);
      await loadEvents(context, events.slice(0, half));
      await compact(context, fine);
      await makeOlder(context);
      expect(asOlder(await readRows(context))).toEqual(asOlder(expectedRows(events.slice(0, half))));
      await loadEvents(context, events.slice(half, -2));
      await ingest(context, events.slice(-2));
      expect(asOlder(await readRows(context))).toEqual(asOlder(expectedRows(events)));
    }
  });

  it('are written anew by compaction, and end as if no older version had been', async () => {
    for (const events of some(histories, 2)) {
      const straight = freshHistory(table);
      await loadEvents(straight, events);
      await compact(straight, fine);
      const winding = freshHistory(table);
      await loadEvents(winding, events.slice(0, 9));
      await compact(winding, fine);
      await loadEvents(winding, events.slice(9));
      await makeOlder(winding);
      expect(hasOlderRows(await readManifest(table, winding.site.name))).toBe(true);
      expect(await compactIfNeeded(winding, fine)).toBe(true);
      expect(hasOlderRows(await readManifest(table, winding.site.name))).toBe(false);
      expect(await storedSegments(winding)).toEqual(await storedSegments(straight));
      await compact(winding, { ...fine, rebuild: true });
      expect(await storedSegments(winding)).toEqual(await storedSegments(straight));
    }
  });

  it('are no answer to what only newer ones hold, and the refusal says what helps', async () => {
    const context = freshHistory(table);
    await loadEvents(context, histories[0]!);
    await makeOlder(context);
    const read = (rows: 1 | 2) =>
      createHistoryReader({ cacheBytes: 1_000_000 }).read(
        context,
        { from: 0, to: 8e9, kinds: ['cases'], rows },
        async ({ version }) => version,
      );
    expect(await read(1)).toBeGreaterThan(0);
    await expect(read(2)).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('support compact --rebuild'),
    });
    await compact(context, fine);
    expect(await read(2)).toBeGreaterThan(0);
  });
});
