import { guessPresence, type Turn } from '../../history/cases/presence.ts';
import { type Clocks, guessClocks, readClocks } from '../../history/cases/waits.ts';
import type { Column } from '../../history/columns/byte-planes.ts';
import type { Segment } from '../../history/segments/segment.ts';

/** The clocks of each case of a segment, seconds since its start (docs/design/reports.md). */
export function* clocksOf(segment: Segment): Generator<Clocks> {
  const [inbound, outbound] = [partsOf(segment, 'inbound'), partsOf(segment, 'outbound')];
  const [resolve, deleted, said] = [partsOf(segment, 'resolve'), partsOf(segment, 'delete'), partsOf(segment, 'wait')];
  const values = segment.facts('wait').values();
  for (let row = 0; row < segment.head.rows; row += 1) {
    const explicit = said(row);
    if (explicit.from < explicit.to) yield readClocks(explicit, values);
    else
      yield guessClocks({
        inbound: inbound(row),
        outbound: outbound(row),
        resolve: resolve(row),
        delete: deleted(row),
      });
  }
}

/** The clocks of the cases of a segment as columns, seconds since its start, −1 where there is none. */
export interface ClockColumns {
  readonly rows: Int32Array; // by wait, rising
  readonly begins: Float64Array; // by wait
  readonly replies: Int32Array; // by wait the outbound fact that ends it
  readonly stops: Float64Array; // by wait
  readonly responseStops: Float64Array; // by row
  readonly resolutionStops: Float64Array; // by row
}

export function clockColumns(segment: Segment): ClockColumns {
  const offsets = segment.facts('outbound').offsets();
  const waits: { row: number; begin: number; reply: number; stop: number }[] = [];
  const responseStops = new Float64Array(segment.head.rows);
  const resolutionStops = new Float64Array(segment.head.rows);
  let row = 0;
  for (const clocks of clocksOf(segment)) {
    responseStops[row] = clocks.responseStop;
    resolutionStops[row] = clocks.resolutionStop;
    for (const { begin, reply, stop } of clocks.waits) {
      waits.push({ row, begin, reply: reply < 0 ? -1 : offsets[row]! + reply, stop });
    }
    row += 1;
  }
  return {
    rows: Int32Array.from(waits, (wait) => wait.row),
    begins: Float64Array.from(waits, ({ begin }) => begin),
    replies: Int32Array.from(waits, ({ reply }) => reply),
    stops: Float64Array.from(waits, ({ stop }) => stop),
    responseStops,
    resolutionStops,
  };
}

/** By outbound fact the second in which the wait began that it ends; below 0 where it ends none. */
export function waitBegins(segment: Segment): Column {
  const byFact = new Float64Array(segment.facts('outbound').count).fill(-1);
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
  const rows: number[] = [];
  const from: number[] = [];
  const to: number[] = [];
  const turnsOf = turnReader(segment);
  for (let row = 0; row < segment.head.rows; row += 1) {
    for (const { second, open } of turnsOf(row)) {
      if (open) {
        rows.push(row);
        from.push(second);
        to.push(Number.POSITIVE_INFINITY);
      } else to[to.length - 1] = second;
    }
  }
  return { rows: Int32Array.from(rows), from: Float64Array.from(from), to: Float64Array.from(to) };
}

function turnReader(segment: Segment): (row: number) => readonly Turn[] {
  const [said, created] = [partsOf(segment, 'presence'), partsOf(segment, 'created')];
  const [resolve, reopen, deleted] = [
    partsOf(segment, 'resolve'),
    partsOf(segment, 'reopen'),
    partsOf(segment, 'delete'),
  ];
  const values = segment.facts('presence').values();
  const list = ({ of, from, to }: ReturnType<typeof said>): number[] => Array.from(of.subarray(from, to));
  return (row) => {
    const { of, from, to } = said(row);
    if (from === to) {
      return guessPresence({
        created: list(created(row))[0],
        resolves: list(resolve(row)),
        reopens: list(reopen(row)),
        deleted: list(deleted(row))[0],
      });
    }
    return list({ of, from, to }).map((second, at) => ({ second, open: values[from + at] === 1 }));
  };
}

/** Where the facts of a kind of each row lie. */
function partsOf(segment: Segment, kind: Parameters<Segment['facts']>[0]) {
  const table = segment.facts(kind);
  const [of, offsets] = [table.seconds(), table.offsets()];
  return (row: number) => ({ of, from: offsets[row]!, to: offsets[row + 1]! });
}
