/** Unsigned integers as a column: Uint32Array wherever they fit, which they nearly always do. */
export type Column = Uint32Array | Float64Array;

/** A column of unsigned integers below 2^53, packed for deflate. */
export interface Planes {
  readonly count: number; // values
  readonly divisor: number; // common to all values and taken out: times kept in minutes cost no more than minutes
  readonly planes: number; // bytes a value; 0 where all are 0
  readonly bytes: Uint8Array; // the lowest byte of every value, then the next of every value, …
}

/** Splits unsigned integers below 2^53 into byte planes: bytes of one meaning side by side deflate far better. */
export function toPlanes(values: ArrayLike<number>): Planes {
  const count = values.length;
  let divisor = 0;
  let largest = 0;
  for (let i = 0; i < count; i += 1) {
    const value = values[i]!;
    if (value > largest) largest = value;
    if (divisor !== 1) divisor = greatestCommonDivisor(divisor, value);
  }
  let planes = 0;
  for (let rest = largest / (divisor || 1); rest >= 1; rest /= 256) planes += 1;
  const bytes = new Uint8Array(count * planes);
  for (let i = 0; i < count; i += 1) {
    let rest = values[i]! / (divisor || 1);
    for (let at = i; at < bytes.length; at += count) {
      bytes[at] = rest % 256;
      rest = Math.floor(rest / 256);
    }
  }
  return { count, divisor: divisor || 1, planes, bytes };
}

/** The values that `toPlanes` split. */
export function fromPlanes({ count, divisor, planes, bytes }: Planes): Column {
  const wide = planes > 4 || 256 ** planes * divisor > 2 ** 32;
  const values = wide ? wideValues(count, planes, bytes) : narrowValues(count, planes, bytes);
  if (divisor > 1) for (let i = 0; i < count; i += 1) values[i] = values[i]! * divisor;
  return values;
}

/** Shifts of integers: thrice as fast as the multiplications of wide values. */
function narrowValues(count: number, planes: number, bytes: Uint8Array): Uint32Array {
  const values = new Uint32Array(count);
  for (let plane = 0; plane < planes; plane += 1) {
    const offset = plane * count;
    const shift = 8 * plane;
    for (let i = 0; i < count; i += 1) values[i]! |= bytes[offset + i]! << shift;
  }
  return values;
}

function wideValues(count: number, planes: number, bytes: Uint8Array): Float64Array {
  const values = new Float64Array(count);
  for (let plane = planes - 1; plane >= 0; plane -= 1) {
    const offset = plane * count;
    for (let i = 0; i < count; i += 1) values[i] = values[i]! * 256 + bytes[offset + i]!;
  }
  return values;
}

function greatestCommonDivisor(a: number, b: number): number {
  let [large, small] = [a, b];
  while (small > 0) [large, small] = [small, large % small];
  return large;
}
