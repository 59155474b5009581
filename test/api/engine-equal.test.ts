import { eventRecord } from '../../lib/import/export/event-record.ts';
import { some, tries } from '../support/generators/depth.ts';
import { sampledReports } from '../support/generators/report-requests.ts';
import { type AnyExample, type Example, FUTURE } from '../support/oracle/example.ts';
import type { Received } from '../support/service/asking.ts';
import { startEngineService } from '../support/service/engine-service.ts';
import { ratable } from '../support/service/example-site.ts';
import { importRecords } from '../support/service/import.ts';
import { addUser, newSite } from '../support/service/service.ts';

const REPORTS = '/api/v2/insights3/reports';
const SEED = Number(process.env.SEED ?? 71);

const { scanning, newEngine, athena, close } = await startEngineService();
const asking = newEngine();
afterAll(close);

/** A site with the history of an example; calendars have hours of work, which imports ask for. */
async function siteOf(example: AnyExample, place: number): Promise<string> {
  const { site, reference, events } = ratable(example as Example);
  const whole = await newSite(scanning.table, { name: `engine-${place}`, ...site }, { default: false });
  await addUser(scanning.table, whole.name, 'Administrator');
  const working = reference.map((record) => {
    if (record.type !== 'calendar' || Object.values(record.hours ?? {}).some((periods) => (periods ?? []).length > 0))
      return record;
    return { ...record, hours: { mon: [['09:00', '17:00']] } };
  });
  const { rejected } = await importRecords(scanning.table, whole, [...working, ...events.map(eventRecord)]);
  expect(rejected).toEqual([]);
  return `${whole.name}.localhost`;
}

/** A reply without the ids of its request. */
function shown({ status, text, headers }: Received) {
  const { 'x-request-id': _, 'x-amzn-requestid': __, ...others } = headers;
  return { status, text, headers: others };
}

it('answers every report by the warehouse as by a scan, to the byte', async () => {
  let told = 0;
  for (const [place, example] of sampledReports(tries(240), SEED).entries()) {
    const host = await siteOf(example, place);
    scanning.now.at = (example.now ?? FUTURE) * 1000;
    const { body } = example;
    for (const headers of some([{}, { Accept: 'text/csv' }])) {
      const expected = await scanning.ask('POST', REPORTS, { body, host, headers });
      const post = () => asking('POST', REPORTS, { body, host, headers });
      let got = await post();
      // A busy machine may need longer than a request has: the next one takes the query up, as a client's would.
      for (let tries = 0; tries < 5 && got.status === 503 && expected.status !== 503; tries += 1) got = await post();
      expect({ place, body, ...shown(got) }).toEqual({ place, body, ...shown(expected) });
      if (expected.status === 200) told += expected.text.length;
    }
  }
  expect(told).toBeGreaterThan(1_000);
  expect(athena.queries.length).toBeGreaterThan(5);
  expect(athena.queries.filter(({ state }) => state !== 'SUCCEEDED')).toEqual([]);
});
