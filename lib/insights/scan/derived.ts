import type { FactKind } from '../../history/cases/case-row.ts';
import { guessPresence, type OpenChange } from '../../history/cases/presence.ts';
import {
  type Clocks,
  eachGuessedWait,
  guessedResolutionStop,
  guessedResponseStop,
  readClocks,
} from '../../history/cases/waits.ts';
import type { Column } from '../../history/columns/byte-planes.ts';
import type { Segment } from '../../history/segments/segment.ts';
import { secondsColumn } from '../../history/segments/segment-times.ts';
import { recordOf } from '../../typed-object.ts';

/** The waits in the cases of a segment as columns, seconds since its start, −1 where there is none. */
export interface WaitColumns {
  readonly rows: Int32Array; // by wait, rising
  readonly begins: Column;
  readonly replies: Int32Array; // the outbound fact that ends it
  readonly stops: Column;
}

/** Works out the waits of every case (docs/design/reports.md); nothing is made anew for each, which takes four times as long. */
export function waitColumns(segment: Segment): WaitColumns {
  const most = segment.facts('inbound').count + segment.facts('wait').count;
  const { start, end } = segment.head;
  const rows = new Int32Array(most);
  const begins = secondsColumn(end - start, most);
  const replies = new Int32Array(most);
  const stops = secondsColumn(end - start, most);
  let count = 0;
  let row = 0;
  let firstReply = 0; // of the row
  const add = (begin: number, reply: number, stop: number): void => {
    rows[count] = row;
    begins[count] = begin;
    replies[count] = reply < 0 ? -1 : firstReply + reply;
    stops[count] = stop;
    count += 1;
  };
  eachCase(segment, ['inbound', 'outbound', 'resolve', 'delete'], (number, sources, said) => {
    row = number;
    firstReply = sources.outbound.from;
    if (said === undefined) eachGuessedWait(sources, add);
    else for (const { begin, reply, stop } of said.waits) add(begin, reply, stop);
  });
  return {
    rows: rows.slice(0, count),
    begins: begins.slice(0, count),
    replies: replies.slice(0, count),
    stops: stops.slice(0, count),
  };
}

/** By row the second that stops the clock of the first response, since the segment's start; −1 where there is none. */
export const responseStops = (segment: Segment): Column =>
  stopsBy(segment, ['outbound', 'resolve', 'delete'], (sources, said) =>
    said === undefined ? guessedResponseStop(sources) : said.responseStop,
  );

/** The same of the clock of the resolution. */
export const resolutionStops = (segment: Segment): Column =>
  stopsBy(segment, ['resolve', 'delete'], (sources, said) =>
    said === undefined ? guessedResolutionStop(sources) : said.resolutionStop,
  );

function stopsBy<K extends FactKind>(
  segment: Segment,
  kinds: readonly K[],
  stopOf: (sources: Readonly<Record<K, MovingPart>>, said: Clocks | undefined) => number,
): Column {
  const { rows, start, end } = segment.head;
  const stops = secondsColumn(end - start, rows);
  eachCase(segment, kinds, (row, sources, said) => {
    stops[row] = stopOf(sources, said);
  });
  return stops;
}

/** Visits the cases of a segment with their facts of some kinds, and with their clocks where these are said. */
function eachCase<K extends FactKind>(
  segment: Segment,
  kinds: readonly K[],
  visit: (row: number, sources: Readonly<Record<K, MovingPart>>, said: Clocks | undefined) => void,
): void {
  const sources = recordOf(kinds, (kind) => partOf(segment, kind));
  const parts = kinds.map((kind) => sources[kind]);
  const waits = partOf(segment, 'wait');
  const values = segment.facts('wait').values();
  for (let row = 0; row < segment.head.rows; row += 1) {
    for (const part of parts) moveTo(part, row);
    moveTo(waits, row);
    visit(row, sources, waits.from < waits.to ? readClocks(waits, values) : undefined);
  }
}

