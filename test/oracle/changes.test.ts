import * as fc from 'fast-check';
import { eventRecord } from '../../lib/import/export/event-record.ts';
import { routes } from '../../lib/routes.ts';
import { tries } from '../support/generators/depth.ts';
import { arbitraryExample } from '../support/generators/requests.ts';
import { compareChanges, type ShownChanges } from '../support/oracle/changes.ts';
import { type AnyExample, FUTURE } from '../support/oracle/example.ts';
import { FIELD_SQL } from '../support/oracle/fields.ts';
import { openOracle } from '../support/oracle/oracle.ts';
import { ratable } from '../support/service/example-site.ts';
import { importRecords } from '../support/service/import.ts';
import { addUser, newSite, startService } from '../support/service/service.ts';

const HISTORIES = Number(process.env.EXAMPLES ?? tries(128)); // more by EXAMPLES=500 npm test -- test/oracle/changes.test.ts
const SEED = Number(process.env.SEED ?? 12);
const BATCH = 12; // histories that go through each statement together, as some thirty reports each
const FIELDS = [
  ...Object.keys(FIELD_SQL),
  ...['time_to_resolution:p50', 'reply_time:p90', 'time_to_first_response:min', 'handle_time:max', 'handle_time:p25'],
  ...['reply_time:mean', 'time_to_resolution:count'],
];

const { table, ask, now } = await startService(routes);

/** A history with requests of some fields: the second part of it, or of another range, against the first. */
const arbitraryChange = arbitraryExample
  .filter(({ body: { time } }) => Date.parse(time.min) > A_YEAR && Date.parse(time.max) - Date.parse(time.min) > 2000)
  .chain((example) =>
    fc
      .record({
        fields: fc.uniqueArray(fc.constantFrom(...FIELDS), { minLength: 6, maxLength: 6 }),
        part: fc.double({ min: 0.3, max: 0.7, noNaN: true }),
        isWhole: fc.constantFrom(true, true, false),
        isFiltered: fc.constantFrom(true, false, false),
      })
      .map(({ fields, part, isWhole, isFiltered }): AnyExample => {
        const { time, filters, hours } = example.body;
        const seconds = example.events.map(({ at }) => Math.floor(at / 1_000_000)).sort((a, b) => a - b);
        const [first, middle] = [seconds[0] ?? 0, seconds[Math.floor(seconds.length * part)] ?? 0];
        const last = (seconds.at(-1) ?? 0) + 1;
        const isFit = isWhole && first > 0 && last - first < LONGEST;
        const [min, half, max] = isFit
          ? [first, middle, last].map((second) => new Date(second * 1000).toISOString())
          : [time.min, halfOf(time.min, time.max, part), time.max];
        const zone = time.time_zone === undefined ? {} : { time_zone: time.time_zone };
        const asked = { min: half ?? '', max: max ?? '', window_size: 'none' as const, ...zone };
        const compare = { min: min ?? '', max: half ?? '' };
        const body = {
          fields,
          time: { ...asked, compare },
          ...(isFiltered && filters && { filters }),
          ...(hours && { hours }),
        };
        return { ...ratable(example), body };
      }),
  );

const A_YEAR = 31_536_000_000; // ms: before that clocks of sites would be too near to 0
const LONGEST = 400 * 86_400; // s: the oracle lists quarters of an hour

const halfOf = (min: string, max: string, part: number): string => {
  const [from, to] = [Date.parse(min), Date.parse(max)];
  return new Date(Math.floor((from + (to - from) * part) / 1000) * 1000).toISOString();
};

async function hostOf({ events, reference, site }: AnyExample, place: number): Promise<string> {
  const whole = await newSite(table, { name: `changes-${place}`, ...site }, { default: false });
  await addUser(table, whole.name, 'Administrator');
  await importRecords(table, whole, [...reference, ...events.map(eventRecord)]);
  return `${whole.name}.localhost`;
}

it('agrees with the oracle on why numbers moved, member by member', async () => {
  const oracle = await openOracle();
  const examples = fc.sample(arbitraryChange, { numRuns: HISTORIES, seed: SEED });
  const total = { histories: examples.length, requests: 0, moved: 0, overlapping: 0, cells: 0, differences: 0 };
  for (let at = 0; at < examples.length; at += BATCH) {
    const batch = examples.slice(at, at + BATCH);
    const replies: ShownChanges[][] = [];
    for (const [nth, example] of batch.entries()) {
      const host = await hostOf(example, at + nth);
      now.at = (example.now ?? FUTURE) * 1000;
      const ofFields: ShownChanges[] = [];
      for (const field of example.body.fields) {
        const asked = { ...example.body, fields: [field] };
        const { status, body } = await ask('POST', '/api/v2/insights3/changes', { body: asked, host });
        expect([asked, status, body.errors]).toEqual([asked, 200, undefined]);
        ofFields.push(body);
      }
      replies.push(ofFields);
    }
    const found = await compareChanges(oracle, batch, replies);
    expect(found.differences).toEqual([]);
    total.requests += replies.flat().length;
    for (const key of ['moved', 'overlapping', 'cells'] as const) total[key] += found[key];
  }
  oracle.close();
  console.info(
    Object.entries(total)
      .map(([name, count]) => `${count} ${name}`)
      .join(', '),
  );
  expect(total.moved).toBeGreaterThan(total.requests / 10);
  expect(total.cells).toBeGreaterThan(total.requests * 20);
});
