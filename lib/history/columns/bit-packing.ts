import { type Column, columnFor } from './byte-planes.ts';
import { greatestCommonDivisor } from './divisor.ts';

/**
 * Integers as a patched frame of reference (PFOR): what they are above the least of them lies in the same number of bits
 * each, and the few that need more have their upper bits as patches.
 */
export interface Packed {
  readonly count: number; // values
  readonly base: number; // the least value
  readonly largest: number;
  readonly divisor: number; // common to what values are above it, and taken out
  readonly width: number; // bits of each value that lie side by side
  readonly patches: number;
  /** The lowest bits of all values and some padding; by patch the values gone on since the last; by patch its upper bits. */
  readonly bytes: Uint8Array;
}

const MOST = 2 ** 31; // values are below it, so that loops over them are of integers
const WIDEST = 24; // bits: from wherever a value begins in a byte, it ends within four
const PADDING = 3; // bytes, as four are read at a time
const MOST_GAP = 255; // that a byte says: patches of 0 lie between those farther apart

/** Packs unsigned integers; undefined where one of them needs more than 31 bits. */
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

/** How many bytes the lowest bits of values take. */
const packedBytes = (count: number, width: number): number =>
  width === 0 ? 0 : Math.ceil((count * width) / 8) + PADDING;

/** How many bytes the upper bits of a value take in a patch. */
const patchBytesOf = ({ base, largest, divisor, width }: Omit<Packed, 'count' | 'patches' | 'bytes'>): number =>
  Math.ceil((bitsOf((largest - base) / divisor) - width) / 8);

const bitsOf = (value: number): number => 32 - Math.clz32(value);

/** How many bits are to lie side by side, so that all takes the fewest bytes. */
function cheapestWidth(above: Int32Array): number {
  const ofLength = new Int32Array(32); // by bits how many values need as many
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
  readonly gap: number; // values since the last one patched, at first since before the first
  readonly bits: number; // the upper ones
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

/** The values that `packBits` packed. */
export function unpackBits(packed: Packed): Column {
  const column = columnFor(packed.largest + 1, packed.count);
  if (column instanceof Int32Array) unpackInto(column, packed);
  else column.set(unpackToScratch(packed));
  return column;
}

let scratch = new Int32Array(2 ** 14);

/** The same in a buffer that all calls share: use the values before the next call overwrites them. */
export function unpackToScratch(packed: Packed): Int32Array {
  if (scratch.length < packed.count) scratch = new Int32Array(2 * packed.count);
  const values = scratch.subarray(0, packed.count);
  unpackInto(values, packed);
  return values;
}

// Loops are compiled for one kind of array: values are written to 32 bits, whatever they become.

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

/** Eight values at a time, which begin at the same bits of their bytes: half the time of a loop over single ones. */
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

/** What all values are; undefined where they differ. */
export const sameValue = ({ base, width, patches }: Packed): number | undefined =>
  width === 0 && patches === 0 ? base : undefined;
