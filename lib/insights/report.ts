import * as z from 'zod';
import { byCodePoint } from '../text.ts';
import { identity } from './constant.ts';
import { emptyValue, fieldValues } from './fields.ts';
import type { Measure } from './measures.ts';
import type { Partial } from './partial.ts';
import type { Plan } from './plan.ts';
import { hasTimeOnline } from './plan.ts';
import type { Member } from './reference.ts';
import { echoRequest } from './request.ts';
import { REPLY_LIMIT, tooLarge } from './too-large.ts';
import { windowTimes } from './windows.ts';

export type Cell = string | number | null;

/** A report as it is replied (`api.md` 2.8). */
export interface Report {
  readonly request: Record<string, unknown>;
  readonly header: readonly string[];
  readonly data: readonly (readonly Cell[])[];
}

/** The body of a report as clients see it; it is not kept, so its self link leads nowhere. */
export const reportShape = () =>
  z.object({
    request: z.record(z.string(), z.unknown()).meta({ description: 'The request with every optional field present' }),
    header: z.array(z.string()),
    data: z.array(z.array(z.union([z.string(), z.number(), z.null()]))),
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
  const columns = fieldColumns(plan, partial);
  const room = replyRoom(request);
  const timeOf = windowTimes(windows);
  if (request.dimension1 === null && request.dimension2 === null) {
    const cellOf = new Map(Array.from(partial.windows, (window, cell) => [window, cell]));
    return Array.from(windows.starts, (_, window) => {
      const cell = cellOf.get(window);
      const values = columns.map(({ empty, values }) => (cell === undefined ? empty : values[cell]!));
      return room([timeOf(window), null, null, ...values]);
    });
  }
  const [firsts, seconds] = partial.members;
  const rows: Cell[][] = [];
  const blank: Cell[] = [null, null, null, ...columns.map(({ empty }) => empty)]; // a copy has the room that a row needs, and no more
  let window = -1;
  let time: string | null = null;
  const cells = orderedCells(partial, windows.starts.length);
  for (let at = 0; at < cells.length; at += 1) {
    const cell = cells[at]!;
    if (!hasRow(columns, cell)) continue;
    if (window !== partial.windows[cell]) {
      window = partial.windows[cell]!;
      time = timeOf(window);
    }
    const row = blank.slice();
    row[0] = time;
    row[1] = firsts[partial.first[cell]!]!;
    row[2] = seconds[partial.second[cell]!]!;
    for (let place = 0; place < columns.length; place += 1) row[3 + place] = columns[place]!.values[cell]!;
    rows.push(room(row));
  }
  return rows;
}

interface FieldColumn {
  readonly values: ArrayLike<number | null>; // by cell
  readonly empty: number | null; // where nothing happened; a cell of nothing but these has no row
}

function fieldColumns({ request }: Plan, { measures, sums, windows }: Partial): FieldColumn[] {
  const sumsOf = (measure: Measure): Float64Array => sums[measures.indexOf(measure)]!;
  return request.fields.map((field) => {
    if (field === 'agent_time_online' && !hasTimeOnline(request)) {
      return { values: Array.from(windows, () => null), empty: null };
    }
    return { values: fieldValues(field, sumsOf), empty: emptyValue(field) };
  });
}

/** A total of 0 and a mean or rate of nothing make no row; a mean or rate of 0 does. */
function hasRow(columns: readonly FieldColumn[], cell: number): boolean {
  for (const { values, empty } of columns) if (values[cell] !== empty) return true;
  return false;
}

/** Lets rows pass as long as they fit a reply together. */
function replyRoom(request: Plan['request']): (row: Cell[]) => Cell[] {
  let bytes = 0;
  let rows = 0;
  return (row) => {
    bytes += 2 + row.length; // brackets and commas
    for (const cell of row) bytes += cellBytes(cell);
    if (bytes > REPLY_LIMIT) {
      throw tooLarge(request, `would take more than the 5.5 MB of a reply: it has over ${rows} rows`);
    }
    rows += 1;
    return row;
  };
}

/** Bytes of a cell as JSON. Numbers have two decimals at most, so their length is worked out, not written out. */
function cellBytes(cell: Cell): number {
  if (cell === null) return 4;
  if (typeof cell === 'string') return cell.length + 2;
  if (Number.isInteger(cell)) return digits(cell);
  const hundredths = Math.round(cell * 100);
  return digits(Math.floor(cell)) + (hundredths % 10 === 0 ? 2 : 3);
}

/** Digits of an integer that is not negative and below 10^21. */
function digits(value: number): number {
  let count = 1;
  for (let limit = 10; value >= limit; limit *= 10) count += 1;
  return count;
}

/** Cells by window, then first, then second member: sorted by the last of these first, without comparing any two. */
function orderedCells({ members, first, second, windows }: Partial, windowCount: number): Int32Array {
  const [one, two] = [memberRanks(members[0]), memberRanks(members[1])];
  const all = Int32Array.from(windows.keys());
  return sortedBy(sortedBy(sortedBy(all, second, two), first, one), windows, identity(windowCount));
}

/** The cells in the order of the ranks of their keys, those of one key in the order they come in. */
function sortedBy(cells: Int32Array, keys: Int32Array, ranks: Int32Array): Int32Array {
  const next = new Int32Array(ranks.length + 1); // by rank the place of its next cell
  for (let cell = 0; cell < keys.length; cell += 1) next[ranks[keys[cell]!]! + 1]! += 1;
  for (let rank = 0; rank < ranks.length; rank += 1) next[rank + 1]! += next[rank]!;
  const sorted = new Int32Array(cells.length);
  for (let at = 0; at < cells.length; at += 1) {
    const cell = cells[at]!;
    const rank = ranks[keys[cell]!]!;
    sorted[next[rank]!] = cell;
    next[rank]! += 1;
  }
  return sorted;
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
