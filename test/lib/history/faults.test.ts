import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import type { CaseEvent, HistoryEvent } from '../../../lib/history/cases/event.ts';
import { compact } from '../../../lib/history/compact.ts';
import { GRACE_MS, sweep } from '../../../lib/history/compaction/sweep.ts';
import { ingest } from '../../../lib/history/live.ts';
import { mergeEvents } from '../../../lib/history/merge.ts';
import { readSources } from '../../../lib/history/sources.ts';
import { CLAIM_MS } from '../../../lib/history/storage/draft.ts';
import { removeSource } from '../../../lib/history/take-back.ts';
import { deafTable, dyingTable, Killed, slowTable, strikes } from '../../support/faults/faulty-table.ts';
import { arbitraryVersions } from '../../support/generators/arbitrary-versions.ts';
import { STRIDE, some, tries } from '../../support/generators/depth.ts';
import { arbitraryHistory } from '../../support/generators/histories.ts';
import {
  expectedRows,
  freshHistory,
  ingestEvents,
  loadEvents,
  manyEvents,
  manyVersions,
  orphans,
  readRows,
  refused,
  storedSegments,
} from '../../support/generators/history.ts';
import { ownProgram } from '../../support/service/own-program.ts';
import { freshTable } from '../../support/service/table.ts';

const table = await freshTable();
type History = ReturnType<typeof freshHistory>;

const fine = { segmentWeight: 250, factsAtOnce: 20 };
const LEASE_MS = 10 * 60_000;

/** The ways that a history changes. */
const WAYS = {
  file: async (context: History, part: readonly HistoryEvent[]) => void (await loadEvents(context, part)),
  live: ingestEvents,
  fold: async (context: History) => void (await mergeEvents(context, new Map(), { wholeTail: true })),
  compact: async (context: History) => void (await compact(context, fine)),
};
/** Those and the sweep of what they replaced. */
const STEPS = { ...WAYS, sweep: async (context: History) => sweep(context) };

/** A history of two parts: the first in a file, the second still to come, waiting in the tail, loaded too, or replaced and to be swept. */
async function prepared(
  [how, manifestPart]: readonly [keyof typeof STEPS, number | undefined],
  first: readonly HistoryEvent[],
  second: readonly HistoryEvent[],
) {
  const context = freshHistory(table, manifestPart);
  await loadEvents(context, first);
  if (how === 'file' || how === 'live') return context;
  await (how === 'compact' ? WAYS.file : WAYS.live)(context, second);
  if (how === 'sweep') await compact(context, fine);
  context.now += GRACE_MS;
  return context;
}

/** What a source says of some cases at a time, a mark of a case without events among it. */
const versionOf = (events: readonly CaseEvent[], at: number): HistoryEvent[] => {
  const origin = { source: 'export', as_of: [at] };
  const mark: HistoryEvent = {
    type: 'case.version',
    id: '',
    at: 0,
    case: events[at]!.case,
    source: 'export',
    as_of: [at + 1],
  };
  return [mark, ...events.map((event) => ({ ...event, ...origin }))];
};

const way = fc.constantFrom(...(Object.keys(WAYS) as (keyof typeof WAYS)[]));

