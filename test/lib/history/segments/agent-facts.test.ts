import * as fc from 'fast-check';
import { agentFacts, mayLieWithin, placesWithin } from '../../../../lib/history/segments/agent-facts.ts';

const SPAN = 500; // s: some facts happen at once
const second = fc.integer({ min: -SPAN, max: 2 * SPAN });
const fact = fc.record({ isTheirs: fc.boolean(), second: fc.nat(SPAN) });

it('has all facts of an agent in time, those of a span side by side', () => {
  fc.assert(
    fc.property(fc.array(fact, { maxLength: 300, size: 'max' }), second, second, (facts, from, to) => {
      const seconds = Int32Array.from(facts, (each) => each.second);
      const found = [...facts.keys()].filter((at) => facts[at]!.isTheirs);
      const known = agentFacts(Int32Array.from(found), seconds);
      const inTime = found.toSorted((a, b) => seconds[a]! - seconds[b]! || a - b);
      expect([...known.places]).toEqual(inTime);
      const { first, end } = placesWithin(known, { from, to });
      const within = inTime.filter((at) => seconds[at]! >= from && seconds[at]! < to);
      expect([...known.places.subarray(first, end)]).toEqual(within);
      const around = found.some((at) => seconds[at]! < to) && found.some((at) => seconds[at]! >= from);
      expect(mayLieWithin(known, { from, to })).toBe(around);
    }),
  );
});
