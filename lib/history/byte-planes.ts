/** Unsigned integers as a column: Uint32Array wherever they fit, which they nearly always do. */
export type Column = Uint32Array | Float64Array;

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
  for (let unit = divisor; unit <= largest; unit *= 256) {
    const plane = new Uint8Array(count);
    for (let i = 0; i < count; i += 1) plane[i] = Math.floor(values[i]! / unit) % 256;
    planes.push(plane);
  }
  return { count, divisor, planes };
}

/** The values that `toPlanes` split. */
export function fromPlanes({ count, divisor, planes }: Planes): Column {
  const wide = planes.length > 4 || 256 ** planes.length * divisor > 2 ** 32;
  const values = wide ? wideValues(count, planes) : narrowValues(count, planes);
  if (divisor > 1) for (let i = 0; i < count; i += 1) values[i] = values[i]! * divisor;
  return values;
}

/** Shifts of integers: thrice as fast as the multiplications of wide values. */
function narrowValues(count: number, planes: readonly Uint8Array[]): Uint32Array {
  const [lowest, ...higher] = planes;
  const values = lowest === undefined ? new Uint32Array(count) : Uint32Array.from(lowest);
  for (const [place, plane] of higher.entries()) {
    const shift = 8 * (place + 1);
    for (let i = 0; i < count; i += 1) values[i]! |= plane[i]! << shift;
  }
  return values;
}

function wideValues(count: number, planes: readonly Uint8Array[]): Float64Array {
  const values = new Float64Array(count);
  for (const plane of planes.toReversed()) {
    for (let i = 0; i < count; i += 1) values[i] = values[i]! * 256 + plane[i]!;
  }
  return values;
}

function greatestCommonDivisor(a: number, b: number): number {
  let [large, small] = [a, b];
  while (small > 0) [large, small] = [small, large % small];
  return large;
}
