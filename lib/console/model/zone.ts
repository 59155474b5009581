import { clockAt, instantOf } from '../../zone.ts';
import { type LocalTime, whole } from './period.ts';

/** A local time of a zone with its offset, `2026-10-01T00:00:00-04:00`. Throws `RangeError` for an unknown zone. */
export function zonedText(local: LocalTime, zone: string): string {
  const clock = Date.parse(`${whole(local)}Z`) / 1000;
  return `${whole(local)}${shownOffset(clock - instantOf({ name: zone }, clock))}`;
}

/** What the clocks of a zone show at an instant in ISO 8601. */
export const localIn = (zone: string, instant: string): LocalTime =>
  new Date(clockAt({ name: zone }, Date.parse(instant) / 1000) * 1000).toISOString().slice(0, 19);

function shownOffset(offset: number): string {
  const minutes = Math.round(Math.abs(offset) / 60);
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
