import * as fc from 'fast-check';
import { contributionOf, percentileWith, restOf, shareOf } from '../../../../lib/insights/changes/parts.ts';
import { percentile } from '../../../../lib/insights/percentiles.ts';

const sorted = (values: readonly number[]): Float64Array => Float64Array.from(values).sort();
const part = fc
  .record({ sum: fc.nat(1000), count: fc.nat(50) })
  .map(({ sum, count }) => ({ sum: count === 0 ? 0 : sum, count }));

describe('contributions to the change of a rate or mean', () => {
  it('add up to the change, each of its own number and of its share', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(part, part), { minLength: 1, maxLength: 8 }), (members) => {
        const total = (side: 0 | 1) => ({
          sum: members.reduce((sum, each) => sum + each[side].sum, 0),
          count: members.reduce((sum, each) => sum + each[side].count, 0),
        });
        const totals = { now: total(0), before: total(1) };
        fc.pre(totals.now.count > 0 && totals.before.count > 0);
        const all = members.map(([now, before]) => contributionOf(now, before, totals));
        const change = totals.now.sum / totals.now.count - totals.before.sum / totals.before.count;
        expect(all.reduce((sum, { whole }) => sum + whole, 0)).toBeCloseTo(change, 8);
        for (const { whole, rate, mix } of all) expect(rate + mix).toBeCloseTo(whole, 8);
      }),
    );
  });

  it('of a member that is new or gone are by its share alone', () => {
    const totals = { now: { sum: 30, count: 100 }, before: { sum: 10, count: 100 } };
    const fresh = contributionOf({ sum: 20, count: 50 }, { sum: 0, count: 0 }, totals);
    expect([fresh.rate, fresh.mix]).toEqual([0, expect.closeTo(0.5 * (0.4 - 0.1), 10)]); // w₁(r₁ − R)
    const gone = contributionOf({ sum: 0, count: 0 }, { sum: 8, count: 50 }, totals);
    expect([gone.rate, gone.mix]).toEqual([0, expect.closeTo(-0.5 * (0.16 - 0.1), 10)]); // −w₀(r₀ − R)
  });

  it('count reopens without a resolve in full', () => {
    const totals = { now: { sum: 4, count: 10 }, before: { sum: 0, count: 10 } };
    expect(contributionOf({ sum: 4, count: 0 }, { sum: 0, count: 0 }, totals).whole).toBeCloseTo(0.4, 10);
  });
});

it('a share is that of the three largest in the direction of the change, at most 1', () => {
  expect(shareOf(-10, [-4, -3, -2, -1, 5])).toBeCloseTo(0.9, 10);
  expect(shareOf(-10, [-8, -7, 5])).toBe(1);
  expect(shareOf(3, [-1, -2])).toBe(null);
});

it('a percentile with other values in place of some is that of the list made so', () => {
  const value = fc.integer({ min: 0, max: 30 });
  fc.assert(
    fc.property(
      fc.array(value),
      fc.array(value),
      fc.array(value),
      fc.constantFrom(0, 50, 90, 100),
      (kept, taken, added, percent) => {
        const found = percentileWith(percent, sorted([...kept, ...taken]), sorted(taken), sorted(added));
        const list = sorted([...kept, ...added]);
        expect(found).toBe(list.length === 0 ? null : percentile(list, percent));
        expect([...restOf(sorted([...kept, ...taken]), [sorted(taken)])]).toEqual([...sorted(kept)]);
      },
    ),
  );
});
