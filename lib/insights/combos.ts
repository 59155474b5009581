import type { Axis } from './axis.ts';
import type { Cells } from './cells.ts';
import { startOf } from './cells.ts';

/**
 * The pairs of members that cases have; all facts of a case share them. Row r has the combos offsets[r] … offsets[r + 1] − 1;
 * a row that is not selected, or lacks a member, has none.
 */
export interface Combos {
  readonly offsets: Uint32Array;
  readonly starts: Int32Array; // what `startOf` gives for the pair
  readonly entries: Int32Array; // of the axis that is noted
  readonly blocks: boolean; // every pair owns a block of cells: no start is below 0
  readonly everywhere: boolean; // every row has one combo, the same
}

/** The combos of a segment's rows, of axes whose members cases have. */
export function combine(axes: readonly [Axis, Axis], noted: 0 | 1, selected: Uint8Array, cells: Cells): Combos {
  const [one, two] = axes;
  const single = one.level !== 'list' && two.level !== 'list';
  const combos = single ? combineRows(one, two, selected, cells) : combineLists(axes, noted, selected, cells);
  const blocks = cells.pairMembers.length / 2 <= cells.blocks;
  return { ...combos, blocks, everywhere: one.level === 'none' && two.level === 'none' && !selected.includes(0) };
}

type Pairs = Omit<Combos, 'blocks' | 'everywhere'>;

function combineRows(one: Axis, two: Axis, selected: Uint8Array, cells: Cells): Pairs {
  const rows = selected.length;
  const { numbers: firsts } = one;
  const { numbers: seconds } = two;
  const offsets = new Uint32Array(rows + 1);
  const starts = new Int32Array(rows);
  let at = 0;
  for (let row = 0; row < rows; row += 1) {
    const first = firsts[row]!;
    const second = seconds[row]!;
    if (selected[row] === 1 && first >= 0 && second >= 0) {
      starts[at] = startOf(cells, first, second);
      at += 1;
    }
    offsets[row + 1] = at;
  }
  return { offsets, starts, entries: starts };
}

function combineLists(axes: readonly [Axis, Axis], noted: 0 | 1, selected: Uint8Array, cells: Cells): Pairs {
  const [one, two] = axes;
  const offsets = new Uint32Array(selected.length + 1);
  const room = countCombos(axes, selected);
  const starts = new Int32Array(room);
  const entries = new Int32Array(room);
  let at = 0;
  for (let row = 0; row < selected.length; row += 1) {
    const endA = selected[row] === 0 ? 0 : endOfRow(one, row);
    const endB = endOfRow(two, row);
    for (let a = startOfRow(one, row); a < endA; a += 1) {
      const first = one.numbers[a]!;
      for (let b = startOfRow(two, row); first >= 0 && b < endB; b += 1) {
        const second = two.numbers[b]!;
        if (second < 0) continue;
        starts[at] = startOf(cells, first, second);
        entries[at] = noted === 0 ? a : b;
        at += 1;
      }
    }
    offsets[row + 1] = at;
  }
  return { offsets, starts, entries };
}

/** How many combos there are at most. */
function countCombos([one, two]: readonly [Axis, Axis], selected: Uint8Array): number {
  let count = 0;
  for (let row = 0; row < selected.length; row += 1) {
    count += (endOfRow(one, row) - startOfRow(one, row)) * (endOfRow(two, row) - startOfRow(two, row));
  }
  return count;
}

const startOfRow = ({ level, offsets }: Axis, row: number): number => (level === 'list' ? offsets[row]! : row);
const endOfRow = ({ level, offsets }: Axis, row: number): number => (level === 'list' ? offsets[row + 1]! : row + 1);
