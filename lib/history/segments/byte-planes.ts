import { greatestCommonDivisor } from './divisor.ts';

/**
 * A column of unsigned integers in the narrowest array that holds them: most values kept in memory take one byte. There
 * is no Uint32Array: loops over one take twice as long, because V8 makes doubles of its values.
 */
export type Column = Uint8Array | Uint16Array | Int32Array | Float64Array;

/** Makes a column of zeros with room for values below `limit`. */
export function columnFor(limit: number, length: number): Column {
  if (limit <= 2 ** 8) return new Uint8Array(length);
  if (limit <= 2 ** 16) return new Uint16Array(length);
  return limit <= 2 ** 31 ? new Int32Array(length) : new Float64Array(length);
}

/** A column of unsigned integers below 2^53, split for deflate. */
export interface Planes {
  readonly count: number; // values
  readonly divisor: number; // common divisor of all values, divided out: whole minutes cost no more in seconds
  readonly planes: readonly Uint8Array[]; // the lowest bytes of all values, then the next bytes, …; empty if all are 0
}

/** Splits unsigned integers below 2^53 into byte planes: bytes of the same rank deflate far better side by side. */
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
  const narrow = divisor === 1 && largest < 2 ** 31; // then integer shifts suffice, which are three times as fast
  for (let unit = divisor; unit <= largest; unit *= 256) {
    const plane = new Uint8Array(count);
    const shift = 8 * planes.length;
    if (narrow) for (let i = 0; i < count; i += 1) plane[i] = values[i]! >>> shift;
    else for (let i = 0; i < count; i += 1) plane[i] = Math.floor(values[i]! / unit) % 256;
    planes.push(plane);
  }
  return { count, divisor, planes };
}

/** Returns the values that `toPlanes` split; a single plane without a divisor is returned itself, not copied. */
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

// Narrow values have at most three planes. One loop over all planes takes a third of the time of a loop for each plane.

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
