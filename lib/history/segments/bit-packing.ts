import { type Column, columnFor } from './byte-planes.ts';
import { greatestCommonDivisor } from './divisor.ts';

/**
 * Integers in a patched frame of reference (PFOR): of each value its distance from the least value is stored, in the
 * same number of bits for all. The few distances that need more bits have their upper bits in patches.
 */
export interface Packed {
  readonly count: number; // values
  readonly base: number; // the least value
  readonly largest: number;
  readonly divisor: number; // common divisor of all distances from the base; divided out
  readonly width: number; // bits of each value outside the patches
  readonly patches: number;
  /**
   * The lowest bits of all values and some padding; then the gap before each patch; then the upper bits of each patch.
   */
  readonly bytes: Uint8Array;
}

const MOST = 2 ** 31; // exclusive limit of values, so that V8 compiles loops over them for integers
const WIDEST = 24; // bits: then a value lies within four bytes, at whichever bit it begins
const PADDING = 3; // bytes, because four are read at a time
const MOST_GAP = 255; // largest gap in a byte; patches with bits 0 bridge larger ones

/** Packs unsigned integers; undefined if one of them needs more than 31 bits or there are none. */
export function packBits(values: ArrayLike<number>): Packed | undefined {
  const count = values.length;
  let base = MOST;
  let largest = 0;
  for (let i = 0; i < count; i += 1) {
    base = Math.min(base, values[i]!);
    largest = Math.max(largest, values[i]!);
  }
  if (largest >= MOST || count === 0) return undefined;
  let common = 0;
  for (let i = 0; i < count && common !== 1; i += 1) common = greatestCommonDivisor(common, values[i]! - base);
  const divisor = common || 1;
  const above = new Int32Array(count);
  for (let i = 0; i < count; i += 1) above[i] = (values[i]! - base) / divisor;
  const width = cheapestWidth(above);
  const patchBytes = patchBytesOf({ base, largest, divisor, width });
  const patches = patchesOf(above, width);
  const upper = packedBytes(count, width) + patches.length;
  const bytes = new Uint8Array(upper + patches.length * patchBytes);
  putBits(above, width, bytes);
  for (const [patch, { gap, bits }] of patches.entries()) {
    bytes[upper - patches.length + patch] = gap;
    for (let byte = 0; byte < patchBytes; byte += 1) bytes[upper + patch * patchBytes + byte] = bits >>> (8 * byte);
  }
  return { count, base, largest, divisor, width, patches: patches.length, bytes };
}

/** Returns how many bytes the lowest bits of all values take. */
const packedBytes = (count: number, width: number): number =>
  width === 0 ? 0 : Math.ceil((count * width) / 8) + PADDING;

/** Returns how many bytes the upper bits of one patch take. */
const patchBytesOf = ({ base, largest, divisor, width }: Omit<Packed, 'count' | 'patches' | 'bytes'>): number =>
  Math.ceil((bitsOf((largest - base) / divisor) - width) / 8);

const bitsOf = (value: number): number => 32 - Math.clz32(value);

/** Returns the width with which values and patches together take the fewest bytes. */
function cheapestWidth(above: Int32Array): number {
  const ofLength = new Int32Array(32); // number of values that need exactly i bits
  for (let i = 0; i < above.length; i += 1) ofLength[bitsOf(above[i]!)]! += 1;
  const longest = ofLength.findLastIndex((values) => values > 0);
  let best = 0;
  let fewest = Number.POSITIVE_INFINITY;
  let patched = 0; // values that need more bits than `width`
  for (let width = longest; width >= 0; width -= 1) {
    const size = packedBytes(above.length, width) + patched * (1 + Math.ceil((longest - width) / 8));
    if (size < fewest && width <= WIDEST) {
      fewest = size;
      best = width;
    }
    patched += ofLength[width]!;
  }
  return best;
}

interface Patch {
  readonly gap: number; // its index minus that of the patch before; −1 counts as the index before the first
  readonly bits: number; // upper bits of the value
}

function patchesOf(above: Int32Array, width: number): Patch[] {
  const patches: Patch[] = [];
  let last = -1;
  for (let i = 0; i < above.length; i += 1) {
    const bits = above[i]! >>> width;
    if (bits === 0) continue;
    for (; i - last > MOST_GAP; last += MOST_GAP) patches.push({ gap: MOST_GAP, bits: 0 });
    patches.push({ gap: i - last, bits });
    last = i;
  }
  return patches;
}

