import type { Column } from '../history/byte-planes.ts';
import type { FactKind } from '../history/case-row.ts';
import type { Segment } from '../history/segment.ts';
import type { Cells } from './cells.ts';
import { numberMember } from './cells.ts';
import type { DimensionName, MemberSource } from './dimensions.ts';
import { DIMENSIONS } from './dimensions.ts';
import type { Reference } from './reference.ts';
import { customMember } from './reference.ts';

/**
 * Where the facts of one kind find their members of a dimension. Each row has entries starts[r] … ends[r] − 1, and an entry
 * the number of a member; where it is the facts that have the members, a row has one entry that says nothing.
 */
export interface Axis {
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly numbers: Int32Array; // by entry; −1: no member, or one that the report leaves out
  readonly facts?: Column | undefined; // by fact an index into `factNumbers`
  readonly factNumbers: Int32Array;
}

/** The axis of a dimension for each kind of fact of a segment; null: the dimension is not asked for. */
export function axisOf(
  segment: Segment,
  name: DimensionName | null,
  cells: Cells,
  place: 0 | 1,
  reference: Reference,
): (kind: FactKind) => Axis {
  const silent = oneEntry(segment.head.rows);
  if (name === null) return () => silent;
  const { members, source } = DIMENSIONS[name];
  const dictionary =
    members === 'customValues'
      ? segment.customValues().map((value) => customMember(reference, value))
      : segment.dictionary(members);
  const numbers = Int32Array.of(-1, ...dictionary.map((member) => numberMember(cells.dimensions[place], member)));
  let ofCases: Axis | undefined; // the same for every kind
  return (kind) => {
    const from = source(kind);
    if (from.of === 'fact') return { ...silent, facts: segment.facts(kind)[from.column](), factNumbers: numbers };
    ofCases ??= caseAxis(segment, from, numbers);
    return ofCases;
  };
}

function caseAxis(segment: Segment, from: Exclude<MemberSource, { of: 'fact' }>, numbers: Int32Array): Axis {
  const { rows } = segment.head;
  if (from.of === 'case') {
    const ends = ramp(rows + 1);
    return {
      starts: ends,
      ends: ends.subarray(1),
      numbers: pick(numbers, segment.attribute(from.attribute)),
      factNumbers: numbers,
    };
  }
  const { offsets, members } = segment.list(from.list);
  return { starts: offsets, ends: offsets.subarray(1), numbers: pick(numbers, members()), factNumbers: numbers };
}

function pick(numbers: Int32Array, indices: Column): Int32Array {
  const picked = new Int32Array(indices.length);
  for (let i = 0; i < indices.length; i += 1) picked[i] = numbers[indices[i]!]!;
  return picked;
}

const oneEntry = (rows: number): Axis => ({
  starts: new Uint32Array(rows),
  ends: new Uint32Array(rows).fill(1),
  numbers: Int32Array.of(0),
  factNumbers: Int32Array.of(),
});

function ramp(length: number): Uint32Array {
  const values = new Uint32Array(length);
  for (let i = 0; i < length; i += 1) values[i] = i;
  return values;
}
