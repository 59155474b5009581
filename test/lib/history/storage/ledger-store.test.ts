import { compareEvents } from '../../../../lib/history/cases/case-history.ts';
import type { CaseEvent, HistoryEvent } from '../../../../lib/history/cases/event.ts';
import { type Subject, shardOf } from '../../../../lib/history/cases/subject.ts';
import { EMPTY_SHARD, type Shard } from '../../../../lib/history/storage/directory.ts';
import { openDraft } from '../../../../lib/history/storage/draft.ts';
import { readEvents, storeEvents } from '../../../../lib/history/storage/ledger-store.ts';
import { bySubject } from '../../../support/generators/by-subject.ts';
import { freshHistory } from '../../../support/generators/history.ts';
import { freshTable } from '../../../support/service/table.ts';

const table = await freshTable();
const SHARD = 5;

/** Subjects of one shard, from a number on. */
function subjects(count: number, from: number): Subject[] {
  const found: Subject[] = [];
  for (let key = from; found.length < count; key += 1) if (shardOf(`c${key}`) === SHARD) found.push(`c${key}`);
  return found;
}

const eventsOf = (cases: readonly Subject[], count: number, from = 0): CaseEvent[] =>
  cases.flatMap((subject, place) =>
    Array.from({ length: count }, (_, step): CaseEvent => {
      const at = (1_700_000_000 + place * 977 + (from + step) * 60) * 1_000_000;
      return { type: 'note', id: `n${from + step}`, at, case: subject.slice(1), agent: 1 + (place % 7) };
    }),
  );

/** Adds batches of events to an empty shard and gives the shards on the way. */
async function store(batches: readonly (readonly HistoryEvent[])[]) {
  const context = freshHistory(table);
  let shard: Shard = EMPTY_SHARD;
  const steps: Shard[] = [];
  for (const batch of batches) {
    const draft = openDraft(context);
    const entries = [...bySubject(batch)].map(([subject, events]) => ({ subject, events }));
    shard = (await storeEvents(context, draft, shard, { added: entries, bytes: new Map() }))!.shard;
    await draft.written();
    steps.push(shard);
  }
  const all = bySubject(batches.flat());
  const known = await readEvents(context, shard, [...all.keys()]);
  return { shard, steps, all, known: known! };
}

/** Subjects and their events in a fixed order. */
const ordered = (known: ReadonlyMap<Subject, readonly HistoryEvent[]>) =>
  [...known].map(([subject, events]) => [subject, [...events].sort(compareEvents)] as const).sort();

const sizes = (blobs: readonly { readonly events: number }[]): number =>
  blobs.reduce((sum, { events }) => sum + events, 0);

describe('the ledger of a shard', () => {
  it('spreads many events over leaves of bounded size that share the hashes', async () => {
    const cases = subjects(1_500, 1);
    const { shard, all, known } = await store([eventsOf(cases, 8), eventsOf(subjects(900, 500_000), 6)]);
    expect(ordered(known)).toEqual(ordered(all));
    expect(sizes(shard.leaves) + sizes(shard.runs)).toBe(1_500 * 8 + 900 * 6);
    expect(shard.leaves.length).toBeGreaterThan(3);
    for (const { events } of shard.leaves) expect(events).toBeLessThanOrEqual(4_096 + 8);
    const froms = shard.leaves.map(({ from }) => from);
    expect([...new Set(froms)].sort((a, b) => a - b)).toEqual(froms);
  });

  it('keeps a few events beside the leaves, and few such runs', async () => {
    const cases = subjects(800, 1);
    const drops = Array.from({ length: 12 }, (_, step) => eventsOf(cases.slice(step * 3, step * 3 + 40), 1, 10 + step));
    const { shard, steps, all, known } = await store([eventsOf(cases, 8), ...drops]);
    expect(ordered(known)).toEqual(ordered(all));
    expect(shard.leaves).toEqual(steps[0]!.leaves);
    for (const { runs } of steps) expect(runs.length).toBeLessThanOrEqual(8);
  });

  it('writes no large run again for small ones, and each event a few times', async () => {
    const cases = subjects(800, 1);
    const large = eventsOf(cases, 6, 40);
    const drops = Array.from({ length: 60 }, (_, step) => eventsOf(cases.slice(step, step + 20), 1, 100 + step));
    const { shard, steps, all, known } = await store([eventsOf(cases, 32), large, ...drops]);
    expect(ordered(known)).toEqual(ordered(all));
    const [, second] = steps;
    expect(second?.runs.length).toBeGreaterThan(1); // cut by hash
    expect(shard.runs.slice(0, second?.runs.length)).toEqual(second?.runs);
    expect(shard.leaves).toEqual(second?.leaves);
    const written = steps.slice(2).map(({ runs }, step) => {
      const before = new Set(steps[step + 1]?.runs.map(({ id }) => id));
      return sizes(runs.filter(({ id }) => !before.has(id)));
    });
    expect(written.reduce((sum, events) => sum + events)).toBeLessThan(5 * 60 * 20);
    for (const { runs } of steps.slice(2)) expect(runs.length).toBeLessThanOrEqual(10);
  });

  it('takes the runs into the leaves once they hold a quarter of the shard', async () => {
    const cases = subjects(1_200, 1);
    const drops = Array.from({ length: 5 }, (_, step) => eventsOf(cases, 1, 20 + step));
    const { shard, all, known } = await store([eventsOf(cases, 16), ...drops]);
    expect(ordered(known)).toEqual(ordered(all));
    expect(shard.runs.length).toBeLessThan(4);
    expect(sizes(shard.leaves)).toBeGreaterThan(1_200 * 16);
  });
});