describe('a history whose writer is killed', () => {
  it('ends in the same reports and segments, wherever the kill was, once the work is done again', async () => {
    const plans = fc.oneof(arbitraryHistory, arbitraryVersions).chain((events) =>
      fc.tuple(
        fc.constant(events),
        fc.array(fc.tuple(fc.shuffledSubarray(events), way, fc.integer({ min: 0, max: 12 })), {
          minLength: 1,
          maxLength: 6,
        }),
        fc.constantFrom(undefined, 1, 3),
      ),
    );
    const property = fc.asyncProperty(plans, async ([events, plan, manifestPart]) => {
      const context = freshHistory(table, manifestPart);
      const done = new Set<HistoryEvent>();
      for (const [part, how, writes] of plan) {
        await WAYS[how]({ ...context, table: dyingTable(table, writes) }, part).catch(killedOrRefused);
        context.now += LEASE_MS; // else a dead compactor's lease keeps the next one off
        const isTaken = await WAYS[how](context, part).then(() => true, refused);
        if (isTaken && (how === 'file' || how === 'live')) for (const event of part) done.add(event);
        expect(await readRows(context)).toEqual(expectedRows([...done]));
      }
      await loadEvents(context, events);
      await compact(context, fine);
      const straight = freshHistory(table);
      await loadEvents(straight, events);
      await compact(straight, fine);
      expect(await readRows(context)).toEqual(expectedRows(events));
      expect(await storedSegments(context)).toEqual(await storedSegments(straight));
      context.now += CLAIM_MS + GRACE_MS + LEASE_MS;
      await compact(context, fine);
      expect(await orphans(context)).toEqual([]);
    });
    await fc.assert(property, { numRuns: tries(8) });
  });

  const KINDS = [
    ...(['file', 'live', 'fold', 'compact', 'sweep'] as const).map((how) => ({ what: 'events', how })),
    ...(['file', 'live', 'fold', 'compact'] as const).map((how) => ({ what: 'versions', how })),
    ...(['file', 'fold', 'compact', 'sweep'] as const).map((how) => ({ what: 'events of a manifest in parts', how })),
  ] as const;
  describe.each([
    ['was killed before', dyingTable],
    ['heard nothing of', deafTable],
  ])('that %s any one of its writes', (_, faulty) => {
    it.each(some(KINDS, 2))('is whole once it does its $how of $what again', async ({ what, how }) => {
      const [first, second] =
        what !== 'versions'
          ? [manyEvents().slice(20, 26), manyEvents().slice(0, 6)]
          : [versionOf(manyEvents().slice(0, 6), 1), versionOf(manyEvents().slice(3, 7), 2)];
      const straight = freshHistory(table);
      await loadEvents(straight, [...first, ...second]);
      await compact(straight, fine);
      const [rows, segments] = [expectedRows([...first, ...second]), await storedSegments(straight)];
      const manifestPart = what === 'events of a manifest in parts' ? 1 : undefined;
      let writes = 0;
      for (let struck = true; struck; writes += STRIDE) {
        const context = await prepared([how, manifestPart], first, second);
        struck = await strikes(() => STEPS[how]({ ...context, table: faulty(table, writes) }, second));
        context.now += LEASE_MS;
        await STEPS[how](context, second);
        expect(await readRows(context)).toEqual(rows);
        await compact(context, fine);
        expect(await storedSegments(context)).toEqual(segments);
        context.now += CLAIM_MS + GRACE_MS + LEASE_MS;
        await compact(context, fine);
        expect(await orphans(context)).toEqual([]);
      }
      expect(writes).toBeGreaterThan(2);
    });
  });

  it('shows no half of what a killed load did not commit', async () => {
    const context = freshHistory(table);
    const [first, second] = fc.sample(arbitraryHistory, { numRuns: 2, seed: 3 }) as [HistoryEvent[], HistoryEvent[]];
    await loadEvents(context, first);
    const before = await readRows(context);
    const renamed = second.map((event) => ({ ...event, id: `x${event.id}` }));
    const after = expectedRows([...first, ...renamed]);
    for (let writes = 0; writes < 8; writes += 1) {
      await loadEvents({ ...context, table: dyingTable(table, writes) }, renamed).catch(onlyKilled);
      expect([before, after]).toContainEqual(await readRows(context));
    }
  });
});

