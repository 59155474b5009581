import * as fc from 'fast-check';
import { windowTimes } from '../../lib/insights/windows.ts';
import { DUCKDB, TRINO } from '../../lib/warehouse/sql/dialect.ts';
import { some, tries } from '../support/generators/depth.ts';
import { arbitraryPromises } from '../support/generators/promises.ts';
import { arbitraryExample } from '../support/generators/requests.ts';
import { engineReport, planOf } from '../support/oracle/engine-report.ts';
import type { Example } from '../support/oracle/example.ts';
import { cellKey, viewReports } from '../support/oracle/warehouse.ts';

/** The report of an example without what the views leave to the asker: filters, members and working time. */
function forViews(example: Example): Example {
  const { fields, time, dimension1, dimension2 } = example.body;
  return {
    ...example,
    body: {
      fields,
      time: { ...time, time_zone: time.time_zone ?? example.site.timeZone },
      ...(dimension1 === undefined ? {} : { dimension1 }),
      ...(dimension2 === undefined ? {} : { dimension2 }),
    },
  };
}

/** The hours that a clock shows twice: rows of a report name both windows alike, and this test cannot tell them apart. */
function repeatedWindows(example: Example): ReadonlySet<unknown> {
  const { windows } = planOf(example);
  const labels = Array.from(windows.starts, (_, window) => windowTimes(windows)(window));
  return new Set(labels.filter((label, at) => labels.indexOf(label) !== at));
}

const ENGINES = [
  { engine: 'DuckDB', dialect: DUCKDB, share: 1 },
  { engine: 'Athena', dialect: TRINO, share: 1 / 4 },
] as const;

it.each(some(ENGINES))(
  'gives the numbers of reports from the exported files, in every field, window and dimension, for $engine',
  async ({ dialect, share }) => {
    const examples = [
      ...fc.sample(arbitraryExample, { numRuns: tries(400 * share), seed: 37 }),
      ...fc.sample(arbitraryPromises, { numRuns: tries(80 * share), seed: 38 }),
    ].map(forViews);
    const all = await viewReports(examples, dialect);
    const differences: unknown[] = [];
    let cells = 0;
    let telling = 0;
    for (const [place, example] of examples.entries()) {
      const found = all[place];
      const rows = engineReport(example);
      const twice = repeatedWindows(example);
      const keys = new Set(rows.map(([window, one, two]) => cellKey(window, one, two)));
      for (const [at, field] of example.body.fields.entries()) {
        const values = found?.get(field);
        for (const [window, one, two, ...row] of rows) {
          if (twice.has(window)) continue;
          const expected = row[at];
          const got = values?.get(cellKey(window, one, two)) ?? (expected === null ? null : 0);
          cells += 1;
          telling += expected === 0 || expected === null ? 0 : 1;
          if (got !== expected)
            differences.push({ place, field, time: example.body.time, cell: [window, one, two], expected, got });
        }
        for (const [key, value] of values ?? [])
          if (!keys.has(key) && !twice.has(JSON.parse(key)[0]) && value !== 0 && value !== null)
            differences.push({ place, field, time: example.body.time, key, value });
      }
    }
    expect(differences.slice(0, 5)).toEqual([]);
    expect(cells).toBeGreaterThan(100 * examples.length);
    expect(telling).toBeGreaterThan(5 * examples.length);
  },
);
