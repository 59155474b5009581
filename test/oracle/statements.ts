import { parseArgs } from 'node:util';
import { DIALECT_NAMES } from '../../lib/insights/sql/dialect.ts';
import { sampledReports } from '../support/generators/report-requests.ts';
import { compareStatements } from '../support/oracle/sql-reports.ts';

/** `npm run test:statements -- --runs N [--seed S]`: compares N random reports by one statement each with the scan. */
const { values } = parseArgs({ options: { runs: { type: 'string', default: '1000' }, seed: { type: 'string' } } });
const runs = Number(values.runs);
const [SHOWN, AROUND, MOST_SQL] = [3, 200, 20_000]; // differences, and characters of them
const seed = Number(values.seed ?? Date.now() % 2 ** 31);
for (const dialect of DIALECT_NAMES) {
  const { reports, cells, telling, differences } = await compareStatements(sampledReports(runs, seed), dialect);
  for (const { example, sql, expected, got } of differences.slice(0, SHOWN)) {
    const at = Array.from(expected).findIndex((each, place) => each !== got[place]);
    const around = (reply: string): string => reply.slice(Math.max(0, at - AROUND), at + AROUND);
    console.log([JSON.stringify(example.body), ...[expected, got].map(around), sql.slice(0, MOST_SQL)].join('\n'));
    process.exitCode = 1;
  }
  console.log(
    `seed ${seed}, ${dialect}: ${reports} reports, ${cells} cells, ${telling} neither 0 nor null, ${differences.length} replies differ`,
  );
}
