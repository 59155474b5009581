import * as fc from 'fast-check';
import { freshTable, itOnEngine } from '../../../support/service/table.ts';
import { type Operation, operation } from '../../../support/store/operations.ts';
import { allItems, perform } from '../../../support/store/perform.ts';

const RUNS = Number(process.env.CONTRACT_RUNS ?? 60);
const SEED = Number(process.env.CONTRACT_SEED ?? 2026); // another for other calls
const CALLS = 25; // a run

/** A condition on a number that is read as `bigint`: found by chance. */
const LARGE_NUMBER: Operation[] = [
  { put: { pk: 'a', sk: 'l', n: -9_007_199_254_740_992n }, returnItem: false },
  { put: { pk: 'a', sk: 'l' }, when: { attribute: 'n', atMost: 0 }, returnItem: false },
];

itOnEngine(
  'any calls have equal answers, failures and units on the disk and in an engine that speaks like DynamoDB',
  async () => {
    const calls = { done: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: CALLS }), async (operations) => {
        const [local, engine] = [await freshTable('lmdb'), await freshTable('engine')];
        for (const one of operations) {
          expect({ one, came: await perform(local, one) }).toEqual({ one, came: await perform(engine, one) });
          calls.done += 1;
        }
        expect(await allItems(local)).toEqual(await allItems(engine));
      }),
      { numRuns: RUNS, seed: SEED, examples: [[LARGE_NUMBER]] },
    );
    expect(calls.done).toBeGreaterThan(RUNS);
  },
  120_000 + RUNS * 500, // ms
);
