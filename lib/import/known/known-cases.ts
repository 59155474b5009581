import type { Instant } from '../../history/cases/event.ts';

/**
 * The digests of the cases in the last import of a source, so that a case with the same rows need not be read again
 * (docs/design/versions.md, Rows that did not change). Of each case only a digest of its rows and a shape are stored.
 */
export interface KnownCases {
  /** Returns the number of the shape of the case with this digest; −1 if there is none. */
  shapeOf(digest: Digest): number;
  readonly size: number;
}

/** A digest of 64 bits. */
export interface Digest {
  readonly high: number; // 32 bits, unsigned
  readonly low: number;
}

/** The number of a case's events by type. */
export type CaseShape = Readonly<Record<string, number>>;

/** Known cases as plain arrays, for storing or for a thread. */
export interface PackedCases {
  readonly high: Uint32Array;
  readonly low: Uint32Array;
  readonly shape: Uint16Array; // index into the list of shapes
}

/** Cases with the digests of their rows (docs/design/versions.md); all lists have the same length. */
export interface DigestedCases {
  readonly keys: readonly string[];
  readonly high: readonly number[];
  readonly low: readonly number[];
  readonly shape: readonly number[]; // number of the shape; −1 for a case that is not known
}

/** Passes the known cases of the last import to the reader; fill it before the first row is read. */
export interface KnownCasesSlot {
  cases?: PackedCases;
  exported?: Instant | null; // when the last import's file was made: of an older file each case is read
  salt?: string; // settings beside mapping and file that decide which events rows become
}

/** Most distinct shapes; cases with further shapes are not stored. */
const SHAPES = 65_535;
const FILLED = 0.5; // largest part of the hash table's slots in use
const NONE = -1;

export const NO_CASES: PackedCases = { high: new Uint32Array(0), low: new Uint32Array(0), shape: new Uint16Array(0) };

/** Opens packed cases for look-ups, in a hash table with open addressing. */
export function openCases(packed: PackedCases): KnownCases {
  const { high, low, shape } = packed;
  const mask = 2 ** Math.ceil(Math.log2(Math.max(2, high.length / FILLED))) - 1;
  const slots = new Int32Array(mask + 1).fill(NONE);
  for (let index = 0; index < high.length; index += 1) {
    let slot = low[index]! & mask;
    while (slots[slot] !== NONE) slot = (slot + 1) & mask;
    slots[slot] = index;
  }
  return {
    size: high.length,
    shapeOf(digest) {
      for (let slot = digest.low & mask; ; slot = (slot + 1) & mask) {
        const index = slots[slot]!;
        if (index === NONE) return NONE;
        if (high[index] === digest.high && low[index] === digest.low) return shape[index]!;
      }
    },
  };
}

/** Collects the digests of an import's cases. */
export interface CaseGatherer {
  add(digest: Digest, shape: CaseShape): void;
  /** Adds a case that was known before, with the number of its shape. */
  addAgain(digest: Digest, shape: number): void;
  readonly shapes: readonly CaseShape[];
  pack(): PackedCases;
}

const FIRST = 4_096;

/** Starts without cases, but with the shapes that were stored before, under the same numbers. */
export function gatherCases(before: readonly CaseShape[]): CaseGatherer {
  const shapes = [...before];
  const numberOf = new Map<CaseShape, number>(); // cache by object: callers pass the same object for equal shapes
  const numbers = new Map(shapes.map((shape, number) => [keyOf(shape), number]));
  let room = { high: new Uint32Array(FIRST), low: new Uint32Array(FIRST), shape: new Uint16Array(FIRST) };
  let size = 0;

  function addAgain({ high, low }: Digest, shape: number): void {
    if (size === room.high.length) room = grown(room);
    room.high[size] = high;
    room.low[size] = low;
    room.shape[size] = shape;
    size += 1;
  }

  return {
    shapes,
    addAgain,
    add(digest, shape) {
      let number = numberOf.get(shape) ?? numbers.get(keyOf(shape));
      if (number === undefined) {
        if (shapes.length >= SHAPES) return;
        numbers.set(keyOf(shape), (number = shapes.push(shape) - 1));
      }
      if (numberOf.size < SHAPES) numberOf.set(shape, number);
      addAgain(digest, number);
    },
    pack: () => ({
      high: room.high.slice(0, size),
      low: room.low.slice(0, size),
      shape: room.shape.slice(0, size),
    }),
  };
}

const keyOf = (shape: CaseShape): string => JSON.stringify(Object.entries(shape).sort());

function grown({ high, low, shape }: PackedCases) {
  const larger = { high: new Uint32Array(high.length * 2), low: new Uint32Array(low.length * 2) };
  larger.high.set(high);
  larger.low.set(low);
  const shapes = new Uint16Array(shape.length * 2);
  shapes.set(shape);
  return { ...larger, shape: shapes };
}
