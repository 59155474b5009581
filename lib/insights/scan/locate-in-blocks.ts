import type { Combos } from './combos.ts';
import { type Hits, makeRoom } from './hits.ts';

// Where the time of most reports goes: facts whose cases have all members, where every pair of members owns a block of cells.
//
// What such loops cost is the branches that the processor cannot guess. How many members a case has is such a branch. So
// every fact is taken for the first combo of its case, and where there is none it is overwritten by the next; what has
// further combos is put aside for further rounds.

/** Puts the cells in the place of the windows of the items of `hits`. */
export function locateInBlocks(combos: Combos, hits: Hits): void {
  locateFurther(combos, locateFirst(combos, hits), hits);
}

/**
 * Adds the hits in the first combo of each item, and tells how many it puts aside. Nothing comes after its loop: what V8
 * compiles while a loop runs it keeps, however often it then fails behind that loop.
 */
function locateFirst(combos: Combos, hits: Hits): number {
  const { first, further, offsets, entries } = combos;
  const { items, cells, rows, entries: hitEntries, rest, count } = hits;
  const noting = entries.length > 0;
  let at = 0;
  let left = 0;
  for (let k = 0; k < count; k += 1) {
    const item = items[k]!;
    const window = cells[k]!;
    const row = rows[item]!;
    const block = first[row]!;
    cells[at] = block + window;
    items[at] = item;
    if (noting) hitEntries[at] = entries[offsets[row]!]!;
    at += 1 + (block >> 31);
    rest.items[left] = item;
    rest.windows[left] = window;
    left += further[row]!;
  }
  hits.count = at;
  return left;
}

/** Adds the hits in the further combos of what was put aside: in the second of each, then in the third, and so on. */
function locateFurther({ offsets, starts, entries }: Combos, putAside: number, hits: Hits): void {
  const { rows, rest } = hits;
  const noting = entries.length > 0;
  hits.rounds.push(hits.count);
  let left = putAside;
  for (let round = 1; left > 0; round += 1) {
    makeRoom(hits, left);
    const { items, cells, entries: hitEntries } = hits;
    let at = hits.count;
    let more = 0;
    for (let k = 0; k < left; k += 1) {
      const item = rest.items[k]!;
      const window = rest.windows[k]!;
      const row = rows[item]!;
      const combo = offsets[row]! + round;
      const block = starts[combo]!;
      cells[at] = block + window;
      items[at] = item;
      if (noting) hitEntries[at] = entries[combo]!;
      at += 1 + (block >> 31);
      rest.items[more] = item;
      rest.windows[more] = window;
      more += (combo + 1 - offsets[row + 1]!) >>> 31;
    }
    hits.count = at;
    hits.rounds.push(at);
    left = more;
  }
}
