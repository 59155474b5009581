import { parseArgs } from 'node:util';
import { DIALECTS } from '../../lib/insights/sql/dialect.ts';
import { keysOf } from '../../lib/typed-object.ts';
import { sampledReports } from '../support/generators/report-requests.ts';
import { compareStatements } from '../support/oracle/sql-reports.ts';

/** `npm run test:statements -- --runs N [--seed S]`: compares N random reports by one statement each with the scan. */
const { values } = parseArgs({ options: { runs: { type: 'string', default: '1000' }, seed: { type: 'string' } } });
const runs = Number(values.runs);
const seed = Number(values.seed ?? Date.now() % 2 ** 31);
for (const dialect of keysOf(DIALECTS)) {
  const { reports, cells, telling, differences } = await compareStatements(sampledReports(runs, seed), dialect);
  const [first] = differences;
  if (first !== undefined) {
    const { example, sql, expected, got } = first;
    console.log([JSON.stringify(example.body), sql, 'scan', expected, 'statement', got].join('\n'));
    process.exitCode = 1;
  }
  console.log(
    `seed ${seed}, ${dialect}: ${reports} reports, ${cells} cells, ${telling} neither 0 nor null, ${differences.length} replies differ`,
  );
}
