import { some, tries } from '../support/generators/depth.ts';
import { sampledReports } from '../support/generators/report-requests.ts';
import { compareStatements } from '../support/oracle/sql-reports.ts';

const ENGINES = [
  { engine: 'DuckDB', dialect: 'duckdb', share: 1 },
  { engine: 'Athena', dialect: 'trino', share: 1 / 2 },
] as const;

it.each(some(ENGINES))(
  'gives every reply of the scan to the byte by one statement over the exported files, for $engine',
  async ({ dialect, share }) => {
    const { reports, cells, telling, differences } = await compareStatements(
      sampledReports(tries(600 * share), 51),
      dialect,
    );
    expect(differences.slice(0, 1)).toEqual([]);
    expect(cells).toBeGreaterThan(20 * reports);
    expect(telling).toBeGreaterThan(5 * reports);
  },
);
