import type { Segment } from '../../history/segments/segment.ts';
import { byCodePoint } from '../../text.ts';

/** An entry behind a cell. */
export interface CaseEntry {
  readonly at: number; // s since 1970
  readonly value: number;
  readonly counted: boolean;
  readonly segment: Segment;
  readonly row: number; // of the segment: its case
}

/** The order of entries. */
export interface EntryOrder {
  readonly sort: 'at' | 'value';
  readonly direction: 'asc' | 'desc';
}

/** The end of a page: its last entry, and how many entries equal to it all pages so far have shown. */
export interface PageEnd {
  readonly at: number;
  readonly value: number;
  readonly counted: boolean;
  readonly case: string;
  readonly shown: number; // from 1
}

/** Keeps, of all entries offered, those that come first after the end of the page before. */
export interface PageHeap {
  offer(at: number, value: number, counted: boolean, from: Pick<CaseEntry, 'segment' | 'row'>): void;
  /** The entries of the page, in order. */
  entries(): CaseEntry[];
  total(): number; // entries offered
}

type Placed = Pick<CaseEntry, 'at' | 'value' | 'counted'> & { readonly key: () => string };

/** Creates an empty page for the first `size` entries after the end of the page before, or for the first of all. */
export function createPage(size: number, order: EntryOrder, after: PageEnd | undefined): PageHeap {
  const kept: (CaseEntry & Placed)[] = []; // a heap whose root is the entry that comes last
  const last = after && { ...after, key: () => after.case };
  let total = 0;
  let same = 0; // entries so far that equal the last one of the page before
  const later = order.direction === 'asc' ? (a: number, b: number) => a > b : (a: number, b: number) => a < b;
  const isBefore = (a: Placed, b: Placed): boolean => compare(a, b, order) < 0;

  function sink(entry: CaseEntry & Placed): void {
    let at = 0;
    for (;;) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      let largest = left;
      if (left >= kept.length) break;
      if (right < kept.length && isBefore(kept[left]!, kept[right]!)) largest = right;
      if (!isBefore(entry, kept[largest]!)) break;
      kept[at] = kept[largest]!;
      at = largest;
    }
    kept[at] = entry;
  }

  function rise(entry: CaseEntry & Placed): void {
    let at = kept.push(entry) - 1;
    for (let above = (at - 1) >> 1; at > 0 && isBefore(kept[above]!, entry); above = (at - 1) >> 1) {
      kept[at] = kept[above]!;
      at = above;
    }
    kept[at] = entry;
  }

  return {
    offer(at, value, counted, { segment, row }) {
      total += 1;
      // Of millions of entries only few come near the page. Comparing the sort key first skips the others cheaply.
      const sorted = order.sort === 'at' ? at : value;
      if (kept.length === size && later(sorted, kept[0]![order.sort])) return;
      if (last !== undefined && later(last[order.sort], sorted)) return;
      const entry = { at, value, counted, segment, row, key: () => segment.keys()[row]! };
      if (last !== undefined) {
        const beyond = compare(entry, last, order);
        if (beyond === 0) same += 1;
        if (beyond < 0 || (beyond === 0 && same <= last.shown)) return;
      }
      if (kept.length < size) rise(entry);
      else if (isBefore(entry, kept[0]!)) sink(entry);
    },
    entries: () => kept.toSorted((a, b) => compare(a, b, order)),
    total: () => total,
  };
}

/** The end of a page of these entries, which follows the page that ended at `before`. */
export function placeAfter(entries: readonly CaseEntry[], before: PageEnd | undefined): PageEnd | undefined {
  const last = entries.at(-1);
  if (last === undefined) return undefined;
  const { at, value, counted } = last;
  const key = caseOf(last);
  const equalsLast = (one: Pick<CaseEntry, 'at' | 'value' | 'counted'>, name: string): boolean =>
    one.at === at && one.value === value && one.counted === counted && name === key;
  const shown = entries.filter((entry) => equalsLast(entry, caseOf(entry))).length;
  const earlier = before !== undefined && equalsLast(before, before.case) ? before.shown : 0;
  return { at, value, counted, case: key, shown: earlier + shown };
}

/** The case of an entry. */
export const caseOf = ({ segment, row }: Pick<CaseEntry, 'segment' | 'row'>): string => segment.keys()[row]!;

/** Compares by the sort key, then by instant, then by case, and entries of one case in one second by their value. */
function compare(a: Placed, b: Placed, { sort, direction }: EntryOrder): number {
  const sorted = a[sort] - b[sort];
  if (sorted !== 0) return direction === 'asc' ? sorted : -sorted;
  return a.at - b.at || compareKeys(a.key(), b.key()) || a.value - b.value || Number(a.counted) - Number(b.counted);
}

const NUMBER = /^(0|-?[1-9]\d*)$/;

/** Numbers by size, then texts by code point. */
function compareKeys(a: string, b: string): number {
  if (a === b) return 0;
  const [one, two] = [NUMBER.test(a), NUMBER.test(b)];
  if (one && two) return BigInt(a) < BigInt(b) ? -1 : 1;
  return one === two ? byCodePoint(a, b) : one ? -1 : 1;
}
