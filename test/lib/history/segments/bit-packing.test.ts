import * as fc from 'fast-check';
import { packBits, sameValue, unpackBits, unpackToScratch } from '../../../../lib/history/segments/bit-packing.ts';

const LIMIT = 2 ** 31;

/** Numbers of so many bits that look random. */
const noise = (bits: number, length: number): number[] =>
  Array.from({ length }, (_, i) => Math.floor((Math.imul(i + 1, 0x9e37_79b1) >>> 0) / 2 ** (32 - bits)));

const few = fc.array(fc.oneof(fc.nat(300), fc.nat(LIMIT - 1)), { minLength: 1, maxLength: 40 });

/** Values of few bits, of which some are larger. */
const outliers = fc
  .record({
    bits: fc.nat(31),
    length: fc.integer({ min: 1, max: 3000 }),
    larger: fc.array(fc.tuple(fc.nat(), fc.nat(LIMIT - 1)), { maxLength: 8 }),
  })
  .map(({ bits, length, larger }) => {
    const values = noise(bits, length);
    for (const [place, value] of larger) values[place % length] = value;
    return values;
  });

const stepped = fc
  .tuple(outliers, fc.constantFrom(2, 60, 3600), fc.nat(LIMIT / 2 - 1))
  .map(([values, step, offset]) => values.map((value) => offset + step * Math.floor(value / step / 2)));

const constant = fc
  .tuple(fc.nat(LIMIT - 1), fc.integer({ min: 1, max: 3000 }))
  .map(([value, length]) => new Array<number>(length).fill(value));

function expectBack(values: readonly number[]): void {
  const packed = packBits(values)!;
  expect(Array.from(unpackBits(packed))).toEqual(values);
  expect(Array.from(unpackToScratch(packed))).toEqual(values);
}

describe('packed integers', () => {
  it('come back whatever they are', () => {
    fc.assert(fc.property(fc.oneof(few, outliers, stepped, constant), expectBack));
  });

  it('come back of whatever bits, and however many', () => {
    for (let bits = 0; bits <= 31; bits += 1) {
      for (let length = 1; length <= 40; length += 1) expectBack(noise(bits, length));
    }
    expectBack(noise(20, 50_000));
  });

  it('come back where a few of many are far larger, and lie far apart', () => {
    for (const places of [[0, 255, 511, 1999], [254, 1000], [255], [1999]]) {
      const values = noise(2, 2000);
      for (const place of places) values[place] = LIMIT - 1 - place;
      expect(packBits(values)).toMatchObject({ width: 2, largest: LIMIT - 1 - places[0]! });
      expectBack(values);
    }
  });

  it('come back from bytes that lie among others', () => {
    fc.assert(
      fc.property(outliers, fc.integer({ min: 1, max: 9 }), (values, before) => {
        const packed = packBits(values)!;
        const among = Buffer.concat([Buffer.alloc(before, 255), packed.bytes, Buffer.alloc(9, 255)]);
        const bytes = among.subarray(before, before + packed.bytes.length);
        expect(Array.from(unpackBits({ ...packed, bytes }))).toEqual(values);
      }),
    );
  });

  it('come back in a narrow column, which stays as it is when others are unpacked', () => {
    const lists = [256, 2 ** 16, LIMIT].map((limit) =>
      Array.from({ length: 256 }, (_, i) => (i % 9 === 0 ? limit - 1 - i : 1 + (i % 3))),
    );
    const columns = lists.map((values) => unpackBits(packBits(values)!));
    for (const values of lists) unpackToScratch(packBits(values.toReversed())!);
    expect(columns).toEqual([Uint8Array.from(lists[0]!), Uint16Array.from(lists[1]!), Int32Array.from(lists[2]!)]);
  });

  it('are known without unpacking where all are the same', () => {
    fc.assert(
      fc.property(constant, (values) => {
        expect(sameValue(packBits(values)!)).toBe(values[0]);
      }),
    );
    fc.assert(
      fc.property(few, fc.nat(LIMIT - 1), (values, value) => {
        const differing = [...values, value === 0 ? 1 : 0, value];
        expect(sameValue(packBits(differing)!)).toBeUndefined();
      }),
    );
    expect(sameValue(packBits(new Int32Array(2000).with(1000, 7))!)).toBeUndefined();
  });

  it('take no bytes where all are the same', () => {
    fc.assert(
      fc.property(constant, (values) => {
        expect(packBits(values)).toMatchObject({ base: values[0], width: 0, patches: 0, bytes: new Uint8Array(0) });
      }),
    );
  });

  it('take the bits of what they are above the least, in the unit that these share', () => {
    const packed = packBits(Array.from({ length: 1000 }, (_, i) => 500_000_007 + 60 * (i % 8)))!;
    expect(packed).toMatchObject({ base: 500_000_007, divisor: 60, width: 3, patches: 0 });
    expect(packed.bytes.length).toBeLessThan((1000 * 3) / 8 + 8);
  });

  it('take little more where a few are far larger', () => {
    const without = packBits(noise(3, 1000))!.bytes.length;
    for (const large of [LIMIT - 1, 1_000_000]) {
      const values = noise(3, 1000);
      for (const place of [10, 400, 990]) values[place] = large;
      expect(packBits(values)!.bytes.length).toBeLessThan(without + 40);
    }
  });
});

it('packs nothing where there is nothing, or anything needs more than 31 bits', () => {
  expect(packBits([])).toBeUndefined();
  expect(packBits([LIMIT - 1])).toBeDefined();
  expect(packBits([0, LIMIT])).toBeUndefined();
  fc.assert(
    fc.property(few, fc.integer({ min: LIMIT, max: Number.MAX_SAFE_INTEGER }), fc.nat(40), (values, large, place) => {
      expect(packBits(values.toSpliced(place, 0, large))).toBeUndefined();
      expect(packBits([large, large])).toBeUndefined();
    }),
  );
});
