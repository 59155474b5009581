/** The larger array with what the smaller one holds. */
export function grown<T extends Int32Array | Float64Array>(before: T, after: T): T {
  after.set(before);
  return after;
}
