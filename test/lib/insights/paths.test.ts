import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { engineReport } from '../../support/engine-report.ts';
import type { Example, Row } from '../../support/oracle/example.ts';
import { arbitraryExample } from '../../support/requests.ts';

const examples = fc.sample(arbitraryExample, { numRuns: 150, seed: 22 });

/** The example's report over a longer time, without rows of nothing. */
function rowsOver({ body, ...rest }: Example, min: string, max: string): Row[] {
  const size = body.time.window_size === 'none' ? ('none' as const) : ('month' as const); // hours of two centuries are too many
  const time = { ...body.time, min, max, window_size: size };
  const rows = engineReport({ ...rest, body: { ...body, time, fields: body.fields.slice(0, 3) } });
  return rows.filter((row) => row.slice(3).some((value) => value !== 0 && value !== null));
}

describe('the ways through a scan', () => {
  it('give the same rows whether every pair of members has a block of cells or none', () => {
    for (const example of examples) {
      expect(engineReport(example, { blocks: 0, loose: 64_000_000 })).toEqual(engineReport(example));
    }
  });

  it('give the same rows whether the range fits 32 bits or not', () => {
    let rows = 0;
    for (const example of examples) {
      const narrow = rowsOver(example, '2000-01-01T00:00:00Z', '2040-01-01T00:00:00Z');
      expect(rowsOver(example, '1971-01-01T00:00:00Z', '2190-01-01T00:00:00Z')).toEqual(narrow);
      rows += narrow.length;
    }
    expect(rows).toBeGreaterThan(100);
  });
});
