import type { Instant } from '../../history/cases/event.ts';

/**
 * The digests of the cases in the last import of a source, so that a case with the same rows need not be read again
 * (docs/design/versions.md, Rows that did not change). Of each case only a digest of its rows and a shape are stored.
 */
export type LastCases = (digest: Digest) => number; // the number of the case's shape; −1 if there is none

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

/** A case with the digest of its rows (docs/design/versions.md). */
export interface DigestedCase extends Digest {
  readonly key: string;
  readonly shape: number; // number of the shape; −1 for a case that is not known
}

/** Passes the known cases of the last import to the reader; fill it before the first row is read. */
export interface LastCasesSlot {
  cases?: PackedCases;
  exported?: Instant | null; // when the last import's file was made: of an older file each case is read
  salt?: string; // settings beside mapping and file that decide which events rows become
}

/** Most distinct shapes; cases with further shapes are not stored. */
const SHAPES = 65_535;
const REMEMBERED = 10_000; // orders of types whose shape is remembered
const FILLED = 0.5; // largest part of the hash table's slots in use
const NONE = -1;

export const NO_CASES: PackedCases = { high: new Uint32Array(0), low: new Uint32Array(0), shape: new Uint16Array(0) };

/** Opens packed cases for look-ups, in a hash table with open addressing. */
export function openCases(packed: PackedCases): LastCases {
  const { high, low, shape } = packed;
  const mask = 2 ** Math.ceil(Math.log2(Math.max(2, high.length / FILLED))) - 1;
  const slots = new Int32Array(mask + 1).fill(NONE);
  for (let index = 0; index < high.length; index += 1) {
    let slot = low[index]! & mask;
    while (slots[slot] !== NONE) slot = (slot + 1) & mask;
    slots[slot] = index;
  }
  return (digest) => {
    for (let slot = digest.low & mask; ; slot = (slot + 1) & mask) {
      const index = slots[slot]!;
      if (index === NONE) return NONE;
      if (high[index] === digest.high && low[index] === digest.low) return shape[index]!;
    }
  };
}

/** Collects the digests of an import's cases. */
export interface CaseGatherer {
  /** Adds a case with the types of its events. */
  add(digest: Digest, types: readonly string[]): void;
  /** Adds a case that was known before, with the number of its shape. */
  addAgain(digest: Digest, shape: number): void;
  readonly shapes: readonly CaseShape[];
  pack(): PackedCases;
}

/** Starts without cases, but with the shapes that were stored before, under the same numbers. */
export function gatherCases(before: readonly CaseShape[]): CaseGatherer {
  const shapes = [...before];
  const numbers = new Map(shapes.map((shape, number) => [keyOf(shape), number]));
  const numbersByTypes = new Map<string, number>(); // most cases have the types of another one, in the same order
  const high: number[] = [];
  const low: number[] = [];
  const shapeNumbers: number[] = [];

  function numberOf(types: readonly string[]): number {
    const shape: Record<string, number> = {};
    for (const type of types) shape[type] = (shape[type] ?? 0) + 1;
    const key = keyOf(shape);
    const known = numbers.get(key);
    if (known !== undefined || shapes.length >= SHAPES) return known ?? NONE;
    numbers.set(key, shapes.length);
    return shapes.push(shape) - 1;
  }

  function addAgain(digest: Digest, shape: number): void {
    high.push(digest.high);
    low.push(digest.low);
    shapeNumbers.push(shape);
  }

  return {
    shapes,
    addAgain,
    add(digest, types) {
      const text = types.join(' ');
      const number = numbersByTypes.get(text) ?? numberOf(types);
      if (numbersByTypes.size < REMEMBERED) numbersByTypes.set(text, number);
      if (number !== NONE) addAgain(digest, number);
    },
    pack: () => ({
      high: Uint32Array.from(high),
      low: Uint32Array.from(low),
      shape: Uint16Array.from(shapeNumbers),
    }),
  };
}

const keyOf = (shape: CaseShape): string => JSON.stringify(Object.entries(shape).sort());
