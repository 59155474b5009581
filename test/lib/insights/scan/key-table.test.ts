import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { createKeyTable, enter, lookUp } from '../../../../lib/insights/scan/key-table.ts';

const keys = fc.oneof(
  fc.nat(50),
  fc.maxSafeNat(),
  fc.nat(1000).map((high) => high * 2 ** 32),
);

describe('a table of keys', () => {
  it('finds what a map would', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(keys, fc.integer().filter(Boolean)), { maxLength: 200 }), (pairs) => {
        const table = createKeyTable();
        const expected = new Map<number, number>();
        for (const [key, value] of pairs) {
          expect(lookUp(table, key)).toBe(expected.get(key) ?? 0);
          if (expected.has(key)) continue;
          enter(table, key, value);
          expected.set(key, value);
        }
        for (const [key, value] of expected) expect(lookUp(table, key)).toBe(value);
        expect(table.size).toBe(expected.size);
      }),
    );
  });

  it('keeps keys apart that lie side by side, by the thousand', () => {
    const table = createKeyTable();
    for (let key = 0; key < 100_000; key += 1) enter(table, key * 8784, key + 1);
    for (let key = 0; key < 100_000; key += 1) expect(lookUp(table, key * 8784)).toBe(key + 1);
    expect(lookUp(table, 1)).toBe(0);
  });
});
