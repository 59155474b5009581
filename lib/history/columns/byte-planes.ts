import { greatestCommonDivisor } from './divisor.ts';

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
  const [lowest, second, third] = planes;
  if (lowest !== undefined && second === undefined && divisor === 1) return lowest;
  const limit = 256 ** planes.length * divisor;
  const values = columnFor(limit, count);
  if (limit > 2 ** 31) addWide(values, planes, divisor);
  else if (third !== undefined) joinThree(values, [lowest!, second!, third], divisor);
  else if (second !== undefined) joinTwo(values, [lowest!, second], divisor);
  else if (lowest !== undefined) joinOne(values, lowest, divisor);
  return values;
}

// Narrow values have at most three planes. A loop over all of these at once takes a third of the time of one loop a plane.

function joinOne(values: Column, plane: Uint8Array, divisor: number): void {
  const { length } = plane;
  for (let i = 0; i < length; i += 1) values[i] = Math.imul(plane[i]!, divisor);
}

function joinTwo(values: Column, [low, high]: readonly [Uint8Array, Uint8Array], divisor: number): void {
  const { length } = low;
  for (let i = 0; i < length; i += 1) values[i] = Math.imul(low[i]! | (high[i]! << 8), divisor);
}

function joinThree(
  values: Column,
  [low, middle, high]: readonly [Uint8Array, Uint8Array, Uint8Array],
  divisor: number,
): void {
  const { length } = low;
  for (let i = 0; i < length; i += 1) {
    values[i] = Math.imul(low[i]! | (middle[i]! << 8) | (high[i]! << 16), divisor);
  }
}

function addWide(values: Column, planes: readonly Uint8Array[], divisor: number): void {
  for (const plane of planes.toReversed()) {
    for (let i = 0; i < plane.length; i += 1) values[i] = values[i]! * 256 + plane[i]!;
  }
  if (divisor > 1) for (let i = 0; i < values.length; i += 1) values[i] = values[i]! * divisor;
}
