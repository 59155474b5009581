import { createHash } from 'node:crypto';
import { certain } from '../certain.ts';
import { type CaseNow, caseColumns, textOfCase } from './case-now.ts';
import type { ColumnValues, FileRows, FileSection } from './columns.ts';
import { createNumberRows, type NumberRows } from './number-rows.ts';
import { GROUP_ROWS } from './parquet-file.ts';
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

const widthOf = (kind: number): number => WIDTH + certain(MEASURES_OF[kind]).length;

export function createMonthFacts(): MonthFacts {
  const owners: FactOwner[] = [];
  const kinds = ROW_KINDS.map((_, kind) => ({
    rows: createNumberRows(widthOf(kind)),
    one: new Float64Array(widthOf(kind)),
  }));
  return {
    add(owner, row, measures, fact) {
      if (owners.at(-1) !== owner) owners.push(owner);
      const { rows, one } = certain(kinds[row.kind]);
      one[AT.owner] = owners.length - 1;
      one[AT.n] = row.n;
      one[AT.at] = row.at;
      one[AT.until] = row.until;
      one[AT.agent] = row.agent;
      one[AT.group] = row.group;
      one[AT.value] = row.value;
      for (const [place, column] of measures.entries()) one[WIDTH + place] = column?.[fact] ?? Number.NaN;
      rows.add(one);
    },
    finish() {
      const order = Array.from(owners.keys()).sort((a, b) => comparePlaces(certain(owners[a]), certain(owners[b])));
      const ordered = order.map((owner) => certain(owners[owner]));
      const ranks = new Int32Array(owners.length);
      for (const [rank, owner] of order.entries()) ranks[owner] = rank;
      const hash = createHash('sha256');
      for (const { key, now } of ordered) hash.update(now === undefined ? key : textOfCase(now));
      const sections = kinds.map(({ rows }, kind): FileSection => {
        const { count, some } = inOrder(rows, widthOf(kind), ranks);
        for (let from = 0; from < count; from += GROUP_ROWS) hash.update(some(from, from + GROUP_ROWS));
        return {
          rows: count,
          values(site, from, to) {
            const numbers = some(from, to);
            const of = Array.from({ length: to - from }, (_, row) =>
              certain(ordered[certain(numbers[row * widthOf(kind)])]),
            );
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

/** The facts by the ranks of their owners, which stand in the place of the owners. */
function inOrder(rows: NumberRows, width: number, ranks: Int32Array) {
  const count = rows.count();
  const rankOf = (row: number): number => certain(ranks[rows.number(row, AT.owner)]);
  const places = Float64Array.from({ length: count }, (_, row) => rankOf(row) * count + row).sort();
  const order = Int32Array.from(places, (place) => place % count);
  return {
    count,
    some(from: number, to: number): Float64Array {
      const numbers = rows.gather(order.subarray(from, to));
      for (let at = 0; at < numbers.length; at += width) numbers[at] = certain(ranks[certain(numbers[at])]);
      return numbers;
    },
  };
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
