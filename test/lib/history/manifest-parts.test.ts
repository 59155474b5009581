import { createHash } from 'node:crypto';
import { compact } from '../../../lib/history/compact.ts';
import { GRACE_MS } from '../../../lib/history/compaction/sweep.ts';
import { createHistoryReader } from '../../../lib/history/read.ts';
import { commit, type NewSegment, readManifest, readManifestItem } from '../../../lib/history/storage/commit.ts';
import { openDraft } from '../../../lib/history/storage/draft.ts';
import type { HistoryContext } from '../../../lib/history/storage/history-context.ts';
import { EMPTY_MANIFEST, encodeManifest, PART_SEGMENTS } from '../../../lib/history/storage/manifest.ts';
import { ALL_TIME } from '../../../lib/insights/windows.ts';
import { newUsage } from '../../../lib/store/usage.ts';
import { watchedReads } from '../../support/faults/faulty-table.ts';
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
const fine = { segmentWeight: 250, factsAtOnce: 20 };
const HOUR = 3600;
const EVERYTHING = { from: ALL_TIME.min, to: ALL_TIME.max, kinds: ['cases', 'sessions'] } as const;

/** The entry of a settled segment of 40,000 facts in one hour. */
const segmentAt = (hour: number): NewSegment => ({
  ...{ id: 1_000_000 + hour, parts: 1, kind: 'cases', settled: true, version: 3, rows: 2500, facts: 40_000 },
  ...{ weight: 500_000, superseded: 0, start: hour * HOUR, end: hour * HOUR + HOUR - 1 },
  ...{ low: { second: hour * HOUR, hash: 1 }, high: { second: hour * HOUR + HOUR - 1, hash: 2 } },
});

const hours = (count: number, from = 0): NewSegment[] => Array.from({ length: count }, (_, at) => segmentAt(from + at));

/** Commits segments without rows: a manifest's length can be tried without their bytes. */
const commitOnly = (context: ReturnType<typeof freshHistory>, add: readonly NewSegment[], remove = add.slice(0, 0)) =>
  commit(context, openDraft(context), {
    ...{ shards: new Map(), add, discard: [] },
    remove: remove.map((segment) => ({ ...segment, born: 1 })),
  });

/** What a report on some hours reads of the table, beside the four parts of the tail. */
async function unitsOf(context: ReturnType<typeof freshHistory>, from: number, to: number): Promise<number> {
  const usage = newUsage();
  const reader = createHistoryReader({ cacheBytes: 1 });
  await reader.read({ ...context, table: table.metered(usage) }, { from, to, kinds: [] }, async () => undefined);
  return usage.readUnits;
}

it('names 2 billion facts in parts of 10,000 segments, of which a short report reads one', async () => {
  const context = freshHistory(table);
  const all = hours(50_000);
  for (let from = 0; from < all.length; from += 9000)
    expect(await commitOnly(context, all.slice(from, from + 9000))).toBeDefined();
  const whole = await readManifest(table, context.site.name);
  expect(whole.segments.reduce((sum, { facts }) => sum + facts, 0)).toBe(2_000_000_000);
  expect(new Set(whole.segments.map(({ id }) => id)).size).toBe(50_000);
  const item = await readManifestItem(table, context.site.name);
  expect([item.parts.length, item.segments.length]).toEqual([4, 10_000]);
  expect(await orphans(context)).toEqual(expect.not.arrayContaining([expect.stringContaining('manifest')]));
  const before = await unitsOf(context, HOUR * 49_999, HOUR * 50_000); // in the item itself
  const everything = await unitsOf(context, ALL_TIME.min, ALL_TIME.max);
  const ofPart = (everything - before) / 4; // the parts have the same size
  expect(ofPart).toBeGreaterThan(0);
  for (const part of [0, 1, 2, 3])
    expect(await unitsOf(context, HOUR * (part * 10_000 + 5000), HOUR * (part * 10_000 + 5001))).toBe(before + ofPart);
});

