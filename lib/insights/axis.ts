import type { Column } from '../history/byte-planes.ts';
import type { FactKind } from '../history/case-row.ts';
import type { Segment } from '../history/segment.ts';
import type { Cells } from './cells.ts';
import { numberMember } from './cells.ts';
import type { DimensionName, MemberSource } from './dimensions.ts';
import { DIMENSIONS } from './dimensions.ts';
import type { Reference } from './reference.ts';
import { customMember } from './reference.ts';

/** Where the facts of one kind in a segment find the numbers of their members of a dimension; −1: none that counts. */
export interface Axis {
  readonly level: 'none' | 'row' | 'list' | 'fact'; // none: the dimension is not asked for
  readonly numbers: Int32Array; // by row; by entry of the rows' lists; by index
  readonly offsets: Column; // of lists: row r has the entries offsets[r] … offsets[r + 1] − 1
  readonly indices: Indices; // by fact, where the facts have members
}

export type Indices = Column | Int32Array;

const NONE = new Uint32Array(0);

/** The axis of a dimension for each kind of fact of a segment; null: the dimension is not asked for. */
export function axisOf(
  segment: Segment,
  name: DimensionName | null,
  cells: Cells,
  place: 0 | 1,
  reference: Reference,
): (kind: FactKind) => Axis {
  if (name === null) {
    const silent: Axis = { level: 'none', numbers: new Int32Array(segment.head.rows), offsets: NONE, indices: NONE };
    return () => silent;
  }
  const { members, source } = DIMENSIONS[name];
  const dictionary =
    members === 'customValues'
      ? segment.customValues().map((value) => customMember(reference, value))
      : segment.dictionary(members);
  const numbers = Int32Array.of(-1, ...dictionary.map((member) => numberMember(cells.dimensions[place], member)));
  let ofCases: Axis | undefined; // the same for every kind
  return (kind) => {
    const from = source(kind);
    if (from.of === 'fact') {
      return { level: 'fact', numbers, offsets: NONE, indices: segment.facts(kind)[from.column]() };
    }
    ofCases ??= caseAxis(segment, from, numbers);
    return ofCases;
  };
}

function caseAxis(segment: Segment, from: Exclude<MemberSource, { of: 'fact' }>, numbers: Int32Array): Axis {
  if (from.of === 'case') {
    const ofRows = pick(numbers, segment.attribute(from.attribute));
    return { level: 'row', numbers: ofRows, offsets: NONE, indices: NONE };
  }
  const { offsets, members } = segment.list(from.list);
  return { level: 'list', numbers: pick(numbers, members()), offsets, indices: NONE };
}

function pick(numbers: Int32Array, indices: Column): Int32Array {
  const picked = new Int32Array(indices.length);
  for (let i = 0; i < indices.length; i += 1) picked[i] = numbers[indices[i]!]!;
  return picked;
}