describe('a history whose process is killed', () => {
  it.each([
    { what: 'events', waits: [10, 90, 200, 350, 550] },
    { what: 'versions', waits: [60, 300, 900] },
  ])('is whole once the same work on $what was done to its end', async ({ what, waits }) => {
    const context = freshHistory(table);
    const write = () =>
      spawn(
        process.execPath,
        [ownProgram('test/support/faults/history-writer.ts'), table.name, context.site.name, what],
        {
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      );
    for (const wait of waits) {
      const child = write();
      await once(child.stdout, 'data');
      await sleep(wait);
      child.kill('SIGKILL');
      await once(child, 'close');
    }
    context.now = Date.now() + LEASE_MS; // the dead one's lease
    const all: readonly HistoryEvent[] = what === 'versions' ? manyVersions() : manyEvents();
    if ((await readSources(context, ['calls']))[0]?.state === 'removing') await removeSource(context, 'calls');
    await loadEvents(context, all);
    expect(await readRows(context)).toEqual(expectedRows(all));
    await removeSource(context, 'calls');
    const events = all.filter(({ source }) => source !== 'calls');
    expect(await readRows(context)).toEqual(expectedRows(events));
    await compact(context);
    const straight = freshHistory(table);
    await loadEvents(straight, events);
    await compact(straight);
    expect(await storedSegments(context)).toEqual(await storedSegments(straight));
    context.now += CLAIM_MS + GRACE_MS + LEASE_MS;
    await compact(context);
    expect(await orphans(context)).toEqual([]);
  });
});

function killedOrRefused(error: unknown): void {
  if (!(error instanceof Killed)) refused(error);
}

function onlyKilled(error: unknown): void {
  if (!(error instanceof Killed)) throw error;
}

describe('a history under many hands', () => {
  it('counts every accepted event exactly once in every report meanwhile', async () => {
    const context = freshHistory(table);
    let seed = 42;
    const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
    const hand = (): History => ({ ...context, table: slowTable(table, random) });
    const message = (at: number): CaseEvent => ({
      type: 'interaction',
      id: `m${at}`,
      at: (1_760_000_000 + ((at * 7_919) % 100_000)) * 1_000_000,
      case: String(at % 5),
      direction: 'inbound',
    });
    const all = Array.from({ length: 60 }, (_, at) => message(at));
    let started = 0;
    let accepted = 0;
    let writing = true;
    const send = async (part: readonly CaseEvent[], how: 'live' | 'file'): Promise<void> => {
      started += part.length;
      await WAYS[how](hand(), part);
      accepted += part.length;
    };
    const writers = [0, 1].map(async (writer) => {
      for (let at = writer; at < 40; at += 2) await send([all[at]!], 'live');
    });
    const loader = (async () => {
      for (let at = 40; at < 60; at += 5) await send(all.slice(at, at + 5), 'file');
    })();
    const compactors = [0, 1].map(async () => {
      while (writing) await WAYS.compact(hand());
    });
    const readers = [0, 1].map(async () => {
      while (writing) {
        const atLeast = accepted;
        const rows = await readRows(hand());
        const counted = rows.reduce((sum, row) => sum + ('facts' in row ? row.facts.inbound.length : 0), 0);
        expect(counted).toBeGreaterThanOrEqual(atLeast);
        expect(counted).toBeLessThanOrEqual(started);
        expect(new Set(rows.map((row) => 'key' in row && row.key)).size).toBe(rows.length);
      }
    });
    await Promise.all([...writers, loader]);
    writing = false;
    await Promise.all([...compactors, ...readers]);
    await compact(context, fine);
    expect(await readRows(context)).toEqual(expectedRows(all));
  });

  it('takes one event once and refuses another with its id, though many bring both at once', async () => {
    const context = freshHistory(table);
    const event: CaseEvent = { type: 'note', id: 'n', at: 1_760_000_000_000_000, case: '1' };
    const other: CaseEvent = { type: 'case.deleted', id: 'n', at: 1_760_000_000_000_000, case: '1' };
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, place) => ingest(context, [place % 2 === 0 ? event : other])),
    );
    const counts = outcomes.flat().map(({ outcome }) => outcome);
    expect(counts.filter((outcome) => outcome === 'added').length).toBe(1);
    expect(counts.filter((outcome) => outcome === 'unchanged').length).toBe(3);
    expect(counts.filter((outcome) => outcome === 'conflict').length).toBe(4);
  });

  it('holds what the newest export says, though two importers bring several at once beside a removal', async () => {
    const context = freshHistory(table);
    let seed = 7;
    const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
    const hand = (): History => ({ ...context, table: slowTable(table, random) });
    const events = fc.sample(arbitraryVersions, { numRuns: 3, seed: 5 }).flat();
    const own = events.filter(({ source }) => source !== 'Ausfuhr');
    await loadEvents(
      context,
      events.filter(({ source }) => source === 'Ausfuhr'),
    );
    const half = Math.ceil(own.length / 2);
    await Promise.all([
      loadEvents(hand(), own.slice(0, half + 3)),
      loadEvents(hand(), own.slice(half)),
      ingest(hand(), own.slice(0, 5)),
      removeSource(hand(), 'Ausfuhr'),
    ]);
    expect(await readRows(context)).toEqual(expectedRows(own));
  });

  it('is loaded by two imports at once as by one after the other', async () => {
    const context = freshHistory(table);
    const events = fc.sample(arbitraryHistory, { numRuns: 1, seed: 11 })[0]!;
    const summaries = await Promise.all([loadEvents(context, events), loadEvents(context, events)]);
    expect(summaries.reduce((sum, { added }) => sum + added, 0)).toBe(events.length);
    expect(summaries.reduce((sum, { unchanged }) => sum + unchanged, 0)).toBe(events.length);
    expect(await readRows(context)).toEqual(expectedRows(events));
  });
});
