/**
 * Cases whose rows came in the last import of a source, so that one whose rows are the same need not be read again
 * (docs/design/versions.md, Rows that did not change). A case is known by a digest of its rows alone: 64 bits, in two halves.
 */
export interface KnownCases {
  /** What a case came to, by its shape; −1: it is not known. */
  shapeOf(digest: Digest): number;
  readonly size: number;
}

/** 64 bits. */
export interface Digest {
  readonly high: number; // 32 bits, unsigned
  readonly low: number;
}

/** How many events of each type a case came to. */
export type Shape = Readonly<Record<string, number>>;

/** The same as plain arrays, to be stored or handed to a thread. */
export interface PackedCases {
  readonly high: Uint32Array;
  readonly low: Uint32Array;
  readonly shape: Uint16Array; // index into the list of shapes
}

/** Shapes that are told apart; a case of yet another one is not remembered. */
const SHAPES = 65_535;
const FILLED = 0.5; // of the places of the table
const NONE = -1;

export const NO_CASES: PackedCases = { high: new Uint32Array(0), low: new Uint32Array(0), shape: new Uint16Array(0) };

/** Opens packed cases to be asked: a table of places by open addressing. */
export function openCases(packed: PackedCases): KnownCases {
  const { high, low, shape } = packed;
  const mask = 2 ** Math.ceil(Math.log2(Math.max(2, high.length / FILLED))) - 1;
  const places = new Int32Array(mask + 1).fill(NONE);
  for (let index = 0; index < high.length; index += 1) {
    let place = low[index]! & mask;
    while (places[place] !== NONE) place = (place + 1) & mask;
    places[place] = index;
  }
  return {
    size: high.length,
    shapeOf(digest) {
      for (let place = digest.low & mask; ; place = (place + 1) & mask) {
        const index = places[place]!;
        if (index === NONE) return NONE;
        if (high[index] === digest.high && low[index] === digest.low) return shape[index]!;
      }
    },
  };
}

/** Gathers the cases of an import. */
export interface CaseGatherer {
  add(digest: Digest, shape: Shape): void;
  /** Adds a case of a known shape. */
  addAgain(digest: Digest, shape: number): void;
  readonly shapes: readonly Shape[];
  pack(): PackedCases;
}

const FIRST = 4_096;

/** Starts with the shapes that were known before, under their numbers. */
export function gatherCases(before: readonly Shape[]): CaseGatherer {
  const shapes = [...before];
  const numberOf = new Map<Shape, number>(); // of shapes as they were given
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

const keyOf = (shape: Shape): string => JSON.stringify(Object.entries(shape).sort());

function grown({ high, low, shape }: PackedCases) {
  const larger = { high: new Uint32Array(high.length * 2), low: new Uint32Array(low.length * 2) };
  larger.high.set(high);
  larger.low.set(low);
  const shapes = new Uint16Array(shape.length * 2);
  shapes.set(shape);
  return { ...larger, shape: shapes };
}
