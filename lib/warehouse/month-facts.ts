import { createHash } from 'node:crypto';
import { certain } from '../certain.ts';
import { type CaseNow, caseColumns } from './case-now.ts';
import type { ColumnValues, FileRows, FileSection } from './columns.ts';
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

/** The measures of each kind, in the order in which a fact's values of them are stored. */
export const MEASURES_OF = ROW_KINDS.map((kind) =>
  MEASURE_COLUMNS.flatMap((each) => (each.kind === kind ? [each.measure] : [])),
);

/** Whose facts are: a case, or an agent with time online. `second` and `key` are the place in a file. */
export interface FactOwner {
  readonly second: number; // s, the first of the case
  readonly key: string;
  readonly now: CaseNow | undefined; // undefined: no case
}

/** Facts of a month, gathered owner by owner in any order of the owners. */
export interface MonthFacts {
  add(owner: FactOwner, row: Readonly<FactRow>, measures: readonly (Float64Array | undefined)[], fact: number): void;
  /** Returns the facts by kind, the first second of their case, its key, and time; call it once. */
  finish(): FileRows;
}

/** Where the numbers of a fact lie, its measures after them. */
const AT = { owner: 0, n: 1, at: 2, until: 3, agent: 4, group: 5, value: 6 } as const;
const WIDTH = Object.keys(AT).length;

/** The facts of a kind: so many numbers each, one fact after the other. */
interface KindFacts {
  rows: number;
  numbers: Float64Array;
}

const widthOf = (kind: number): number => WIDTH + certain(MEASURES_OF[kind]).length;

export function createMonthFacts(): MonthFacts {
  const owners: FactOwner[] = [];
  const kinds = ROW_KINDS.map((): KindFacts => ({ rows: 0, numbers: new Float64Array(0) }));
  return {
    add(owner, row, measures, fact) {
      if (owners.at(-1) !== owner) owners.push(owner);
      const of = certain(kinds[row.kind]);
      const from = of.rows * (WIDTH + measures.length);
      if (from + WIDTH + measures.length > of.numbers.length) of.numbers = enlarged(of.numbers);
      const { numbers } = of;
      numbers[from + AT.owner] = owners.length - 1;
      numbers[from + AT.n] = row.n;
      numbers[from + AT.at] = row.at;
      numbers[from + AT.until] = row.until;
      numbers[from + AT.agent] = row.agent;
      numbers[from + AT.group] = row.group;
      numbers[from + AT.value] = row.value;
      for (const [place, column] of measures.entries()) numbers[from + WIDTH + place] = column?.[fact] ?? Number.NaN;
      of.rows += 1;
    },
    finish() {
      const order = Array.from(owners.keys()).sort((a, b) => comparePlaces(certain(owners[a]), certain(owners[b])));
      const ordered = order.map((owner) => certain(owners[owner]));
      const ranks = new Int32Array(owners.length);
      for (const [rank, owner] of order.entries()) ranks[owner] = rank;
      const hash = createHash('sha256');
      for (const { key, now } of ordered) hash.update(now?.text ?? key);
      const sections = kinds.map((facts, kind): FileSection => {
        const width = widthOf(kind);
        const sorted = inOrder(facts, width, ranks);
        hash.update(sorted);
        return {
          rows: facts.rows,
          values(site, from, to) {
            const numbers = sorted.subarray(from * width, to * width);
            const of = Array.from({ length: to - from }, (_, row) => certain(ordered[certain(numbers[row * width])]));
            return kindColumns(site, kind, of, numbers);
          },
        };
      });
      return { sections, digest: hash.digest('hex') };
    },
  };
}

export const comparePlaces = (a: Pick<FactOwner, 'second' | 'key'>, b: Pick<FactOwner, 'second' | 'key'>): number =>
  a.second - b.second || (a.key < b.key ? -1 : 1);

function enlarged(numbers: Float64Array): Float64Array {
  const larger = new Float64Array(Math.max(1024, 2 * numbers.length));
  larger.set(numbers);
  return larger;
}

/** The facts by the ranks of their owners, which are put in the place of the owners. */
function inOrder({ rows, numbers }: KindFacts, width: number, ranks: Int32Array): Float64Array {
  const places = Float64Array.from({ length: rows }, (_, row) => rankAt(row * width) * rows + row).sort();
  const sorted = new Float64Array(rows * width);
  function rankAt(from: number): number {
    return certain(ranks[certain(numbers[from + AT.owner])]);
  }
  for (const [place, packed] of places.entries()) {
    const from = (packed % rows) * width;
    sorted.set(numbers.subarray(from, from + width), place * width);
    sorted[place * width + AT.owner] = rankAt(from);
  }
  return sorted;
}

function kindColumns(site: string, kind: number, of: readonly FactOwner[], numbers: Float64Array): ColumnValues {
  const width = widthOf(kind);
  const column = (at: number, times = 1): (bigint | null)[] => wholes(numbers, { at, width, times });
  const measured = new Map(certain(MEASURES_OF[kind]).map((measure, place) => [measure, column(WIDTH + place)]));
  const none = of.map(() => null);
  return {
    site: of.map(() => site),
    case_id: of.map(({ key, now }) => (now === undefined ? null : key)),
    kind: of.map(() => certain(ROW_KINDS[kind])),
    n: column(AT.n),
    at: column(AT.at, MICROS),
    until: column(AT.until, MICROS),
    action_agent: column(AT.agent),
    action_group: column(AT.group),
    value: column(AT.value),
    ...Object.fromEntries(MEASURED.map((measure) => [columnOfMeasure(measure), measured.get(measure) ?? none])),
    ...caseColumns(of.map(({ now }) => now)),
  };
}

const MICROS = 1_000_000; // in a second

/** One number of each fact as a whole one, `null` for NaN. */
function wholes(numbers: Float64Array, { at, width, times }: Record<'at' | 'width' | 'times', number>) {
  const known = new Map<number, bigint>(); // making one takes as long as writing it, and many are few
  return Array.from({ length: numbers.length / width }, (_, row): bigint | null => {
    const number = certain(numbers[row * width + at]);
    if (Number.isNaN(number)) return null;
    const before = known.get(number);
    if (before !== undefined) return before;
    const made = BigInt(number * times);
    if (known.size < 4096) known.set(number, made);
    return made;
  });
}
