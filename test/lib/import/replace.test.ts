import * as fc from 'fast-check';
import type { HistoryEvent } from '../../../lib/history/cases/event.ts';
import { compact } from '../../../lib/history/compact.ts';
import { ingest } from '../../../lib/history/live.ts';
import { walkLedger } from '../../../lib/history/rewrite.ts';
import { readSources } from '../../../lib/history/sources.ts';
import { readManifest } from '../../../lib/history/storage/commit.ts';
import { adoptSource, listContents, removeSource } from '../../../lib/history/take-back.ts';
import { parseMapping } from '../../../lib/import/mapping/parse-mapping.ts';
import { openOriginAssigner } from '../../../lib/import/origin-assigner.ts';
import { dyingTable, Killed } from '../../support/faults/faulty-table.ts';
import { arbitraryVersions } from '../../support/generators/arbitrary-versions.ts';
import { tries } from '../../support/generators/depth.ts';
import {
  expectedRows,
  freshHistory,
  loadBatches,
  loadEvents,
  readRows,
  storedSegments,
} from '../../support/generators/history.ts';
import { bytesOf, readMappedBytes } from '../../support/generators/read-rows.ts';
import { freshTable } from '../../support/service/table.ts';

const table = await freshTable();
const AT = 1_760_000_000_000_000;
const fine = { segmentWeight: 250, factsAtOnce: 20 };

const created = (key: number, more: object = {}): HistoryEvent =>
  ({ type: 'case.created', id: 'c', at: AT + key * 1_000_000, case: String(key), ...more }) as HistoryEvent;
const note = (key: number, id: string, more: object = {}): HistoryEvent =>
  ({ type: 'interaction', direction: 'inbound', id, at: AT + 60_000_000, case: String(key), ...more }) as HistoryEvent;

const ACTIVITIES = parseMapping(
  JSON.stringify({
    ...{ kind: 'activities', time: { format: 'epoch_seconds' }, case: 'case', at: 'at', activity: 'what' },
    ...{ activities: { made: [{ type: 'case.status', to: { value: 'open' } }] }, otherwise: 'ignore' },
  }),
  'map.json',
);
const export_ = { source: 'export', isChosen: true, replaces: true } as const;
const keysOf = async (context: ReturnType<typeof freshHistory>) =>
  (await readRows(context)).map((row) => 'key' in row && row.key).sort();

