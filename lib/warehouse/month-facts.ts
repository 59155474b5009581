import { createHash } from 'node:crypto';
import { recordOf } from '../typed-object.ts';
import type { FileRows } from './columns.ts';
import { columnOfMeasure, MEASURE_COLUMNS, MEASURED, ROW_KINDS } from './tables.ts';

/** A fact on its way into a file; `NaN` where it has no value. */
export interface FactRow {
  kind: number; // index in ROW_KINDS
  n: number;
  at: number; // s
  until: number; // s
  agent: number;
  group: number;
  value: number;
}

const NUMBERS = ['at', 'until', 'agent', 'group', 'value'] as const;

/** The measures of each kind, in the order in which a fact's values of them are stored. */
export const MEASURES_OF = ROW_KINDS.map((kind) =>
  MEASURE_COLUMNS.flatMap((each) => (each.kind === kind ? [each.measure] : [])),
);

/** Facts of a month, gathered case by case in any order of the cases. */
export interface MonthFacts {
  /** Begins the facts of a case or agent; `second` and `key` are its place in the file. */
  begin(owner: object, second: number, key: string, caseKey: string | null): void;
  add(row: Readonly<FactRow>, measures: readonly (Float64Array | undefined)[], fact: number): void;
  /** Returns the facts by the first second of their case, its key, their kind and time; call it once. */
  finish(): FileRows;
}

interface Slice {
  readonly second: number;
  readonly key: string;
  readonly caseKey: string | null;
  readonly from: number;
  readonly measuresFrom: number;
}

export function createMonthFacts(): MonthFacts {
  let room = 1024;
  let kinds = new Uint8Array(room);
  let ns = new Int32Array(room);
  const numbers = recordOf(NUMBERS, () => new Float64Array(room));
  let measured = new Float64Array(room);
  let [rows, values] = [0, 0];
  const slices: Slice[] = [];
  let last: object | undefined;

  function enlarge(): void {
    room *= 2;
    kinds = copied(kinds, new Uint8Array(room));
    ns = copied(ns, new Int32Array(room));
    for (const name of NUMBERS) numbers[name] = copied(numbers[name], new Float64Array(room));
  }

  return {
    begin(owner, second, key, caseKey) {
      if (owner === last) return;
      last = owner;
      slices.push({ second, key, caseKey, from: rows, measuresFrom: values });
    },
    add(row, measures, fact) {
      if (rows === room) enlarge();
      kinds[rows] = row.kind;
      ns[rows] = row.n;
      for (const name of NUMBERS) numbers[name][rows] = row[name];
      rows += 1;
      for (const column of measures) {
        if (values === measured.length) measured = copied(measured, new Float64Array(2 * values));
        measured[values] = column === undefined ? Number.NaN : column[fact]!;
        values += 1;
      }
    },
    finish() {
      const ordered = slices
        .map((slice, at) => ({
          ...slice,
          to: slices[at + 1]?.from ?? rows,
          measuresTo: slices[at + 1]?.measuresFrom ?? values,
        }))
        .sort((a, b) => a.second - b.second || (a.key < b.key ? -1 : 1));
      const sorted = {
        kinds: gathered(kinds, new Uint8Array(rows), ordered),
        ns: gathered(ns, new Int32Array(rows), ordered),
        numbers: recordOf(NUMBERS, (name) => gathered(numbers[name], new Float64Array(rows), ordered)),
        measured: gathered(
          measured,
          new Float64Array(values),
          ordered.map(({ measuresFrom: from, measuresTo: to }) => ({ from, to })),
        ),
        owners: ordered.map(({ caseKey, from, to }) => ({ caseKey, rows: to - from })),
      };
      return sortedFacts(sorted);
    },
  };
}

type Numbers = Uint8Array | Int32Array | Float64Array;

function copied<N extends Numbers>(from: N, into: N): N {
  into.set(from);
  return into;
}

/** Copies the parts of a column, one after the other. */
function gathered<N extends Numbers>(from: N, into: N, parts: readonly { from: number; to: number }[]): N {
  let at = 0;
  for (const part of parts) {
    into.set(from.subarray(part.from, part.to), at);
    at += part.to - part.from;
  }
  return into;
}

interface Sorted {
  readonly kinds: Uint8Array;
  readonly ns: Int32Array;
  readonly numbers: Readonly<Record<(typeof NUMBERS)[number], Float64Array>>;
  readonly measured: Float64Array;
  readonly owners: readonly { readonly caseKey: string | null; readonly rows: number }[];
}

function sortedFacts(sorted: Sorted): FileRows {
  const { kinds, ns, numbers, measured, owners } = sorted;
  const rows = kinds.length;
  const hash = createHash('sha256').update(JSON.stringify(owners));
  for (const column of [kinds, ns, ...Object.values(numbers), measured]) hash.update(column);
  let owner = 0;
  let ownerEnd = owners[0]?.rows ?? 0;
  let measuredAt = 0;
  return {
    rows,
    digest: hash.digest('hex'),
    values(site, from, to) {
      const count = to - from;
      const columns = new Map(
        MEASURED.map((measure) => [measure, new Array<bigint | null>(count).fill(null)] as const),
      );
      const cases = new Array<string | null>(count);
      for (let row = from; row < to; row += 1) {
        while (row >= ownerEnd) {
          owner += 1;
          ownerEnd += owners[owner]!.rows;
        }
        cases[row - from] = owners[owner]!.caseKey;
        for (const measure of MEASURES_OF[kinds[row]!]!) {
          const value = measured[measuredAt]!;
          measuredAt += 1;
          if (!Number.isNaN(value)) columns.get(measure)![row - from] = BigInt(value);
        }
      }
      return {
        site: new Array<string>(count).fill(site),
        case_id: cases,
        kind: Array.from(kinds.subarray(from, to), (kind) => ROW_KINDS[kind]!),
        n: wholes(ns.subarray(from, to)),
        at: instants(numbers.at.subarray(from, to)),
        until: orNull(numbers.until.subarray(from, to), MICROS),
        action_agent: orNull(numbers.agent.subarray(from, to)),
        action_group: orNull(numbers.group.subarray(from, to)),
        value: orNull(numbers.value.subarray(from, to)),
        ...Object.fromEntries([...columns].map(([measure, values]) => [columnOfMeasure(measure), values])),
      };
    },
  };
}

const MICROS = 1_000_000; // in a second

const instants = (seconds: Float64Array): BigInt64Array => {
  const micros = new BigInt64Array(seconds.length);
  for (let row = 0; row < micros.length; row += 1) micros[row] = BigInt(seconds[row]! * MICROS);
  return micros;
};

const wholes = (numbers: Int32Array): bigint[] => Array.from(numbers, (number) => SMALL[number] ?? BigInt(number));

/** Whole numbers as they are often needed: making one takes as long as writing it. */
const SMALL = Array.from({ length: 1024 }, (_, number) => BigInt(number));

function orNull(numbers: Float64Array, times = 1): (bigint | null)[] {
  const known = new Map<number, bigint>(); // agents and groups are few
  return Array.from(numbers, (number) => {
    if (Number.isNaN(number)) return null;
    const before = known.get(number);
    if (before !== undefined) return before;
    const made = BigInt(number * times);
    if (known.size < 4096) known.set(number, made);
    return made;
  });
}
