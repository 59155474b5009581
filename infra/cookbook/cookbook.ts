import { Command } from 'commander';
import type { Site } from '../../lib/access/site-fields.ts';
import { readSite } from '../../lib/access/sites.ts';
import { casesShape } from '../../lib/insights/cases/cases.ts';
import { readRequest } from '../../lib/insights/request.ts';
import type { Table } from '../../lib/store/table.ts';
import { addOptions, line, type OptionsOf } from '../cli/command.ts';
import { casesTable } from '../cli/report/cases-text.ts';
import { refusalOf } from '../cli/report/refusal.ts';
import { reportText } from '../cli/report/report.ts';
import { makeRequest, ORDER, OUTPUT, REQUEST } from '../cli/report/request-options.ts';
import { createReadMembers } from '../cli/report/site-members.ts';
import { createRouteCaller } from '../cli/route-caller.ts';
import { DEMO_SITE } from '../demo/users.ts';

/** The time for which the cookbook's answers are computed. */
export const COOKBOOK_NOW = Date.parse('2026-07-01T16:00:00Z');

/**
 * A question of the cookbook: its command, then the request and the answer, which are rewritten; a new question has
 * neither.
 */
const RECIPE = /```sh\nnpx support (report|cases) (.*)\n```(?:\n```json\n[\s\S]*?\n```\n```text\n[\s\S]*?\n```)?/g;

/**
 * The cookbook with the requests of its commands, and their answers from the demo site of `COOKBOOK_NOW` in `table`.
 */
export async function withAnswers(page: string, table: Table): Promise<string> {
  const site = await readSite(table, DEMO_SITE);
  if (site === undefined) throw new Error('there is no demo site');
  const made: string[] = [];
  for (const [, kind = '', words = ''] of page.matchAll(RECIPE)) made.push(await recipe(kind, words, table, site));
  return page.replaceAll(RECIPE, () => made.shift() ?? '');
}

const OPTIONS = {
  ...REQUEST,
  ...ORDER,
  site: line('<name>', ''),
  human: OUTPUT.human,
};

async function recipe(kind: string, words: string, table: Table, site: Site): Promise<string> {
  const command = addOptions(new Command(), OPTIONS).exitOverride().parse(shellWords(words), { from: 'user' });
  const { sort, direction, limit, human = false, ...options } = command.opts<OptionsOf<typeof OPTIONS>>();
  const members = createReadMembers(table, site);
  const requestOptions = kind === 'cases' ? { ...options, window: options.window ?? ('none' as const) } : options;
  const { body, ...made } = await makeRequest(undefined, requestOptions, { site, members, now: COOKBOOK_NOW });
  const order = { ...(sort && { sort }), ...(direction && { direction }), ...(limit && { per_page: limit }) };
  const asked = Object.fromEntries(Object.entries({ ...body, ...order }).filter(([, value]) => value !== null));
  const caller = createRouteCaller(table, site, () => COOKBOOK_NOW);
  const sent = { body: Buffer.from(JSON.stringify(asked)) };
  const ask = async (): Promise<string> => {
    if (kind === 'cases')
      return casesTable(casesShape().parse(await caller.json('listReportCases', sent)), members, human);
    const request = readRequest(asked, site, COOKBOOK_NOW);
    return reportText(await caller.json('createReport', sent), request, members, { human });
  };
  const answer = await ask().catch((error: unknown) => {
    throw refusalOf(error, { ...made, body, source: `npx support ${kind} ${words}` });
  });
  return [
    '```sh',
    `npx support ${kind} ${words}`,
    '```',
    '```json',
    pretty(asked),
    '```',
    '```text',
    answer,
    '```',
  ].join('\n');
}

/** Splits a command line into words as a shell does; quotes may enclose a word or a part of it. */
const shellWords = (line: string): string[] =>
  [...line.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g)].map(([word]) => word.replaceAll(/["']/g, ''));

/** A request with one line for each key. */
const pretty = (body: Readonly<Record<string, unknown>>): string =>
  `{\n${Object.entries(body)
    .map(([key, value]) => `  "${key}": ${spaced(value)}`)
    .join(',\n')}\n}`;

function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, inner]) => `"${key}": ${spaced(inner)}`)
    .join(', ')}}`;
}
