import { type Column, columnFor } from './byte-planes.ts';

/** The facts of one agent among all facts of a kind in a segment. */
export interface AgentFacts {
  readonly places: Column; // indexes of the agent's facts, rising in time
  readonly seconds: Column; // of all facts of the kind; shared with the segment
  readonly byteLength: number; // bytes without the shared `seconds`
}

const OVERHEAD = 200; // bytes of the objects around an array, about

/** Sorts all facts of an agent, given by their indexes, by their seconds. */
export function agentFacts(found: Int32Array, seconds: Column): AgentFacts {
  const keys = new Float64Array(found.length); // second and position in one number: sorts without a compare function
  for (let at = 0; at < found.length; at += 1) keys[at] = seconds[found[at]!]! * found.length + at;
  keys.sort();
  const places = columnFor(Math.max(seconds.length, 2 ** 16), found.length);
  for (let at = 0; at < found.length; at += 1) places[at] = found[keys[at]! % found.length]!;
  return { places, seconds, byteLength: places.byteLength + OVERHEAD };
}

/** The seconds `from` … `to` − 1. */
export interface SecondSpan {
  readonly from: number;
  readonly to: number;
}

/** Returns the part [first, end) of `places` whose facts happened in the span. */
export const placesWithin = (
  facts: AgentFacts,
  { from, to }: SecondSpan,
): { readonly first: number; readonly end: number } => ({
  first: firstFrom(facts, from),
  end: firstFrom(facts, to),
});

/** False if surely no fact happened in the span: all are earlier, or all are later. */
export const mayLieWithin = ({ places, seconds }: AgentFacts, { from, to }: SecondSpan): boolean =>
  places.length > 0 && seconds[places[0]!]! < to && seconds[places[places.length - 1]!]! >= from;

/** Returns the position in `places` of the first fact at or after a second. */
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
