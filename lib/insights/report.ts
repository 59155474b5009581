import * as z from 'zod';
import { byCodePoint } from '../text.ts';
import type { FieldName } from './fields.ts';
import { FIELDS, fieldValue } from './fields.ts';
import type { Partial } from './partial.ts';
import type { Plan } from './plan.ts';
import { hasTimeOnline } from './plan.ts';
import type { Member } from './reference.ts';
import { echoRequest } from './request.ts';
import { REPLY_LIMIT, tooLarge } from './too-large.ts';
import { windowTime } from './windows.ts';

export type Cell = string | number | null;

/** A report as it is replied (`api.md` 2.8). */
export interface Report {
  readonly request: Record<string, unknown>;
  readonly header: readonly string[];
  readonly data: readonly (readonly Cell[])[];
}

const cellShape = z.union([z.string(), z.number(), z.null()]);

/** The body of a report as clients see it; it is not kept, so its self link leads nowhere. */
export const reportShape = z.object({
  request: z.record(z.string(), z.unknown()).meta({ description: 'The request with every optional field present' }),
  header: z.array(z.string()),
  data: z.array(z.array(cellShape)),
  _links: z.object({ self: z.object({ href: z.null(), class: z.literal('report') }) }),
});

/** The report of what a scan found; throws the 422 `too_large` where it would not fit a reply. */
export function makeReport(plan: Plan, partial: Partial): Report {
  const header = ['window_time', 'dimension1_value', 'dimension2_value', ...plan.request.fields];
  return { request: echoRequest(plan.request), header, data: reportRows(plan, partial) };
}

/** The rows of a report, in order (insights.md rule 4). */
export function reportRows(plan: Plan, partial: Partial): Cell[][] {
  const { request, windows } = plan;
  const withDimensions = request.dimension1 !== null || request.dimension2 !== null;
  const numbers = fieldReader(plan, partial);
  const rows: Cell[][] = [];
  let size = 0;
  const add = (window: number, members: readonly [Cell, Cell], cell: number | undefined): void => {
    const values = numbers(cell);
    if (withDimensions && values.every((value, field) => isNothing(request.fields[field]!, value))) return;
    const row = [windowTime(windows, window), ...members, ...values];
    size += Buffer.byteLength(JSON.stringify(row)) + 1;
    if (size > REPLY_LIMIT) {
      throw tooLarge(request, `would take more than the 5.5 MB of a reply: it has over ${rows.length} rows`);
    }
    rows.push(row);
  };
  if (withDimensions) {
    for (const cell of orderedCells(partial)) {
      const members: [Cell, Cell] = [
        partial.members[0][partial.first[cell]!]!,
        partial.members[1][partial.second[cell]!]!,
      ];
      add(partial.windows[cell]!, members, cell);
    }
  } else {
    const byWindow = new Map(Array.from(partial.windows, (window, cell) => [window, cell]));
    for (let window = 0; window < windows.starts.length; window += 1) add(window, [null, null], byWindow.get(window));
  }
  return rows;
}

/** The values of the requested fields in a cell; undefined: a cell in which nothing happened. */
function fieldReader({ request }: Plan, { measures, sums }: Partial): (cell: number | undefined) => (number | null)[] {
  const columns = new Map(measures.map((measure, place) => [measure, sums[place]!]));
  const online = hasTimeOnline(request);
  return (cell) =>
    request.fields.map((field) => {
      if (field === 'agent_time_online' && !online) return null;
      return fieldValue(field, (measure) => (cell === undefined ? 0 : columns.get(measure)![cell]!));
    });
}

/** A total of 0 and a mean or rate of nothing make no row; a mean or rate of 0 does. */
function isNothing(field: FieldName, value: number | null): boolean {
  return value === null || (value === 0 && 'total' in FIELDS[field]);
}

/** Cells by window, then first, then second member. */
function orderedCells({ members, first, second, windows }: Partial): number[] {
  const [one, two] = [memberRanks(members[0]), memberRanks(members[1])];
  const place = Float64Array.from(
    first,
    (at, cell) => (windows[cell]! * one.length + one[at]!) * two.length + two[second[cell]!]!,
  );
  return Array.from(place.keys()).sort((a, b) => place[a]! - place[b]!);
}

function memberRanks(members: readonly (Member | null)[]): Int32Array {
  const ordered = Array.from(members.keys()).sort((a, b) => compareMembers(members[a]!, members[b]!));
  const ranks = new Int32Array(members.length);
  for (const [rank, at] of ordered.entries()) ranks[at] = rank;
  return ranks;
}

/** Integers by size, then texts by code point. */
function compareMembers(a: Member | null, b: Member | null): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return byCodePoint(a, b);
  return typeof a === 'number' ? -1 : 1;
}
