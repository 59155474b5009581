import * as fc from 'fast-check';
import { fromPlanes, toPlanes } from '../../../../lib/history/segments/byte-planes.ts';

const unsigned = fc.oneof(fc.nat(300), fc.nat(), fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }));

it('gives back any unsigned integers up to 2^53', () => {
  fc.assert(
    fc.property(fc.array(unsigned), fc.constantFrom(1, 60, 3600), (list, unit) => {
      const values = list.map((value) => Math.floor(value / unit) * unit);
      expect(Array.from(fromPlanes(toPlanes(values)))).toEqual(values);
    }),
  );
});

it('takes no bytes for zeros, and for times in minutes those of minutes', () => {
  expect(toPlanes([0, 0, 0]).planes).toEqual([]);
  expect(toPlanes([60, 0, 15_300])).toMatchObject({ divisor: 60, planes: [Uint8Array.of(1, 0, 255)] });
});
