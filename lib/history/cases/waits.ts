import type { Fact } from './case-row.ts';

/** Numbers by index, such as seconds of facts. */
type Numbers = ArrayLike<number>;

/** A part of a rising list of numbers: those at index `from` … `to` − 1. */
export interface Slice {
  readonly of: Numbers;
  readonly from: number;
  readonly to: number;
}

/** The seconds of a case's facts from which its clocks are guessed. */
export interface WaitSources {
  readonly inbound: Slice;
  readonly outbound: Slice;
  readonly resolve: Slice;
  readonly delete: Slice;
}

/** A customer's wait: from a message until the next reply of an agent. */
export interface Wait {
  readonly begin: number; // s
  readonly reply: number; // index of the reply among the case's replies; −1: no reply yet
  readonly stop: number; // s, the first resolve or deletion in between; −1: none
}

/** The times on which a case's promises depend (docs/insights.md, Promises). */
export interface Clocks {
  readonly waits: readonly Wait[];
  readonly responseStop: number; // s, the first resolve or deletion before the first reply; −1: none
  readonly resolutionStop: number; // s, the first deletion before the first resolve; −1: none
}

/**
 * Guesses the clocks of a case from the seconds of its facts alone, which saves 18 % of a segment (`settleClocks` in
 * facts.ts). It assumes that no message is automated, and,
 * within one second: a message comes before a reply; a resolve or deletion comes before a wait begins, so it does not
 * stop that wait; and it comes after a reply or resolve that ends a wait or promise, so it does not stop that one
 * either.
 */
export function guessClocks(sources: WaitSources): Clocks {
  const waits: Wait[] = [];
  eachGuessedWait(sources, (begin, reply, stop) => waits.push({ begin, reply, stop }));
  return {
    waits,
    responseStop: guessedResponseStop(sources),
    resolutionStop: guessedResolutionStop(sources),
  };
}

/** Calls `visit` for each guessed wait, in their order, with the values of a `Wait`. */
export function eachGuessedWait(
  { inbound, outbound, resolve, delete: deleted }: WaitSources,
  visit: (begin: number, reply: number, stop: number) => void,
): void {
  let reply = outbound.from;
  const nextResolve = follow(resolve);
  const nextDeletion = follow(deleted);
  for (let at = inbound.from; at < inbound.to; ) {
    const begin = inbound.of[at]!;
    while (reply < outbound.to && outbound.of[reply]! < begin) reply += 1;
    const answered = reply < outbound.to;
    const end = answered ? outbound.of[reply]! : Number.POSITIVE_INFINITY;
    const stop = Math.min(nextResolve(begin), nextDeletion(begin));
    visit(begin, answered ? reply - outbound.from : -1, stop < end ? stop : -1);
    while (at < inbound.to && inbound.of[at]! <= end) at += 1;
  }
}

export function guessedResponseStop({ outbound, resolve, delete: deleted }: Omit<WaitSources, 'inbound'>): number {
  const stop = Math.min(firstOf(resolve), firstOf(deleted));
  return stop < firstOf(outbound) ? stop : -1;
}

export function guessedResolutionStop({ resolve, delete: deleted }: Pick<WaitSources, 'resolve' | 'delete'>): number {
  const gone = firstOf(deleted);
  return gone < firstOf(resolve) ? gone : -1;
}

/** The first of some numbers; infinite if there are none. */
export const firstOf = ({ of, from, to }: Slice): number => (from < to ? of[from]! : Number.POSITIVE_INFINITY);

/**
 * Returns a function that finds the first number above a given one. The given numbers must never fall from call to
 * call: all calls together take one pass.
 */
function follow({ of, from, to }: Slice): (second: number) => number {
  let at = from;
  return (second) => {
    while (at < to && of[at]! <= second) at += 1;
    return at < to ? of[at]! : Number.POSITIVE_INFINITY;
  };
}

/** The codes in the `value` of `wait` facts. A case where `guessClocks` is wrong has such facts for all its clocks. */
const WAIT_CODES = {
  nothing: 0,
  begins: 1,
  stops: 2,
  stopsResponse: 3,
  stopsResolution: 4,
  replies: 5, // plus the index of the reply
} as const;

/** Writes clocks as `wait` facts, rising in time; without any clock one fact at `start` says `nothing`. */
export function clockFacts(
  { waits, responseStop, resolutionStop }: Clocks,
  replies: readonly Fact[],
  start: number,
): Fact[] {
  const { nothing, begins, stops, stopsResponse, stopsResolution, replies: repliesFrom } = WAIT_CODES;
  const said: [number, number][] = [];
  if (responseStop >= 0) said.push([responseStop, stopsResponse]);
  if (resolutionStop >= 0) said.push([resolutionStop, stopsResolution]);
  for (const { begin, reply, stop } of waits) {
    said.push([begin, begins]);
    if (stop >= 0) said.push([stop, stops]);
    if (reply >= 0) said.push([replies[reply]!.second, repliesFrom + reply]);
  }
  if (said.length === 0) said.push([start, nothing]);
  return said.sort((a, b) => a[0] - b[0]).map(([second, value]) => ({ second, agent: null, group: null, value }));
}

/** Reads clocks back from `wait` facts. */
export function readClocks(seconds: Slice, values: Numbers): Clocks {
  const waits: Wait[] = [];
  let [responseStop, resolutionStop] = [-1, -1];
  for (let at = seconds.from; at < seconds.to; at += 1) {
    const [second, value] = [seconds.of[at]!, values[at]!];
    const last = waits.at(-1);
    if (value === WAIT_CODES.begins) waits.push({ begin: second, reply: -1, stop: -1 });
    else if (value === WAIT_CODES.stops) waits[waits.length - 1] = { ...last!, stop: second };
    else if (value === WAIT_CODES.stopsResponse) responseStop = second;
    else if (value === WAIT_CODES.stopsResolution) resolutionStop = second;
    else if (value >= WAIT_CODES.replies) waits[waits.length - 1] = { ...last!, reply: value - WAIT_CODES.replies };
  }
  return { waits, responseStop, resolutionStop };
}
