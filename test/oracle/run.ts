import { parseArgs } from 'node:util';
import * as fc from 'fast-check';
import { arbitraryPromises } from '../support/generators/promises.ts';
import { arbitraryExample } from '../support/generators/requests.ts';
import { census } from '../support/oracle/census.ts';
import { compareReports, describeDifference, shrink } from '../support/oracle/compare.ts';
import { engineReport } from '../support/oracle/engine-report.ts';
import { openOracle } from '../support/oracle/oracle.ts';

/** One in three has busy cases with promises. */
const anyExample = fc.oneof({ weight: 2, arbitrary: arbitraryExample }, { weight: 1, arbitrary: arbitraryPromises });
const BATCH = 400; // examples that go through each statement together

/** `npm run test:oracle -- --runs N [--seed S]`: compares N random reports and says what it found. */
const { values } = parseArgs({ options: { runs: { type: 'string', default: '2000' }, seed: { type: 'string' } } });
const runs = Number(values.runs);
const seed = Number(values.seed ?? Date.now() % 2 ** 31);
const oracle = await openOracle();
const awkward: Record<string, number> = {};
const kinds: Record<string, { cells: number; telling: number }> = {};
const total = { histories: 0, reports: 0, rows: 0, cells: 0, differences: 0 };
for (let done = 0; done < runs; done += BATCH) {
  const examples = fc.sample(anyExample, { numRuns: Math.min(BATCH, runs - done), seed: seed + done });
  const found = await compareReports(oracle, engineReport, examples);
  for (const figure of ['histories', 'reports', 'rows', 'cells'] as const) total[figure] += found[figure];
  total.differences += found.differences.length;
  for (const [name, histories] of Object.entries(census(examples))) awkward[name] = (awkward[name] ?? 0) + histories;
  for (const [kind, { cells, telling }] of Object.entries(found.kinds)) {
    const before = kinds[kind] ?? { cells: 0, telling: 0 };
    kinds[kind] = { cells: before.cells + cells, telling: before.telling + telling };
  }
  const [first] = found.differences;
  if (first) {
    console.log(describeDifference(await shrink(oracle, engineReport, first)));
    break;
  }
}
oracle.close();
for (const [name, histories] of Object.entries(awkward)) console.log(`${String(histories).padStart(8)} with ${name}`);
for (const [kind, { cells, telling }] of Object.entries(kinds))
  console.log(`${String(cells).padStart(8)} cells of ${kind}, ${telling} neither 0 nor null`);
console.log(
  `seed ${seed}: ${Object.entries(total)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ')}`,
);
process.exitCode = total.differences === 0 ? 0 : 1;
