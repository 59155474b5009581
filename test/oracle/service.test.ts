import * as fc from 'fast-check';
import type { HistoryEvent } from '../../lib/history/cases/event.ts';
import { compact } from '../../lib/history/compact.ts';
import { ingest } from '../../lib/history/live.ts';
import type { HistoryContext } from '../../lib/history/storage/history-context.ts';
import { eventRecord } from '../../lib/import/export/event-record.ts';
import { isEvent, parseRecord } from '../../lib/import/records/records.ts';
import { routes } from '../../lib/routes.ts';
import { itAtLength, tries } from '../support/generators/depth.ts';
import { arbitraryExample } from '../support/generators/requests.ts';
import { type Example, FUTURE } from '../support/oracle/example.ts';
import { openOracle } from '../support/oracle/oracle.ts';
import { ratable } from '../support/service/example-site.ts';
import { importRecords } from '../support/service/import.ts';
import { addUser, newSite, startService } from '../support/service/service.ts';

const EXAMPLES = Number(process.env.EXAMPLES ?? tries(32, 1 / 2));
const SEED = Number(process.env.SEED ?? 11);

const { table, ask, now } = await startService(routes);
let tokens = 0;

/** A site that the events reached in parts and ways which their number decides: files, live messages, repeats, folds between. */
async function siteOf({ events, reference, site }: Example, place: number): Promise<string> {
  const whole = await newSite(table, { name: `oracle-${place}`, ...site }, { default: false });
  await addUser(table, whole.name, 'Administrator');
  const context: HistoryContext = { table, site: whole, clock: Date.now, newId: () => `token-${(tokens += 1)}` };
  const load = async (part: readonly unknown[]) =>
    expect((await importRecords(table, whole, part)).rejected).toEqual([]);
  const live = async (part: readonly HistoryEvent[]) => {
    const outcomes = await ingest(context, part.map(eventRecord).map(parseRecord).filter(isEvent));
    expect(outcomes.filter(({ outcome }) => outcome === 'failed' || outcome === 'conflict')).toEqual([]);
  };
  const third = (turn: number) => events.filter((_, at) => (at + place) % 3 === turn);
  const file = (turn: number) => load(third(turn).map(eventRecord));
  const ways = [
    [() => load(reference), () => file(0), () => live(third(1)), () => compact(context), () => file(2)],
    [() => live(events), () => load([...reference, ...events.map(eventRecord)])],
    [() => load([...events.map(eventRecord), ...reference]), () => live(third(2)), () => compact(context)],
    [() => file(0), () => file(1), () => file(2), () => live(third(0)), () => load(reference)],
  ];
  for (const step of ways[place % ways.length] ?? []) await step();
  return `${whole.name}.localhost`;
}

/** Gives calendars without any hours of work, which imports refuse, some. */
const withWork = (example: Example): Example => ({
  ...example,
  reference: example.reference.map((record) => {
    if (record.type !== 'calendar' || Object.values(record.hours ?? {}).some((periods) => (periods ?? []).length > 0))
      return record;
    return { ...record, hours: { mon: [['09:00', '17:00']] } };
  }),
});

itAtLength('agrees with the oracle over HTTP, whatever way the history came', async () => {
  const oracle = await openOracle();
  const examples = fc.sample(arbitraryExample, { numRuns: EXAMPLES, seed: SEED }).map(ratable).map(withWork);
  const expected = await oracle.reports(examples);
  for (const [place, example] of examples.entries()) {
    const host = await siteOf(example, place);
    now.at = (example.now ?? FUTURE) * 1000;
    const reply = await ask('POST', '/api/v2/insights3/reports', { body: example.body, host });
    expect({ place, status: reply.status, data: reply.body.data }).toEqual({
      place,
      status: 200,
      data: expected[place],
    });
  }
  oracle.close();
});
