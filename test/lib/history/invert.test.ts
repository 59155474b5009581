import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { invert, mayStand, placesWithin } from '../../../lib/history/invert.ts';

const AGENTS = 3;
const SPAN = 5000; // s, so that a step has some
const second = fc.integer({ min: -SPAN, max: 2 * SPAN });
const fact = fc.record({ agent: fc.nat(AGENTS), second: fc.nat(SPAN) });

describe('an inverted column of agents', () => {
  it('has each fact of an agent once, and those of a span of time side by side', () => {
    fc.assert(
      fc.property(fc.array(fact, { maxLength: 300, size: 'max' }), second, second, (facts, from, to) => {
        const seconds = Int32Array.from(facts, (each) => each.second);
        const inverted = invert(
          Uint8Array.from(facts, ({ agent }) => agent),
          AGENTS,
          seconds,
          SPAN,
        );
        for (let agent = 0; agent <= AGENTS; agent += 1) {
          const all = [...facts.keys()].filter((at) => facts[at]!.agent === agent);
          const places = [...inverted.places.subarray(inverted.offsets[agent], inverted.offsets[agent + 1])];
          expect(places.toSorted((a, b) => a - b)).toEqual(all);
          const { first, end } = placesWithin(inverted, agent, seconds, { from, to });
          const found = [...inverted.places.subarray(first, end)];
          expect(found).toEqual(expect.arrayContaining(all.filter((at) => seconds[at]! >= from && seconds[at]! < to)));
          const times = all.map((at) => seconds[at]!);
          const surely = times.some((at) => at >= from && at < to);
          const possibly = times.some((at) => at > from - 10) && times.some((at) => at < to + 10);
          expect(surely ? [true] : [possibly, false]).toContain(mayStand(inverted, agent, seconds, { from, to }));
          for (const at of found) {
            expect(seconds[at]).toBeGreaterThan(from - 10);
            expect(seconds[at]).toBeLessThan(to + 10);
          }
        }
      }),
    );
  });
});
