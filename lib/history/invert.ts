import { type Column, columnFor } from './byte-planes.ts';

/** Where each index stands in a column: index i at the places places[offsets[i]] … places[offsets[i + 1] − 1], rising. */
export interface Inverted {
  readonly offsets: Int32Array;
  readonly places: Column;
  readonly byteLength: number; // of both
}

/** Inverts a column of indices up to `last`. */
export function invert(indices: Column, last: number): Inverted {
  const next = new Int32Array(last + 2);
  for (let place = 0; place < indices.length; place += 1) next[indices[place]! + 1]! += 1;
  for (let index = 0; index < last; index += 1) next[index + 1]! += next[index]!;
  const offsets = next.slice();
  const places = columnFor(Math.max(indices.length, 2 ** 16), indices.length);
  for (let place = 0; place < indices.length; place += 1) {
    const index = indices[place]!;
    places[next[index]!] = place;
    next[index]! += 1;
  }
  return { offsets, places, byteLength: offsets.byteLength + places.byteLength };
}
