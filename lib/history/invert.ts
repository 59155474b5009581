import type { Column } from './byte-planes.ts';
import { type PlacesByKey, placesByKey } from './places-by-key.ts';

/**
 * Where each index stands in a column of facts: index i at the places places[offsets[i]] … places[offsets[i + 1] − 1], by
 * steps of time.
 */
export interface Inverted extends PlacesByKey {
  readonly perSecond: number; // steps
  readonly byteLength: number; // of offsets and places
}

const STEPS = 1024; // of a segment's time: an hour or two

/** Inverts a column of indices up to `last`, of facts that happened at `seconds`, up to `span`. */
export function invert(indices: Column, last: number, seconds: Column, span: number): Inverted {
  const perSecond = STEPS / (span + 1);
  const steps = new Uint16Array(seconds.length);
  for (let fact = 0; fact < steps.length; fact += 1) steps[fact] = seconds[fact]! * perSecond;
  const { places: inTime } = placesByKey(steps, STEPS, undefined);
  const { offsets, places } = placesByKey(indices, last + 1, inTime);
  return { offsets, places, perSecond, byteLength: offsets.byteLength + places.byteLength };
}

/** The seconds from … to − 1. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The part [first, end) of `places` in which an index stands from second `from` to `to` − 1, and some seconds around. */
export function placesWithin(
  inverted: Inverted,
  index: number,
  seconds: Column,
  { from, to }: Span,
): { readonly first: number; readonly end: number } {
  const { perSecond } = inverted;
  return {
    first: firstFrom(inverted, index, seconds, Math.floor(from * perSecond)),
    end: firstFrom(inverted, index, seconds, Math.floor((to - 1) * perSecond) + 1),
  };
}

/** Whether an index may stand from second `from` to `to` − 1: it does earlier or then, and then or later. */
export function mayStand(
  { offsets, places, perSecond }: Inverted,
  index: number,
  seconds: Column,
  { from, to }: Span,
): boolean {
  const first = offsets[index]!;
  const end = offsets[index + 1]!;
  if (first === end) return false;
  const earliest = Math.floor(seconds[places[first]!]! * perSecond);
  const latest = Math.floor(seconds[places[end - 1]!]! * perSecond);
  return earliest <= Math.floor((to - 1) * perSecond) && latest >= Math.floor(from * perSecond);
}

/** The first of the places of an index whose fact lies in a step or a later one. */
function firstFrom({ offsets, places, perSecond }: Inverted, index: number, seconds: Column, step: number): number {
  let low = offsets[index]!;
  let high = offsets[index + 1]!;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (Math.floor(seconds[places[middle]!]! * perSecond) < step) low = middle + 1;
    else high = middle;
  }
  return low;
}
