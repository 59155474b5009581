import fc from 'fast-check';
import type { AsOf, CaseEvent, HistoryEvent } from '../../../lib/history/cases/event.ts';
import type { Subject } from '../../../lib/history/cases/subject.ts';
import { eraseHistory } from '../../../lib/history/erase.ts';
import { recordErased } from '../../../lib/history/erasures.ts';
import { ingest } from '../../../lib/history/live.ts';
import { walkLedger } from '../../../lib/history/rewrite.ts';
import { tries } from '../../support/generators/depth.ts';
import { freshHistory, loadEvents, readRows } from '../../support/generators/history.ts';
import { freshTable } from '../../support/service/table.ts';

const table = await freshTable();
type History = ReturnType<typeof freshHistory>;

const ERASED = 9;
const OTHER = 10;
const SOURCE = 'desk'; // whose newer versions replace the older ones
const LOG = 'log';

const erase = async (context: History): Promise<void> => {
  const erasures = await recordErased(context, [{ kind: 'company', name: String(ERASED), standIn: ERASED }]);
  await eraseHistory(context, erasures, []);
};

/** All that the ledger and the reports have. */
async function stateOf(context: History) {
  const ledger: [Subject, readonly HistoryEvent[]][] = [];
  for await (const known of walkLedger(context)) for (const [subject, events] of known) ledger.push([subject, events]);
  const byName = (a: HistoryEvent, b: HistoryEvent): number =>
    JSON.stringify([a.source, a.id]) < JSON.stringify([b.source, b.id]) ? -1 : 1;
  return {
    ledger: new Map(ledger.map(([subject, events]) => [subject, [...events].sort(byName)])),
    rows: await readRows(context),
  };
}

const at = 1_700_000_000_000_000;
const version = (number: number) => ({ source: SOURCE, as_of: [at + number] as AsOf });
const created = (company: number | null, value: string | null, origin: object): CaseEvent => ({
  ...{ type: 'case.created', id: 'c', at, case: '1', company },
  ...(value === null ? {} : { custom_fields: { 5: value } }),
  ...origin,
});
const field = (id: string, value: string, origin: object): CaseEvent => ({
  ...{ type: 'case.custom_field', id, at, case: '1', field: 5, value, ...origin },
});

describe('what is erased of a company', () => {
  it('is not what a case has that a newer version moved to another company', async () => {
    const [early, late] = [freshHistory(table), freshHistory(table)];
    const before = [created(ERASED, 'Old town', version(1)), field('f', 'Old street', version(1))];
    const after = [created(OTHER, 'New town', version(2)), field('g', 'New street', version(2))];
    await loadEvents(early, before);
    await erase(early);
    expect(await loadEvents(early, after)).toMatchObject({ erased: 0 });
    for (const events of [before, after]) await loadEvents(late, events);
    await erase(late);
    expect(await stateOf(early)).toEqual(await stateOf(late));
    expect(JSON.stringify(await readRows(early))).toMatch(/New street/);
    await loadEvents(early, before); // an older export once more
    expect(await stateOf(early)).toEqual(await stateOf(late));
  });

  it('leaves the mark of a version that had nothing else', async () => {
    const context = freshHistory(table);
    await loadEvents(context, [{ type: 'case.company', id: 'l', at, case: '1', company: ERASED, source: LOG }]);
    await erase(context);
    expect(await loadEvents(context, [field('f', 'New', version(2))])).toMatchObject({ erased: 1, added: 0 });
    const older: CaseEvent = { type: 'note', id: 'n', at, case: '1', ...version(1) };
    expect(await loadEvents(context, [older])).toMatchObject({ superseded: 1 });
  });

  it('lets an export that comes again as it was change nothing', async () => {
    const context = freshHistory(table);
    const origin = { source: SOURCE, isChosen: true, replaces: true };
    const load = (moment: number) => {
      context.now = 1_800_000_000_000 + moment;
      const events = [created(ERASED, 'Town', { source: SOURCE }), field('f', 'Street', { source: SOURCE })];
      return loadEvents(context, events, { origin });
    };
    await load(1);
    await erase(context);
    const before = await stateOf(context);
    expect(await load(2)).toMatchObject({ erased: 1, unchanged: 1, added: 0 });
    expect(await stateOf(context)).toEqual(before);
  });

  it('is the same whatever the order of imports, live events and the erasure', async () => {
    const company = fc.constantFrom(ERASED, OTHER, null);
    const text = fc.constantFrom('a', 'b');
    const versions = fc.array(
      fc.record({ company, value: fc.option(text), more: fc.array(text, { maxLength: 2 }), isCreated: fc.boolean() }),
      { minLength: 1, maxLength: 3 },
    );
    const logs = fc.array(fc.record({ company: fc.option(company), value: text }), { maxLength: 2 });
    const property = fc.asyncProperty(
      fc.record({ versions, logs, isLive: fc.boolean(), early: fc.nat({ max: 5 }) }),
      fc.infiniteStream(fc.nat()),
      async (given, chance) => {
        const files: CaseEvent[][] = [
          ...given.versions.map(({ company, value, more, isCreated }, number) => [
            ...(isCreated ? [created(company, value, version(number))] : []),
            ...more.map((each, place) => field(`f${place}`, each, version(number))),
          ]),
          ...given.logs.map(({ company, value }, number): CaseEvent[] => [
            field(`l${number}`, value, { source: LOG }),
            ...(company === null
              ? []
              : [{ type: 'case.company', id: `k${number}`, at, case: '1', company, source: LOG } as const]),
          ]),
        ].filter((file) => file.length > 0);
        const shuffled = () => {
          const keys = new Map(files.map((file) => [file, chance.next().value ?? 0]));
          return [...files].sort((a, b) => keys.get(a)! - keys.get(b)!);
        };
        const load = async (context: History, file: readonly CaseEvent[]): Promise<void> => {
          if (given.isLive) await ingest(context, file);
          else await loadEvents(context, file);
        };
        const expected = freshHistory(table);
        for (const file of files) await load(expected, file);
        await erase(expected);
        const found = freshHistory(table);
        for (const [place, file] of shuffled().entries()) {
          if (place === given.early) await erase(found);
          await load(found, file);
        }
        if (given.early >= files.length) await erase(found);
        for (const file of shuffled()) await load(found, file); // what was taken away by what is replaced now comes back
        expect(await stateOf(found)).toEqual(await stateOf(expected));
      },
    );
    await fc.assert(property, { numRuns: tries(240) });
  });
});
