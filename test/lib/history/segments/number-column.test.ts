import * as fc from 'fast-check';
import {
  type Packed,
  packBits,
  sameValue,
  unpackBits,
  unpackToScratch,
} from '../../../../lib/history/segments/bit-packing.ts';
import { packedIn, readNumbers, writeNumbers } from '../../../../lib/history/segments/number-column.ts';

const PLANES = 0;
const PACKED = 1;

const unsigned = fc.oneof(fc.nat(300), fc.nat(), fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }));

/** Also long ones, which have the same values over and over. */
const columns = fc
  .record({
    list: fc.oneof(fc.array(fc.nat(255)), fc.array(fc.nat()), fc.array(unsigned)),
    unit: fc.constantFrom(1, 60, 3600),
    times: fc.constantFrom(1, 1, 300),
  })
  .map(({ list, unit, times }) =>
    new Array<number[]>(times).fill(list.map((value) => Math.floor(value / unit) * unit)).flat(),
  );

const plain = (packed: Packed) => ({ ...packed, bytes: [...packed.bytes] });

/** Numbers below 2^16 that look random. */
const noise = (length: number): number[] =>
  Array.from({ length }, (_, i) => (Math.imul(i + 1, 0x9e37_79b1) >>> 3) % 65_521);

describe('a column of numbers', () => {
  it('is read as it was written', () => {
    const ways = new Set<number>();
    fc.assert(
      fc.property(columns, (values) => {
        const bytes = writeNumbers(values);
        expect(Array.from(readNumbers(bytes, values.length, unpackBits))).toEqual(values);
        expect(Array.from(readNumbers(bytes, values.length, unpackToScratch))).toEqual(values);
        ways.add(bytes[0]!);
      }),
    );
    expect(ways).toEqual(new Set([PLANES, PACKED]));
  });

  it('has the same bytes for the same values', () => {
    fc.assert(
      fc.property(columns, (values) => {
        expect(writeNumbers(Float64Array.from(values))).toEqual(writeNumbers(values));
      }),
    );
  });

  it('says how its values are packed, where they are', () => {
    fc.assert(
      fc.property(columns, (values) => {
        const bytes = writeNumbers(values);
        const packed = packedIn(bytes, values.length);
        expect(packed !== undefined).toBe(bytes[0] === PACKED);
        if (packed !== undefined) expect(plain(packed)).toEqual(plain(packBits(values)!));
      }),
    );
    expect(packedIn(writeNumbers([]), 0)).toBeUndefined();
    expect(packedIn(writeNumbers([2 ** 31, 2 ** 31]), 2)).toBeUndefined();
  });

  it('is known to have the same value throughout, where it has and this is below 2^31', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 31 - 1), fc.integer({ min: 1, max: 2000 }), (value, count) => {
        const same = writeNumbers(new Int32Array(count).fill(value));
        const differing = writeNumbers(new Int32Array(count + 1).fill(value).with(count >> 1, value === 7 ? 8 : 7));
        expect(sameValue(packedIn(same, count)!)).toBe(value);
        expect(sameValue(packedIn(differing, count + 1)!)).toBeUndefined();
      }),
    );
  });

  it('is written as planes where it is long and repeats itself, in less than half the bytes', () => {
    const bytesOverAndOver = new Array(50).fill(noise(300).map((value) => value % 256));
    const manyTimesEach = noise(300).map((value) => new Array(50).fill(value));
    for (const values of [bytesOverAndOver.flat(), manyTimesEach.flat()]) {
      const bytes = writeNumbers(values);
      expect(bytes[0]).toBe(PLANES);
      expect(bytes.length).toBeLessThan(packBits(values)!.bytes.length / 2);
      expect(Array.from(readNumbers(bytes, values.length, unpackBits))).toEqual(values);
    }
  });

  it('is packed where planes would save little', () => {
    for (const values of [noise(15_000), new Array(300).fill([1, 2, 3]).flat()]) {
      expect(writeNumbers(values)[0]).toBe(PACKED);
    }
  });
});
