import * as fc from 'fast-check';
import { VarintReader, varints } from '../../../../lib/history/segments/varints.ts';

/** Any, of whatever bits. */
const unsigned = fc
  .tuple(fc.nat(53), fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }))
  .map(([bits, value]) => value % 2 ** bits);

it('gives back any unsigned integers up to 2^53, one after the other', () => {
  fc.assert(
    fc.property(fc.array(unsigned), fc.uint8Array(), (values, before) => {
      const bytes = Buffer.concat([before, varints(values), Uint8Array.of(255)]);
      const reader = new VarintReader(bytes, before.length);
      expect(values.map(() => reader.next())).toEqual(values);
      expect(reader.at).toBe(bytes.length - 1);
    }),
  );
});

it('takes a byte for each seven bits', () => {
  for (let bytes = 1; bytes <= 7; bytes += 1) {
    const limit = 2 ** (7 * bytes);
    const reader = new VarintReader(varints([limit - 1, limit]), 0);
    expect([reader.next(), reader.at]).toEqual([limit - 1, bytes]);
    expect([reader.next(), reader.at]).toEqual([limit, 2 * bytes + 1]);
  }
  expect(varints([Number.MAX_SAFE_INTEGER])).toHaveLength(8);
});

it('says small ones as they are', () => {
  const small = Array.from({ length: 128 }, (_, value) => value);
  expect(varints(small)).toEqual(Uint8Array.from(small));
});
