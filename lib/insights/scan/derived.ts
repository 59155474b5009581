import { guessPresence, type OpenChange } from '../../history/cases/presence.ts';
import { eachGuessedWait, guessedResolutionStop, guessedResponseStop, readClocks } from '../../history/cases/waits.ts';
import type { Column } from '../../history/columns/byte-planes.ts';
import type { Segment } from '../../history/segments/segment.ts';
import { secondsColumn } from '../../history/segments/segment-times.ts';

/** The clocks of the cases of a segment as columns, seconds since its start, −1 where there is none. */
export interface ClockColumns {
  readonly rows: Int32Array; // by wait, rising
  readonly begins: Column; // by wait
  readonly replies: Int32Array; // by wait the outbound fact that ends it
  readonly stops: Column; // by wait
  readonly responseStops: Column; // by row
  readonly resolutionStops: Column; // by row
}

/** Works out the clocks of every case (docs/design/reports.md); nothing is made anew for each, which takes four times as long. */
export function clockColumns(segment: Segment): ClockColumns {
  const sources = {
    inbound: partOf(segment, 'inbound'),
    outbound: partOf(segment, 'outbound'),
    resolve: partOf(segment, 'resolve'),
    delete: partOf(segment, 'delete'),
  };
  const parts = Object.values(sources);
  const said = partOf(segment, 'wait');
  const values = segment.facts('wait').values();
  const most = sources.inbound.of.length + said.of.length;
  const rows = new Int32Array(most);
  const { rows: cases, start, end } = segment.head;
  const begins = secondsColumn(end - start, most);
  const replies = new Int32Array(most);
  const stops = secondsColumn(end - start, most);
  const responseStops = secondsColumn(end - start, cases);
  const resolutionStops = secondsColumn(end - start, cases);
  let count = 0;
  let row = 0;
  const add = (begin: number, reply: number, stop: number): void => {
    rows[count] = row;
    begins[count] = begin;
    replies[count] = reply < 0 ? -1 : sources.outbound.from + reply;
    stops[count] = stop;
    count += 1;
  };
  for (; row < cases; row += 1) {
    for (const part of parts) moveTo(part, row);
    moveTo(said, row);
    if (said.from < said.to) {
      const clocks = readClocks(said, values);
      for (const { begin, reply, stop } of clocks.waits) add(begin, reply, stop);
      responseStops[row] = clocks.responseStop;
      resolutionStops[row] = clocks.resolutionStop;
    } else {
      eachGuessedWait(sources, add);
      responseStops[row] = guessedResponseStop(sources);
      resolutionStops[row] = guessedResolutionStop(sources);
    }
  }
  return {
    rows: rows.slice(0, count),
    begins: begins.slice(0, count),
    replies: replies.slice(0, count),
    stops: stops.slice(0, count),
    responseStops,
    resolutionStops,
  };
}

/** By outbound fact the second in which the wait began that it ends; below 0 where it ends none. */
export function waitBegins(segment: Segment): Column {
  const { start, end } = segment.head;
  const byFact = secondsColumn(end - start, segment.facts('outbound').count).fill(-1);
  const { begins, replies } = segment.kept(clockColumns);
  for (let wait = 0; wait < begins.length; wait += 1) if (replies[wait]! >= 0) byFact[replies[wait]!] = begins[wait]!;
  return byFact;
}

/** When the cases of a segment are open: from the second `from` up to and with the second `to` of an interval of its row. */
export interface OpenIntervals {
  readonly rows: Int32Array; // by interval, rising
  readonly from: Float64Array; // s since the segment's start: created or opened in this second
  readonly to: Float64Array; // s, the second that ends it; Infinity where it is open still
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
  const rows = new Int32Array(most);
  const from = new Float64Array(most);
  const to = new Float64Array(most).fill(Number.POSITIVE_INFINITY);
  const moving = Object.values(parts);
  let count = 0;
  for (let row = 0; row < segment.head.rows; row += 1) {
    for (const part of moving) moveTo(part, row);
    if (isPlain(parts)) {
      const [created, resolved] = [firstOf(parts.created), firstOf(parts.resolve)];
      if (created >= resolved) continue; // never open, or without a creation
      rows[count] = row;
      from[count] = created;
      to[count] = resolved;
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
