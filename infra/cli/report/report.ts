import type { Command } from 'commander';
import * as z from 'zod';
import type { Definitions } from '../../../lib/console/model/definitions.ts';
import { show } from '../../../lib/http/reply.ts';
import type { DimensionName } from '../../../lib/insights/definitions/dimensions.ts';
import { dimensionNamed } from '../../../lib/insights/definitions/dimensions.ts';
import type { MemberNames } from '../../../lib/insights/member-names.ts';
import { reportShape } from '../../../lib/insights/report-json.ts';
import { type ReportRequest, readRequest } from '../../../lib/insights/request.ts';
import { reportRoute } from '../../../lib/insights/routes.ts';
import { DIALECT_NAMES } from '../../../lib/insights/sql/dialect.ts';
import { writeStatement } from '../../../lib/insights/sql/written.ts';
import { zonedTime } from '../../../lib/insights/windows.ts';
import { ownJson } from '../../../lib/own-json.ts';
import { choice, type OptionsOf, type Outcome } from '../command.ts';
import { onSite, type SitePlace } from '../site.ts';
import { refusalOf } from './refusal.ts';
import { reportTable } from './report-text.ts';
import { makeRequest, OUTPUT, REQUEST } from './request-options.ts';
import { createReadMembers, namesIn, type ReadMembers } from './site-members.ts';
import { printReport } from './workbook.ts';

const OPTIONS = {
  ...REQUEST,
  ...OUTPUT,
  sql: choice('<engine>', 'print the statement that gives this report over an export', DIALECT_NAMES),
};
type ReportOptions = OptionsOf<typeof OPTIONS> & { readonly json: boolean | undefined };

const EXAMPLES = `
A request comes from options, from a file with the body that HTTP takes, or from both: what an option says goes before
what the file says of it. Members have names or ids (support members lists them). docs/cookbook.md has examples of both.

Examples:
  $ npx support report --site acme --fields case_creates,time_to_first_response:p50 --by assigned_agent --last 12 --unit week
  $ npx support report --site acme --fields open_cases --by assigned_group --min 2026-01-01 --max 2026-02-01 --window day
  $ npx support report --site acme --fields case_resolves --by channel,label --values Email,Chat --last 1 --unit month
  $ npx support report --site acme --fields case_creates --all --window month
  $ npx support report --site acme --fields case_creates --last 4 --unit week --compare previous_year --totals
  $ npx support report --site acme --fields reply_time:p90 --last 7 --unit day --hours business --filter Labels!=spam
  $ npx support report weekly.json --site acme --statuses open,pending --output csv > weekly.csv
  $ npx support report weekly.json --site acme --totals --output xlsx > weekly.xlsx
  $ npx support report weekly.json --site acme --sql duckdb > weekly.sql`;

/** `report` (docs/insights.md): the report of the API, for people and programs. */
export const reportCommand = (): Command =>
  onSite(
    [
      'report',
      'compute a report on a site',
      EXAMPLES,
      ['[request]', 'file with a request as HTTP takes it; - reads standard input'],
    ],
    OPTIONS,
    (place, options, [file]) => doReport(place, options, file),
  );

async function doReport(
  { table, site, caller }: SitePlace,
  options: ReportOptions,
  file: string | undefined,
): Promise<Outcome> {
  const { output, human = false, json: asJson = false, sql } = options;
  const members = createReadMembers(table, site);
  const made = await makeRequest(file, options, { site, members, now: Date.now() });
  const body = Buffer.from(JSON.stringify(made.body));
  try {
    if (sql !== undefined) {
      const route = reportRoute(async (context, asked) => show(await writeStatement(context, asked, sql)));
      const statement = z.string().parse(JSON.parse((await caller.reply(route, { body })).body ?? ''));
      return { text: statement, json: { sql: statement } };
    }
    const request = readRequest(made.body, site, Date.now());
    if (output === 'csv' && !asJson) {
      const csv = await caller.text('createReport', { body, query: { format: 'csv' } });
      return { text: csv.slice(0, -1), json: null }; // the last line's end is printed by the caller
    }
    if (output === 'xlsx' && !asJson)
      return await printReport(caller, await caller.text('createReport', { body }), Date.now());
    const json = await caller.json('createReport', { body });
    if (output === 'json' || asJson) return { text: JSON.stringify(json, null, 2), json };
    const definitions = ownJson<Definitions>(await caller.text('showDefinitions'));
    return { text: await reportText(json, request, members, { human, definitions }), json };
  } catch (error) {
    throw refusalOf(error, made);
  }
}

/** A reply as tables for people. */
export async function reportText(
  json: unknown,
  request: ReportRequest,
  members: ReadMembers,
  { human, definitions }: { readonly human: boolean; readonly definitions?: Definitions },
): Promise<string> {
  const names = await Promise.all([namesOf(request.dimension1, members), namesOf(request.dimension2, members)]);
  return reportTable(reportShape().parse(json), { zone: zoneOf(request), human, names, definitions });
}

function zoneOf({ time }: ReportRequest): string {
  return 'name' in time.zone ? time.zone.name : `UTC${zonedTime(time.zone, time.min).slice(-6)}`;
}

const namesOf = async (dimension: DimensionName | null, members: ReadMembers): Promise<MemberNames> =>
  dimension === null ? String : namesIn(await members(dimensionNamed(dimension).members));
