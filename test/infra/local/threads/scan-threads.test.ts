import { afterAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { type ScanThreads, startScanThreads } from '../../../../infra/local/threads/scan-threads.ts';
import type { LiveSegment } from '../../../../lib/history/read.ts';
import { planReport } from '../../../../lib/insights/plan.ts';
import { NO_REFERENCE } from '../../../../lib/insights/reference.ts';
import { createScanner, type Scanner } from '../../../../lib/insights/scan/scanner.ts';
import { ask } from '../../../support/generators/report-of.ts';
import { reportRows } from '../../../support/generators/report-rows.ts';
import { arbitraryExample } from '../../../support/generators/requests.ts';
import { exampleSegments, planOf } from '../../../support/oracle/engine-report.ts';

const started = await startScanThreads(2);
if (started === undefined) throw new Error('no threads');
const threads: ScanThreads = started;
afterAll(() => threads.close());

async function scan(scanner: Scanner, plan: Parameters<Scanner['start']>[0], parts: readonly LiveSegment[][]) {
  const run = scanner.start(plan);
  try {
    for (const part of parts) await run.add(part);
    return reportRows(plan, await run.result());
  } finally {
    run.close();
  }
}

describe('threads that scan', () => {
  it('give the report of one thread, however segments are cut into parts', async () => {
    let rows = 0;
    for (const [number, example] of fc.sample(arbitraryExample, { numRuns: 60, seed: 7 }).entries()) {
      const plan = planOf(example);
      const segments = exampleSegments(example, 5).map((each, place) => ({ ...each, name: `${number} ${place}` }));
      const expected = await scan(createScanner(), plan, [segments]);
      expect(await scan(threads, plan, [segments.slice(0, 2), segments.slice(2)])).toEqual(expected);
      expect(await scan(threads, plan, [segments])).toEqual(expected); // what they keep open now
      rows += expected.length;
    }
    expect(rows).toBeGreaterThan(100);
  });

  it('tell the failure of one of them, and go on', async () => {
    const plan = planReport(ask({ fields: ['case_creates'] }), NO_REFERENCE);
    const broken: LiveSegment = { name: 'broken', kind: 'cases', columns: new Uint8Array(8), dead: [] };
    await expect(scan(threads, plan, [[broken]])).rejects.toThrow();
    await expect(scan(threads, plan, [])).resolves.toEqual([[null, null, null, 0]]);
  });

  it('are none where none are wanted', async () => {
    expect(await startScanThreads(0)).toBeUndefined();
  });
});
