import { type LocalTime, whole } from './period.ts';

/** A zone's offset at an instant (epoch ms), in ms east of UTC. Throws `RangeError` for an unknown zone. */
export function offsetAt(zone: string, instant: number): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(instant);
  const part = (type: string): number => Number(parts.find((each) => each.type === type)?.value);
  const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return local - Math.floor(instant / 1000) * 1000;
}

/**
 * Adds the zone's offset to a local time, `2026-10-01T00:00:00-04:00`; for a repeated time that of its first instant.
 */
export function instantOf(local: LocalTime, zone: string): string {
  const clock = Date.parse(`${whole(local)}Z`);
  const before = offsetAt(zone, clock - 86_400_000);
  const guess = clock - before;
  const offset = offsetAt(zone, guess) === before ? before : offsetAt(zone, clock - offsetAt(zone, guess));
  return `${whole(local)}${shownOffset(offset)}`;
}

function shownOffset(offset: number): string {
  const minutes = Math.round(Math.abs(offset) / 60_000);
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
