import * as z from 'zod';
import { REPLY_LIMIT } from '../http/reply.ts';
import { orderedCells } from './cell-order.ts';
import type { DurationName } from './durations.ts';
import { emptyValue, fieldValues, percentsOf } from './fields.ts';
import { LONGEST_NUMBER, NOTHING, putBytes, putNumber, putText, textBytes } from './json-bytes.ts';
import type { Measure } from './measures.ts';
import { type CellSamples, sortSamples } from './percentiles.ts';
import type { Plan } from './plan.ts';
import { isNullIn } from './plan.ts';
import { echoRequest } from './request.ts';
import type { Partial } from './scan/partial.ts';
import { tooLarge } from './too-large.ts';
import { type TableName, TOTALS, tableNames } from './totals.ts';
import { type Unknown, unknownShape } from './unknown.ts';
import { windowTimes, zonedTime } from './windows.ts';

const COMMA = 44;
const CLOSE = 93;
const LONGEST_TIME = 30; // bytes
const PART = 65_536; // bytes of rows that are converted to text at a time

const rowsShape = () => z.array(z.array(z.union([z.string(), z.number(), z.null()])));

const tablesShape = () => ({
  data: rowsShape(),
  totals: z.object({ members: rowsShape(), windows: rowsShape(), all: rowsShape() }).optional().meta({
    description: 'If the request has `totals`: the report without windows, without dimensions, and without both',
  }),
});

/** A report as the reply shows it. Reports are not stored, so the self link is null. */
export const reportShape = () =>
  z.object({
    request: z.record(z.string(), z.unknown()).meta({ description: 'The request with every optional field present' }),
    header: z.array(z.string()),
    ...tablesShape(),
    comparison: z
      .object({ time: z.object({ min: z.string(), max: z.string() }), ...tablesShape() })
      .optional()
      .meta({
        description:
          'If the request has `time.compare`: the same report on the other range; its n-th window belongs to the n-th of the report',
      }),
    unknown: unknownShape(),
    _links: z.object({ self: z.object({ href: z.null(), class: z.literal('report') }) }),
  });

/** The result of a table: its plan, and the cells that its rows show. */
export interface FoundTable {
  readonly plan: Plan;
  readonly partial: Partial;
}

/** The results of the tables of a report. Tables with the same rows have one result (`tableNames`). */
export type Tables = ReadonlyMap<TableName, FoundTable>;

/** The optional parts of a report besides its own tables. */
export interface BesideTables {
  readonly compared?: Tables | undefined; // the tables of the comparison
  readonly unknown?: Unknown | undefined; // the members and ids of the request that do not exist
}

/** Returns the JSON of a report. Throws the 422 `too_large` if it would not fit a reply. */
export function reportJson(tables: Tables, { compared, unknown }: BesideTables = {}): string {
  const { request } = tableIn(tables, 'data').plan;
  const header = ['window_time', 'dimension1_value', 'dimension2_value', ...request.fields];
  const unknownPart = unknown === undefined ? '' : `,"unknown":${JSON.stringify(unknown)}`;
  const after = `${unknownPart},"_links":{"self":{"href":null,"class":"report"}}}`;
  const before = `{"request":${JSON.stringify(echoRequest(request))},"header":${JSON.stringify(header)},`;
  let json = before + tablesJson(tables, roomBeside(before, after));
  if (compared !== undefined) {
    const { zone, min, max } = tableIn(compared, 'data').plan.request.time;
    const time = JSON.stringify({ min: zonedTime(zone, min), max: zonedTime(zone, max) });
    json += `,"comparison":{"time":${time},`;
    json += `${tablesJson(compared, roomBeside(json, after))}}`;
  }
  return json + after;
}

const roomBeside = (before: string, after: string): number =>
  REPLY_LIMIT - Buffer.byteLength(before) - Buffer.byteLength(after);

/** Returns `"data":…` and, if the request asks for totals, `"totals":…`, in at most about `room` bytes. */
function tablesJson(tables: Tables, room: number): string {
  const { request } = tableIn(tables, 'data').plan;
  const names = tableNames(request);
  let left = room;
  const rows = (name: TableName): string => {
    const { plan, partial } = tableIn(tables, names[name]);
    const key = `"${name}":`;
    const json = rowsJson(plan, partial, left - key.length);
    left -= key.length + Buffer.byteLength(json);
    return key + json;
  };
  const data = rows('data');
  return request.totals === true ? `${data},"totals":{${TOTALS.map(rows).join(',')}}` : data;
}

function tableIn(tables: Tables, name: TableName): FoundTable {
  const found = tables.get(name);
  if (found === undefined) throw new Error(`a report without its ${name}`);
  return found;
}

