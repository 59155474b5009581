import type { Command } from 'commander';
import * as z from 'zod';
import { Failure } from '../../../lib/errors.ts';
import { MOST_CASES } from '../../../lib/insights/cases/case-request.ts';
import { casesShape } from '../../../lib/insights/cases/cases.ts';
import type { ShownCase } from '../../../lib/insights/cases/shown-case.ts';
import { storyShape } from '../../../lib/insights/cases/story.ts';
import { Fault } from '../../fault.ts';
import { line, type OptionsOf, type Outcome } from '../command.ts';
import type { RouteCaller } from '../route-caller.ts';
import { onSite, type SitePlace } from '../site.ts';
import { casesTable, storyText } from './cases-text.ts';
import { refusalOf } from './refusal.ts';
import { type MadeRequest, makeRequest, ORDER, OUTPUT, REQUEST } from './request-options.ts';
import { createReadMembers } from './site-members.ts';
import { printCases } from './workbook.ts';

const OPTIONS = {
  request: line('<file>', 'file with a request as HTTP takes it; - reads standard input'),
  ...REQUEST,
  ...ORDER,
  ...OUTPUT,
};
type CasesOptions = OptionsOf<typeof OPTIONS> & { readonly json: boolean | undefined };

const EXAMPLES = `
With a case it prints the story of that case: its events, and what reports count of it. Otherwise it lists the cases
behind one number of a report: one field, the whole time, and one member of each dimension.

Examples:
  $ npx support cases --site acme --fields time_to_first_response --by action_agent --values Ann --last 1 --unit week --sort value --direction desc
  $ npx support cases --site acme --fields open_cases --last 1 --unit day --limit 20
  $ npx support cases --site acme --request cell.json --output csv > cases.csv
  $ npx support cases --site acme --request cell.json --output xlsx > cases.xlsx
  $ npx support cases 4711 --site acme`;

/** `cases` (docs/insights.md): the cases behind a number, or the events of one case. */
export const casesCommand = (): Command =>
  onSite(
    [
      'cases',
      'list the cases behind a number of a report, or the events of one case',
      EXAMPLES,
      ['[case]', 'a case, whose events are listed in order'],
    ],
    OPTIONS,
    doCases,
  );

async function doCases(
  { table, site, caller }: SitePlace,
  options: CasesOptions,
  [key]: readonly string[],
): Promise<Outcome> {
  if (key !== undefined) return tellStory(caller, key, options);
  const members = createReadMembers(table, site);
  const window = options.window ?? 'none'; // a number over several windows is one over the whole time
  const made = await makeRequest(options.request, { ...options, window }, { site, members, now: Date.now() });
  try {
    if (options.output === 'csv' && !options.json) return { text: await csvOf(caller, made, options), json: null };
    const pages = await pagesOf(caller, made, options);
    if (options.output === 'xlsx' && !options.json) {
      return await printCases(caller, pages.cases, askedField.parse(pages.request).fields[0]);
    }
    if (options.output === 'json' || options.json) return { text: JSON.stringify(pages, null, 2), json: pages };
    return { text: await casesTable(pages, members, options.human ?? false), json: pages };
  } catch (error) {
    throw refusalOf(error, made);
  }
}

const askedField = z.object({ fields: z.tuple([z.string()]) });

/** The cases of all pages, up to the limit. */
async function pagesOf(
  caller: RouteCaller,
  made: MadeRequest,
  { limit: most = Number.POSITIVE_INFINITY, ...options }: CasesOptions,
) {
  const cases: ShownCase[] = [];
  for (let cursor: string | null = null; ; ) {
    const json = await caller.json('listReportCases', { body: pageBody(made, options, most - cases.length, cursor) });
    const page = casesShape().parse(json);
    cases.push(...page.cases);
    cursor = page.cursor;
    if (cursor !== null && cases.length < most) continue;
    const { request, total_entries, unknown } = page;
    return { request, total_entries, cases, cursor, ...(unknown && { unknown }) };
  }
}

/** The CSV of all pages, with one header and without the last line's end. */
async function csvOf(
  caller: RouteCaller,
  made: MadeRequest,
  { limit: most = Number.POSITIVE_INFINITY, ...options }: CasesOptions,
) {
  let text = '';
  let left = most;
  for (let cursor: string | null = null; ; ) {
    const body = pageBody(made, options, left, cursor);
    const { body: csv = '', headers } = await caller.reply('listReportCases', { body, query: { format: 'csv' } });
    text += cursor === null ? csv : csv.slice(csv.indexOf('\r\n') + 2);
    left -= MOST_CASES;
    cursor = headers?.['X-Cursor'] ?? null;
    if (cursor === null || left <= 0) return text.slice(0, -1);
  }
}

function pageBody(
  { body }: MadeRequest,
  options: Pick<CasesOptions, 'sort' | 'direction'>,
  left: number,
  cursor: string | null,
) {
  const { sort, direction } = options;
  const { totals: _, ...asked } = body;
  const order = { ...(sort && { sort }), ...(direction && { direction }) };
  return Buffer.from(JSON.stringify({ ...asked, ...order, per_page: Math.min(left, MOST_CASES), cursor }));
}

async function tellStory(
  caller: RouteCaller,
  key: string,
  { json, output, human = false }: CasesOptions,
): Promise<Outcome> {
  if (output === 'csv' || output === 'xlsx')
    throw new Fault(`The events of one case cannot be printed as ${output}: use --output table or json.`, 2);
  try {
    const story = storyShape().parse(await caller.json('showCaseStory', { params: { case_key: key } }));
    if (json || output === 'json') return { text: JSON.stringify(story, null, 2), json: story };
    return { text: storyText(story, human), json: story };
  } catch (error) {
    if (error instanceof Failure && error.kind === 'not_found') throw new Fault(`No event names a case ${key}.`);
    throw error;
  }
}
