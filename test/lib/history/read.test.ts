import * as fc from 'fast-check';
import { ALL_FACT_KINDS } from '../../../lib/history/cases/case-row.ts';
import type { CaseEvent, HistoryEvent } from '../../../lib/history/cases/event.ts';
import { compact } from '../../../lib/history/compact.ts';
import { ingest } from '../../../lib/history/live.ts';
import { mergeEvents } from '../../../lib/history/merge.ts';
import { createHistoryReader, type LiveSegment } from '../../../lib/history/read.ts';
import type { HistoryRow } from '../../../lib/history/segments/history-row.ts';
import { openSegment } from '../../../lib/history/segments/segment.ts';
import { readManifest } from '../../../lib/history/storage/commit.ts';
import { TAIL_PARTS } from '../../../lib/history/storage/tail.ts';
import { newUsage } from '../../../lib/store/usage.ts';
import { allSegments } from '../../support/generators/all-segments.ts';
import { tries } from '../../support/generators/depth.ts';
import { arbitraryHistory } from '../../support/generators/histories.ts';
import { expectedRows, freshHistory, loadEvents, readRows } from '../../support/generators/history.ts';
import { freshTable } from '../../support/service/table.ts';

const table = await freshTable();

/** What rows count between two seconds, both inclusive, as lines in a fixed order. */
function counted(rows: readonly HistoryRow[], from: number, to: number): string[] {
  const lines = rows.flatMap((row) =>
    'sessions' in row
      ? row.sessions
          .filter((session) => session.from <= to && session.to > from)
          .map((session) => JSON.stringify([row.agent, session]))
      : ALL_FACT_KINDS.flatMap((kind) =>
          row.facts[kind]
            .filter(({ second, value }) => second <= to && (kind === 'handle' ? second + value > from : second >= from))
            .map((fact) => JSON.stringify([row.key, row.attributes, kind, fact])),
        ),
  );
  return lines.sort();
}

/** A second at or beside one in which something happens. */
const near = (events: readonly HistoryEvent[]): fc.Arbitrary<number> =>
  fc
    .tuple(fc.constantFrom(0, ...events.map(({ at }) => Math.floor(at / 1_000_000))), fc.integer({ min: -1, max: 1 }))
    .map(([second, beside]) => Math.max(0, second + beside));

describe('a report on a part of a history', () => {
  it('sees all that happened in its time, though it leaves out segments', async () => {
    const ways = arbitraryHistory.chain((events) =>
      fc.record({
        events: fc.constant(events),
        plan: fc.array(fc.tuple(fc.shuffledSubarray(events), fc.constantFrom('live', 'file', 'compact')), {
          maxLength: 4,
        }),
        ranges: fc.array(fc.tuple(near(events), near(events)), { minLength: 3, maxLength: 3 }),
        manifestPart: fc.constantFrom(undefined, 1, 3),
      }),
    );
    const property = fc.asyncProperty(ways, async ({ events, plan, ranges, manifestPart }) => {
      const context = freshHistory(table, manifestPart);
      const seen = new Set<(typeof events)[number]>();
      for (const [part, way] of [...plan, [events.slice(3), 'file'] as const]) {
        if (way === 'compact') await compact(context, { segmentWeight: 250 });
        else for (const event of part) seen.add(event);
        if (way === 'live') await ingest(context, part);
        if (way === 'file') for (const event of part) await loadEvents(context, [event]);
      }
      const all = expectedRows([...seen]);
      for (const pair of ranges) {
        const [from, to] = [Math.min(...pair), Math.max(...pair)];
        expect(counted(await readRows(context, { from, to }), from, to)).toEqual(counted(all, from, to));
      }
    });
    await fc.assert(property, { numRuns: tries(8) });
  });

  it('sees that a late event took a fact away from its time', async () => {
    const context = freshHistory(table);
    const at = (second: number): number => (1_760_000_000 + second) * 1_000_000;
    const opened: CaseEvent = { type: 'case.created', id: 'a', at: at(0), case: '1' };
    const resolved: CaseEvent = { type: 'case.status', id: 'b', at: at(1_000), case: '1', to: 'resolved' };
    await loadEvents(context, [opened, resolved]);
    await loadEvents(context, [{ ...resolved, id: 'c', at: at(500), to: 'closed' }]);
    const [from, to] = [1_760_000_900, 1_760_001_100];
    expect(counted(await readRows(context, { from, to }), from, to)).toEqual([]);
  });

  it('misses no event that was folded since the version it was asked for', async () => {
    const context = freshHistory(table);
    const at = 1_760_000_000_000_000;
    await loadEvents(context, [{ type: 'case.created', id: 'a', at, case: '1' }]);
    const reader = createHistoryReader({ cacheBytes: 1e6 });
    const all = { from: 0, to: 8e9, kinds: ['cases'] } as const;
    const version = await reader.read(context, all, async ({ version }) => version);
    await ingest(context, [{ type: 'case.created', id: 'b', at, case: '2' }]);
    await mergeEvents(context, new Map(), { wholeTail: true });
    const segments = await reader.read(context, { ...all, version }, allSegments);
    expect(segments.length).toBe(2);
  });

  it('reads no segment that cannot hold its time', async () => {
    const context = freshHistory(table);
    const at = (day: number): number => (1_760_000_000 + day * 86_400) * 1_000_000;
    for (const day of [0, 10, 20]) {
      await loadEvents(context, [{ type: 'case.created', id: 'a', at: at(day), case: String(day) }]);
    }
    const reader = createHistoryReader({ cacheBytes: 1e6 });
    const range = { from: at(9) / 1_000_000, to: at(11) / 1_000_000 };
    const kinds = ['cases', 'sessions'] as const;
    const segments = await reader.read(context, { ...range, kinds }, allSegments);
    expect(segments.length).toBe(1);
  });
});

