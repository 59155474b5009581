import * as z from 'zod';
import { REPLY_LIMIT } from '../http/reply.ts';
import { recordOf } from '../typed-object.ts';
import { chanceRows } from './chance.ts';
import { LONGEST_NUMBER, putBytes, putNumber, putText, textBytes } from './json-bytes.ts';
import { echoRequest } from './request.ts';
import { type ComputedTable, type FieldColumn, type Tables, tableIn, tableRows, tooManyRows } from './table-rows.ts';
import { type TableName, TOTALS, tableNames } from './totals.ts';
import { type Unknown, unknownShape } from './unknown-members.ts';
import { windowTimes, zonedTime } from './windows.ts';

const COMMA = 44;
const CLOSE = 93;
const LONGEST_TIME = 30; // bytes
const PART = 65_536; // bytes of rows that are converted to text at a time

const rowsShape = () => z.array(z.array(z.union([z.string(), z.number(), z.null()])));

const chanceShape = () => z.array(z.array(z.boolean().nullable()));

const tablesShape = () => ({
  data: rowsShape(),
  totals: z.object({ members: rowsShape(), windows: rowsShape(), all: rowsShape() }).optional().meta({
    description: 'If the request has `totals`: the report without windows, without dimensions, and without both',
  }),
});

/** A report as the reply shows it. Reports are not stored, so the self link is null. */
export const reportShape = () =>
  z.object({
    request: z.record(z.string(), z.unknown()).meta({
      description:
        'The request with every optional field present; with `time.compare` its `time.until` is the earlier of `max` and now',
    }),
    header: z.array(z.string()),
    ...tablesShape(),
    comparison: z
      .object({
        time: z
          .object({
            min: z.string(),
            max: z.string(),
            begins: z.string().optional().meta({
              description:
                'If the request has `chance`: when the facts of the site begin, where that is later than `min`, so that a part alone was counted',
            }),
          })
          .meta({ description: 'The range that was counted: it ends at the same moment as one that is still running' }),
        ...tablesShape(),
        chance: z
          .object({
            data: chanceShape(),
            totals: z.object({ members: chanceShape(), windows: chanceShape(), all: chanceShape() }).optional(),
          })
          .optional()
          .meta({
            description:
              'If the request has `chance`: by row of the report and field, whether the change is no more than chance gives; null where no rule says',
          }),
      })
      .optional()
      .meta({
        description:
          'If the request has `time.compare`: the same report on the other range; its n-th window belongs to the n-th of the report',
      }),
    unknown: unknownShape(),
    _links: z.object({ self: z.object({ href: z.null(), class: z.literal('report') }) }),
  });

/** A report as it was found. */
export interface ComputedReport {
  readonly tables: Tables;
  readonly compared?: Tables | undefined; // the tables of the comparison
  readonly begins?: number | undefined; // s: the first second of the history, of a report with `chance`
  readonly unknown?: Unknown | undefined; // the members and ids of the request that do not exist
}

/** Returns the JSON of a report. Throws the 422 `too_large` if it would not fit a reply. */
export function reportJson({ tables, compared, unknown, begins }: ComputedReport): string {
  const { request } = tableIn(tables, 'data').plan;
  const header = ['window_time', 'dimension1_value', 'dimension2_value', ...request.fields];
  const unknownPart = unknown === undefined ? '' : `,"unknown":${JSON.stringify(unknown)}`;
  const after = `${unknownPart},"_links":{"self":{"href":null,"class":"report"}}}`;
  const before = `{"request":${JSON.stringify(echoRequest(request))},"header":${JSON.stringify(header)},`;
  let json = before + tablesJson(tables, roomBeside(before, after));
  if (compared !== undefined) {
    const { zone, min, max } = tableIn(compared, 'data').plan.request.time;
    const later = begins !== undefined && begins > min && { begins: zonedTime(zone, begins) };
    const time = JSON.stringify({ min: zonedTime(zone, min), max: zonedTime(zone, max), ...later });
    json += `,"comparison":{"time":${time},`;
    json += tablesJson(compared, roomBeside(json, after));
    if (request.chance === true) json += `,"chance":${chanceJson(tables, compared, roomBeside(json, after))}`;
    json += '}';
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
    const key = `"${name}":`;
    const json = rowsJson(tableIn(tables, names[name]), left - key.length);
    left -= key.length + Buffer.byteLength(json);
    return key + json;
  };
  const data = rows('data');
  return request.totals === true ? `${data},"totals":{${TOTALS.map(rows).join(',')}}` : data;
}

/** Returns which changes are no more than chance gives, in at most `room` bytes. */
function chanceJson(tables: Tables, compared: Tables, room: number): string {
  const { request } = tableIn(tables, 'data').plan;
  const names = tableNames(request);
  const rows = (name: TableName) => chanceRows(tableIn(tables, names[name]), tableIn(compared, names[name]));
  const data = rows('data');
  const totals = request.totals === true ? { totals: recordOf(TOTALS, rows) } : {};
  const json = JSON.stringify({ data, ...totals });
  if (json.length > room) throw tooManyRows(request, data.length);
  return json;
}

/** Returns the JSON of a table's rows, in at most `room` bytes. Building rows as objects first takes twice as long. */
function rowsJson(table: ComputedTable, room: number): string {
  const { plan } = table;
  const { columns, most, each } = tableRows(table);
  const beginning = rowBeginning(table);
  const longest = beginning.longest + columns.length * (1 + LONGEST_NUMBER) + 2;
  // The buffer is small, because the garbage collector runs when megabytes outside of its heap are allocated.
  const out = Buffer.allocUnsafe(Math.min(most * longest, PART) + longest);
  let text = '';
  let at = out.write('[');
  let rows = 0;
  each((cell, window) => {
    at = beginning.put(out, at, window, cell);
    at = putFields(out, at, columns, cell);
    if (text.length + at > room) throw tooManyRows(plan.request, rows);
    rows += 1;
    if (at < PART) return;
    text += out.toString('utf8', 0, at);
    at = 0;
  });
  text += out.toString('utf8', 0, at);
  return `${rows > 0 ? text.slice(0, -1) : text}]`;
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
function rowBeginning({ plan: { windows }, result: { members, first, second } }: ComputedTable) {
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
