import fc from 'fast-check';
import { newTextColumn } from '../../../../lib/import/mapping/text-column.ts';
import { tries } from '../../../support/generators/depth.ts';

it('holds the last text of each index, as a map does', () => {
  const texts = fc.array(fc.tuple(fc.nat(50), fc.string({ unit: 'binary', maxLength: 300 })), { maxLength: 200 });
  fc.assert(
    fc.property(texts, (entries) => {
      const [column, map] = [newTextColumn(), new Map(entries)];
      for (const [index, text] of entries) column.set(index, text);
      for (let index = -1; index < 60; index += 1) expect(column.get(index)).toBe(map.get(index));
    }),
    { numRuns: tries(50, 1 / 4) },
  );
});
