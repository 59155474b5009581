import fc from 'fast-check';
import { sortedKey } from '../../../../lib/import/mapping/sorted-key.ts';

describe('sortedKey', () => {
  it('sorts whole numbers by size, lists of them part by part', () => {
    const numbers = fc.tuple(fc.nat(), fc.nat({ max: 20 }));
    fc.assert(
      fc.property(numbers, numbers, (a, b) => {
        const bySize = Math.sign(a[0] - b[0] || a[1] - b[1]);
        const byKey = sortedKey(a) < sortedKey(b) ? -1 : sortedKey(a) > sortedKey(b) ? 1 : 0;
        expect(byKey).toBe(bySize);
      }),
    );
  });

  it('takes digits as their number, and puts texts after numbers', () => {
    expect(sortedKey(['0010', 'b'])).toBe('210 ~b');
    expect(['b', '9', 'a', '10', '1.5'].sort((a, b) => (sortedKey([a]) < sortedKey([b]) ? -1 : 1))).toEqual([
      '1.5',
      '9',
      '10',
      'a',
      'b',
    ]);
  });
});
