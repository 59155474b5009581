import * as fc from 'fast-check';
import type { CaseEvent } from '../../../lib/history/cases/event.ts';
import { subjectOf } from '../../../lib/history/cases/subject.ts';
import { compact, compactIfNeeded, FRESH_SEGMENTS, maxFreshSegments } from '../../../lib/history/compact.ts';
import { GRACE_MS, sweep } from '../../../lib/history/compaction/sweep.ts';
import { ingest } from '../../../lib/history/live.ts';
import { mergeEvents } from '../../../lib/history/merge.ts';
import { readManifest } from '../../../lib/history/storage/commit.ts';
import { announceWriter, CLAIM_MS, openDraft, writersAtWork } from '../../../lib/history/storage/draft.ts';
import type { HistoryContext } from '../../../lib/history/storage/history-context.ts';
import type { Manifest } from '../../../lib/history/storage/manifest.ts';
import { readTail } from '../../../lib/history/storage/tail.ts';
import { storing } from '../../../lib/import/load-mode.ts';
import { dyingTable, Killed, watchedTable } from '../../support/faults/faulty-table.ts';
import { tries } from '../../support/generators/depth.ts';
import { arbitraryHistory } from '../../support/generators/histories.ts';
import {
  expectedRows,
  freshHistory,
  loadEvents,
  manyEvents,
  orphans,
  readRows,
  storedSegments,
} from '../../support/generators/history.ts';
import { freshTable } from '../../support/service/table.ts';

const table = await freshTable();

/** Small segments and passes, so that a few cases already make many. */
const fine = { segmentWeight: 250, factsAtOnce: 20 };
const LEASE_MS = 10 * 60_000;
const WRITES = 30; // more than a fine compaction of `awkward` needs
const awkward = fc.sample(arbitraryHistory, { numRuns: 1, seed: 5 })[0]!;

/** A history of all events, half of them late and some still in the tail: rows replaced in several commits. */
async function windingHistory(): Promise<ReturnType<typeof freshHistory>> {
  const context = freshHistory(table);
  for (const part of [0, 1, 2])
    await loadEvents(
      context,
      awkward.filter((_, at) => at % 4 === part),
    );
  await compact(context, fine);
  await loadEvents(
    context,
    awkward.filter((_, at) => at % 8 === 3),
  );
  await ingest(
    context,
    awkward.filter((_, at) => at % 8 === 7),
  );
  return context;
}

