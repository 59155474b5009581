import { certain } from '../../certain.ts';
import type { ListedCase, ListFrom, ListPage } from '../desk.ts';

export const OVERLAP = 120_000; // ms before a cursor from which it is asked again

/** Where a page of a list by time begins: the cases that changed from a time on, and which page of these. */
export interface TimePlace {
  readonly time: number; // epoch ms
  readonly page: number; // from 1
}

/** Reads a cursor of a list by time. */
export function timePlace({ since, cursor, begins }: ListFrom): TimePlace {
  const [, time, page] = /^(\d+) (\d+)$/.exec(cursor ?? '') ?? [];
  if (time === undefined) return { time: since, page: 1 };
  return begins ? { time: Math.max(0, Number(time) - OVERLAP), page: 1 } : { time: Number(time), page: Number(page) };
}

/** Whether all cases of a page changed later than a list is asked for. */
export const areBeyond = (cases: readonly ListedCase[], until: number | undefined): boolean =>
  until !== undefined && cases.every(({ changed }) => changed >= until);

/**
 * The page of a list by time, the earliest change first. The next one begins at the last time of this one, not by its
 * number: a case that changes meanwhile moves to the end, and all behind it move up by one.
 */
export function timePage(
  { time, page }: TimePlace,
  cases: readonly ListedCase[],
  { size, until }: { readonly size: number; readonly until: number | undefined },
): ListPage {
  const last = cases.reduce((largest, { changed }) => Math.max(largest, changed), time);
  const isLast = cases.length < size || areBeyond(cases, until);
  const next = !isLast && last <= time ? page + 1 : 1;
  return { cases, cursor: `${last} ${next}`, isLast };
}

/** Where a page of a list in any order begins: its cases since a time (epoch ms), and which page of these. */
interface NumberedPlace {
  readonly low: number;
  readonly high: number; // the largest change so far
  readonly page: number; // from 1
}

/** Reads a cursor of a list in any order, which is read whole from the time of the one before. */
export function numberedPlace({ since, cursor, begins }: ListFrom): NumberedPlace {
  if (cursor === null) return { low: since, high: since, page: 1 };
  const [low = 0, high = 0, page = 1] = cursor.split(' ').map(Number);
  return begins ? { low: Math.max(0, low - OVERLAP), high, page: 1 } : { low, high, page };
}

/** The page of such a list; what is added meanwhile only repeats others, or comes last. */
export function numberedPage({ low, high, page }: NumberedPlace, cases: readonly ListedCase[], size: number): ListPage {
  const last = cases.reduce((largest, { changed }) => Math.max(largest, changed), high);
  const isLast = cases.length < size;
  return { cases, cursor: isLast ? `${last} ${last} 1` : `${low} ${last} ${page + 1}`, isLast };
}

/** A list of changes that is one of several of a help desk. */
export type PartialList = (from: ListFrom) => Promise<ListPage>;

/** Several lists as one: one after the other, in each pull from the first. The cursor holds those of all. */
export async function listInTurn(lists: readonly PartialList[], from: ListFrom): Promise<ListPage> {
  const [index = '0', fresh = '', ...cursors] = from.cursor === null ? [] : from.cursor.split('|');
  const place = from.begins ? 0 : Number(index);
  const page = await certain(lists[place])({
    ...from,
    cursor: cursors[place] || null,
    begins: from.begins || fresh === 'fresh',
  });
  const held = lists.map((_, nth) => (nth === place ? page.cursor : (cursors[nth] ?? '')));
  const next = page.isLast ? (place + 1) % lists.length : place;
  const cursor = [next, page.isLast ? 'fresh' : '', ...held].join('|');
  return { ...page, cursor, isLast: page.isLast && next === 0 };
}