/** By outbound fact the second in which the wait began that it ends; below 0 where it ends none. */
export function waitBegins(segment: Segment): Column {
  const { start, end } = segment.head;
  const byFact = secondsColumn(end - start, segment.facts('outbound').count).fill(-1);
  const { begins, replies } = waitColumns(segment); // not kept: four columns for one
  for (let wait = 0; wait < begins.length; wait += 1) if (replies[wait]! >= 0) byFact[replies[wait]!] = begins[wait]!;
  return byFact;
}

/** When the cases of a segment are open: from the second `from` up to and with the second `to` of an interval of its row. */
export interface OpenIntervals {
  readonly rows: Int32Array; // by interval, rising
  readonly from: Column; // s since the segment's start: created or opened in this second
  readonly to: Column; // s, the second that ends it; −1 where it is open still
}

export function openIntervals(segment: Segment): OpenIntervals {
  const parts = {
    said: partOf(segment, 'presence'),
    created: partOf(segment, 'created'),
    resolve: partOf(segment, 'resolve'),
    reopen: partOf(segment, 'reopen'),
    deleted: partOf(segment, 'delete'),
  };
  const values = segment.facts('presence').values();
  const most = segment.head.rows + parts.reopen.of.length + parts.said.of.length;
  const { start, end } = segment.head;
  const rows = new Int32Array(most);
  const from = secondsColumn(end - start, most);
  const to = secondsColumn(end - start, most).fill(-1);
  const moving = Object.values(parts);
  let count = 0;
  for (let row = 0; row < segment.head.rows; row += 1) {
    for (const part of moving) moveTo(part, row);
    if (isPlain(parts)) {
      const [created, resolved] = [firstOf(parts.created), firstOf(parts.resolve)];
      if (created >= resolved) continue; // never open, or without a creation
      rows[count] = row;
      from[count] = created;
      if (resolved < Number.POSITIVE_INFINITY) to[count] = resolved;
      count += 1;
      continue;
    }
    for (const { second, open } of turnsIn(parts, values)) {
      if (open) {
        rows[count] = row;
        from[count] = second;
        count += 1;
      } else to[count - 1] = second;
    }
  }
  return { rows: rows.slice(0, count), from: from.slice(0, count), to: to.slice(0, count) };
}

type PresenceParts = Readonly<Record<'said' | 'created' | 'resolve' | 'reopen' | 'deleted', MovingPart>>;

/**
 * Whether a case is open from its creation to its only resolve, as nearly all are: told without `turnsIn`, the intervals of
 * 10,000 cases take 2 ms instead of 50.
 */
const isPlain = ({ said, reopen, deleted }: PresenceParts): boolean =>
  said.from === said.to && reopen.from === reopen.to && deleted.from === deleted.to;

const firstOf = ({ of, from, to }: MovingPart): number => (from < to ? of[from]! : Number.POSITIVE_INFINITY);

/** When the case of a row, to which the parts have moved, is open. */
function turnsIn({ said, created, resolve, reopen, deleted }: PresenceParts, values: Column): readonly OpenChange[] {
  if (said.from < said.to) return list(said).map((second, at) => ({ second, open: values[said.from + at] === 1 }));
  return guessPresence({
    created: list(created)[0],
    resolves: list(resolve),
    reopens: list(reopen),
    deleted: list(deleted)[0],
  });
}

const list = ({ of, from, to }: MovingPart): number[] => Array.from(of.subarray(from, to));

/** The seconds of the facts of a kind, of which those of one row are looked at. */
interface MovingPart {
  readonly of: Column;
  readonly offsets: Column;
  from: number;
  to: number;
}

function partOf(segment: Segment, kind: Parameters<Segment['facts']>[0]): MovingPart {
  const table = segment.facts(kind);
  return { of: table.seconds(), offsets: table.offsets(), from: 0, to: 0 };
}

function moveTo(part: MovingPart, row: number): void {
  part.from = part.offsets[row]!;
  part.to = part.offsets[row + 1]!;
}