it('is one item of the bytes of before as long as it names 10,000 segments', async () => {
  const segments = [1, 2, 3].map((hour) => ({ ...segmentAt(hour), born: 1 }));
  const bytes = encodeManifest({ ...EMPTY_MANIFEST, segments });
  const before = '317daf8519a2ed9dd2aa0087425ab980f2478a8e740ad9733e333730459c04a3'; // of the version without parts
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(before);
  const context = freshHistory(table);
  await commitOnly(context, hours(PART_SEGMENTS));
  const usage = newUsage();
  await readManifest(table.metered(usage), context.site.name);
  expect(usage.trips).toBe(1);
  expect((await readManifestItem(table, context.site.name)).parts).toEqual([]);
});

it('grows over the bound and back, and keeps the parts of which no segment has gone', async () => {
  const context = freshHistory(table);
  const partsNow = async () => (await readManifestItem(table, context.site.name)).parts.map(({ id }) => id);
  await commitOnly(context, hours(PART_SEGMENTS * 2));
  const [first, ...none] = await partsNow();
  expect([first, none]).toEqual([expect.any(Number), []]);
  await commitOnly(context, hours(1, PART_SEGMENTS * 2));
  const grown = await partsNow();
  expect([grown.length, grown[0]]).toEqual([2, first]);
  await commitOnly(context, [], [segmentAt(3)]);
  expect(await partsNow()).toEqual([grown[1]]); // the item has the others of the first
  expect(await readManifest(table, context.site.name)).toMatchObject({ segments: { length: PART_SEGMENTS * 2 } });
  await commitOnly(context, [], hours(PART_SEGMENTS + 1, PART_SEGMENTS));
  expect(await partsNow()).toEqual([]);
  expect((await readManifest(table, context.site.name)).segments.map(({ id }) => id)).not.toContain(1_000_003);
});

it('in parts gives the rows and the segments of a manifest in one item', async () => {
  const events = manyEvents();
  const [whole, parts] = [freshHistory(table), freshHistory(table, 8)];
  for (const context of [whole, parts]) {
    await loadEvents(context, events.slice(0, 3000));
    await compact(context, fine);
    await loadEvents(context, events.slice(3000));
  }
  expect((await readManifestItem(table, parts.site.name)).parts.length).toBeGreaterThan(10);
  const [from, to] = [1_710_000_000, 1_710_500_000];
  expect(await readRows(parts)).toEqual(expectedRows(events));
  expect(await readRows(parts, { from, to })).toEqual(await readRows(whole, { from, to }));
  for (const context of [whole, parts]) await compact(context, fine);
  expect(await storedSegments(parts)).toEqual(await storedSegments(whole));
  parts.now += GRACE_MS + 1;
  await compact(parts, fine);
  expect(await orphans(parts)).toEqual([]);
});

it.each([
  ['a report', (context: HistoryContext) => readRows(context)],
  ['the size of one', (context: HistoryContext) => createHistoryReader({ cacheBytes: 1 }).sizeOf(context, EVERYTHING)],
  ['a commit', (context: HistoryContext) => readManifest(context.table, context.site.name)],
])('is read again for %s where a part was swept since its item was read', async (_, read) => {
  const events = manyEvents().slice(0, 400);
  const context = freshHistory(table, 4);
  await loadEvents(context, events.slice(0, 300));
  await compact(context, fine);
  let reads = 0;
  const meanwhile = async (): Promise<void> => {
    reads += 1;
    if (reads > 1) return;
    const before = await readManifestItem(table, context.site.name);
    await loadEvents(context, events.slice(300));
    await compact(context, fine);
    context.now += GRACE_MS + 1;
    await compact(context, fine);
    const after = await readManifestItem(table, context.site.name);
    expect(before.parts.filter(({ id }) => !after.parts.some((part) => part.id === id))).not.toEqual([]);
    expect(await orphans(context)).toEqual([]);
  };
  const found = await read({ ...context, table: watchedReads(table, meanwhile) });
  expect(reads).toBeGreaterThan(1);
  expect(found).toEqual(await read(context));
  expect(await readRows(context)).toEqual(expectedRows(events));
});
