import * as fc from 'fast-check';
import {
  FIELD_NAMES,
  FIELDS,
  fieldNamed,
  fieldValues,
  measuresOf,
  roundedQuotient,
  varianceMeasures,
} from '../../../../lib/insights/definitions/fields.ts';
import { MEASURES, type Measure } from '../../../../lib/insights/definitions/measures.ts';
import { NOTHING } from '../../../../lib/insights/json-bytes.ts';

const NAMES =
  'agent_replies_per_resolve agent_time_online avg_handle_time avg_interactions avg_time_to_resolution case_creates ' +
  'case_deletes case_reopen_rate case_reopens case_resolves case_views cases_resolved_with_macro macro_applied ' +
  'first_contact_resolution_rate inbound_cases inbound_interactions label_applied outbound_cases outbound_interactions ' +
  'resolved_cases resolved_without_response time_to_first_response';

const percentOf = () => Float64Array.of(NOTHING);

describe('the data fields', () => {
  it('are the 22 of the interface beside extensions, and need every measure there is', () => {
    const original = FIELD_NAMES.filter((name) => fieldNamed(name).extension !== true);
    expect(original.sort()).toEqual(NAMES.split(' ').sort());
    expect([...measuresOf(FIELD_NAMES), ...varianceMeasures(FIELD_NAMES)].sort()).toEqual(Object.keys(MEASURES).sort());
  });

  it('are 0 for a total and null for a mean or rate of nothing', () => {
    const nothing = { sumsOf: () => Float64Array.of(0), percentOf };
    for (const name of FIELD_NAMES)
      expect(Array.from(fieldValues(name, nothing))).toEqual(['total' in FIELDS[name] ? 0 : NOTHING]);
  });

  it('divide their sums and give rates in percent', () => {
    const sums: Partial<Record<Measure, number>> = {
      inbound: 3,
      outbound: 4,
      interactingCases: 3,
      reopens: 1,
      resolves: 3,
    };
    const sumsOf = (measure: Measure): Float64Array => Float64Array.of(sums[measure] ?? 0);
    const found = { sumsOf, percentOf };
    expect(Array.from(fieldValues('avg_interactions', found))).toEqual([2.33]);
    expect(Array.from(fieldValues('case_reopen_rate', found))).toEqual([33.33]);
    expect(Array.from(fieldValues('case_reopens', found))).toEqual([1]);
  });
});

describe('rounding', () => {
  it('is half up from the exact quotient', () => {
    expect(roundedQuotient(1, 8)).toBe(0.13);
    expect(roundedQuotient(201, 200)).toBe(1.01); // 1.005, which as a float lies below
    expect(roundedQuotient(4, 2)).toBe(2);
    expect(roundedQuotient(2, 3)).toBe(0.67);
  });

  it('stays exact for sums near 2^53', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.integer({ min: 1, max: 1_000_000_000 }), (sum, count) => {
        const hundredths = (BigInt(sum) * 200n + BigInt(count)) / (2n * BigInt(count));
        expect(roundedQuotient(sum, count)).toBe(Number(hundredths) / 100);
      }),
    );
  });
});
