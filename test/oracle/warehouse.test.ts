import * as fc from 'fast-check';
import { windowTimes } from '../../lib/insights/windows.ts';
import { WEEK_DAYS } from '../../lib/vocabulary.ts';
import { tries } from '../support/generators/depth.ts';
import { arbitraryPromises } from '../support/generators/promises.ts';
import { arbitraryExample } from '../support/generators/requests.ts';
import { engineReference, engineReport, exampleSegments, extentOf, planOf } from '../support/oracle/engine-report.ts';
import { type Example, FUTURE } from '../support/oracle/example.ts';
import { cellKey, type ViewReport, viewReports } from '../support/oracle/warehouse.ts';

const DAY = 86_400; // s

/**
 * The report of an example as the views have it: over all time, in the zone of the site, by one of the dimensions, without
 * filters, members and working time. Backlogs are counted until soon after the history.
 */
function forViews(example: Example): ViewReport {
  const { fields, time, dimension1, dimension2 } = example.body;
  const { site } = example;
  const extent = extentOf(exampleSegments(example, 2));
  const [first, last] = Number.isFinite(extent.min) ? [extent.min, extent.max] : [0, 1];
  const now = example.now === undefined || example.now >= FUTURE ? last + 40 * DAY : example.now;
  const [min, max] = [Math.min(first, now), Math.max(last, now + 1)];
  const dimension = [dimension2, dimension1].find((name) => name !== undefined)?.replace(/:.*/, '');
  const stamp = (second: number): string => new Date(second * 1000).toISOString();
  const window_size = time.window_size === 'hour' ? 'day' : time.window_size;
  const body = { fields, time: { min: stamp(min), max: stamp(max), window_size, time_zone: site.timeZone } };
  const asked = { ...example, now, body: { ...body, ...(dimension && { dimension1: dimension }) } };
  const { rating, customFields } = engineReference(asked);
  return {
    example: asked,
    now,
    settings: {
      ...{ timeZone: site.timeZone, weekStart: WEEK_DAYS.indexOf(site.weekStart), rating, min, max },
      listed: [...customFields].flatMap(([id, { listed }]) => (listed ? [id] : [])),
    },
  };
}

/** The windows whose beginning a clock shows twice: rows of a report name both alike, and this test cannot tell them apart. */
function repeatedWindows(example: Example): ReadonlySet<unknown> {
  const { windows } = planOf(example);
  const labels = Array.from(windows.starts, (_, window) => windowTimes(windows)(window));
  return new Set(labels.filter((label, at) => labels.indexOf(label) !== at));
}

it('gives the numbers of reports from the exported files, in every field, window and dimension', async () => {
  const reports = [
    ...fc.sample(arbitraryExample, { numRuns: tries(160), seed: 37 }),
    ...fc.sample(arbitraryPromises, { numRuns: tries(48), seed: 38 }),
  ].map(forViews);
  const all = await viewReports(reports);
  const differences: unknown[] = [];
  let cells = 0;
  let telling = 0;
  for (const [place, { example }] of reports.entries()) {
    const { fields, time, dimension1 } = example.body;
    const twice = repeatedWindows(example);
    const rows = engineReport(example).filter(([window]) => !twice.has(window));
    const keys = new Set(rows.map(([window, member]) => cellKey(window, member)));
    for (const [at, field] of fields.entries()) {
      const values = all[place]?.get(field);
      for (const [window, member, , ...row] of rows) {
        const expected = row[at];
        const got = values?.get(cellKey(window, member)) ?? (expected === null ? null : 0);
        cells += 1;
        telling += expected === 0 || expected === null ? 0 : 1;
        if (got !== expected)
          differences.push({ place, field, time, dimension1, cell: [window, member], expected, got });
      }
      for (const [key, value] of values ?? [])
        if (!keys.has(key) && !twice.has(JSON.parse(key)[0]))
          differences.push({ place, field, time, dimension1, key, value });
    }
  }
  expect(differences.slice(0, 5)).toEqual([]);
  expect(cells).toBeGreaterThan(100 * reports.length);
  expect(telling).toBeGreaterThan(5 * reports.length);
});