describe('an import that replaces', () => {
  it('puts what it says of a case in the place of what its source said, and tells what became of each event', async () => {
    const context = freshHistory(table);
    await loadEvents(context, [created(1), note(1, 'a'), note(1, 'b'), created(2)], { origin: export_ });
    const second = [created(1), note(1, 'a', { at: AT + 90_000_000 }), note(1, 'x'), created(2)];
    const summary = await loadEvents(context, second, { origin: export_ });
    expect(summary).toMatchObject({ added: 1, replaced: 1, unchanged: 2, removed: 1, superseded: 0 });
    expect(await readRows(context)).toEqual(expectedRows(second));
  });

  it('changes nothing where the cases come to the same events', async () => {
    const context = freshHistory(table);
    await loadEvents(context, [created(1), note(1, 'a'), created(2)], { origin: export_ });
    const before = await readManifest(table, context.site.name);
    context.now += 1000;
    const again = await loadEvents(context, [created(2), note(1, 'a'), created(1)], { origin: export_ });
    expect(again).toMatchObject({ added: 0, unchanged: 3, removed: 0 });
    expect(await readManifest(table, context.site.name)).toEqual(before);
  });

  it('lets a newer export win, whenever it comes, and a corrected mapping of the same export', async () => {
    const origin = (day: number) => ({ ...export_, asOf: AT + day });
    const context = freshHistory(table);
    await loadEvents(context, [created(1, { channel: 2 })], { origin: origin(2) });
    const old = await loadEvents(context, [created(1, { channel: 1 })], { origin: origin(1) });
    expect(old).toMatchObject({ superseded: 1, added: 0, replaced: 0 });
    await loadEvents(context, [created(1, { channel: 3 })], { origin: origin(2) });
    expect(await readRows(context)).toEqual(expectedRows([created(1, { channel: 3 })]));
  });

  it('keeps a case of which a row is rejected, and takes nothing away then', async () => {
    const context = freshHistory(table);
    const first = [created(1), created(2), created(3)];
    await loadEvents(context, first, { origin: export_ });
    const origin = { ...export_, isComplete: true };
    async function* rows() {
      yield [
        { line: 1, reason: 'wrong', case: '1' },
        { line: 2, records: [created(1, { channel: 9 })] },
        { line: 3, records: [created(2, { channel: 9 })] },
      ];
    }
    expect(await loadBatches(context, rows(), { origin })).toMatchObject({ completed: false, replaced: 1 });
    expect(await readRows(context)).toEqual(expectedRows([created(1), created(2, { channel: 9 }), created(3)]));
  });

  it('brings back a case that a wrong export took away, and an older export does not', async () => {
    const context = freshHistory(table);
    const dated = (key: number, day: number) => created(key, { as_of: [AT + day] });
    const load = (events: readonly HistoryEvent[]) => {
      context.now += 1000;
      return loadEvents(context, events, { origin: { ...export_, isComplete: true } });
    };
    await load([dated(1, 4), dated(2, 3)]);
    expect(await load([dated(1, 4)])).toMatchObject({ removed: 1 });
    expect(await keysOf(context)).toEqual(['1']);
    expect(await load([dated(1, 4), dated(2, 3)])).toMatchObject({ added: 1 });
    expect(await keysOf(context)).toEqual(['1', '2']);
    expect(await load([dated(1, 9)])).toMatchObject({ removed: 1 });
    expect(await load([dated(1, 4), dated(2, 3)])).toMatchObject({ added: 0, superseded: 2 });
    expect(await keysOf(context)).toEqual(['1']);
  });

  it('takes away what a case had whose rows all mean nothing now, and an older export does not bring it back', async () => {
    const context = freshHistory(table);
    const load = (day: number, rows: readonly string[], more: object = {}) => {
      const { batches } = readMappedBytes(bytesOf(['case,at,what', ...rows].join('\n')), ACTIVITIES);
      return loadBatches(context, batches, { origin: { ...export_, asOf: AT + day, ...more } });
    };
    await load(1, ['1,100,made', '2,100,made', '3,100,made', '4,100,made']);
    expect(await load(3, ['1,100,made', '2,100,other', '2,200,other', '3,100,other', '3,never,made'])).toMatchObject({
      ...{ read: 1, unchanged: 1, removed: 1, added: 0, superseded: 0 },
    });
    expect(await keysOf(context)).toEqual(['1', '3', '4']); // of case 3 a row was refused, of case 4 nothing is said
    expect(await load(2, ['2,100,made'])).toMatchObject({ superseded: 1, added: 0 });
    expect(await keysOf(context)).toEqual(['1', '3', '4']);
    const before = await readManifest(table, context.site.name);
    expect(await load(3, ['2,100,other'])).toMatchObject({ read: 0, removed: 0 });
    expect(await readManifest(table, context.site.name)).toEqual(before);
    expect(await load(4, ['2,100,made'])).toMatchObject({ added: 1 });
    expect(await load(5, ['2,100,other', '5,100,made'], { isComplete: true })).toMatchObject({ removed: 4 });
    expect(await keysOf(context)).toEqual(['5']);
  });

  it('adds no mark where it is a log', async () => {
    const context = freshHistory(table);
    const { batches } = readMappedBytes(bytesOf('case,at,what\n1,100,made\n2,100,other'), ACTIVITIES);
    await loadBatches(context, batches, { origin: { ...export_, replaces: false } });
    const known: unknown[] = [];
    for await (const leaf of walkLedger(context)) known.push(...leaf.keys());
    expect(known).toEqual(['c1']);
  });

  it('takes away once more what an older complete file brought after a newer one that the site took first', async () => {
    const context = freshHistory(table);
    const origin = (day: number) => ({ ...export_, asOf: AT + day, isComplete: true });
    await loadEvents(context, [created(1)], { origin: origin(2) });
    expect(await loadEvents(context, [created(1), created(2)], { origin: origin(1) })).toMatchObject({ added: 1 });
    expect(await keysOf(context)).toEqual(['1', '2']);
    await loadEvents(context, [created(1)], { origin: origin(2) });
    expect(await readRows(context)).toEqual(expectedRows([created(1)]));
    expect(await loadEvents(context, [created(2)], { origin: origin(1) })).toMatchObject({ superseded: 1, added: 0 });
  });

  it('takes away the cases that a complete file lacks, and an old export does not bring them back', async () => {
    const context = freshHistory(table);
    const origin = (day: number) => ({ ...export_, asOf: AT + day, isComplete: true });
    await loadEvents(context, [created(1), created(2)], { origin: origin(1) });
    expect(await loadEvents(context, [created(1)], { origin: origin(3) })).toMatchObject({
      completed: true,
      removed: 1,
    });
    expect(await keysOf(context)).toEqual(['1']);
    expect(await loadEvents(context, [], { origin: origin(4) })).toMatchObject({ completed: false });
    expect(await loadEvents(context, [created(2)], { origin: { ...export_, asOf: AT + 2 } })).toMatchObject({
      superseded: 1,
    });
    expect(await keysOf(context)).toEqual(['1']);
  });
});

