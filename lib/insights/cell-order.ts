import { type Column, columnFor } from '../history/segments/byte-planes.ts';
import { byCodePoint } from '../text.ts';
import type { Member } from './reference.ts';
import type { ScanResult } from './scan/scan-result.ts';

/**
 * Returns the indexes of the cells, ordered by window, then first member, then second member (docs/rules.md 4): a
 * stable sort by each key, the least significant first.
 */
export function orderedCells({ members, first, second, windows }: ScanResult, windowCount: number): Column {
  const [one, two] = [memberRanks(members[0]), memberRanks(members[1])];
  const bySecond = indexesByKey(ranked(second, two), two.length, undefined);
  const byFirst = indexesByKey(ranked(first, one), one.length, bySecond);
  return indexesByKey(windows, windowCount, byFirst);
}

/**
 * A counting sort of the indexes of `keys`, all below `count`. Equal keys keep the `order` given, by default rising.
 */
function indexesByKey(keys: Column, count: number, order: Column | undefined): Column {
  const next = new Int32Array(count + 1);
  for (let index = 0; index < keys.length; index += 1) next[keys[index]! + 1]! += 1;
  for (let key = 0; key < count; key += 1) next[key + 1]! += next[key]!;
  const sorted = columnFor(Math.max(keys.length, 2 ** 16), keys.length);
  for (let at = 0; at < keys.length; at += 1) {
    const index = order === undefined ? at : order[at]!;
    const key = keys[index]!;
    sorted[next[key]!] = index;
    next[key]! += 1;
  }
  return sorted;
}

function ranked(numbers: Int32Array, ranks: Int32Array): Int32Array {
  const found = new Int32Array(numbers.length);
  for (let cell = 0; cell < numbers.length; cell += 1) found[cell] = ranks[numbers[cell]!]!;
  return found;
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
