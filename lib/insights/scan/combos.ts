import type { Column } from '../../history/columns/byte-planes.ts';
import type { Axis } from './axis.ts';
import type { Cells } from './cells.ts';
import { pairStart } from './cells.ts';
import { identity } from './constant.ts';

/**
 * The pairs of members that cases have, which all facts of a case share. Row r has the combos offsets[r] … offsets[r +
 * 1] − 1; a combo with the start `NO_COMBO` does not count.
 */
export interface Combos {
  readonly offsets: Column;
  readonly starts: Int32Array; // the result of `pairStart` for the pair
  readonly entries: Int32Array; // the entry of each combo in the lists of the noted axis; empty if none is noted
  readonly blocks: boolean; // every pair owns a block of cells, so no start that counts is below 0
  readonly first: Int32Array; // by row: the start of the first combo; below 0 if that does not count
  readonly further: Uint8Array; // by row: 1 if it has more than one combo
}

/** The start of a combo that does not count: its row is not selected, or the report leaves out a member. */
export const NO_COMBO = -(2 ** 31);

/** Makes the combos of a segment's rows. Both axes are of cases; `noted` is the axis whose entries hits store. */
export function makeCombos(
  [one, two]: readonly [Axis, Axis],
  noted: 0 | 1 | null,
  selected: Uint8Array,
  cells: Cells,
): Combos {
  const made =
    one.level === 'list' && two.level === 'list'
      ? combineLists(one, two, noted, cells)
      : combineRows(one, two, noted, cells);
  const { offsets, starts } = made;
  const rows = selected.length;
  const first = new Int32Array(rows);
  const further = new Uint8Array(rows);
  for (let row = 0; row < rows; row += 1) {
    const combo = offsets[row]!;
    const left = (combo - offsets[row + 1]!) | 0; // below 0 if the row has a combo
    const counts = (left >> 31) & -selected[row]!; // all bits if the row is selected and has a combo, else none
    first[row] = (starts[combo]! & counts) | (NO_COMBO & ~counts);
    further[row] = ((left + 1) >>> 31) & counts;
  }
  return { ...made, blocks: cells.pairMembers.length / 2 <= cells.blocks, first, further };
}

type Made = Pick<Combos, 'offsets' | 'starts' | 'entries'>;

/**
 * Combines axes of which at most one has lists: each entry of its lists is a combo, or each row if there are no lists.
 */
function combineRows(one: Axis, two: Axis, noted: 0 | 1 | null, cells: Cells): Made {
  const list = one.level === 'list' ? one : two.level === 'list' ? two : undefined;
  const count = list === undefined ? one.numbers.length : list.numbers.length;
  const starts = new Int32Array(count + 1); // one more than combos, because it is also read for rows without any
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
  return { offsets, starts, entries: noted === null ? NONE : identity(count) };
}

function combineLists(one: Axis, two: Axis, noted: 0 | 1 | null, cells: Cells): Made {
  const rows = one.offsets.length - 1;
  const offsets = new Int32Array(rows + 1);
  for (let row = 0; row < rows; row += 1) {
    const combos = (one.offsets[row + 1]! - one.offsets[row]!) * (two.offsets[row + 1]! - two.offsets[row]!);
    offsets[row + 1] = offsets[row]! + combos;
  }
  const starts = new Int32Array(offsets[rows]! + 1);
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
  return { offsets, starts, entries };
}

const NONE = new Int32Array(0);