describe('a file', () => {
  it('whose cases another source holds needs a chosen source', async () => {
    const context = freshHistory(table);
    await loadEvents(context, [created(1)]);
    const origin = { source: 'csv', isChosen: false, replaces: true };
    await expect(loadEvents(context, [created(1)], { origin })).rejects.toThrow(
      'Case 1 was imported before without a source',
    );
    await loadEvents(context, [created(2)], { origin });
    await expect(loadEvents(context, [note(2, 'x')])).rejects.toThrow(
      "Case 2 was imported before from the source csv: choose this file's source with --source.",
    );
    expect(await loadEvents(context, [created(1)], { origin: { ...origin, isChosen: true } })).toMatchObject({
      added: 1,
    });
    expect(await readRows(context)).toEqual(expectedRows([created(1), created(2)]));
  });

  it.each([true, false])('needs it again after it was refused (replaces: %s)', async (replaces) => {
    const context = freshHistory(table);
    await loadEvents(context, [created(1)]);
    const origin = { source: 'csv', isChosen: false, replaces };
    for (let attempt = 0; attempt < 2; attempt += 1)
      await expect(loadEvents(context, [created(1)], { origin })).rejects.toThrow(
        'Case 1 was imported before without a source',
      );
    await loadEvents(context, [created(2)], { origin });
    await loadEvents(context, [created(1), created(2)], { origin }); // the source is known now
    expect(await readRows(context)).toEqual(expectedRows([created(1), created(2)]));
  });
});

