import { Failure, type Faults } from '../../errors.ts';
import { readCursor } from '../../http/page.ts';
import { A_COUNT } from '../../http/takes.ts';
import type { UncheckedObject } from '../../json.ts';
import type { FieldName } from '../definitions/fields.ts';
import { echoRequest, type ReportRequest, type ReportSite, readRequest } from '../request.ts';
import { countWindows, cutWindows } from '../windows.ts';
import { type Cursor, cursorShape, requestDigest } from './cursor.ts';
import { entriesOf } from './entries.ts';
import type { EntryOrder } from './page.ts';
import type { Units } from './units.ts';

/** A request for the cases behind a cell: the cell, the order of the cases, and the page. */
export interface CaseRequest extends EntryOrder {
  readonly report: ReportRequest; // of one field, at most one window and one member of each dimension
  readonly field: FieldName;
  readonly entries: Units;
  readonly perPage: number; // 1 … MOST_CASES
  readonly cursor: Cursor | undefined;
  readonly digest: string; // of the request without its page
  readonly now: number; // epoch ms, as of the first page
}

export const SORTS = ['at', 'value'] as const;
export const DIRECTIONS = ['asc', 'desc'] as const;
export const USUAL_CASES = 50; // a page
export const MOST_CASES = 1000;

const ONE_FIELD = { message: 'The cases behind a number are those of one field.' };
const NO_CASES = { message: 'No cases are behind agent_time_online: fields takes another field.' };
const ONE_WINDOW = {
  message: 'The cases behind a number are those of one window: its min and max, or window_size none.',
};
const ONE_MEMBER = 'a list with the one member of the number, such as [5]';
const OTHER_CURSOR = { message: 'The cursor does not belong to this request.' };

/** Reads the body of a drill-down; `now` is in epoch ms. Throws a 422 that names every fault. */
export function readCaseRequest(body: UncheckedObject, site: ReportSite, now: number, faults: Faults): CaseRequest {
  const digest = requestDigest(body);
  const cursor = cursorIn(body, digest, faults);
  const begun = cursor?.now ?? now;
  const sort = wordIn(body, 'sort', SORTS, faults);
  const direction = wordIn(body, 'direction', DIRECTIONS, faults);
  const perPage = perPageIn(body, faults);
  checkMembers(body, faults);
  if (Array.isArray(body.fields) && body.fields.length > 1) faults.explain('invalid', ['fields'], ONE_FIELD);
  const report = readRequest(body, site, begun, faults);
  const [field] = report.fields;
  const entries = field && entriesOf(field);
  if (entries === undefined) faults.explain('invalid', ['fields'], NO_CASES);
  if (windowsIn(report) > 1) faults.explain('invalid', ['time', 'window_size'], ONE_WINDOW);
  faults.check();
  if (field === undefined || entries === undefined) throw new Failure('internal');
  return { report, field, entries, sort, direction, perPage, cursor, digest, now: begun };
}

/** The request as the reply shows it. */
export const echoCases = ({ report, sort, direction, perPage }: CaseRequest): Record<string, unknown> => ({
  ...echoRequest(report),
  sort,
  direction,
  per_page: perPage,
});

function windowsIn({ time }: ReportRequest): number {
  const atLeast = countWindows(time.size, time);
  return atLeast > 1 ? atLeast : cutWindows(time.zone, time.size, time.weekStart, time).starts.length;
}

/** A cell has one member of each dimension. */
function checkMembers(body: UncheckedObject, faults: Faults): void {
  for (const name of ['dimension1', 'dimension2'] as const) {
    if ((body[name] ?? null) === null) continue;
    const values = body[`${name}_values`] ?? [];
    if (Array.isArray(values) && values.length === 1) continue;
    const isBlank = Array.isArray(values) && values.length === 0;
    faults.explain(isBlank ? 'blank' : 'invalid', [`${name}_values`], { sent: values, takes: ONE_MEMBER });
  }
}

function cursorIn(body: UncheckedObject, digest: string, faults: Faults): Cursor | undefined {
  const sent = body.cursor ?? null;
  if (sent === null) return undefined;
  const cursor = typeof sent === 'string' ? readCursor(cursorShape, sent) : undefined;
  if (cursor === undefined || cursor.of !== digest) faults.explain('invalid', ['cursor'], OTHER_CURSOR);
  return cursor;
}

function wordIn<const W extends string>(
  body: UncheckedObject,
  name: string,
  words: readonly [W, ...W[]],
  faults: Faults,
): W {
  const sent = body[name] ?? words[0];
  const word = words.find((one) => one === sent);
  if (word === undefined) faults.explain('invalid', [name], { sent, allowed: words });
  return word ?? words[0];
}

function perPageIn({ per_page }: UncheckedObject, faults: Faults): number {
  const sent = per_page ?? USUAL_CASES;
  if (typeof sent === 'number' && Number.isInteger(sent) && sent >= 1) return Math.min(sent, MOST_CASES);
  faults.explain('invalid', ['per_page'], { sent, takes: A_COUNT });
  return USUAL_CASES;
}
