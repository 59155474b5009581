import type { FactKind } from '../../history/cases/case-row.ts';
import type { Column } from '../../history/segments/byte-planes.ts';
import type { FactTable, Segment } from '../../history/segments/segment.ts';
import type { Dimension, DimensionName, InstantPart, MemberSource } from '../definitions/dimensions.ts';
import { dimensionNamed, INSTANT_MEMBERS } from '../definitions/dimensions.ts';
import { memberOf } from '../definitions/filter-match.ts';
import { customMember, type Reference } from '../reference.ts';
import { zeros } from './arrays.ts';
import type { Cells } from './cells.ts';
import { type Clock, partsOf } from './clock.ts';
import { type NumberedMembers, type Numbering, numberMembers, type WantedMembers } from './members.ts';

/** The member numbers of a dimension for the facts of one kind in a segment; −1 for a member that does not count. */
export interface Axis {
  readonly level: 'row' | 'list' | 'fact'; // the owner of the members: a row, a list of a row, or a fact
  readonly numbers: Int32Array; // by row; by entry of the lists; for facts by dictionary index
  readonly offsets: Column; // of lists: row r has the entries offsets[r] … offsets[r + 1] − 1
  readonly rows: Column; // of lists: the row of each entry
  readonly indices: Column; // of facts: the dictionary index of each fact
  readonly wanted?: WantedMembers | undefined; // of facts: the members to keep, if the report leaves out others
  readonly agent?: number | undefined; // the index of the acting agent, if the report shows only this one
  readonly same?: number | undefined; // the index of all facts, if a segment says that they have the same
  readonly part?: InstantPart; // if the members are of instants
  readonly silent?: boolean; // true if no dimension was asked for: all facts have the only member, 0
}

const NONE = new Int32Array(0);

/** A dimension's axis for each kind of fact of a segment. */
export interface Axes {
  readonly agent: number | undefined; // the index of the acting agent, if the report shows only this one
  of(kind: FactKind): Axis;
}

/** What the axes of a report depend on. */
export interface AxisContext {
  readonly cells: Cells;
  readonly dimensions: readonly [DimensionName | null, DimensionName | null];
  readonly reference: Reference;
  readonly clock: Clock | undefined; // if a dimension is of instants
}

/** Makes the axes of the first or second dimension in a segment. */
export function axesOf(context: AxisContext, segment: Segment, index: 0 | 1): Axes {
  const name = context.dimensions[index];
  if (name === null) return new SilentAxes(segment);
  const dimension = dimensionNamed(name);
  const numbering = numberDictionary(context.cells.dimensions[index], dimension, segment, context.reference);
  return new MemberAxes(segment, { name, ...dimension }, numbering, context.clock);
}

const asTheyAre = (members: readonly number[]): readonly number[] => members;

function numberDictionary(
  numbered: NumberedMembers,
  { members, field }: Dimension,
  segment: Segment,
  reference: Reference,
): Numbering {
  switch (members) {
    case 'customValues':
      return numberMembers(numbered, segment.customValues(), (values) =>
        values.map((each) => (field === undefined || field === each.field ? customMember(reference, each) : null)),
      );
    case 'statuses':
      return numberMembers(numbered, segment.dictionary(members), (statuses) =>
        statuses.map((status) => memberOf('Statuses', status)),
      );
    case 'hour':
    case 'weekday':
      return numberMembers(numbered, INSTANT_MEMBERS[members], asTheyAre);
    default:
      return numberMembers(numbered, segment.dictionary(members), asTheyAre);
  }
}

// Classes, because object literals with closures and getters, created for each segment, took a third of the time of a
// report on one agent's week.

class SilentAxes implements Axes, Axis {
  readonly agent = undefined;
  readonly silent = true;
  readonly level = 'row';
  readonly offsets = NONE;
  readonly rows = NONE;
  readonly indices = NONE;
  readonly #rows: number;

  constructor({ head }: Segment) {
    this.#rows = head.rows;
  }

  of(): Axis {
    return this;
  }

  get numbers(): Int32Array {
    return zeros(this.#rows);
  }
}

class MemberAxes implements Axes {
  readonly agent: number | undefined;
  readonly #segment: Segment;
  readonly #dimension: Dimension;
  readonly #numbering: Numbering;
  readonly #clock: Clock | undefined;
  #ofCases: Axis | undefined; // the axis of all kinds, if the members are of cases

