import type { Column } from '../history/byte-planes.ts';
import type { FactKind } from '../history/case-row.ts';
import type { Segment } from '../history/segment.ts';
import type { Cells } from './cells.ts';
import { zeros } from './constant.ts';
import type { DimensionName, MemberSource } from './dimensions.ts';
import { DIMENSIONS } from './dimensions.ts';
import { numberMembers, type WantedMembers } from './members.ts';
import { customMember, type Reference } from './reference.ts';

/** Where the facts of one kind in a segment find the numbers of their members of a dimension; −1: none that counts. */
export interface Axis {
  readonly level: 'row' | 'list' | 'fact';
  readonly numbers: Int32Array; // by row; by entry of the rows' lists; by index
  readonly offsets: Column; // of lists: row r has the entries offsets[r] … offsets[r + 1] − 1
  readonly rows: Column; // of lists: by entry its row
  readonly indices: Column; // by fact, where the facts have members
  readonly wanted?: WantedMembers | undefined; // where the report leaves out members of facts
}

const NONE = new Int32Array(0);

/** The axis of a dimension for each kind of fact of a segment; null: the dimension is not asked for. */
export function axisOf(
  segment: Segment,
  name: DimensionName | null,
  cells: Cells,
  place: 0 | 1,
  reference: Reference,
): (kind: FactKind) => Axis {
  if (name === null) {
    const silent = caseNumbers(zeros(segment.head.rows));
    return () => silent;
  }
  const { members, source } = DIMENSIONS[name];
  const numbered = cells.dimensions[place];
  const { numbers, wanted } =
    members === 'customValues'
      ? numberMembers(numbered, segment.customValues(), (values) => values.map((each) => customMember(reference, each)))
      : numberMembers(numbered, segment.dictionary(members), (ids) => ids);
  let ofCases: Axis | undefined; // the same for every kind
  return (kind) => {
    const from = source(kind);
    if (from.of === 'fact') {
      return {
        level: 'fact',
        numbers,
        offsets: NONE,
        rows: NONE,
        indices: segment.facts(kind)[from.column](),
        wanted,
      };
    }
    ofCases ??= caseAxis(segment, from, numbers);
    return ofCases;
  };
}

/** Of rows that have one member each, or none that counts. */
const caseNumbers = (numbers: Int32Array): Axis => ({
  level: 'row',
  numbers,
  offsets: NONE,
  rows: NONE,
  indices: NONE,
});

function caseAxis(segment: Segment, from: Exclude<MemberSource, { of: 'fact' }>, numbers: Int32Array): Axis {
  if (from.of === 'case') {
    return caseNumbers(pick(numbers, segment.attribute(from.attribute)));
  }
  const { offsets, rows, members, count } = segment.list(from.list);
  const numbersOf = pick(numbers, members());
  // A list of macros stays one, as `withMacro` asks for its entries.
  if (from.list !== 'macros' && count === segment.head.rows && isIdentity(offsets)) {
    return caseNumbers(numbersOf);
  }
  return { level: 'list', numbers: numbersOf, offsets, rows: rows(), indices: NONE };
}

/** Whether each row has one entry. */
function isIdentity(offsets: Column): boolean {
  for (let row = 0; row < offsets.length; row += 1) if (offsets[row] !== row) return false;
  return true;
}

function pick(numbers: Int32Array, indices: Column): Int32Array {
  const picked = new Int32Array(indices.length);
  for (let i = 0; i < indices.length; i += 1) picked[i] = numbers[indices[i]!]!;
  return picked;
}
