import type { Column } from '../../history/segments/byte-planes.ts';
import { identity } from './arrays.ts';
import type { Axis } from './axis.ts';
import type { Cells } from './cells.ts';
import { pairStart } from './cells.ts';

/**
 * The pairs of members that cases have, which all facts of a case share. Row r has the combos offsets[r] … offsets[r +
 * 1] − 1; a combo with the start `NO_COMBO` does not count.
 */
export interface Combos {
  readonly single: boolean; // each row has one combo, whose index is the row
  readonly offsets: Column;
  readonly starts: Int32Array; // the result of `pairStart` for the pair
  readonly entries: Int32Array; // the entry of each combo in the lists of the noted axis; empty if none is noted
}

/** The start of a combo that does not count, because the report leaves out a member. */
export const NO_COMBO = -(2 ** 31);

/** Makes the combos of a segment's rows. Both axes are of cases; `noted` is the axis whose entries hits store. */
export function makeCombos([one, two]: readonly [Axis, Axis], noted: 0 | 1 | null, cells: Cells): Combos {
  return one.level === 'list' && two.level === 'list'
    ? combineLists(one, two, noted, cells)
    : combineRows(one, two, noted, cells);
}

/**
 * Combines axes of which at most one has lists: each entry of its lists is a combo, or each row if there are no lists.
 */
function combineRows(one: Axis, two: Axis, noted: 0 | 1 | null, cells: Cells): Combos {
  const list = one.level === 'list' ? one : two.level === 'list' ? two : undefined;
  const count = list === undefined ? one.numbers.length : list.numbers.length;
  const starts = new Int32Array(count);
  const { numbers: numbers1 } = one;
  const { numbers: numbers2 } = two;
  const [listed1, listed2] = [one === list, two === list];
  const rowOf = list?.rows ?? NONE;
  const { stride, pairTable = NONE } = cells;
  for (let at = 0; at < count; at += 1) {
    const row = list === undefined ? at : rowOf[at]!;
    const member1 = numbers1[listed1 ? at : row]!;
    const member2 = numbers2[listed2 ? at : row]!;
    if ((member1 | member2) < 0) {
      starts[at] = NO_COMBO;
      continue;
    }
    const index = member1 * stride + member2;
    const entry = index < pairTable.length ? pairTable[index]! : 0;
    starts[at] = entry > 0 ? entry - 1 : pairStart(cells, member1, member2);
  }
  const offsets = list?.offsets ?? identity(count + 1);
  return { single: list === undefined, offsets, starts, entries: noted === null ? NONE : identity(count) };
}

function combineLists(one: Axis, two: Axis, noted: 0 | 1 | null, cells: Cells): Combos {
  const rows = one.offsets.length - 1;
  const offsets = new Int32Array(rows + 1);
  for (let row = 0; row < rows; row += 1) {
    const combos = (one.offsets[row + 1]! - one.offsets[row]!) * (two.offsets[row + 1]! - two.offsets[row]!);
    offsets[row + 1] = offsets[row]! + combos;
  }
  const starts = new Int32Array(offsets[rows]!);
  const entries = new Int32Array(noted === null ? 0 : starts.length);
  let at = 0;
  for (let row = 0; row < rows; row += 1) {
    for (let a = one.offsets[row]!; a < one.offsets[row + 1]!; a += 1) {
      for (let b = two.offsets[row]!; b < two.offsets[row + 1]!; b += 1) {
        const [member1, member2] = [one.numbers[a]!, two.numbers[b]!];
        starts[at] = (member1 | member2) < 0 ? NO_COMBO : pairStart(cells, member1, member2);
        if (noted !== null) entries[at] = noted === 0 ? a : b;
        at += 1;
      }
    }
  }
  return { single: false, offsets, starts, entries };
}

const NONE = new Int32Array(0);
