import { byCodePoint } from '../text.ts';
import { identity } from './constant.ts';
import type { Partial } from './partial.ts';
import type { Member } from './reference.ts';

/**
 * Cells by window, then first, then second member (insights.md rule 4): sorted by the last of these first, without
 * comparing any two.
 */
export function orderedCells({ members, first, second, windows }: Partial, windowCount: number): Int32Array {
  const [one, two] = [memberRanks(members[0]), memberRanks(members[1])];
  const all = Int32Array.from(windows.keys());
  return sortedBy(sortedBy(sortedBy(all, second, two), first, one), windows, identity(windowCount));
}

/** The cells in the order of the ranks of their keys, those of one key in the order they come in. */
function sortedBy(cells: Int32Array, keys: Int32Array, ranks: Int32Array): Int32Array {
  const next = new Int32Array(ranks.length + 1); // by rank the place of its next cell
  for (let cell = 0; cell < keys.length; cell += 1) next[ranks[keys[cell]!]! + 1]! += 1;
  for (let rank = 0; rank < ranks.length; rank += 1) next[rank + 1]! += next[rank]!;
  const sorted = new Int32Array(cells.length);
  for (let at = 0; at < cells.length; at += 1) {
    const cell = cells[at]!;
    const rank = ranks[keys[cell]!]!;
    sorted[next[rank]!] = cell;
    next[rank]! += 1;
  }
  return sorted;
}

function memberRanks(members: readonly (Member | null)[]): Int32Array {
  const ordered = Array.from(members.keys()).sort((a, b) => compareMembers(members[a]!, members[b]!));
  const ranks = new Int32Array(members.length);
  for (const [rank, at] of ordered.entries()) ranks[at] = rank;
  return ranks;
}

/** Integers by size, then texts by code point. */
function compareMembers(a: Member | null, b: Member | null): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return byCodePoint(a, b);
  return typeof a === 'number' ? -1 : 1;
}