describe('a source', () => {
  it('is a log or has versions, never both', async () => {
    const context = freshHistory(table);
    await loadEvents(context, [created(1)], { origin: export_ });
    await expect(loadEvents(context, [created(1)], { origin: { ...export_, replaces: false } })).rejects.toThrow(
      'source: "export" has versions, so as_of is needed: add --replace',
    );
    expect(await ingest(context, [note(1, 'x', { source: 'export' })])).toEqual([
      { outcome: 'refused', reason: 'source: "export" has versions, so as_of is needed' },
    ]);
    expect(
      await ingest(context, [note(1, 'x', { source: 'log' }), note(1, 'y', { source: 'log', as_of: [1] })]),
    ).toEqual([
      { outcome: 'added' },
      { outcome: 'refused', reason: 'source: "log" is a log, so its events have no as_of' },
    ]);
  });

  it('is not listed, and may still become a log, while imports of it stored nothing', async () => {
    const context = freshHistory(table);
    await loadEvents(context, [created(1)]);
    const refused = { source: 'csv', isChosen: false, replaces: true };
    await expect(loadEvents(context, [created(1)], { origin: refused })).rejects.toThrow('was imported before');
    expect((await listContents(context)).map(({ source }) => source)).toEqual([null]);
    await loadEvents(context, [created(2)], { origin: { ...refused, replaces: false } });
    expect(await listContents(context)).toMatchObject([{ source: null }, { source: 'csv', kind: 'log', cases: 1 }]);
    await expect(loadEvents(context, [created(2)], { origin: refused })).rejects.toThrow('is a log');
  });

  it('keeps its kind against an import that began before it had one', async () => {
    const context = freshHistory(table);
    const versioned = { source: 'csv', isChosen: true, replaces: true };
    const placing = await openOriginAssigner(context, versioned, () => undefined);
    await loadEvents(context, [created(1)], { origin: { ...versioned, replaces: false } });
    await expect(placing.assign(new Map())).rejects.toThrow('source: "csv" is a log, so its events have no as_of');
  });

  it('is listed, and taken away with its marks', async () => {
    const context = freshHistory(table);
    await loadEvents(context, [created(3)], { origin: export_ });
    context.now += 1000;
    const complete = { ...export_, isComplete: true }; // of case 3 a mark stays
    await loadEvents(context, [created(1), note(1, 'a'), created(2)], { origin: complete });
    await ingest(context, [note(1, 'm', { source: 'mail' }), note(2, 'n')]);
    expect(await listContents(context)).toMatchObject([
      { source: null, kind: 'log', cases: 1, events: 1 },
      { source: 'export', kind: 'versioned', cases: 2, events: 3, first: AT + 1_000_000 },
      { source: 'mail', kind: 'log', cases: 1, events: 1 },
    ]);
    expect(await removeSource(context, 'export')).toBe(2);
    expect(await removeSource(context, 'export')).toBeUndefined();
    expect(await readRows(context)).toEqual(expectedRows([note(1, 'm', { source: 'mail' }), note(2, 'n')]));
    await loadEvents(context, [created(1)], { origin: { ...export_, asOf: 1 } });
    expect(await keysOf(context)).toEqual(['1', '2']);
  });

  it('takes what had none, once', async () => {
    const context = freshHistory(table);
    const events = [created(1), note(1, 'a'), note(2, 'b', { source: 'mail' })];
    await loadEvents(context, events);
    const rows = await readRows(context);
    expect(await adoptSource(context, 'old')).toBe(1);
    expect(await readRows(context)).toEqual(rows);
    expect((await listContents(context)).map(({ source, events }) => [source, events])).toEqual([
      ['mail', 1],
      ['old', 2],
    ]);
    expect(await adoptSource(context, 'old')).toBe(0);
    expect(
      await loadEvents(context, [created(1)], { origin: { source: 'old', isChosen: false, replaces: false } }),
    ).toMatchObject({
      unchanged: 1,
    });
  });

  it('leaves what others brought, to the byte, wherever its removal is killed', async () => {
    const property = fc.asyncProperty(arbitraryVersions, fc.nat(40), async (events, writes) => {
      const context = freshHistory(table);
      await loadEvents(context, events);
      const killed = { ...context, table: dyingTable(table, writes) };
      await removeSource(killed, 'export').catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error;
      });
      const [note] = await readSources(context, ['export']);
      if (note?.state === 'removing') {
        const again = await loadEvents(
          context,
          events.filter(({ source }) => source === 'export'),
        );
        expect(again.added).toBe(0);
      }
      await removeSource(context, 'export');
      const rest = events.filter(({ source }) => source !== 'export');
      context.now += 11 * 60_000;
      await compact(context, fine);
      const straight = freshHistory(table);
      await loadEvents(straight, rest);
      await compact(straight, fine);
      expect(await readRows(context)).toEqual(expectedRows(rest));
      expect(await storedSegments(context)).toEqual(await storedSegments(straight));
    });
    await fc.assert(property, { numRuns: tries(6, 1 / 4), endOnFailure: true });
  });
});
