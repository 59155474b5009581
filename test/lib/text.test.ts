import * as fc from 'fast-check';
import { byCodePoint } from '../../lib/text.ts';

it('compares texts by code point, those past the first 65,536 included', () => {
  const unit = fc.constantFrom('a', 'b', 'ä', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{1f600}', '\u{10ffff}');
  const text = fc.array(unit, { maxLength: 4 }).map((units) => units.join(''));
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(Math.sign(byCodePoint(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
});
