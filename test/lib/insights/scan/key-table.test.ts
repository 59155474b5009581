import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { createKeyTable, findValue, insertKey } from '../../../../lib/insights/scan/key-table.ts';

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
        const found: [table: number, map: number][] = [];
        for (const [key, value] of pairs) {
          found.push([findValue(table, key), expected.get(key) ?? 0]);
          if (expected.has(key)) continue;
          insertKey(table, key, value);
          expected.set(key, value);
        }
        for (const [key, value] of expected) found.push([findValue(table, key), value]);
        expect(found.filter(([value, mapped]) => value !== mapped)).toEqual([]);
        expect(table.size).toBe(expected.size);
      }),
    );
  });

  it('keeps keys apart that lie side by side, by the thousand', () => {
    const table = createKeyTable();
    for (let key = 0; key < 100_000; key += 1) insertKey(table, key * 8784, key + 1);
    const keys = Array.from({ length: 100_000 }, (_, key) => key);
    expect(keys.filter((key) => findValue(table, key * 8784) !== key + 1)).toEqual([]);
    expect(findValue(table, 1)).toBe(0);
  });
});
