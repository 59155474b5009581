/**
 * Unsigned integers as a column, in the narrowest array that holds them: what is kept in memory is mostly one byte each.
 * Of 32 bits only those with a sign: loops over the others take twice as long, since V8 makes doubles of what they hold.
 */
export type Column = Uint8Array | Uint16Array | Int32Array | Float64Array;

/** Room for values below `limit`. */
export function columnFor(limit: number, length: number): Column {
  if (limit <= 2 ** 8) return new Uint8Array(length);
  if (limit <= 2 ** 16) return new Uint16Array(length);
  return limit <= 2 ** 31 ? new Int32Array(length) : new Float64Array(length);
}

/** A column of unsigned integers below 2^53, split for deflate. */
export interface Planes {
  readonly count: number; // values
  readonly divisor: number; // common to all values and taken out: times kept in minutes cost no more than minutes
  readonly planes: readonly Uint8Array[]; // the lowest byte of every value, then the next of every value, …; none for zeros
}

/** Splits unsigned integers below 2^53 into byte planes: bytes of one meaning side by side deflate far better. */
export function toPlanes(values: ArrayLike<number>): Planes {
  const count = values.length;
  let common = 0;
  let largest = 0;
  for (let i = 0; i < count; i += 1) {
    const value = values[i]!;
    if (value > largest) largest = value;
    if (common !== 1) common = greatestCommonDivisor(common, value);
  }
  const divisor = common || 1;
  const planes: Uint8Array[] = [];
  const narrow = divisor === 1 && largest < 2 ** 31; // then shifts of integers do, which are thrice as fast
  for (let unit = divisor; unit <= largest; unit *= 256) {
    const plane = new Uint8Array(count);
    const shift = 8 * planes.length;
    if (narrow) for (let i = 0; i < count; i += 1) plane[i] = values[i]! >>> shift;
    else for (let i = 0; i < count; i += 1) plane[i] = Math.floor(values[i]! / unit) % 256;
    planes.push(plane);
  }
  return { count, divisor, planes };
}

/** The values that `toPlanes` split; a single plane without a divisor is handed out as it is. */
export function fromPlanes({ count, divisor, planes }: Planes): Column {
  const [lowest] = planes;
  if (lowest !== undefined && planes.length === 1 && divisor === 1) return lowest;
  const limit = 256 ** planes.length * divisor;
  const values = columnFor(limit, count);
  if (limit <= 2 ** 31) addNarrow(values, planes);
  else addWide(values, planes);
  if (divisor > 1) for (let i = 0; i < count; i += 1) values[i] = values[i]! * divisor;
  return values;
}

/** Shifts of integers: thrice as fast as the multiplications of wide values. */
function addNarrow(values: Column, planes: readonly Uint8Array[]): void {
  for (const [place, plane] of planes.entries()) {
    const shift = 8 * place;
    for (let i = 0; i < plane.length; i += 1) values[i]! |= plane[i]! << shift;
  }
}

function addWide(values: Column, planes: readonly Uint8Array[]): void {
  for (const plane of planes.toReversed()) {
    for (let i = 0; i < plane.length; i += 1) values[i] = values[i]! * 256 + plane[i]!;
  }
}

function greatestCommonDivisor(a: number, b: number): number {
  let [large, small] = [a, b];
  while (small > 0) [large, small] = [small, large % small];
  return large;
}
