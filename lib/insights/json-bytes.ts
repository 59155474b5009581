/** Stands for null in columns of numbers from 0 on. */
export const NOTHING = -1;

/** The most bytes that the JSON of a number takes. */
export const LONGEST_NUMBER = 25;

const LARGEST = 2 ** 31 - 1; // the largest number whose digits 32-bit arithmetic can compute
const ZERO = 48;
const POINT = 46;
const NULL = Buffer.from('null');

/** Texts in one buffer, one after the other: text i is the bytes offsets[i] … offsets[i + 1] − 1. */
export interface Texts {
  readonly bytes: Uint8Array;
  readonly offsets: Int32Array;
  readonly longest: number; // bytes of the longest one
}

/** Encodes texts once, so that writing one is only a copy. */
export function textBytes(texts: readonly string[]): Texts {
  const offsets = new Int32Array(texts.length + 1);
  let longest = 0;
  for (let i = 0; i < texts.length; i += 1) {
    const length = Buffer.byteLength(texts[i]!);
    offsets[i + 1] = offsets[i]! + length;
    longest = Math.max(longest, length);
  }
  return { bytes: Buffer.from(texts.join('')), offsets, longest };
}

/** Copies text `i` to the offset `at` of `out`; returns the offset after it. */
export function putText(out: Uint8Array, at: number, { bytes, offsets }: Texts, i: number): number {
  const [from, to] = [offsets[i]!, offsets[i + 1]!];
  const shift = at - from;
  for (let index = from; index < to; index += 1) out[index + shift] = bytes[index]!;
  return to + shift;
}

/** Copies the first `count` bytes of a buffer; returns the offset after them. */
export function putBytes(out: Uint8Array, at: number, bytes: Uint8Array, count: number): number {
  for (let index = 0; index < count; index += 1) out[at + index] = bytes[index]!;
  return at + count;
}

/** Writes a number from 0 on with at most two decimals, or null for `NOTHING`; returns the offset after it. */
export function putNumber(out: Buffer, at: number, value: number): number {
  if (value < 0) return putBytes(out, at, NULL, NULL.length);
  if (value > LARGEST) return at + out.write(String(value), at, 'latin1');
  const whole = value | 0;
  const end = putInteger(out, at, whole);
  if (whole === value) return end;
  const hundredths = Math.round((value - whole) * 100);
  const tenths = (hundredths / 10) | 0;
  out[end] = POINT;
  out[end + 1] = ZERO + tenths;
  if (hundredths === 10 * tenths) return end + 2;
  out[end + 2] = ZERO + hundredths - 10 * tenths;
  return end + 3;
}

/** Writes an integer from 0 to 2^31 − 1; returns the offset after it. */
function putInteger(out: Uint8Array, at: number, value: number): number {
  let end = at + 1;
  for (let rest = (value / 10) | 0; rest > 0; rest = (rest / 10) | 0) end += 1;
  let rest = value;
  for (let index = end - 1; index >= at; index -= 1) {
    const tens = (rest / 10) | 0;
    out[index] = ZERO + rest - 10 * tens;
    rest = tens;
  }
  return end;
}
