import * as fc from 'fast-check';
import { newLineSet } from '../../../../lib/import/formats/line-set.ts';

it('holds the numbers that were added, each once', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 200_000 })), fc.array(fc.nat({ max: 200_000 })), (added, others) => {
      const [set, model] = [newLineSet(), new Set<number>()];
      for (const line of added) {
        expect(set.add(line)).toBe(!model.has(line));
        model.add(line);
      }
      expect(set.size).toBe(model.size);
      for (const line of [...added, ...others]) expect(set.has(line)).toBe(model.has(line));
    }),
  );
});
