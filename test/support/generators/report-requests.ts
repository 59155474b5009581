import * as fc from 'fast-check';
import type { AnyExample } from '../oracle/example.ts';
import { arbitraryPromises } from './promises.ts';
import { arbitraryComparison, arbitraryExample } from './requests.ts';

/** Random reports of every kind: promises to busy cases, comparisons, some with what chance gives, and totals in every second one. */
export function sampledReports(count: number, seed: number): AnyExample[] {
  const sixth = Math.ceil(count / 6);
  const examples: AnyExample[] = [
    ...fc.sample(arbitraryExample, { numRuns: count - 2 * sixth, seed }),
    ...fc.sample(arbitraryPromises, { numRuns: sixth, seed: seed + 1 }),
    ...fc.sample(arbitraryComparison, { numRuns: sixth, seed: seed + 2 }),
  ];
  return examples.map((example, at) => {
    const { time, fields } = example.body;
    // Of two percentiles chance is told by values that only a scan has.
    const chance = 'compare' in time && at % 3 === 0 && !fields.some((field) => /:(p\d|m(in|ax))/.test(field));
    return { ...example, body: { ...example.body, ...(at % 2 === 1 && { totals: true }), ...(chance && { chance }) } };
  });
}
