import { caseHistory } from '../../../lib/history/cases/case-history.ts';
import type { CaseEvent, HistoryEvent } from '../../../lib/history/cases/event.ts';
import { readRequest } from '../../../lib/insights/request.ts';
import { cutWindows, zonedTime } from '../../../lib/insights/windows.ts';
import { bySubject } from '../generators/by-subject.ts';
import type { Example } from './example.ts';

/** An example in the form that the census checks. */
interface Seen {
  readonly stream: readonly HistoryEvent[]; // in the order of arrival
  readonly cases: readonly (readonly CaseEvent[])[]; // without repeats, in order
  readonly spans: readonly Span[];
  readonly edges: readonly number[]; // s, the starts of windows, and both ends of the range
  readonly offsetAt: (second: number) => string;
}
interface Span {
  readonly type: HistoryEvent['type'];
  readonly from: number; // s
  readonly to: number; // s
}

const isDone = (event: CaseEvent): boolean | undefined => {
  if (event.type === 'case.status') return event.to === 'resolved' || event.to === 'closed';
  return event.type === 'case.created' ? event.status === 'resolved' || event.status === 'closed' : undefined;
};

/** The number of times that a case changes from done to not done. */
function reopens(events: readonly CaseEvent[]): number {
  const turns = events.map(isDone).filter((done) => done !== undefined);
  return turns.filter((done, place) => !done && turns[place - 1] === true).length;
}

const overEdge = (type: HistoryEvent['type']) => (seen: Seen) =>
  seen.spans.some((span) => span.type === type && seen.edges.some((edge) => span.from < edge && edge < span.to));
const overClockChange = (type: HistoryEvent['type']) => (seen: Seen) =>
  seen.spans.some((span) => span.type === type && seen.offsetAt(span.from) !== seen.offsetAt(span.to));
const anyEvent = (is: (event: CaseEvent) => boolean) => (seen: Seen) => seen.cases.flat().some(is);
const anyCase = (is: (events: readonly CaseEvent[]) => boolean) => (seen: Seen) => seen.cases.some(is);
const anyPair = (is: (a: CaseEvent, b: CaseEvent) => boolean) =>
  anyCase((events) => events.some((event, place) => place > 0 && is(events[place - 1]!, event)));

const YEAR = 366 * 86_400; // s

/** The difficult situations in a history or a report on it, by name. */
const AWKWARD: Readonly<Record<string, (seen: Seen) => boolean>> = {
  'a text as case': anyEvent((event) => !/^\d+$/.test(event.case)),
  'a text as event id': anyEvent((event) => !/^\d+$/.test(event.id)),
  'an automated reply': anyEvent(
    (event) => event.type === 'interaction' && event.direction === 'outbound' && event.automated === true,
  ),
  'a session over the edge of a window': overEdge('agent.session'),
  'handling over the edge of a window': overEdge('case.handled'),
  'a session over a change of clocks': overClockChange('agent.session'),
  'handling over a change of clocks': overClockChange('case.handled'),
  'an event before its creation': anyPair((a, b) => a.type === 'case.created' && b.at < a.at),
  'a case without creation': anyCase((events) => events.length > 0 && events[0]!.type !== 'case.created'),
  'a case that was created done': anyCase(([first]) => first?.type === 'case.created' && isDone(first) === true),
  'a case that was created done and reopened': anyCase(
    (events) => events[0]?.type === 'case.created' && isDone(events[0]) === true && reopens(events) > 0,
  ),
  'several labels': anyEvent(
    (event) =>
      (event.type === 'case.created' && (event.labels ?? []).length > 1) ||
      (event.type === 'case.labels' && [...(event.set ?? []), ...(event.add ?? [])].length > 1),
  ),
  'a deleted case': anyEvent((event) => event.type === 'case.deleted'),
  'a deleted case that goes on': anyPair((a) => a.type === 'case.deleted'),
  'equal times': anyPair((a, b) => a.type !== 'case.created' && a.at === b.at),
  'a chain of reopens': anyCase((events) => reopens(events) > 1),
  'a late event': ({ stream, cases }) =>
    cases.some((events) =>
      events.some((event, at) => at > 0 && stream.indexOf(event) < stream.indexOf(events[at - 1]!)),
    ),
  'a range that begins before 1970': ({ edges }) => edges.some((edge) => edge < 0),
  'seconds that outgrow 32 bits': ({ edges }) => edges.some((edge) => edge > 2 ** 31),
  'a range of more than a year': ({ edges }) => Math.max(...edges) - Math.min(...edges) > YEAR,
  'a repeated event': ({ stream }) =>
    [...bySubject(stream).values()].some((list) => new Set(list.map(({ id }) => id)).size < list.length),
};

/** Counts the examples with each difficult situation. */
export function census(examples: readonly Example[]): Readonly<Record<string, number>> {
  const seen = examples.map(look);
  return Object.fromEntries(Object.entries(AWKWARD).map(([name, is]) => [name, seen.filter(is).length]));
}

function look({ events, site, body }: Example): Seen {
  const { time } = readRequest({ ...body }, site, 0);
  const windows = cutWindows(time.zone, time.size, time.weekStart, time);
  const second = (at: number): number => Math.floor(at / 1_000_000);
  const cases = [...bySubject(events.filter((event): event is CaseEvent => event.type !== 'agent.session')).values()];
  return {
    stream: events,
    cases: cases.map((list) => caseHistory(list as CaseEvent[])),
    spans: events.flatMap((event) =>
      event.type === 'agent.session' || event.type === 'case.handled'
        ? [{ type: event.type, from: second(event.from), to: second(event.to) }]
        : [],
    ),
    edges: [...windows.starts, time.min, time.max],
    offsetAt: (at) => zonedTime(time.zone, at).slice(-6),
  };
}