function putBits(above: Int32Array, width: number, bytes: Uint8Array): void {
  const mask = 2 ** width - 1;
  let held = 0; // bits that do not fill a byte yet
  let length = 0;
  let at = 0;
  for (let i = 0; i < above.length; i += 1) {
    held |= (above[i]! & mask) << length;
    for (length += width; length >= 8; length -= 8) {
      bytes[at] = held;
      at += 1;
      held >>>= 8;
    }
  }
  if (length > 0) bytes[at] = held;
}

/** Returns the values that `packBits` packed. */
export function unpackBits(packed: Packed): Column {
  const column = columnFor(packed.largest + 1, packed.count);
  if (column instanceof Int32Array) unpackInto(column, packed);
  else column.set(unpackToScratch(packed));
  return column;
}

let scratch = new Int32Array(2 ** 14);

/** Unpacks like `unpackBits`, but into a buffer that all calls share: the next call overwrites the values. */
export function unpackToScratch(packed: Packed): Int32Array {
  if (scratch.length < packed.count) scratch = new Int32Array(2 * packed.count);
  const values = scratch.subarray(0, packed.count);
  unpackInto(values, packed);
  return values;
}

// V8 compiles a loop best for one kind of array, so values are always unpacked into 32 bits first.

function unpackInto(values: Int32Array, packed: Packed): void {
  const { base, width, divisor } = packed;
  if (width === 0) {
    values.fill(base);
  } else if (divisor === 1) {
    takeBits(values, packed, base);
  } else {
    takeBits(values, packed, 0);
    for (let i = 0; i < values.length; i += 1) values[i] = base + Math.imul(values[i]!, divisor);
  }
  addPatches(values, packed);
}

/**
 * Unpacks eight values at a time: value i of each eight begins at the same bit of its byte. This takes half the time of
 * a loop over single values.
 */
function takeBits(values: Int32Array, { width, bytes }: Packed, base: number): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const { length } = values;
  const mask = (1 << width) - 1;
  const [byte1, byte2, byte3, byte4] = [width >> 3, (2 * width) >> 3, (3 * width) >> 3, (4 * width) >> 3];
  const [byte5, byte6, byte7] = [(5 * width) >> 3, (6 * width) >> 3, (7 * width) >> 3];
  const [bit1, bit2, bit3, bit4] = [width & 7, (2 * width) & 7, (3 * width) & 7, (4 * width) & 7];
  const [bit5, bit6, bit7] = [(5 * width) & 7, (6 * width) & 7, (7 * width) & 7];
  let at = 0;
  let i = 0;
  for (; i + 8 <= length; i += 8) {
    values[i] = base + (view.getInt32(at, true) & mask);
    values[i + 1] = base + ((view.getInt32(at + byte1, true) >>> bit1) & mask);
    values[i + 2] = base + ((view.getInt32(at + byte2, true) >>> bit2) & mask);
    values[i + 3] = base + ((view.getInt32(at + byte3, true) >>> bit3) & mask);
    values[i + 4] = base + ((view.getInt32(at + byte4, true) >>> bit4) & mask);
    values[i + 5] = base + ((view.getInt32(at + byte5, true) >>> bit5) & mask);
    values[i + 6] = base + ((view.getInt32(at + byte6, true) >>> bit6) & mask);
    values[i + 7] = base + ((view.getInt32(at + byte7, true) >>> bit7) & mask);
    at += width;
  }
  for (let bit = 8 * at; i < length; i += 1) {
    values[i] = base + ((view.getInt32(bit >>> 3, true) >>> (bit & 7)) & mask);
    bit += width;
  }
}

function addPatches(values: Int32Array, packed: Packed): void {
  const { count, divisor, width, patches, bytes } = packed;
  const patchBytes = patchBytesOf(packed);
  const gaps = packedBytes(count, width);
  let upper = gaps + patches;
  let at = -1;
  for (let patch = 0; patch < patches; patch += 1) {
    at += bytes[gaps + patch]!;
    let bits = bytes[upper]!;
    for (let byte = 1; byte < patchBytes; byte += 1) bits |= bytes[upper + byte]! << (8 * byte);
    values[at]! += Math.imul(bits << width, divisor);
    upper += patchBytes;
  }
}

/** Returns the value that all values have; undefined if they differ. */
export const sameValue = ({ base, width, patches }: Packed): number | undefined =>
  width === 0 && patches === 0 ? base : undefined;
