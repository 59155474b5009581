import type { Column } from '../../history/columns/byte-planes.ts';

/** The larger array with what the smaller one holds. */
export function grown<T extends Column>(before: T, after: T): T {
  after.set(before);
  return after;
}
