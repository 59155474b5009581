import { certain } from './certain.ts';

/** A zone as plain data: an IANA name, or a fixed offset in seconds east of UTC. */
export type ZoneSpec = { readonly name: string } | { readonly offset: number };

/** A stretch of time in which a zone keeps one offset. */
export interface Span {
  readonly start: number; // s, inclusive
  readonly end: number; // s, exclusive
  readonly offset: number; // s east of UTC
}

/** The offset of a zone at an instant (s since 1970), in seconds east of UTC. */
export function offsetAt(zone: ZoneSpec, second: number): number {
  if ('offset' in zone) return zone.offset;
  const known = blocks.get(blockKey(zone.name, Math.floor(second / BLOCK)));
  return known?.find(({ end }) => second < end)?.offset ?? formattedOffset(zone.name, second);
}

function formattedOffset(name: string, second: number): number {
  const text = formatter(name).format(second * 1000);
  const [, sign, hours, minutes, seconds = '0'] = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(text) ?? [];
  if (sign === undefined) return 0;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
}

/** The spans of one offset that cover [from, to), in order and without gaps; the first may start before `from`. */
export function spansBetween(zone: ZoneSpec, from: number, to: number): Span[] {
  if ('offset' in zone) return [{ start: from, end: to, offset: zone.offset }];
  const spans: Span[] = [];
  for (let block = Math.floor(from / BLOCK); block * BLOCK < to; block += 1) {
    for (const span of blockSpans(zone.name, block)) {
      const last = spans.at(-1);
      if (last?.offset === span.offset) spans[spans.length - 1] = { ...last, end: span.end };
      else if (span.end > from && span.start < to) spans.push(span);
    }
  }
  return spans;
}

/** The local time of a zone at an instant, both in seconds since 1970. */
export const clockAt = (zone: ZoneSpec, second: number): number => second + offsetAt(zone, second);

/**
 * The instant at which the clocks of a zone show a local time, both in seconds since 1970: the first one if they show it
 * twice. A time that they skip is moved forward by the length of the gap (as java.time does). Throws `RangeError` for an
 * unknown zone.
 */
export function instantOf(zone: ZoneSpec, local: number): number {
  const spans = spansBetween(zone, local - 2 * DAY, local + 2 * DAY);
  const shown = spans.find(({ start, end, offset }) => local - offset >= start && local - offset < end);
  if (shown !== undefined) return local - shown.offset;
  const before = spans.findLast(({ end, offset }) => local - offset >= end) ?? certain(spans[0]);
  return local - before.offset;
}

const DAY = 86_400; // s
const BLOCK = 2 ** 25; // s, a little over a year: spans are computed and cached by block
const STEP = 2 ** 19; // s, about six days: since 1970 no zone has changed its offset and back within as long
const MOST_BLOCKS = 4096; // cached at once

const formatters = new Map<string, Intl.DateTimeFormat>();
const blocks = new Map<string, readonly Span[]>();
const blockKey = (name: string, block: number): string => `${name} ${block}`;

/** Loads the time zone data of Node ahead of the first report: its first use takes 22 ms. */
export function loadZones(): void {
  formattedOffset('UTC', 0);
}

/** Returns the cached formatter of a zone: making one takes 50 times as long as using it. */
function formatter(name: string): Intl.DateTimeFormat {
  const known = formatters.get(name);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
  formatters.set(name, made);
  return made;
}

function blockSpans(name: string, block: number): readonly Span[] {
  const key = blockKey(name, block);
  const known = blocks.get(key);
  if (known !== undefined) return known;
  const spans: Span[] = [];
  const blockEnd = (block + 1) * BLOCK;
  let start = block * BLOCK;
  let offset = formattedOffset(name, start);
  for (let at = start + STEP; at <= blockEnd; at += STEP) {
    const next = formattedOffset(name, at);
    if (next === offset) continue;
    const end = changeBetween(name, at - STEP, at, offset);
    spans.push({ start, end, offset });
    start = end;
    offset = next;
  }
  if (start < blockEnd) spans.push({ start, end: blockEnd, offset });
  if (blocks.size >= MOST_BLOCKS) blocks.clear();
  blocks.set(key, spans);
  return spans;
}

/** The first second after `from` at which the offset is no longer the one at `from`. */
function changeBetween(name: string, from: number, to: number, offset: number): number {
  let [before, after] = [from, to];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (formattedOffset(name, middle) === offset) before = middle;
    else after = middle;
  }
  return after;
}

/** The remainder of a division, from 0 to `by` (exclusive) for negative values, too. */
export const modulo = (value: number, by: number): number => ((value % by) + by) % by;

/** Whether this runtime knows a time zone by this IANA name. */
export function isTimeZone(name: string): boolean {
  if (zones.has(name)) return true;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
  } catch {
    return false;
  }
  if (!/^[A-Za-z]/.test(name)) return false;
  if (zones.size >= ZONES) zones.clear(); // bounded: case does not matter, so one zone has many spellings
  zones.add(name);
  return true;
}

const ZONES = 1000;
const zones = new Set<string>(); // names known to be zones: a lookup takes half a millisecond
