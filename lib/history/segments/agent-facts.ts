import { type Column, columnFor } from '../columns/byte-planes.ts';

/** Where the facts of one agent stand among those of a kind in a segment. */
export interface AgentFacts {
  readonly places: Column; // of the facts, rising in time
  readonly seconds: Column; // by fact of any agent
  readonly byteLength: number; // of what is its own
}

const OVERHEAD = 200; // bytes of an array and what it lies in, about

/** Facts found, all there are of an agent, among those that happened at `seconds`. */
export function agentFacts(found: Int32Array, seconds: Column): AgentFacts {
  const keys = new Float64Array(found.length); // sorted as numbers, without a function that compares
  for (let at = 0; at < found.length; at += 1) keys[at] = seconds[found[at]!]! * found.length + at;
  keys.sort();
  const places = columnFor(Math.max(seconds.length, 2 ** 16), found.length);
  for (let at = 0; at < found.length; at += 1) places[at] = found[keys[at]! % found.length]!;
  return { places, seconds, byteLength: places.byteLength + OVERHEAD };
}

/** The seconds from … to − 1. */
export interface SecondSpan {
  readonly from: number;
  readonly to: number;
}

/** The part [first, end) of `places` whose facts happened from second `from` to `to` − 1. */
export const placesWithin = (
  facts: AgentFacts,
  { from, to }: SecondSpan,
): { readonly first: number; readonly end: number } => ({
  first: firstFrom(facts, from),
  end: firstFrom(facts, to),
});

/** Whether some may have happened from second `from` to `to` − 1: one did earlier or then, and one then or later. */
export const mayLieWithin = ({ places, seconds }: AgentFacts, { from, to }: SecondSpan): boolean =>
  places.length > 0 && seconds[places[0]!]! < to && seconds[places[places.length - 1]!]! >= from;

/** The first of the places whose fact happened at a second or later. */
function firstFrom({ places, seconds }: AgentFacts, second: number): number {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (seconds[places[middle]!]! < second) low = middle + 1;
    else high = middle;
  }
  return low;
}