  constructor(
    segment: Segment,
    dimension: Dimension & { readonly name: DimensionName },
    numbering: Numbering,
    clock: Clock | undefined,
  ) {
    const { wanted } = numbering;
    this.agent = dimension.name === 'action_agent' && wanted?.count === 1 ? wanted.first : undefined;
    this.#segment = segment;
    this.#dimension = dimension;
    this.#numbering = numbering;
    this.#clock = clock;
  }

  of(kind: FactKind): Axis {
    const from = this.#dimension.source(kind);
    if (from.of === 'instant') return this.#instants(kind, from.part);
    if (from.of === 'fact') return new FactAxis(this.#numbering, this.#segment.facts(kind), from.column, this.agent);
    this.#ofCases ??= caseAxis(this.#segment, from, this.#numbering.numbers);
    return this.#ofCases;
  }

  #instants(kind: FactKind, part: InstantPart): Axis {
    const { start } = this.#segment.head;
    const { numbers, wanted } = this.#numbering;
    // Handled intervals are cut into pieces first, and each piece has a member of its own.
    const times = { seconds: this.#segment.facts(kind).seconds(), start };
    const indices = kind === 'handle' || !this.#clock ? NONE : partsOf(this.#clock, part, times);
    return { level: 'fact', numbers, indices, wanted, offsets: NONE, rows: NONE, part };
  }
}

type FactColumn = Extract<MemberSource, { of: 'fact' }>['column'];

class FactAxis implements Axis {
  readonly level = 'fact';
  readonly offsets = NONE;
  readonly rows = NONE;
  readonly agent: number | undefined;
  readonly #numbering: Numbering;
  readonly #facts: FactTable;
  readonly #column: FactColumn;

  constructor(numbering: Numbering, facts: FactTable, column: FactColumn, agent: number | undefined) {
    this.#numbering = numbering;
    this.#facts = facts;
    this.#column = column;
    this.agent = agent;
  }

  get indices(): Column {
    return this.#facts[this.#column]();
  }

  get same(): number | undefined {
    return this.#column === 'agents' ? this.#facts.sameAgent() : undefined;
  }

  get numbers(): Int32Array {
    return this.#numbering.numbers;
  }

  get wanted(): WantedMembers | undefined {
    return this.#numbering.wanted;
  }
}

/** The axis of cases that have one member each, or none that counts. */
const caseNumbers = (numbers: Int32Array): Axis => ({
  level: 'row',
  numbers,
  offsets: NONE,
  rows: NONE,
  indices: NONE,
});

function caseAxis(segment: Segment, from: Extract<MemberSource, { of: 'case' | 'list' }>, numbers: Int32Array): Axis {
  if (from.of === 'case') {
    return caseNumbers(pick(numbers, segment.attribute(from.attribute)));
  }
  const { offsets, rows, members, count } = segment.list(from.list);
  const numbersOf = pick(numbers, members());
  const none = numbers[0] ?? -1;
  if (none >= 0) return listsWithNone(numbersOf, offsets, none);
  // Lists of macros stay lists, because `withMacro` needs their entries.
  if (from.list !== 'macros' && count === segment.head.rows && isIdentity(offsets)) {
    return caseNumbers(numbersOf);
  }
  return { level: 'list', numbers: numbersOf, offsets, rows: rows(), indices: NONE };
}

/** The lists of cases, in which a case without an entry that counts has the member of none. */
function listsWithNone(entries: Int32Array, before: Column, none: number): Axis {
  const count = before.length - 1;
  const numbers = new Int32Array(entries.length + count);
  const rows = new Int32Array(entries.length + count);
  const offsets = new Int32Array(count + 1);
  let at = 0;
  const add = (row: number, number: number): void => {
    numbers[at] = number;
    rows[at] = row;
    at += 1;
  };
  for (let row = 0; row < count; row += 1) {
    for (let entry = before[row]!; entry < before[row + 1]!; entry += 1)
      if (entries[entry]! >= 0) add(row, entries[entry]!);
    if (at === offsets[row]) add(row, none);
    offsets[row + 1] = at;
  }
  return { level: 'list', numbers: numbers.subarray(0, at), offsets, rows: rows.subarray(0, at), indices: NONE };
}

/** Whether each row has exactly one entry. */
function isIdentity(offsets: Column): boolean {
  for (let row = 0; row < offsets.length; row += 1) if (offsets[row] !== row) return false;
  return true;
}

function pick(numbers: Int32Array, indices: Column): Int32Array {
  const picked = new Int32Array(indices.length);
  for (let i = 0; i < indices.length; i += 1) picked[i] = numbers[indices[i]!]!;
  return picked;
}
