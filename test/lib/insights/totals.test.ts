import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { Plan } from '../../../lib/insights/plan.ts';
import { reportJson } from '../../../lib/insights/report.ts';
import { readRequest } from '../../../lib/insights/request.ts';
import type { Partial } from '../../../lib/insights/scan/partial.ts';
import { createSegmentScanner } from '../../../lib/insights/scan/scanner.ts';
import { planTables, type TableName, totalOf } from '../../../lib/insights/totals.ts';
import { arbitraryExample } from '../../support/generators/requests.ts';
import { engineReference, exampleSegments } from '../../support/oracle/engine-report.ts';
import { type Example, FUTURE } from '../../support/oracle/example.ts';

/** The tables of an example's report with totals, from one pass over its segments. */
function tablesOf(example: Example) {
  const { body, site, now = FUTURE } = example;
  const plans = planTables(readRequest({ ...body, totals: true }, site, now * 1000), engineReference(example));
  const segments = exampleSegments(example, 3);
  const tables = new Map<TableName, { plan: Plan; partial: Partial }>();
  for (const table of plans) {
    const { name, plan, scanned, from } = table;
    const found = scanned && scanOf(scanned, segments);
    tables.set(name, { plan, partial: totalOf(table, found, from && tables.get(from.table.name)?.partial) });
  }
  return { tables, segments, scans: plans.filter(({ scanned }) => scanned !== undefined).length };
}

function scanOf(plan: Plan, segments: ReturnType<typeof exampleSegments>): Partial {
  const scan = createSegmentScanner(0).start(plan);
  for (const segment of segments) scan.add(segment);
  return scan.result();
}

const dimension = fc.constantFrom('assigned_agent', 'assigned_group', 'channel', 'priority', 'company', 'csat_score');

describe('totals', () => {
  it('of dimensions of which a case has one member are added up, and equal the reports asked that way', () => {
    let addedUp = 0;
    fc.assert(
      fc.property(arbitraryExample, fc.uniqueArray(dimension, { minLength: 1, maxLength: 2 }), (example, names) => {
        const [dimension1, dimension2 = null] = names;
        const body = { ...example.body, dimension1, dimension2, dimension1_values: [], dimension2_values: [] };
        const { tables, segments, scans } = tablesOf({ ...example, body } as Example);
        const { data, totals } = JSON.parse(reportJson(tables));
        for (const [name, { plan }] of tables) {
          const asked = { ...plan, request: { ...plan.request, totals: false }, keepsNone: false };
          const rows = JSON.parse(reportJson(new Map([['data', { plan: asked, partial: scanOf(asked, segments) }]])));
          expect([name, name === 'data' ? data : totals[name]]).toEqual([name, rows.data]);
        }
        if (scans < tables.size) addedUp += 1;
      }),
      { numRuns: 60 },
    );
    expect(addedUp).toBeGreaterThan(10);
  });
});
