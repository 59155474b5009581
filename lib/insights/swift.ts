import { type Combos, NO_COMBO } from './combos.ts';
import type { Hits } from './hits.ts';
import { addHit, makeRoom } from './hits.ts';
import type { Times, WindowLookup } from './lookup.ts';

// Where the time of most reports goes: the facts of a kind, where cases have all members and every pair of members a block
// of cells. Window, case and cell are found at one go.
//
// What such loops cost is the branches that the processor cannot guess. How many members a case has is such a branch. So
// every fact is taken for the first combo of its case, and where there is none it is overwritten by the next; what has
// further combos is put aside for a second round. And `| 0` tells the compiler that a number is an integer: else it
// calculates with doubles, which takes twice as long.

/** Locates facts in their cells: the items of `hits`, or where not `listed` all of them. */
export function locateSwiftly(
  lookup: WindowLookup,
  { seconds, start }: Times,
  combos: Combos,
  listed: boolean,
  hits: Hits,
): void {
  const { table, bits, narrowEnds, range } = lookup;
  const { first, further, offsets, entries } = combos;
  const { items, cells, rows, entries: hitEntries, rest } = hits;
  const shift = (start - range.min) | 0;
  const width = (range.max - range.min) | 0;
  const last = listed ? hits.count : seconds.length;
  const noting = entries.length > 0;
  let at = 0;
  let left = 0;
  for (let k = 0; k < last; k += 1) {
    const fact = listed ? items[k]! : k;
    const second = (seconds[fact]! + shift) | 0;
    if (second < 0 || second >= width) continue;
    let window = table[second >> bits]!;
    window += second >= narrowEnds[window]! ? 1 : 0;
    const row = rows[fact]!;
    const block = first[row]!;
    cells[at] = block + window;
    items[at] = fact;
    if (noting) hitEntries[at] = entries[offsets[row]!]!;
    at += 1 + (block >> 31);
    rest.items[left] = fact;
    rest.windows[left] = window;
    left += further[row]!;
  }
  hits.count = at;
  locateRest(combos, left, hits);
}

/** Adds the hits in the further combos of what was put aside. */
function locateRest({ offsets, starts, entries }: Combos, left: number, hits: Hits): void {
  const { items, windows } = hits.rest;
  hits.later = hits.count;
  const noting = entries.length > 0;
  for (let k = 0; k < left; k += 1) {
    const item = items[k]!;
    const row = hits.rows[item]!;
    const end = offsets[row + 1]!;
    makeRoom(hits, end - offsets[row]! - 1);
    for (let combo = offsets[row]! + 1; combo < end; combo += 1) {
      if (starts[combo] === NO_COMBO) continue;
      addHit(hits, starts[combo]! + windows[k]!, item, noting ? entries[combo]! : 0);
    }
  }
}
