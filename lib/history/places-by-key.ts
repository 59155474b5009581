import { type Column, columnFor } from './byte-planes.ts';

/** The places of a column by key: key k stands at places[offsets[k]] … places[offsets[k + 1] − 1]. */
export interface PlacesByKey {
  readonly offsets: Int32Array;
  readonly places: Column;
}

/** Sorts the places of keys below `count` without comparing any two, those of one key in the `order` given, else rising. */
export function placesByKey(keys: Column, count: number, order: Column | undefined): PlacesByKey {
  const next = new Int32Array(count + 1);
  for (let place = 0; place < keys.length; place += 1) next[keys[place]! + 1]! += 1;
  for (let key = 0; key < count; key += 1) next[key + 1]! += next[key]!;
  const offsets = next.slice();
  const places = columnFor(Math.max(keys.length, 2 ** 16), keys.length);
  for (let at = 0; at < keys.length; at += 1) {
    const place = order === undefined ? at : order[at]!;
    const key = keys[place]!;
    places[next[key]!] = place;
    next[key]! += 1;
  }
  return { offsets, places };
}
