import * as fc from 'fast-check';
import { caseHistory } from '../../../../lib/history/cases/case-history.ts';
import { caseRow } from '../../../../lib/history/cases/facts.ts';
import { rowWeight, rowWeights } from '../../../../lib/history/segments/row-weight.ts';
import { openSegment } from '../../../../lib/history/segments/segment.ts';
import { encodeSegment } from '../../../../lib/history/segments/segment-encode.ts';
import { arbitraryCases } from '../../../support/generators/histories.ts';
import { segmentRows } from '../../../support/generators/segment-rows.ts';

describe('the weight of a row', () => {
  it('is the same from the row and from the counts of its segment', () => {
    fc.assert(
      fc.property(arbitraryCases, (cases) => {
        const rows = [...cases].map(([key, events]) => caseRow(key, caseHistory(events)));
        const segment = openSegment(encodeSegment(rows));
        expect(rowWeights(segment)).toEqual(segmentRows(segment).map(rowWeight));
      }),
    );
  });
});
