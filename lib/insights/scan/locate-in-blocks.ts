import type { Combos } from './combos.ts';
import { type Hits, makeRoom } from './hits.ts';

// Most reports spend most of their time here: all members are of cases, and every pair of members owns a block of
// cells.
//
// The cost of such loops is in branches that the processor mispredicts, such as a loop over the members of a case. So
// every item first gets a hit in the first combo of its case, which the next item overwrites if that combo does not
// count. Items of cases with more combos are put aside for further rounds.

/** Replaces the windows of the items of `hits` by cells; an item gets a hit for each combo of its case. */
export function locateInBlocks(combos: Combos, hits: Hits): void {
  locateFurther(combos, locateFirst(combos, hits), hits);
}

/**
 * Makes the hits in the first combo of each item; returns how many items it puts aside. No other loop follows in this
 * function: V8 keeps the code that it compiled while a loop ran, even if that code is deoptimized again and again after
 * the loop.
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

/** Adds the hits in the other combos of the items put aside: in the second of each, then in the third, and so on. */
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
