import * as fc from 'fast-check';
import type { Plan } from '../../../lib/insights/plan.ts';
import { reportJson } from '../../../lib/insights/report-json.ts';
import { readRequest } from '../../../lib/insights/request.ts';
import type { ScanMemory } from '../../../lib/insights/scan/scan.ts';
import type { ScanResult } from '../../../lib/insights/scan/scan-result.ts';
import { createSegmentScanner } from '../../../lib/insights/scan/scanner.ts';
import { planTables, tableResults } from '../../../lib/insights/totals.ts';
import { tries } from '../../support/generators/depth.ts';
import { arbitraryExample } from '../../support/generators/requests.ts';
import { engineReference, exampleSegments } from '../../support/oracle/engine-report.ts';
import { type Example, FUTURE } from '../../support/oracle/example.ts';

/** The tables of an example's report with totals, from one pass over its segments. */
function tablesOf(example: Example, memory?: ScanMemory) {
  const { body, site, now = FUTURE } = example;
  const plans = planTables(readRequest({ ...body, totals: true }, site, now * 1000), engineReference(example));
  const segments = exampleSegments(example, 3);
  const tables = tableResults(plans, (name) => {
    const scanned = plans.find((table) => table.name === name)?.scanned;
    return scanned && scanOf(scanned, segments, memory);
  });
  return { tables, segments, scans: plans.filter(({ scanned }) => scanned !== undefined).length };
}

function scanOf(plan: Plan, segments: ReturnType<typeof exampleSegments>, memory?: ScanMemory): ScanResult {
  const scan = createSegmentScanner(0, memory && { memory }).start(plan);
  for (const segment of segments) scan.add(segment);
  return scan.result();
}

/** Expects each table to be what a report shows that asks for that table alone. */
function expectAsAsked({ tables, segments }: Pick<ReturnType<typeof tablesOf>, 'tables' | 'segments'>): void {
  const { data, totals } = JSON.parse(reportJson({ tables }));
  for (const [name, { plan }] of tables) {
    const asked = { ...plan, request: { ...plan.request, totals: false }, keepsNone: false, total: false };
    const rows = JSON.parse(
      reportJson({ tables: new Map([['data', { plan: asked, result: scanOf(asked, segments) }]]) }),
    );
    expect([name, name === 'data' ? data : totals[name]]).toEqual([name, rows.data]);
  }
}

const dimension = fc.constantFrom('assigned_agent', 'assigned_group', 'channel', 'priority', 'company', 'csat_score');

const LOOSE = { blocks: 0, loose: 64_000_000, samples: 64_000_000 }; // no members own a block of cells

describe('totals', () => {
  it('have the backlog of a range without windows', () => {
    const time = { min: '2026-03-20T00:00:00Z', max: '2026-03-20T00:00:00Z', window_size: 'day' } as const;
    let open = 0;
    fc.assert(
      fc.property(arbitraryExample, fc.constantFrom(undefined, LOOSE), ({ body, ...rest }, memory) => {
        const found = tablesOf({ ...rest, body: { ...body, time, fields: ['open_cases'] } }, memory);
        expectAsAsked(found);
        const { totals } = JSON.parse(reportJson({ tables: found.tables }));
        if (totals.all[0][3] > 0) open += 1;
      }),
      { numRuns: tries(50, 1 / 4), seed: 51 },
    );
    expect(open).toBeGreaterThan(tries(4, 1 / 4));
  });

  it('equal the reports asked that way, from one scan over members and one without', () => {
    let inTotal = 0;
    fc.assert(
      fc.property(arbitraryExample, fc.constantFrom(undefined, LOOSE), (example, memory) => {
        const found = tablesOf(example, memory);
        expectAsAsked(found);
        expect(found.scans).toBeLessThanOrEqual(2);
        if (found.tables.get('data')?.plan.total === true) inTotal += 1;
      }),
      { numRuns: tries(150, 1 / 4), seed: 52 },
    );
    expect(inTotal).toBeGreaterThan(tries(8, 1 / 4));
  });

  it('have no backlog of a range that has not begun, although its first week has', () => {
    const at = Date.UTC(2026, 2, 2) * 1000;
    const created = { id: '1', type: 'case.created', case: '1', at, channel: 1, priority: null, company: null };
    const example = {
      ...{ events: [{ ...created, labels: [], custom_fields: {} }], reference: [], now: Date.UTC(2026, 2, 17) / 1000 },
      site: { timeZone: 'UTC', weekStart: 'monday', rating: 'four_star' },
      body: {
        fields: ['open_cases'],
        time: { min: '2026-03-18T00:00:00Z', max: '2026-03-30T00:00:00Z', window_size: 'week' },
      },
    } as unknown as Example;
    expectAsAsked(tablesOf(example));
    expectAsAsked(tablesOf({ ...example, body: { ...example.body, dimension1: 'channel' } }));
  });

  it('of dimensions of which a case has one member are added up, and equal the reports asked that way', () => {
    let addedUp = 0;
    fc.assert(
      fc.property(arbitraryExample, fc.uniqueArray(dimension, { minLength: 1, maxLength: 2 }), (example, names) => {
        const [dimension1, dimension2 = null] = names;
        const body = { ...example.body, dimension1, dimension2, dimension1_values: [], dimension2_values: [] };
        const found = tablesOf({ ...example, body } as Example);
        expectAsAsked(found);
        if (found.scans === 1) addedUp += 1;
      }),
      { numRuns: tries(60, 1 / 4), seed: 53 },
    );
    expect(addedUp).toBeGreaterThan(tries(8, 1 / 4));
  });
});
