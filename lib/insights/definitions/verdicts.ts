import { OPENINGS } from '../../history/cases/case-row.ts';
import type { Segment } from '../../history/segments/segment.ts';
import { SLA_METRICS, type SlaMetric } from '../promises/sla-policies.ts';
import type { Range } from '../windows.ts';
import { creationsOf, openingsOf } from './creations.ts';
import { resolutionStops, responseStops, waitColumns } from './waits-and-open.ts';

/** The kind of the facts that keep the promises of a metric. */
export const KEPT_BY = { first_response: 'outbound', reply: 'outbound', resolution: 'resolve' } as const;

/** The kinds of rows of the warehouse that policies decide, in the order in which a case has them. */
export const VERDICT_KINDS = SLA_METRICS.flatMap((metric) => [`kept_${metric}`, `late_${metric}`] as const);

export type VerdictKind = (typeof VERDICT_KINDS)[number];

/** The kept and the broken promises of a metric in a segment. */
export interface Verdicts {
  readonly met: Uint8Array; // by fact of the kind in `KEPT_BY`: 1 if it kept a promise
  readonly missed: Moments;
}

/** Instants without a fact, each with the row of its case. */
export interface Moments {
  readonly rows: Int32Array;
  readonly seconds: Float64Array; // since the segment's start
}

/**
 * Returns the first second that is too late for a row's clock that begins at `begin`, both since the segment's start;
 * Infinity if it is later than any second that counts, NaN if nothing is promised, or nobody can tell because the promise
 * is in working time and the site has no calendar. Reports are then refused before; the story of a case is not.
 */
export type LateFrom = (row: number, begin: number) => number;

/** Receives a clock: its first second, the fact that ends it, and the second that stops it before; −1 for none. */
type VisitClock = (row: number, begin: number, fact: number, stop: number) => void;

/** Visits the clocks of a metric, by rising row. */
const CLOCKS: Readonly<Record<SlaMetric, (segment: Segment, visit: VisitClock) => void>> = {
  first_response: (segment, visit) => {
    const stops = segment.kept(responseStops);
    const openings = segment.kept(openingsOf);
    const replies = segment.facts('outbound').offsets();
    eachCreation(segment, (row, created) => {
      if (openings[row] === OPENINGS.inbound) visit(row, created, firstOf(replies, row), stops[row]!);
    });
  },
  reply: (segment, visit) => {
    const { rows, begins, replies, stops } = segment.kept(waitColumns);
    for (let wait = 0; wait < rows.length; wait += 1) visit(rows[wait]!, begins[wait]!, replies[wait]!, stops[wait]!);
  },
  resolution: (segment, visit) => {
    const stops = segment.kept(resolutionStops);
    const resolves = segment.facts('resolve').offsets();
    eachCreation(segment, (row, created) => visit(row, created, firstOf(resolves, row), stops[row]!));
  },
};

function eachCreation(segment: Segment, visit: (row: number, created: number) => void): void {
  const createdAt = segment.kept(creationsOf);
  for (let row = 0; row < createdAt.length; row += 1) if (createdAt[row]! >= 0) visit(row, createdAt[row]!);
}

const firstOf = (offsets: ArrayLike<number>, row: number): number =>
  offsets[row] === offsets[row + 1] ? -1 : offsets[row]!;

/** What is judged. */
interface PromiseInputs {
  readonly segment: Segment;
  readonly metric: SlaMetric;
  readonly selected: Uint8Array; // by row: 1 if the case counts
  readonly lateFrom: LateFrom;
  readonly range: Range; // of the report
  readonly now: number; // s since 1970
}

/**
 * Judges the promises to the selected cases (docs/rules.md 30). A resolve or deletion in time voids a promise, and a
 * fact that ends the clock in time keeps it. Otherwise it is broken in the first second that is too late, once that
 * second is past.
 */
export function judgePromises({ segment, metric, selected, lateFrom, range, now }: PromiseInputs): Verdicts {
  const ends = segment.facts(KEPT_BY[metric]).seconds();
  const met = new Uint8Array(ends.length);
  const [rows, seconds]: [number[], number[]] = [[], []];
  const { start } = segment.head;
  const past = Math.min(range.max, now) - start;
  CLOCKS[metric](segment, (row, begin, fact, stop) => {
    if (selected[row] === 0) return;
    const late = lateFrom(row, begin);
    if (stop >= 0 && stop < late) return;
    if (fact >= 0 && ends[fact]! < late) met[fact] = 1;
    else if (late < past && late >= range.min - start) {
      rows.push(row);
      seconds.push(late);
    }
  });
  return { met, missed: { rows: Int32Array.from(rows), seconds: Float64Array.from(seconds) } };
}
