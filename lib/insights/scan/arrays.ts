import type { Column } from '../../history/segments/byte-planes.ts';

/** Copies an array into a larger one and returns that. */
export function copyInto<T extends Column>(before: T, after: T): T {
  after.set(before);
  return after;
}

/** Returns parts of one shared array, which is replaced by a longer one when needed. The parts are read-only. */
const growing = <T extends { readonly length: number; subarray(from: number, to: number): T }>(
  make: (length: number) => T,
): ((length: number) => T) => {
  let longest = make(0);
  return (length) => {
    if (longest.length < length) longest = make(2 * length);
    return longest.subarray(0, length);
  };
};

/** 0, 1, 2, …; shared, so read-only. */
export const identity = growing((length) => Int32Array.from({ length }, (_, at) => at));

/** Zeros; shared, so read-only. */
export const zeros = growing((length) => new Int32Array(length));
