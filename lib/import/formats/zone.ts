import { instantOf, spansBetween, type ZoneSpec } from '../../zone.ts';
import { ImportFault } from './import-fault.ts';

const DAY = 86_400; // s
const MICRO = 1_000_000; // microseconds in a second

/** Converts a local time, in microseconds taken as UTC, into microseconds since 1970. */
export type ZoneReader = (wall: number) => number;

/**
 * Returns the reader of an IANA zone, by the rules of `instantOf` for times that the clock skips or shows twice. Throws
 * `ImportFault` if there is no such zone.
 */
export function zoneReader(zone: string): ZoneReader {
  if (/^(UTC|Z|Etc\/UTC|GMT)$/i.test(zone)) return (wall) => wall;
  const spec: ZoneSpec = { name: zone };
  const offsets = new Map<number, number | undefined>(); // local day → offset, s; undefined if it changes near that day
  try {
    spansBetween(spec, 0, 1);
  } catch {
    throw new ImportFault(`"${zone}" is not a time zone: name one such as "UTC" or "Europe/Berlin".`);
  }
  return (wall) => {
    const day = Math.floor(wall / (DAY * MICRO));
    if (!offsets.has(day)) offsets.set(day, steadyOffset(spec, day));
    const offset = offsets.get(day);
    if (offset !== undefined) return wall - offset * MICRO;
    const second = Math.floor(wall / MICRO);
    return instantOf(spec, second) * MICRO + (wall - second * MICRO);
  };
}

/** The offset that holds from the day before a local day to the day after it, else undefined. */
function steadyOffset(zone: ZoneSpec, day: number): number | undefined {
  const [only, ...others] = spansBetween(zone, (day - 1) * DAY, (day + 2) * DAY);
  return others.length === 0 ? only?.offset : undefined;
}
