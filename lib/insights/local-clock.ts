import { certain } from '../certain.ts';
import { offsetAt, spansBetween, type ZoneSpec } from './zone.ts';

const DAY = 86_400; // s

/** The local time of a zone at an instant, both in seconds since 1970. */
export const clockAt = (zone: ZoneSpec, second: number): number => second + offsetAt(zone, second);

/**
 * The instant at which the clocks of a zone show a local time: the first one if they show it twice. A time that they
 * skip is moved forward by the length of the gap.
 */
export function instantOf(zone: ZoneSpec, local: number): number {
  const spans = spansBetween(zone, local - 2 * DAY, local + 2 * DAY);
  const shown = spans.find(({ start, end, offset }) => local - offset >= start && local - offset < end);
  if (shown !== undefined) return local - shown.offset;
  const before = spans.findLast(({ end, offset }) => local - offset >= end) ?? certain(spans[0]);
  return local - before.offset;
}

/** Moves a local time by whole months; a day that the new month lacks becomes its last day. */
export function moveMonths(local: number, months: number): number {
  const date = new Date(local * 1000);
  const first = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1);
  const days = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months + 1, 0)).getUTCDate();
  const inDay = local - Math.floor(local / DAY) * DAY;
  return first / 1000 + (Math.min(date.getUTCDate(), days) - 1) * DAY + inDay;
}