/** The segments that one file and one compaction make of the same events. */
async function straightSegments(): Promise<unknown[]> {
  const context = freshHistory(table);
  await loadEvents(context, awkward);
  await compact(context, fine);
  return storedSegments(context);
}

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
    await fc.assert(property, { numRuns: tries(8) });
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

  it('waits between the groups of an import, too, until that ends or dies', async () => {
    const context = freshHistory(table);
    for (let at = 0; at <= FRESH_SEGMENTS; at += 1) await mergeOne(context, at);
    const presence = await announceWriter(context);
    context.now += CLAIM_MS / 2;
    await presence.renew();
    context.now += CLAIM_MS - 1;
    expect(await compactIfNeeded(context)).toBe(false);
    await presence.end();
    expect(await compactIfNeeded(context)).toBe(true);
  });

  it('shows every case once to reports between any two of its writes', async () => {
    const context = await windingHistory();
    const expected = expectedRows(awkward);
    let looks = 0;
    const look = async (): Promise<void> => {
      looks += 1;
      expect(await readRows(context)).toEqual(expected);
    };
    await compact({ ...context, table: watchedTable(table, look) }, fine);
    expect(looks).toBeGreaterThan(6);
    expect(await storedSegments(context)).toEqual(await straightSegments());
  });

  it('leaves reports right at whatever write it dies, and the next one ends the work', async () => {
    const context = await windingHistory();
    let died = 0;
    for (let writes = 0; writes < WRITES; writes += 1) {
      await compact({ ...context, table: dyingTable(table, writes) }, fine).catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error;
        died += 1;
      });
      expect(await readRows(context)).toEqual(expectedRows(awkward));
      context.now += LEASE_MS; // a dead compactor's lease
    }
    expect(died).toBeGreaterThan(6);
    expect(await storedSegments(context)).toEqual(await straightSegments());
  });

  it('lets only one compactor in, and is safe when a second one takes over in the middle', async () => {
    const [straight, idle] = [await straightSegments(), await windingHistory()];
    expect((await Promise.all([compact(idle, fine), compact(idle, fine)])).sort()).toEqual([false, true]);
    for (let at = 1; at < WRITES; at += 3) {
      const context = await windingHistory();
      let writes = 0;
      const slow = watchedTable(table, async () => {
        writes += 1;
        if (writes !== at) return;
        context.now += LEASE_MS + 1; // the first one's lease is over
        expect(await compact(context, fine)).toBe(true);
        expect(await readRows(context)).toEqual(expectedRows(awkward));
      });
      await compact({ ...context, table: slow }, fine);
      expect(await readRows(context)).toEqual(expectedRows(awkward));
      expect(await storedSegments(context)).toEqual(straight);
    }
  });

  it('gives its claims up when another one has swept what it still had to read', async () => {
    const context = freshHistory(table);
    const options = { segmentWeight: 500 }; // so many segments that it writes before it has read all
    await loadEvents(
      context,
      manyEvents().filter((event, at) => Number(event.case) % 10 > 0 || at % 2 > 0),
    );
    await compact(context, options);
    await loadEvents(context, manyEvents());
    let taken = false;
    const slow = watchedTable(table, async () => {
      if (taken || !(await writersAtWork(context))) return;
      taken = true;
      context.now += LEASE_MS + 1;
      expect(await compact(context, options)).toBe(true);
      context.now += GRACE_MS;
      await sweep(context);
    });
    await compact({ ...context, table: slow }, options);
    expect(taken).toBe(true);
    expect(await writersAtWork(context)).toBe(false);
    expect(await readRows(context)).toEqual(expectedRows(manyEvents()));
  });

  it('begins when fresh segments are more than 16 and a quarter of the settled ones', async () => {
    const context = freshHistory(table);
    await loadEvents(context, awkward);
    await compact(context, fine);
    const settled = (await readManifest(table, context.site.name)).segments.length;
    for (let at = 0; at < 2 * FRESH_SEGMENTS + settled; at += 1) {
      await mergeOne(context, at);
      const before = await readManifest(table, context.site.name);
      expect(await compactIfNeeded(context, fine)).toBe(freshOf(before).length > maxFreshSegments(before));
      const after = await readManifest(table, context.site.name);
      expect(freshOf(after).length).toBeLessThanOrEqual(maxFreshSegments(after));
    }
  });

  it('is done by an import in between, so that its segments never are more than a pass takes', async () => {
    const context = freshHistory(table);
    const compaction = { segmentWeight: 4_000, factsAtOnce: 1_000 };
    let most = 0;
    const look = async (): Promise<void> => {
      const { segments } = await readManifest(table, context.site.name);
      most = Math.max(
        most,
        freshOf({ segments }).reduce((sum, { facts }) => sum + facts, 0),
      );
    };
    const options = { mode: storing(compaction), spillBounds: { waiting: 20_000, group: 20_000 } };
    await loadEvents({ ...context, table: watchedTable(table, look) }, manyEvents(), options);
    expect(most).toBeGreaterThan(1_000);
    expect(most).toBeLessThan(2_000);
    expect(await readRows(context)).toEqual(expectedRows(manyEvents()));
    const straight = freshHistory(table);
    await loadEvents(straight, manyEvents());
    for (const each of [context, straight]) await compact(each, compaction);
    expect(await storedSegments(context)).toEqual(await storedSegments(straight));
  });

  it('takes a live event that cost reports a look into the ledger', async () => {
    const context = freshHistory(table);
    await ingest(context, [note(1)]);
    await loadEvents(context, [{ ...note(2), case: '1' }]);
    await compactIfNeeded(context);
    expect((await readTail(context)).pending).toEqual([]);
  });
});

const freshOf = ({ segments }: Pick<Manifest, 'segments'>) => segments.filter(({ settled }) => !settled);

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