/** Returns the JSON of a table's rows, in at most `room` bytes. Building rows as objects first takes twice as long. */
function rowsJson(plan: Plan, partial: Partial, room: number): string {
  const { request, windows } = plan;
  const everyWindow = request.dimension1 === null && request.dimension2 === null;
  const cells = (everyWindow ? cellsOfWindows : orderedCells)(partial, windows.starts.length);
  const columns = fieldColumns(plan, partial);
  const lacksMember = memberTest(plan, partial);
  const beginning = rowBeginning(plan, partial);
  const longest = beginning.longest + columns.length * (1 + LONGEST_NUMBER) + 2;
  // The buffer is small, because the garbage collector runs when megabytes outside of its heap are allocated.
  const out = Buffer.allocUnsafe(Math.min(cells.length * longest, PART) + longest);
  let text = '';
  let at = out.write('[');
  let rows = 0;
  for (let index = 0; index < cells.length; index += 1) {
    const cell = cells[index]!;
    if (!everyWindow && (lacksMember(cell) || !hasRow(columns, cell))) continue;
    at = beginning.put(out, at, everyWindow ? index : partial.windows[cell]!, cell);
    at = putFields(out, at, columns, cell);
    if (text.length + at > room) {
      throw tooLarge(request, `would take more than the 5.5 MB that a reply may have: it has over ${rows} rows`);
    }
    rows += 1;
    if (at < PART) continue;
    text += out.toString('utf8', 0, at);
    at = 0;
  }
  text += out.toString('utf8', 0, at);
  return `${rows > 0 ? text.slice(0, -1) : text}]`;
}

/** Returns a test of whether a cell is of facts without a member: totals add such cells, but they have no row. */
function memberTest({ request, keepsNone }: Plan, { members, first, second }: Partial): (cell: number) => boolean {
  if (keepsNone !== true) return () => false;
  const one = request.dimension1 === null ? -1 : members[0].indexOf(null);
  const two = request.dimension2 === null ? -1 : members[1].indexOf(null);
  return (cell) => first[cell] === one || second[cell] === two;
}

/** Writes the numbers of a cell (−1 for a window without one) and the end of its row; returns the offset after it. */
function putFields(out: Buffer, from: number, columns: readonly FieldColumn[], cell: number): number {
  let at = from;
  for (const { values, empty } of columns) {
    out[at] = COMMA;
    at = putNumber(out, at + 1, cell < 0 ? empty : values[cell]!);
  }
  out[at] = CLOSE;
  out[at + 1] = COMMA;
  return at + 2;
}

/** Makes a writer of the first elements of rows: the time of the window and the members. */
function rowBeginning({ windows }: Plan, { members, first, second }: Partial) {
  const timeOf = windowTimes(windows);
  const time = Buffer.alloc(LONGEST_TIME);
  const firsts = textBytes(members[0].map((member) => `${JSON.stringify(member)},`));
  const seconds = textBytes(members[1].map((member) => JSON.stringify(member)));
  let timed = -1; // the window whose text is in `time`
  let timeEnd = 0;
  return {
    longest: LONGEST_TIME + firsts.longest + seconds.longest, // bytes
    /** Writes the first elements of a cell's row (−1 for a window without one); returns the offset after them. */
    put(out: Uint8Array, at: number, window: number, cell: number): number {
      if (window !== timed) {
        const clock = timeOf(window);
        timeEnd = time.write(clock === null ? '[null,' : `["${clock}",`, 'latin1');
        timed = window;
      }
      const end = putText(out, putBytes(out, at, time, timeEnd), firsts, cell < 0 ? 0 : first[cell]!);
      return putText(out, end, seconds, cell < 0 ? 0 : second[cell]!);
    },
  };
}

/**
 * Whether a cell has a row: some total is not 0, or some mean or rate is not null, even if it is 0 (docs/rules.md 4).
 */
function hasRow(columns: readonly FieldColumn[], cell: number): boolean {
  for (const { values, empty } of columns) if (values[cell] !== empty) return true;
  return false;
}

/** The cell of each window; −1 for a window without one. */
function cellsOfWindows({ windows }: Partial, windowCount: number): Int32Array {
  const cells = new Int32Array(windowCount).fill(-1);
  for (let cell = 0; cell < windows.length; cell += 1) cells[windows[cell]!] = cell;
  return cells;
}

interface FieldColumn {
  readonly values: Float64Array; // by cell
  readonly empty: number; // the value of a cell in which nothing happened
}

function fieldColumns({ request }: Plan, { measures, sums, samples, windows }: Partial): FieldColumn[] {
  const sumsOf = (measure: Measure): Float64Array => sums[measures.indexOf(measure)]!;
  const sorted = new Map<DurationName, CellSamples>();
  const sortedOf = (duration: DurationName): CellSamples => {
    const found = sorted.get(duration) ?? sortSamples(samples.get(duration)!, percentsOf(request.fields, duration));
    sorted.set(duration, found);
    return found;
  };
  return request.fields.map((field) => {
    if (isNullIn(request, field)) {
      return { values: new Float64Array(windows.length).fill(NOTHING), empty: NOTHING };
    }
    return { values: fieldValues(field, { sumsOf, sortedOf }), empty: emptyValue(field) };
  });
}
