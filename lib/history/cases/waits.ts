import type { Fact } from './case-row.ts';

/** Numbers by index, such as seconds of facts. */
type Numbers = ArrayLike<number>;

/** A part of some numbers that rise: those at `from` … `to` − 1. */
export interface Slice {
  readonly of: Numbers;
  readonly from: number;
  readonly to: number;
}

/** What a case's waits follow from: the seconds of its facts. */
export interface WaitSources {
  readonly inbound: Slice;
  readonly outbound: Slice;
  readonly resolve: Slice;
  readonly delete: Slice;
}

/** A wait of a customer: from a message until the next reply of an agent. */
export interface Wait {
  readonly begin: number; // s
  readonly reply: number; // index of the reply among the case's; −1 where none has come
  readonly stop: number; // s, the first resolve or deletion in between; −1 where there is none
}

/** What a case's promises depend on. */
export interface Clocks {
  readonly waits: readonly Wait[];
  readonly responseStop: number; // s, the first resolve or deletion before the first reply; −1 where there is none
  readonly resolutionStop: number; // s, the first deletion before the first resolve; −1 where there is none
}

/**
 * The clocks of a case as they follow from the seconds of its facts alone. It guesses what these do not say: no message is
 * automated; within one second a message comes before a reply, and a resolve or deletion comes too early to stop a wait
 * that begins there and too late to stop what a reply or resolve ends there.
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

/** Visits the waits that are guessed so, in their order; what they are is said by `Wait`. */
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

const firstOf = ({ of, from, to }: Slice): number => (from < to ? of[from]! : Number.POSITIVE_INFINITY);

/** Finds the first number after one that never falls from question to question, in time that all questions share. */
function follow({ of, from, to }: Slice): (second: number) => number {
  let at = from;
  return (second) => {
    while (at < to && of[at]! <= second) at += 1;
    return at < to ? of[at]! : Number.POSITIVE_INFINITY;
  };
}

/** What the `value` of a `wait` fact says; such facts are there where `guessClocks` would be wrong, and then say it all. */
export const WAIT_CODES = {
  nothing: 0,
  begins: 1,
  stops: 2,
  stopsResponse: 3,
  stopsResolution: 4,
  replies: 5,
} as const;

/** The clocks as facts of the kind `wait`, rising in time; `start` is the second of a fact that says that there is none. */
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

/** The clocks that facts of the kind `wait` say. */
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
