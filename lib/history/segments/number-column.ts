import { constants, deflateRawSync, inflateRawSync, type ZlibOptions } from 'node:zlib';
import { type Packed, packBits } from './bit-packing.ts';
import { type Column, fromPlanes, toPlanes } from './byte-planes.ts';
import { VarintReader, varints } from './varints.ts';

/** The first byte of a column: how its numbers are stored. Integers with its shape follow, and then its bytes. */
const PLANES = 0;
const PACKED = 1;

/**
 * A column is stored as planes only if they take at most this part of the bytes of packed bits, and save at least so
 * many bytes. Reading planes takes three times as long, mostly to set up an inflate stream for each plane.
 */
const WORTH_PLANES = 0.5;
const WORTH_BYTES = 500;

/** Writes unsigned integers below 2^53; the same values give the same bytes. */
export function writeNumbers(values: ArrayLike<number>): Uint8Array {
  const packed = packBits(values);
  const size = packed?.bytes.length ?? Number.POSITIVE_INFINITY;
  const planes = writePlanes(values, Math.min(WORTH_PLANES * size, size - WORTH_BYTES));
  return planes ?? writePacked(packed!);
}

/** Reads `count` values that `writeNumbers` wrote; `unpack` unpacks them if they are stored as packed bits. */
export function readNumbers(bytes: Uint8Array, count: number, unpack: (packed: Packed) => Column): Column {
  const packed = packedIn(bytes, count);
  if (packed !== undefined) return unpack(packed);
  const shape = new VarintReader(bytes, 1);
  const divisor = shape.next();
  const sizes = Array.from({ length: shape.next() }, () => shape.next());
  return readPlanes(bytes, shape.at, { count, divisor, sizes });
}

/** Returns the packed bits of `count` values; undefined if they are stored as planes. */
export function packedIn(bytes: Uint8Array, count: number): Packed | undefined {
  if (bytes[0] !== PACKED) return undefined;
  const shape = new VarintReader(bytes, 1);
  return {
    count,
    base: shape.next(),
    largest: shape.next(),
    divisor: shape.next(),
    width: shape.next(),
    patches: shape.next(),
    bytes: bytes.subarray(shape.at),
  };
}

function writePacked({ base, largest, divisor, width, patches, bytes }: Packed): Uint8Array {
  return Buffer.concat([Uint8Array.of(PACKED), varints([base, largest, divisor, width, patches]), bytes]);
}

/**
 * Columns with several planes are mostly times, whose low bytes are noise: searching them for repetitions takes three
 * times as long and makes them 2 % larger.
 */
const NOISE: ZlibOptions = { strategy: constants.Z_RLE, memLevel: 6 };

/**
 * A plane that deflate makes only a little smaller is stored plain: this costs 3 % more bytes and saves a third of
 * inflating.
 */
const WORTH_DEFLATING = 0.8; // of the plane's size

/** Writes values as planes; undefined as soon as they take more than `most` bytes. */
function writePlanes(values: ArrayLike<number>, most: number): Uint8Array | undefined {
  if (most <= 0) return undefined;
  const { divisor, planes } = toPlanes(values);
  const options = planes.length > 1 ? NOISE : {};
  const parts: Uint8Array[] = [];
  let size = 0;
  for (const plane of planes) {
    const deflated = deflateRawSync(plane, options);
    const part = deflated.length < WORTH_DEFLATING * plane.length ? deflated : plane;
    size += part.length;
    if (size > most) return undefined;
    parts.push(part);
  }
  const shape = [divisor, parts.length, ...parts.map(({ length }) => length)];
  return Buffer.concat([Uint8Array.of(PLANES), varints(shape), ...parts]);
}

/** The header of a column of planes. */
interface PlanesShape {
  readonly count: number; // values
  readonly divisor: number;
  readonly sizes: readonly number[]; // bytes of each plane
}

/** Reads values from planes that lie one after the other, from `start` on. */
function readPlanes(bytes: Uint8Array, start: number, { count, divisor, sizes }: PlanesShape): Column {
  let next = start;
  const planes = sizes.map((size) => {
    next += size;
    return unpackPlane(bytes.subarray(next - size, next), count);
  });
  return fromPlanes({ count, divisor, planes });
}

/** Returns the `count` bytes of a plane. With the size known in advance, zlib inflates them without a copy. */
function unpackPlane(part: Uint8Array, count: number): Uint8Array {
  if (part.length === count) return part;
  const { buffer, byteOffset, length } = inflateRawSync(part, { chunkSize: Math.max(64, count + 1) });
  return new Uint8Array(buffer, byteOffset, length); // not a Buffer: V8 compiles loops best for one kind of array
}
