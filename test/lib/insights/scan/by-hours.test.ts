import * as fc from 'fast-check';
import { tries } from '../../../support/generators/depth.ts';
import { arbitraryExample } from '../../../support/generators/requests.ts';
import { engineReport } from '../../../support/oracle/engine-report.ts';
import type { Example } from '../../../support/oracle/example.ts';

/** Fields whose numbers all add up over hours. */
const FIELDS = [
  'inbound_interactions',
  'case_resolves',
  'time_to_first_response:p50',
  'agent_time_online',
  'reply_time',
];

const DIMENSIONS = [
  { dimension1: 'weekday', dimension2: 'hour_of_day' },
  { dimension1: 'hour_of_day' },
  { dimension2: 'weekday' },
] as const;

const arbitraryClock: fc.Arbitrary<Example> = fc
  .tuple(arbitraryExample, fc.constantFrom(...DIMENSIONS))
  .map(([{ body, ...rest }, dimensions]) => ({
    ...rest,
    body: { fields: FIELDS, time: body.time, ...(body.filters && { filters: body.filters }), ...dimensions },
  }));

it('gives a report by hour of day or weekday the same rows as the plain way', () => {
  let rows = 0;
  fc.assert(
    fc.property(arbitraryClock, (example) => {
      const found = engineReport(example, { isFast: false });
      expect(engineReport(example)).toEqual(found);
      rows += found.length;
    }),
    { numRuns: tries(80, 1 / 4), seed: 33 },
  );
  expect(rows).toBeGreaterThan(tries(80, 1 / 4));
});
