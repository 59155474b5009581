import type { Column } from '../../history/columns/byte-planes.ts';

/** Copies an array into a larger one and returns that. */
export function copyInto<T extends Column>(before: T, after: T): T {
  after.set(before);
  return after;
}
