import type { Column } from '../history/byte-planes.ts';
import type { FactTable } from '../history/segment.ts';
import type { Axis } from './axis.ts';
import type { Hits } from './hits.ts';

/** Which rows of a segment count. */
export interface Selected {
  readonly rows: Uint8Array; // by row: 1 where the case counts
  readonly all: boolean;
  readonly list: Int32Array; // these rows, rising; not made where all count
}

const SPARSE = 2; // where less than one row in so many counts, members are looked up for the facts of these rows alone

/** Lists the rows that count. */
export function listRows(rows: Uint8Array): Selected {
  if (!rows.includes(0)) return { rows, all: true, list: NO_ROWS };
  const list = new Int32Array(rows.length + 1);
  let count = 0;
  for (let row = 0; row < rows.length; row += 1) {
    list[count] = row;
    count += rows[row]!;
  }
  return { rows, all: false, list: list.subarray(0, count) };
}

const NO_ROWS = new Int32Array(0);

/**
 * Makes the facts of selected rows the items of `hits`, without those whose own member the report leaves out. It says no
 * and makes nothing where these are all the facts there are.
 */
export function chooseFacts(
  facts: FactTable,
  axes: readonly Axis[],
  { rows, all, list }: Selected,
  hits: Hits,
): boolean {
  const picky = axes.find(({ wanted }) => wanted !== undefined);
  if (picky?.wanted === undefined) {
    if (!all) hits.count = factsOfRows(facts.offsets(), list, hits.items);
    return !all;
  }
  if (!all && SPARSE * list.length < rows.length) {
    hits.count = factsOfRows(facts.offsets(), list, hits.items);
    hits.count = keepMarked(hits, picky.indices, picky.wanted);
  } else {
    hits.count = factsOfMembers(picky.indices, picky.wanted, hits.items);
    if (!all) hits.count = keepMarked(hits, facts.rows(), rows);
  }
  return true;
}

// These loops write every item and go on to the next place only past those that stay: a branch that the processor cannot
// guess takes longer than all the rest.

function factsOfMembers(indices: Column, wanted: Uint8Array, items: Int32Array): number {
  const first = wanted.indexOf(1);
  if (first < 0) return 0;
  if (indices instanceof Uint8Array && !wanted.includes(1, first + 1)) return factsOfMember(indices, first, items);
  let count = 0;
  for (let fact = 0; fact < indices.length; fact += 1) {
    items[count] = fact;
    count += wanted[indices[fact]!]!;
  }
  return count;
}

/** Those of a single member: to look for a byte is ten times as fast as to look each of them up. */
function factsOfMember(indices: Uint8Array, index: number, items: Int32Array): number {
  const bytes = Buffer.from(indices.buffer, indices.byteOffset, indices.length);
  let count = 0;
  for (let fact = bytes.indexOf(index); fact >= 0; fact = bytes.indexOf(index, fact + 1)) {
    items[count] = fact;
    count += 1;
  }
  return count;
}

/** Keeps the items whose entry of `of` is marked. */
function keepMarked({ items, count }: Hits, of: Column, marks: Uint8Array): number {
  let kept = 0;
  for (let k = 0; k < count; k += 1) {
    const fact = items[k]!;
    items[kept] = fact;
    kept += marks[of[fact]!]!;
  }
  return kept;
}

function factsOfRows(offsets: Column, rows: Int32Array, items: Int32Array): number {
  let count = 0;
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at]!;
    const end = offsets[row + 1]!;
    for (let fact = offsets[row]!; fact < end; fact += 1) {
      items[count] = fact;
      count += 1;
    }
  }
  return count;
}
