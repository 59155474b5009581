import * as fc from 'fast-check';
import { csvText } from '../../lib/csv.ts';
import { readCsv } from '../support/generators/read-csv.ts';

const cell = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', '"', ',', '\r', '\n', '\t', '=', '-', '＝', '＠', 'ä', '😀') }),
  fc.nat(),
);

describe('CSV', () => {
  it('is read back as it was, with an apostrophe before what a spreadsheet would run', () => {
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 5 }), (rows) => {
        const expected = rows.map((row) =>
          row.map((one) => (/^[=+\-@\t\r\n＝＋－＠]/.test(`${one}`) ? `'${one}` : `${one}`)),
        );
        expect(readCsv(csvText(rows))).toEqual(expected);
      }),
    );
  });

  it('leaves null empty, quotes only what needs quotes, and ends each line with CRLF', () => {
    expect(
      csvText([
        ['a', null, 1.5, 'x "y", z'],
        ['=1+1', '+1', '-1', '@a', '\tb', '\rc', '\nd', '＝1', '＋1', '－1', '＠a', true],
      ]),
    ).toBe('a,,1.5,"x ""y"", z"\r\n' + "'=1+1,'+1,'-1,'@a,'\tb,\"'\rc\",\"'\nd\",'＝1,'＋1,'－1,'＠a,true\r\n");
  });
});
