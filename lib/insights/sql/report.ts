import { certain } from '../../certain.ts';
import { comparedRequest } from '../compute.ts';
import type { Plan } from '../plan.ts';
import type { Reference } from '../reference.ts';
import type { ComputedReport } from '../report-json.ts';
import type { ReportRequest } from '../request.ts';
import { tooLarge } from '../too-large.ts';
import { planTables, type TableName } from '../totals.ts';
import type { Range } from '../windows.ts';
import type { StatementDialect } from './dialect.ts';
import { type ResultRow, statementResults } from './found.ts';
import type { HistoryMembers } from './members.ts';
import { type FactsRead, reportStatement } from './statement.ts';

/** A report to ask an engine for. */
interface AskedReport {
  readonly site: string;
  readonly request: ReportRequest;
  readonly reference: Reference;
  readonly known: HistoryMembers;
  readonly extent?: Range; // a range that contains every fact of the site, if one is known
}

/** A question to an engine: the statement, and what its rows are as a report. */
interface AskedStatement {
  readonly sql: string;
  readonly reads: readonly FactsRead[];
  readonly read: (rows: Iterable<ResultRow>) => Omit<ComputedReport, 'unknown'>;
}

const LONGEST = 200_000; // bytes

/**
 * Writes the one statement that answers a report with its totals and its comparison. Throws the 422
 * `too_large`, as `planReport` does, also if filters match very many values or the statement is too long.
 */
export function askReport(
  { site, request, reference, known, extent }: AskedReport,
  dialect: StatementDialect,
): AskedStatement {
  const compared = comparedRequest(request);
  const tablesOf = (asked: ReportRequest): { name: TableName; plan: Plan }[] =>
    // Each table is counted by itself: an engine needs none of the ways to add up one from another.
    planTables(asked, reference, extent).map(({ name, plan }) => ({
      name,
      plan: { ...plan, keepsNone: false, total: false },
    }));
  const own = tablesOf(request);
  const all = [...own, ...(compared ? tablesOf(compared) : [])];
  const plans = all.map(({ plan }) => plan);
  const statement = reportStatement({ site, plans, known, extent }, dialect);
  if (Buffer.byteLength(statement.sql) > LONGEST)
    throw tooLarge(request, `needs a statement of more than ${LONGEST} bytes, longer than engines take`);
  return {
    sql: statement.sql,
    reads: statement.reads,
    read: (rows) => {
      const results = statementResults(plans, statement, rows);
      const tables = all.map(({ name, plan }, at) => [name, { plan, result: certain(results[at]) }] as const);
      return {
        tables: new Map(tables.slice(0, own.length)),
        compared: compared && new Map(tables.slice(own.length)),
      };
    },
  };
}
