import * as fc from 'fast-check';
import { speed } from '../../../../infra/cli/import/outcome.ts';

/** The seconds that a text such as `1 h 2 min` or `0.3 s` says. */
function secondsOf(text: string): number {
  const units = { h: 3600, min: 60, s: 1 };
  const parts = text.matchAll(/([\d.]+) (h|min|s)\b/g);
  return [...parts].reduce((sum, [, count, unit]) => sum + Number(count) * units[unit as keyof typeof units], 0);
}

describe('speed', () => {
  it('tells how long an import took, and each part of it', () => {
    expect(speed(1_000, { reading: 310, storing: 470, folding: 20 })).toBe(
      '0.8 s, 1,250 events a second: reading 0.3 s, storing 0.5 s, folding 0.0 s.',
    );
    expect(speed(5_200_000, { reading: 4_400, storing: 6_400, folding: 89_400 })).toBe(
      '1 min 40 s, 51,896 events a second: reading 4 s, storing 7 s, folding 1 min 29 s.',
    );
  });

  it('tells parts that add up to the whole', () => {
    const ms = fc.oneof(fc.nat(1_000), fc.nat(30_000), fc.nat(20_000_000));
    fc.assert(
      fc.property(fc.record({ reading: ms, storing: ms, folding: ms }), (took) => {
        const [whole = '', parts = ''] = speed(1, took).split(': ');
        const sum = parts.split(', ').reduce((all, part) => all + secondsOf(part), 0);
        expect(sum).toBeCloseTo(secondsOf(whole.replace(/,.*/, '')), 6);
      }),
    );
  });
});
