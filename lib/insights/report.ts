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
const PART = 65_536; // bytes of rows that become text at once

const rowsShape = () => z.array(z.array(z.union([z.string(), z.number(), z.null()])));

const tablesShape = () => ({
  data: rowsShape(),
  totals: z.object({ members: rowsShape(), windows: rowsShape(), all: rowsShape() }).optional().meta({
    description: 'If the request has `totals`: the report without windows, without dimensions, and without both',
  }),
});

/** A report as it is replied; it is not kept, so its self link leads nowhere. */
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
          'If the request has `time.compare`: the report of the other range, whose n-th window belongs to the n-th of the report',
      }),
    unknown: unknownShape(),
    _links: z.object({ self: z.object({ href: z.null(), class: z.literal('report') }) }),
  });

/** What was found for a table of rows. */
export interface FoundTable {
  readonly plan: Plan;
  readonly partial: Partial;
}

/** What was found for each table of a report that is not the same as another. */
export type Tables = ReadonlyMap<TableName, FoundTable>;

/** What stands in a report beside its own tables. */
export interface BesideTables {
  readonly compared?: Tables | undefined; // what the report is compared with
  readonly unknown?: Unknown | undefined; // what it names and nobody has
}

/** The JSON of a report, with its totals where it asks for them; throws the 422 `too_large` where it would not fit a reply. */
export function reportJson(tables: Tables, { compared, unknown }: BesideTables = {}): string {
  const { request } = tableIn(tables, 'data').plan;
  const header = ['window_time', 'dimension1_value', 'dimension2_value', ...request.fields];
  const strangers = unknown === undefined ? '' : `,"unknown":${JSON.stringify(unknown)}`;
  const after = `${strangers},"_links":{"self":{"href":null,"class":"report"}}}`;
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

/** `"data":…` and, where they are asked for, `"totals":…`, of about `room` bytes at most. */
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

/** The JSON of a report's rows, of at most `room` bytes. Rows that are objects first take twice as long. */
function rowsJson(plan: Plan, partial: Partial, room: number): string {
  const { request, windows } = plan;
  const everyWindow = request.dimension1 === null && request.dimension2 === null;
  const cells = (everyWindow ? cellsOfWindows : orderedCells)(partial, windows.starts.length);
  const columns = fieldColumns(plan, partial);
  const isOfNone = noneIn(plan, partial);
  const beginning = rowBeginning(plan, partial);
  const longest = beginning.longest + columns.length * (1 + LONGEST_NUMBER) + 2;
  // Small, since the collector runs when megabytes outside of its heap are asked for.
  const out = Buffer.allocUnsafe(Math.min(cells.length * longest, PART) + longest);
  let text = '';
  let at = out.write('[');
  let rows = 0;
  for (let turn = 0; turn < cells.length; turn += 1) {
    const cell = cells[turn]!;
    if (!everyWindow && (isOfNone(cell) || !hasRow(columns, cell))) continue;
    at = beginning.put(out, at, everyWindow ? turn : partial.windows[cell]!, cell);
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

/** Tells the cells of what lacks a member of a dimension: totals add them, but they have no row. */
function noneIn({ request, keepsNone }: Plan, { members, first, second }: Partial): (cell: number) => boolean {
  if (keepsNone !== true) return () => false;
  const one = request.dimension1 === null ? -1 : members[0].indexOf(null);
  const two = request.dimension2 === null ? -1 : members[1].indexOf(null);
  return (cell) => first[cell] === one || second[cell] === two;
}

/** Writes the numbers of a cell, of none below 0, and how a row ends; returns the place after it. */
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

/** How rows begin: with their window's time and their members. */
function rowBeginning({ windows }: Plan, { members, first, second }: Partial) {
  const timeOf = windowTimes(windows);
  const time = Buffer.alloc(LONGEST_TIME);
  const firsts = textBytes(members[0].map((member) => `${JSON.stringify(member)},`));
  const seconds = textBytes(members[1].map((member) => JSON.stringify(member)));
  let timed = -1; // the window that `time` is of
  let timeEnd = 0;
  return {
    longest: LONGEST_TIME + firsts.longest + seconds.longest, // bytes
    /** Writes how the row of a cell begins, of none below 0; returns the place after it. */
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

/** A total of 0 and a mean or rate of nothing make no row; a mean or rate of 0 does. */
function hasRow(columns: readonly FieldColumn[], cell: number): boolean {
  for (const { values, empty } of columns) if (values[cell] !== empty) return true;
  return false;
}

/** By window its cell; −1: none. */
function cellsOfWindows({ windows }: Partial, windowCount: number): Int32Array {
  const cells = new Int32Array(windowCount).fill(-1);
  for (let cell = 0; cell < windows.length; cell += 1) cells[windows[cell]!] = cell;
  return cells;
}

interface FieldColumn {
  readonly values: Float64Array; // by cell
  readonly empty: number; // where nothing happened
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
