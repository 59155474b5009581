import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { InvalidArgumentError } from 'commander';
import type { Site } from '../../../lib/access/site-fields.ts';
import { DIRECTIONS, SORTS } from '../../../lib/insights/cases/case-request.ts';
import { TIME_UNITS } from '../../../lib/insights/relative-time.ts';
import { HOURS, NO_DIMENSIONS } from '../../../lib/insights/request.ts';
import { WINDOW_SIZES } from '../../../lib/insights/windows.ts';
import { isJsonObject } from '../../../lib/json.ts';
import { keysOf } from '../../../lib/typed-object.ts';
import { Fault } from '../../fault.ts';
import { choice, line, lines, type OptionsOf, toggle, usually, value } from '../command.ts';
import { conditionOf, namedValues } from './request-names.ts';
import { COMPARE_FORMS, requestTime } from './request-time.ts';
import type { ReadMembers } from './site-members.ts';

const list = (text: string): string[] => text.split(',').map((part) => part.trim());

/** The options that describe a report's request. */
export const REQUEST = {
  fields: value('<list>', 'fields and statistics, such as case_creates,time_to_first_response:p50', list),
  by: value('<list>', 'one or two dimensions, such as assigned_agent,channel', list),
  values: line('<list>', 'members of the first dimension to show, by name or id (default: all)'),
  values2: line('<list>', 'members of the second dimension'),
  min: line('<time>', 'start, inclusive: a date, a time in the time zone, or a time with an offset'),
  max: line('<time>', 'end, exclusive (default: now)'),
  last: value(
    '<count>',
    'instead of --min and --max: the last so many whole units, without the current one',
    wholeNumber,
  ),
  unit: choice('<unit>', 'unit of --last', TIME_UNITS),
  includingCurrent: toggle('count the current unit as the last one'),
  all: toggle('instead of a range: all time, from the first fact to the newest'),
  window: choice('<size>', 'windows of the rows (default: the unit of --last, else none)', WINDOW_SIZES),
  timeZone: line('<zone>', "time zone of windows and times, an IANA name (default: the site's)"),
  compare: line('<with>', `another range: ${COMPARE_FORMS}`),
  hours: choice('<kind>', 'hours in which durations are measured', HOURS),
  totals: toggle('also show totals over windows, over members, and over both'),
  filter: lines(
    '<condition>',
    'Labels=refund,bug, Labels!=bug, Companies~north or Companies!~north; may repeat: all hold',
  ),
  statuses: line('<list>', 'short for --filter Statuses=<list>'),
};

export type RequestOptions = Partial<OptionsOf<typeof REQUEST>>;

/** The options that say which cases are listed first, and how many. */
export const ORDER = {
  sort: choice('<by>', 'at: time of the counted event; value: what the case adds', SORTS),
  direction: choice('<way>', 'direction of the order', DIRECTIONS),
  limit: value('<count>', 'how many to list at most (default: all)', wholeNumber),
};

/** The options that say how a report or its cases are printed. */
export const OUTPUT = {
  output: usually(choice('<form>', 'form of the output', ['table', 'csv', 'xlsx', 'json']), 'table'),
  human: toggle('in a table, durations as 2d 4h instead of seconds'),
};

/** A whole number from 1, for commander. */
export function wholeNumber(text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It is not a whole number from 1.');
}

/** A request's body, where it came from (for errors), and whether options made a part of it. */
export interface MadeRequest {
  readonly source: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly byOptions: boolean;
}

interface RequestContext {
  readonly site: Site;
  readonly members: ReadMembers;
  readonly now: number; // epoch ms
}

/** Makes a request of a file (`-`: standard input), if given, and of options, which override the file. */
export async function makeRequest(
  file: string | undefined,
  options: RequestOptions,
  making: RequestContext,
): Promise<MadeRequest> {
  const byOptions = keysOf(REQUEST).some((name) => options[name] !== undefined);
  if (file === undefined && !byOptions)
    throw new Fault(
      'Say what to report: name a file with a request, or give --fields and a time. --help has examples.',
      2,
    );
  const before = file === undefined ? {} : await readRequestFile(file);
  const body = await withOptions(before, options, making);
  return { source: file ?? 'The request', body, byOptions };
}

async function withOptions(
  before: RequestJson,
  options: RequestOptions,
  { site, members, now }: RequestContext,
): Promise<RequestJson> {
  const { fields, by, hours, totals } = options;
  if (by !== undefined && by.length > 2) throw new Fault('--by takes one or two dimensions.', 2);
  const dimensions =
    by === undefined ? {} : { ...NO_DIMENSIONS, dimension1: by[0], ...(by[1] && { dimension2: by[1] }) };
  const time = isJsonObject(before.time) ? before.time : {};
  const said: RequestJson = {
    ...(fields && { fields }),
    ...('time' in before && !isJsonObject(before.time) ? {} : { time: requestTime(time, options, site, now) }),
    ...dimensions,
    ...(hours && { hours }),
    ...(totals && { totals }),
  };
  const whole = { ...before, ...said };
  const values = await namedValues(whole, options, members);
  const conditions = [
    ...(options.filter ?? []),
    ...(options.statuses === undefined ? [] : [`Statuses=${options.statuses}`]),
  ];
  if (conditions.length === 0) return { ...whole, ...values };
  const group = await Promise.all(conditions.map((condition) => conditionOf(condition, members)));
  return { ...whole, ...values, filters: [group] };
}

type RequestJson = Readonly<Record<string, unknown>>;

async function readRequestFile(file: string): Promise<RequestJson> {
  const words = file === '-' ? await text(process.stdin) : await readWords(file);
  try {
    const body: unknown = JSON.parse(words);
    if (isJsonObject(body)) return body;
  } catch {
    // the error is thrown below
  }
  throw new Fault(`${file} is not a JSON object: it must be a report's request.`);
}

async function readWords(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    throw new Fault(`${file} cannot be read: name a file with a report's request, or - for standard input.`);
  }
}
