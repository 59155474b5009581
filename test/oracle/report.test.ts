import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { engineReport } from '../support/engine-report.ts';
import { compareReports, describeDifference, shrink } from '../support/oracle/compare.ts';
import { openOracle } from '../support/oracle/oracle.ts';
import { arbitraryExample } from '../support/requests.ts';

const EXAMPLES = 500; // more by `npm run test:oracle -- --runs N`

it('agrees with the oracle in every cell of random reports over random histories', async () => {
  const oracle = await openOracle();
  const examples = fc.sample(arbitraryExample, { numRuns: EXAMPLES, seed: 2026 });
  const { cells, differences } = await compareReports(oracle, engineReport, examples);
  const [first] = differences;
  expect(first && describeDifference(await shrink(oracle, engineReport, first))).toBeUndefined();
  expect(cells).toBeGreaterThan(10_000);
  oracle.close();
});
