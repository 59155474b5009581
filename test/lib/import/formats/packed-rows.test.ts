import * as fc from 'fast-check';
import { packRows, unpackRows } from '../../../../lib/import/formats/packed-rows.ts';
import type { Row } from '../../../../lib/import/formats/row.ts';
import type { HistoryRecord } from '../../../../lib/import/records/records.ts';
import { arbitraryVersions } from '../../../support/generators/arbitrary-versions.ts';
import { arbitraryCases } from '../../../support/generators/histories.ts';

const label: HistoryRecord = { type: 'label', id: 7, name: 'größer\n"', updated_at: 0 };

describe('packed rows', () => {
  it('are what they were, whatever records they have', () => {
    const rows = fc
      .tuple(arbitraryCases, arbitraryVersions, fc.nat(), fc.string())
      .map(([cases, versions, line, reason]) => [
        { line, reason },
        ...[...cases.values(), versions].map((records): Row => ({ line, records: [...records, label] })),
        { line: 1, reason, case: 'ü', source: 'desk' },
        { line: 1, records: [] },
        { line: 2, records: [label], empty: { case: 'ü', last: 7 } },
      ]);
    fc.assert(
      fc.property(rows, (given) => {
        expect(unpackRows(packRows(given))).toEqual(given);
      }),
    );
  });

  it('keep members that are as large as ids can be', () => {
    const agent = Number.MAX_SAFE_INTEGER;
    const records: HistoryRecord[] = [{ type: 'case.assigned', id: '1', at: 0, case: '1', to: { agent, group: null } }];
    expect(unpackRows(packRows([{ line: 1, records }]))).toEqual([{ line: 1, records }]);
  });
});
