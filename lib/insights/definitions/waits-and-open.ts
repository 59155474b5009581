import type { FactKind } from '../../history/cases/case-row.ts';
import { guessPresence, type OpenChange } from '../../history/cases/presence.ts';
import {
  type Clocks,
  eachGuessedWait,
  firstOf,
  guessedResolutionStop,
  guessedResponseStop,
  readClocks,
} from '../../history/cases/waits.ts';
import type { Column } from '../../history/segments/byte-planes.ts';
import type { Segment } from '../../history/segments/segment.ts';
import { secondsColumn } from '../../history/segments/segment-times.ts';
import { recordOf } from '../../typed-object.ts';

/** The waits of a segment's cases as columns; seconds are since the segment's start, −1 for none. */
export interface WaitColumns {
  readonly rows: Int32Array; // by wait, rising
  readonly begins: Column;
  readonly replies: Int32Array; // the outbound fact that ends the wait
  readonly stops: Column; // the second of a resolve or deletion during the wait
}

/** Finds the waits of every case (docs/design/reports.md). Creating no object per wait makes it four times as fast. */
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
  eachCase(segment, ['inbound', 'outbound', 'resolve', 'delete'], (number, sources, stored) => {
    row = number;
    firstReply = sources.outbound.from;
    if (stored === undefined) eachGuessedWait(sources, add);
    else for (const { begin, reply, stop } of stored.waits) add(begin, reply, stop);
  });
  return {
    rows: rows.slice(0, count),
    begins: begins.slice(0, count),
    replies: replies.slice(0, count),
    stops: stops.slice(0, count),
  };
}

/** By row, the second that stops the clock of the first response, since the segment's start; −1 if nothing stops it. */
export const responseStops = (segment: Segment): Column =>
  stopsBy(segment, ['outbound', 'resolve', 'delete'], (sources, stored) =>
    stored === undefined ? guessedResponseStop(sources) : stored.responseStop,
  );

/** By row, the second that stops the clock of the resolution, in the same way. */
export const resolutionStops = (segment: Segment): Column =>
  stopsBy(segment, ['resolve', 'delete'], (sources, stored) =>
    stored === undefined ? guessedResolutionStop(sources) : stored.resolutionStop,
  );

function stopsBy<K extends FactKind>(
  segment: Segment,
  kinds: readonly K[],
  stopOf: (sources: Readonly<Record<K, RowSlice>>, stored: Clocks | undefined) => number,
): Column {
  const { rows, start, end } = segment.head;
  const stops = secondsColumn(end - start, rows);
  eachCase(segment, kinds, (row, sources, stored) => {
    stops[row] = stopOf(sources, stored);
  });
  return stops;
}

/** Visits the cases of a segment with their facts of some kinds, and with their clocks if the row has them stored. */
function eachCase<K extends FactKind>(
  segment: Segment,
  kinds: readonly K[],
  visit: (row: number, sources: Readonly<Record<K, RowSlice>>, stored: Clocks | undefined) => void,
): void {
  const sources = recordOf(kinds, (kind) => sliceOf(segment, kind));
  const slices = kinds.map((kind) => sources[kind]);
  const waits = sliceOf(segment, 'wait');
  const values = segment.facts('wait').values();
  for (let row = 0; row < segment.head.rows; row += 1) {
    for (const slice of slices) moveTo(slice, row);
    moveTo(waits, row);
    visit(row, sources, waits.from < waits.to ? readClocks(waits, values) : undefined);
  }
}

/** By outbound fact, the second in which the wait that it ends began; below 0 if it ends none. */
export function waitBegins(segment: Segment): Column {
  const { start, end } = segment.head;
  const byFact = secondsColumn(end - start, segment.facts('outbound').count).fill(-1);
  const { begins, replies } = waitColumns(segment); // not cached, because only this column of its four is needed
  for (let wait = 0; wait < begins.length; wait += 1) if (replies[wait]! >= 0) byFact[replies[wait]!] = begins[wait]!;
  return byFact;
}

/**
 * The intervals in which the cases of a segment are open: from the second `from` up to and including the second `to`.
 */
export interface OpenIntervals {
  readonly rows: Int32Array; // by interval, rising
  readonly from: Column; // s since the segment's start: the second of the creation or reopen
  readonly to: Column; // s since the segment's start; −1 if the case is still open
}

export function openIntervals(segment: Segment): OpenIntervals {
  const slices = {
    presence: sliceOf(segment, 'presence'),
    created: sliceOf(segment, 'created'),
    resolve: sliceOf(segment, 'resolve'),
    reopen: sliceOf(segment, 'reopen'),
    deleted: sliceOf(segment, 'delete'),
  };
  const values = segment.facts('presence').values();
  const most = segment.head.rows + slices.reopen.of.length + slices.presence.of.length;
  const { start, end } = segment.head;
  const rows = new Int32Array(most);
  const from = secondsColumn(end - start, most);
  const to = secondsColumn(end - start, most).fill(-1);
  const allSlices = Object.values(slices);
  let count = 0;
  for (let row = 0; row < segment.head.rows; row += 1) {
    for (const slice of allSlices) moveTo(slice, row);
    if (isPlain(slices)) {
      const [created, resolved] = [firstOf(slices.created), firstOf(slices.resolve)];
      if (created >= resolved) continue; // never open, or without a creation
      rows[count] = row;
      from[count] = created;
      if (resolved < Number.POSITIVE_INFINITY) to[count] = resolved;
      count += 1;
      continue;
    }
    const before = count;
    for (const { second, open } of openChanges(slices, values)) {
      if (open) {
        rows[count] = row;
        from[count] = second;
        count += 1;
      } else if (count > before) to[count - 1] = second;
    }
  }
  return { rows: rows.slice(0, count), from: from.slice(0, count), to: to.slice(0, count) };
}

type PresenceSlices = Readonly<Record<'presence' | 'created' | 'resolve' | 'reopen' | 'deleted', RowSlice>>;

/**
 * Whether a case is open from its creation to its first resolve, as nearly all are. Without `openChanges` for these the
 * intervals of 10,000 cases take 2 ms instead of 50.
 */
const isPlain = ({ presence, reopen, deleted }: PresenceSlices): boolean =>
  presence.from === presence.to && reopen.from === reopen.to && deleted.from === deleted.to;

/** The seconds in which the case of the current row opens or closes. */
function openChanges(slices: PresenceSlices, values: Column): readonly OpenChange[] {
  const { presence, created, resolve, reopen, deleted } = slices;
  if (presence.from < presence.to) {
    return list(presence).map((second, at) => ({ second, open: values[presence.from + at] === 1 }));
  }
  return guessPresence({
    created: list(created)[0],
    resolves: list(resolve),
    reopens: list(reopen),
    deleted: list(deleted)[0],
  });
}

const list = ({ of, from, to }: RowSlice): number[] => Array.from(of.subarray(from, to));

/** The seconds of the facts of a kind; those of the current row are at the indexes `from` … `to` − 1. */
interface RowSlice {
  readonly of: Column;
  readonly offsets: Column;
  from: number;
  to: number;
}

function sliceOf(segment: Segment, kind: Parameters<Segment['facts']>[0]): RowSlice {
  const table = segment.facts(kind);
  return { of: table.seconds(), offsets: table.offsets(), from: 0, to: 0 };
}

function moveTo(slice: RowSlice, row: number): void {
  slice.from = slice.offsets[row]!;
  slice.to = slice.offsets[row + 1]!;
}
