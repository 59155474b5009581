import type { Context } from '../context.ts';
import { ALL_FACT_KINDS, type FactKind } from '../history/cases/case-row.ts';
import type { HistoryReader, LiveSegment } from '../history/read.ts';
import { openSegment } from '../history/segments/segment.ts';
import { openSessions } from '../history/segments/session-segment.ts';
import { unavailable } from '../store/faults.ts';
import { keys } from '../store/keys.ts';
import type { ReportReader } from './report-engine.ts';
import type { ReportRequest } from './request.ts';
import { ALL_TIME, type Range } from './windows.ts';

const DAY = 86_400; // s

/** The kinds of facts that happen; the others say how a case is from a moment on. */
const HAPPENING: readonly FactKind[] = ALL_FACT_KINDS.filter((kind) => kind !== 'wait' && kind !== 'presence');

/** A request with its range of time: as of the query that answers it, if one was begun before, else as of now. */
export const withTime = async (context: Context, asked: ReportRequest, reader: ReportReader): Promise<ReportRequest> =>
  (await reader.engine?.begun(context, asked)) ?? withAllTime(context, asked, reader);

/**
 * A request whose `time` is `{"all": true}` as one from the first fact of the site to a second after the newest, time
 * online included; of a site without facts an empty range, which has no rows. Other requests are returned as they are.
 */
export async function withAllTime(
  context: Context,
  request: ReportRequest,
  reader: HistoryReader,
): Promise<ReportRequest> {
  const { all, ...time } = request.time;
  if (all !== true) return request;
  const found = await rangeOfFacts(context, reader);
  const now = Math.floor(context.now / 1000);
  return { ...request, time: found ? { ...time, ...found } : { ...time, min: now, max: now, isEmpty: true } };
}

/** Reads the segments at both ends of the history, more of them where their rows were replaced. */
async function rangeOfFacts(context: Context, reader: HistoryReader): Promise<Range | undefined> {
  const read = <T>({ min, max }: Range, use: Parameters<typeof reader.read<T>>[2]): Promise<T> =>
    reader.read(
      context,
      {
        ...{ from: min, to: max - 1, kinds: ['cases', 'sessions'] as const },
        version: context.version(keys.history(context.site.name)),
      },
      use,
    );
  const factsIn = (range: Range): Promise<Range | undefined> =>
    read(range, async ({ segments }) => {
      let facts: Range | undefined;
      for await (const part of segments) {
        for (const segment of part) facts = united(facts, factsOf(segment));
        if (context.clock() > context.deadline) throw unavailable();
      }
      return facts;
    });
  const { start, end } = await read(ALL_TIME, async (history) => history);
  let [first, last]: (Range | undefined)[] = [];
  for (let days = 1; start <= end; days *= 8) {
    const [head, tail] = [start + days * DAY, end + 1 - days * DAY];
    if (first === undefined || first.min >= head) first = await factsIn({ min: start, max: Math.min(head, end + 1) });
    if (last === undefined || last.max <= tail) last = await factsIn({ min: Math.max(tail, start), max: end + 1 });
    const isWhole = head > end;
    if (isWhole || (first !== undefined && first.min < head && last !== undefined && last.max > tail)) break;
  }
  return first && last && { min: first.min, max: last.max };
}

const united = (a: Range | undefined, b: Range | undefined): Range | undefined =>
  a && b ? { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) } : (a ?? b);

/** The seconds of all facts of the rows of a segment that count; undefined if it has none. */
function factsOf({ kind, columns, dead }: LiveSegment): Range | undefined {
  const gone = new Set(dead);
  let [min, max] = [Number.POSITIVE_INFINITY, 0];
  const add = (from: number, to: number): void => {
    if (from < min) min = from;
    if (to > max) max = to;
  };
  if (kind === 'sessions') {
    for (const [row, { sessions }] of openSessions(columns).rows().entries())
      if (!gone.has(row)) for (const { from, to } of sessions) add(from, to);
  } else {
    const segment = openSegment(columns);
    const { start } = segment.head;
    for (const each of HAPPENING) {
      const facts = segment.facts(each);
      if (facts.count === 0) continue;
      const rows = facts.rows();
      const lengths = each === 'handle' ? facts.values() : undefined;
      for (const [fact, second] of facts.seconds().entries()) {
        if (gone.size > 0 && gone.has(rows[fact] ?? 0)) continue;
        add(start + second, start + second + (lengths?.[fact] ?? 1));
      }
    }
  }
  return min < max ? { min, max } : undefined;
}