describe('reading ahead', () => {
  const all = { from: 0, to: 8e9, kinds: ['cases', 'sessions'] } as const;
  const never = new AbortController().signal;

  const rowsIn = (segments: readonly LiveSegment[]): number =>
    segments.reduce((sum, { columns, dead }) => sum + openSegment(columns).head.rows - dead.length, 0);

  /** A history of so many cases in at least half as many segments, and what is asked of the table. */
  async function segmented(cases: number) {
    const usage = newUsage();
    const context = { ...freshHistory(table), table: table.metered(usage) };
    const at = (day: number): number => (1_760_000_000 + day * 86_400) * 1_000_000;
    const days = Array.from({ length: cases }, (_, day) => day);
    await loadEvents(
      context,
      days.map((day) => ({ type: 'case.created', id: 'a', at: at(day), case: String(day) })),
    );
    await loadEvents(context, [{ type: 'case.deleted', id: 'b', at: at(cases), case: '0' }]); // something to fold
    await compact(context, { segmentWeight: 1 });
    expect((await readManifest(table, context.site.name)).segments.length).toBeGreaterThan(cases / 2);
    const tripsOf = async (work: Promise<unknown>): Promise<number> => {
      const before = usage.trips;
      await work;
      return usage.trips - before;
    };
    return { context, tripsOf };
  }

  it('leaves a report no segment to read', async () => {
    const { context, tripsOf } = await segmented(30);
    const reader = createHistoryReader({ cacheBytes: 1e6 });
    await reader.readAhead(context, never);
    const first = await tripsOf(reader.read(context, all, allSegments));
    expect(await tripsOf(reader.read(context, all, allSegments))).toBe(first);
    expect(rowsIn(await reader.read(context, all, allSegments))).toBe(30);
  });

  it.each([
    ['is told so', { cacheBytes: 1e6 }, AbortSignal.abort()],
    ['memory is full', { cacheBytes: 4_000 }, never],
  ])('ends when %s', async (_, size, ending) => {
    const { context, tripsOf } = await segmented(60);
    const whole = await tripsOf(createHistoryReader({ cacheBytes: 1e6 }).readAhead(context, never));
    expect(await tripsOf(createHistoryReader(size).readAhead(context, ending))).toBeLessThan(whole);
  });

  it('makes way for a report, which sees the same as without it', async () => {
    const { context, tripsOf } = await segmented(60);
    const reader = createHistoryReader({ cacheBytes: 1e6 });
    const ahead = reader.readAhead(context, never);
    expect(rowsIn(await reader.read(context, all, allSegments))).toBe(60);
    expect([await ahead, await reader.readAhead(context, never)]).toEqual([false, true]);
    const whole = await tripsOf(createHistoryReader({ cacheBytes: 1e6 }).readAhead(context, never));
    const late = createHistoryReader({ cacheBytes: 1e6 });
    const trips = await tripsOf(Promise.all([late.readAhead(context, never), late.read(context, all, async () => 0)]));
    expect(trips).toBeLessThan(whole + TAIL_PARTS);
  });

  it('goes on beside compactions that take its segments away', async () => {
    const { context } = await segmented(30);
    const reader = createHistoryReader({ cacheBytes: 1e6 });
    await Promise.all([reader.readAhead(context, never), compact(context)]);
    expect(rowsIn(await reader.read(context, all, allSegments))).toBe(30);
  });
});
