import type { Axis } from './axis.ts';
import type { Cells } from './cells.ts';
import { blockOf } from './cells.ts';

/**
 * The pairs of members that cases have; all facts of a case share them. Row r has the combos offsets[r] … offsets[r + 1] − 1;
 * a row that is not selected, or lacks a member, has none.
 */
export interface Combos {
  readonly single: boolean; // no row has more than one
  readonly offsets: Uint32Array;
  readonly blocks: Int32Array; // the pair's cell in the first window; −1: it has no block of cells
  readonly firsts: Int32Array; // numbers of the members
  readonly seconds: Int32Array;
  readonly entries: Int32Array; // of the axis that is noted
}

/** The combos of a segment's rows, of axes whose members cases have. */
export function combine(axes: readonly [Axis, Axis], noted: 0 | 1, selected: Uint8Array, cells: Cells): Combos {
  const [one, two] = axes;
  const offsets = new Uint32Array(selected.length + 1);
  const room = countCombos(axes, selected);
  const blocks = new Int32Array(room);
  const firsts = new Int32Array(room);
  const seconds = new Int32Array(room);
  const entries = new Int32Array(room);
  let at = 0;
  for (let row = 0; row < selected.length; row += 1) {
    const endA = selected[row] === 0 ? 0 : endOf(one, row);
    const endB = endOf(two, row);
    for (let a = startOf(one, row); a < endA; a += 1) {
      const first = one.numbers[a]!;
      for (let b = startOf(two, row); first >= 0 && b < endB; b += 1) {
        const second = two.numbers[b]!;
        if (second < 0) continue;
        blocks[at] = blockOf(cells, first, second);
        firsts[at] = first;
        seconds[at] = second;
        entries[at] = noted === 0 ? a : b;
        at += 1;
      }
    }
    offsets[row + 1] = at;
  }
  const single = one.level === 'row' && two.level === 'row';
  return { single, offsets, blocks, firsts, seconds, entries };
}

/** How many combos there are at most. */
function countCombos([one, two]: readonly [Axis, Axis], selected: Uint8Array): number {
  if (one.level === 'row' && two.level === 'row') return selected.length;
  let count = 0;
  for (let row = 0; row < selected.length; row += 1) {
    count += (endOf(one, row) - startOf(one, row)) * (endOf(two, row) - startOf(two, row));
  }
  return count;
}

const startOf = ({ level, offsets }: Axis, row: number): number => (level === 'list' ? offsets[row]! : row);
const endOf = ({ level, offsets }: Axis, row: number): number => (level === 'list' ? offsets[row + 1]! : row + 1);
