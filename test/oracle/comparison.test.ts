import * as fc from 'fast-check';
import type { HistoryEvent } from '../../lib/history/cases/event.ts';
import { eventRecord } from '../../lib/import/export/event-record.ts';
import { routes } from '../../lib/routes.ts';
import { tries } from '../support/generators/depth.ts';
import { arbitraryComparison } from '../support/generators/requests.ts';
import { chanceOf } from '../support/oracle/chance.ts';
import { untoldOf, WHY_DIMENSIONS } from '../support/oracle/changes.ts';
import { type AnyExample, FUTURE } from '../support/oracle/example.ts';
import { FIELD_SQL, isNullIn } from '../support/oracle/fields.ts';
import { openOracle, type ReportCells } from '../support/oracle/oracle.ts';
import { ratable } from '../support/service/example-site.ts';
import { importRecords } from '../support/service/import.ts';
import { addUser, newSite, startService } from '../support/service/service.ts';

const REQUESTS = Number(process.env.EXAMPLES ?? tries(1000, 1 / 8)); // more by EXAMPLES=2000 npm test -- test/oracle/comparison.test.ts
const SEED = Number(process.env.SEED ?? 46);
const BATCH = 100;
const COPIES = 16;

const { table, ask, now } = await startService(routes);

async function hostOf({ events, reference, site }: AnyExample, place: number): Promise<string> {
  const whole = await newSite(table, { name: `compared-${place}`, ...site }, { default: false });
  await addUser(table, whole.name, 'Administrator');
  await importRecords(table, whole, [...reference, ...events.map(eventRecord)]);
  return `${whole.name}.localhost`;
}

/** A history with each case many times, so that some changes are more than chance gives. */
function busier(example: AnyExample): AnyExample {
  const events = example.events.flatMap((event): HistoryEvent[] =>
    'case' in event
      ? Array.from({ length: COPIES }, (_, nth) => ({
          ...event,
          case: `${event.case} ${nth}`,
          id: `${event.id} ${nth}`,
        }))
      : [event],
  );
  return { ...example, events };
}

/** The report itself, without what it is compared with. */
function alone(example: AnyExample): AnyExample {
  const { compare, ...time } = { compare: undefined, ...example.body.time };
  return { ...example, body: { ...example.body, time } } as AnyExample;
}

const secondOf = (time: string): number => Date.parse(time) / 1000;

const total = { requests: 0, running: 0, relative: 0, cells: 0, verdicts: 0, beyond: 0 };

/** What chance should say of each row and field of a report. */
function verdictsOf({ body }: AnyExample, report: ReportCells, before: ReportCells) {
  return report.rows.map(({ place }) =>
    body.fields.map((field) =>
      isNullIn(field, body, report.ofCases)
        ? null
        : chanceOf(field, report.partsAt(field, place), before.partsAt(field, place)),
    ),
  );
}

it('agrees with the oracle on the ranges that are compared, both numbers, and what chance says of them', async () => {
  const oracle = await openOracle();
  const examples = fc
    .sample(arbitraryComparison, { numRuns: REQUESTS, seed: SEED })
    .map(ratable)
    .map((example, nth) => (nth % 4 === 0 ? busier(example) : example));
  for (let at = 0; at < examples.length; at += BATCH) {
    const batch = examples.slice(at, at + BATCH);
    const reports = await oracle.cells(batch.map(alone));
    const compared = await oracle.cells(batch);
    for (const [nth, example] of batch.entries()) {
      const [report, before] = [reports[nth], compared[nth]];
      if (report === undefined || before === undefined) throw new Error('an example without its report');
      const host = await hostOf(example, at + nth);
      const moment = example.now ?? FUTURE;
      now.at = moment * 1000;
      const asked = { ...example.body, chance: true };
      const { status, body } = await ask('POST', '/api/v2/insights3/reports', { body: asked, host });
      expect([asked, status, body.errors]).toEqual([asked, 200, undefined]);
      const { request, data, comparison } = body;
      const said = {
        until: secondOf(request.time.until),
        time: [secondOf(comparison.time.min), secondOf(comparison.time.max)],
        data,
        before: comparison.data,
      };
      const wanted = {
        until: Math.min(report.max, moment),
        time: [before.min, before.max],
        data: report.rows.map(({ row }) => row),
        before: before.rows.map(({ row }) => row),
      };
      expect({ asked, moment, ...said }).toEqual({ asked, moment, ...wanted });
      const verdicts = verdictsOf(example, report, before);
      const shown = comparison.chance.data as (boolean | null)[][];
      const differences = verdicts.flatMap((row, r) =>
        row.flatMap((wanted, f) => {
          const got = shown[r]?.[f];
          const [field = '', place] = [asked.fields[f], report.rows[r]?.place];
          if (wanted === 'open' || got === wanted || place === undefined) return [];
          return [
            { field, place, got, wanted, now: report.partsAt(field, place), before: before.partsAt(field, place) },
          ];
        }),
      );
      expect(differences.length === 0 ? [] : [asked, ...differences]).toEqual([]);
      expect(shown.length).toBe(verdicts.length);
      total.requests += 1;
      total.running += report.max > moment ? 1 : 0;
      total.relative += 'last' in example.body.time ? 1 : 0;
      total.cells += (report.rows.length + before.rows.length) * example.body.fields.length;
      total.verdicts += verdicts.flat().filter((each) => typeof each === 'boolean').length;
      total.beyond += verdicts.flat().filter((each) => each === false).length;
    }
  }
  oracle.close();
  console.info(
    Object.entries(total)
      .map(([name, count]) => `${count} ${name}`)
      .join(', '),
  );
  expect(total.running).toBeGreaterThan(total.requests / 5);
  expect(total.relative).toBeGreaterThan(total.requests / 5);
  expect(total.verdicts).toBeGreaterThan(total.requests * 5);
  expect(total.beyond).toBeGreaterThan(0); // changes of more than chance gives
});

it('says of each field the dimensions by which it is not told, and what to split by instead', async () => {
  const { body } = await ask('GET', '/api/v2/report_definitions');
  for (const { name, not_told } of body.fields as { name: string; not_told?: object }[]) {
    const said = WHY_DIMENSIONS.filter((dimension) => dimension in (not_told ?? {}));
    expect([name, said]).toEqual([name, WHY_DIMENSIONS.filter((dimension) => untoldOf(name).includes(dimension))]);
  }
  expect(body.fields.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(Object.keys(FIELD_SQL)));
});
