import * as fc from 'fast-check';
import type { HistoryEvent } from '../../../lib/history/cases/event.ts';
import { compact } from '../../../lib/history/compact.ts';
import { ingest } from '../../../lib/history/live.ts';
import { forgetImports, listSources } from '../../../lib/history/sources.ts';
import { listContents } from '../../../lib/history/take-back.ts';
import { isForgotten, undoImport, undoPlan } from '../../../lib/history/undo.ts';
import { dyingTable, Killed } from '../../support/faults/faulty-table.ts';
import { arbitraryVersions } from '../../support/generators/arbitrary-versions.ts';
import { tries } from '../../support/generators/depth.ts';
import {
  expectedRows,
  freshHistory,
  loadEvents,
  orphans,
  readRows,
  storedSegments,
} from '../../support/generators/history.ts';
import { freshTable } from '../../support/service/table.ts';

const table = await freshTable();
const AT = 1_760_000_000_000_000;
const fine = { segmentWeight: 250, factsAtOnce: 20 };
const origin = { source: 'export', isChosen: true, replaces: true } as const;

const created = (key: number, more: object = {}): HistoryEvent =>
  ({ type: 'case.created', id: 'c', at: AT + key * 1_000_000, case: String(key), ...more }) as HistoryEvent;
const note = (key: number, id: string, more: object = {}): HistoryEvent =>
  ({ type: 'interaction', direction: 'inbound', id, at: AT + 60_000_000, case: String(key), ...more }) as HistoryEvent;

type History = ReturnType<typeof freshHistory>;
const by = (context: History, importId: string) => {
  context.now += 1000;
  return Object.assign(Object.create(context), { importId }) as History;
};
/** What a site holds: sources with their counts, and the rows that reports read. */
const stateOf = async (context: History) => ({
  contents: (await listContents(context)).map(({ imported: _, ...rest }) => rest),
  rows: await readRows(context),
});

describe('undoing an import', () => {
  it('takes back alone what a newer copy of a source changed, added and took away', async () => {
    const context = freshHistory(table);
    await loadEvents(by(context, 'a'), [created(1), note(1, 'x'), created(2), created(3)], { origin });
    const before = await stateOf(context);
    const second = [created(1, { channel: 4 }), created(2), created(4)];
    const complete = { origin: { ...origin, isComplete: true } };
    expect(await loadEvents(by(context, 'b'), second, complete)).toMatchObject({ added: 1, replaced: 1, removed: 2 });
    expect(await undoImport(context, 'b')).toBe(3);
    expect(await stateOf(context)).toEqual(before);
    expect(await undoImport(context, 'b')).toBe(0); // nothing is left of it
    expect(await undoImport(context, 'a')).toBe(3);
    expect(await stateOf(context)).toEqual({ contents: [], rows: [] });
  });

  it('takes from a log what that import added, and keeps what came live or from others', async () => {
    const context = freshHistory(table);
    const log = { origin: { ...origin, replaces: false } };
    await loadEvents(by(context, 'a'), [created(1), note(1, 'x')], log);
    await ingest(context, [note(1, 'live', { source: 'export' }), note(1, 'y', { source: 'mail' })]);
    const before = await readRows(context);
    await loadEvents(by(context, 'b'), [note(1, 'x'), note(1, 'z'), created(2)], log);
    expect(await undoImport(context, 'b')).toBe(2);
    expect(await readRows(context)).toEqual(before);
  });

  it('is refused while a later import of the source stands, with its name', async () => {
    const context = freshHistory(table);
    for (const id of ['a', 'b'])
      await loadEvents(by(context, id), [created(1), created(2, { channel: 1 })], { origin });
    const rows = await readRows(context);
    expect(await undoImport(context, 'a')).toEqual({ source: 'export', why: 'later', by: 'b' });
    expect(await readRows(context)).toEqual(rows);
    expect(await undoPlan(context, 'b')).toEqual({ created: [], added: ['export'] });
  });

  it('is not possible once the notes are gone: after an erasure, and for the first of many imports', async () => {
    const context = freshHistory(table);
    for (let week = 1; week <= 10; week += 1)
      await loadEvents(by(context, `week-${week}`), [created(1, { channel: week })], { origin });
    const [source] = await listSources(context);
    expect(source?.imports?.map(({ id }) => id)).toEqual([3, 4, 5, 6, 7, 8, 9, 10].map((week) => `week-${week}`));
    expect([await isForgotten(context, 'week-1', ['export']), await isForgotten(context, 'week-1', ['other'])]).toEqual(
      [true, false],
    );
    await undoImport(context, 'week-10');
    expect(await readRows(context)).toEqual(expectedRows([created(1, { channel: 9 })]));
    await forgetImports(context);
    expect(await isForgotten(context, 'week-9', ['export'])).toBe(true);
    for (let time = 1; time <= 2; time += 1) {
      context.now += 11 * 60_000;
      await compact(context, fine);
    }
    expect(await orphans(context)).toEqual([]); // the notes' bytes went too
  });

  it('ends in the history before it, to the byte, wherever it is killed', async () => {
    const property = fc.asyncProperty(arbitraryVersions, fc.nat(), fc.nat(60), async (events, cut, writes) => {
      const middle = cut % (events.length + 1);
      const context = freshHistory(table);
      await loadEvents(by(context, 'a'), events.slice(0, middle));
      const before = await stateOf(context);
      const named = events.slice(middle).filter(({ source }) => source !== undefined); // a log without a name is no source
      await loadEvents(by(context, 'b'), named);
      const killed = { ...context, table: dyingTable(table, writes) };
      await undoImport(killed, 'b').catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error;
      });
      await undoImport(context, 'b');
      expect(await stateOf(context)).toEqual(before);
      context.now += 11 * 60_000;
      await compact(context, fine);
      const straight = freshHistory(table);
      await loadEvents(straight, events.slice(0, middle));
      await compact(straight, fine);
      expect(await storedSegments(context)).toEqual(await storedSegments(straight));
    });
    await fc.assert(property, { numRuns: tries(8, 1 / 4), endOnFailure: true });
  });
});
