import * as fc from 'fast-check';
import { inVersions } from '../support/generators/arbitrary-versions.ts';
import { tries } from '../support/generators/depth.ts';
import { arbitraryPromises } from '../support/generators/promises.ts';
import { arbitraryComparison, arbitraryExample } from '../support/generators/requests.ts';
import { census } from '../support/oracle/census.ts';
import { compareReports, describeDifference, shrink } from '../support/oracle/compare.ts';
import { engineReport } from '../support/oracle/engine-report.ts';
import type { AnyExample, Row } from '../support/oracle/example.ts';
import { openOracle } from '../support/oracle/oracle.ts';

const EXAMPLES = 500; // more by `npm run test:oracle -- --runs N`
const RARE = EXAMPLES / 25; // histories at least that have each awkward thing
const examples = fc.sample(arbitraryExample, { numRuns: EXAMPLES, seed: 2 });
const compared = tries(EXAMPLES, 1 / 4);

/** The rows of the definitions alone; the faster ways must give the same. */
function plainReport(example: AnyExample): readonly Row[] {
  const rows = engineReport(example, { isFast: false });
  expect(engineReport(example)).toEqual(rows);
  return rows;
}

it('agrees with the oracle in every cell of random reports over random histories, by the faster ways or without', async () => {
  const oracle = await openOracle();
  const { cells, kinds, differences } = await compareReports(oracle, plainReport, examples.slice(0, compared));
  const [first] = differences;
  expect(first && describeDifference(await shrink(oracle, plainReport, first))).toBeUndefined();
  expect(cells).toBeGreaterThan(compared * 20);
  for (const [kind, { telling }] of Object.entries(kinds))
    expect([kind, telling > compared / 50]).toEqual([kind, true]);
  oracle.close();
});

it('agrees with it on promises made to busy cases', async () => {
  const oracle = await openOracle();
  const busy = fc.sample(arbitraryPromises, { numRuns: tries(120), seed: 30 });
  const { kinds, differences } = await compareReports(oracle, engineReport, busy);
  const [first] = differences;
  expect(first && describeDifference(await shrink(oracle, engineReport, first))).toBeUndefined();
  expect(kinds.promises?.telling).toBeGreaterThan(tries(500));
  expect(kinds['promises in working time']?.telling).toBeGreaterThan(tries(100));
  oracle.close();
});

it('agrees with it on histories of sources and versions, of which the rule is applied to the raw records', async () => {
  const oracle = await openOracle();
  const versions = fc.sample(
    arbitraryExample.chain((example) => inVersions(example.events).map((events) => ({ ...example, events }))),
    { numRuns: tries(100), seed: 19 },
  );
  const { cells, differences } = await compareReports(oracle, engineReport, versions);
  const [first] = differences;
  expect(first && describeDifference(await shrink(oracle, engineReport, first))).toBeUndefined();
  expect(cells).toBeGreaterThan(tries(2_000) / 2);
  oracle.close();
});

it('agrees with it on what reports are compared with, also while their range still runs', async () => {
  const oracle = await openOracle();
  const compared = fc.sample(arbitraryComparison, { numRuns: tries(300, 1 / 2), seed: 35 });
  const { cells, differences } = await compareReports(oracle, engineReport, compared);
  const [first] = differences;
  expect(first && describeDifference(await shrink(oracle, engineReport, first))).toBeUndefined();
  expect(cells).toBeGreaterThan(tries(2_000) / 2);
  oracle.close();
});

it('meets every awkward thing in many of those histories', () => {
  const rare = Object.entries(census(examples)).filter(([, histories]) => histories < RARE);
  expect(rare).toEqual([]);
});
