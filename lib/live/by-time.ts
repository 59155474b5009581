import type { ListedCase, ListFrom, ListPage } from './desk.ts';

const OVERLAP = 120_000; // ms before a cursor from which it is asked again

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

/**
 * The page of a list by time, the earliest change first. The next one begins at the last time of this one, not by its
 * number: a case that changes meanwhile moves to the end, and all behind it move up by one.
 */
export function timePage({ time, page }: TimePlace, cases: readonly ListedCase[], size: number): ListPage {
  const last = cases.reduce((largest, { changed }) => Math.max(largest, changed), time);
  const isLast = cases.length < size;
  const next = !isLast && last <= time ? page + 1 : 1;
  return { cases, cursor: `${last} ${next}`, isLast };
}
