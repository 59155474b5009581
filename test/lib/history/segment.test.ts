import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { caseHistory } from '../../../lib/history/case-history.ts';
import type { CaseEvent } from '../../../lib/history/event.ts';
import { caseRow } from '../../../lib/history/facts.ts';
import { rowWeight } from '../../../lib/history/row-weight.ts';
import { openSegment } from '../../../lib/history/segment.ts';
import { compareRows, encodeSegment } from '../../../lib/history/segment-encode.ts';
import { segmentRows } from '../../../lib/history/segment-rows.ts';
import { arbitraryCases } from '../../support/arbitrary-history.ts';
import { caseRows } from '../../support/report-of.ts';

describe('a segment', () => {
  it('gives back the rows it was made of', () => {
    fc.assert(
      fc.property(arbitraryCases, (cases) => {
        const rows = caseRows(cases);
        expect(segmentRows(openSegment(encodeSegment(rows)))).toEqual([...rows].sort(compareRows));
      }),
    );
  });

  it('has the same bytes in whatever order its rows come', () => {
    fc.assert(
      fc.property(arbitraryCases, (cases) => {
        const rows = caseRows(cases);
        expect(encodeSegment([...rows].reverse())).toEqual(encodeSegment(rows));
      }),
    );
  });

  it('holds no rows and still opens', () => {
    expect(segmentRows(openSegment(encodeSegment([])))).toEqual([]);
  });

  it('keeps members and times at the ends of their ranges', () => {
    const events: CaseEvent[] = [
      { type: 'case.created', id: 'a', at: 0, case: 'x', channel: 0 },
      { type: 'interaction', id: 'b', at: 7_258_118_399_000_000, case: 'x', direction: 'outbound', agent: 2 ** 53 - 1 },
    ];
    const rows = [caseRow('x', caseHistory(events))];
    expect(segmentRows(openSegment(encodeSegment(rows)))).toEqual(rows);
  });

  it('weighs a row no less than it takes, once there are many', () => {
    const rows = Array.from({ length: 500 }, (_, i) =>
      caseRow(
        `case ${(i * 7919) % 10_007}`,
        caseHistory(
          Array.from({ length: 12 }, (_, j): CaseEvent => {
            const at = 1_700_000_000_000_000 + i * 977_000_000 + ((i * 31 + j * 7919) % 86_400) * 1_000_000;
            return { type: 'interaction', direction: 'inbound', id: `${j}`, at, case: `${i}`, agent: (i * j) % 211 };
          }),
        ),
      ),
    );
    const weight = rows.reduce((sum, row) => sum + rowWeight(row), 0);
    expect(encodeSegment(rows).length).toBeLessThan(weight);
  });
});
