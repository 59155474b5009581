import { ImportFault } from './import-fault.ts';

const DAY = 86_400_000_000; // microseconds

/** Converts a local time, in microseconds taken as UTC, into microseconds since 1970. */
export type ZoneReader = (wall: number) => number;

/**
 * Returns the reader of an IANA zone. A time that the clock skips is read with the offset before the gap, so it moves
 * on by the gap's length; of a time that occurs twice the first is taken (as java.time does). Throws `ImportFault` if
 * there is no such zone.
 */
export function zoneReader(zone: string): ZoneReader {
  if (/^(UTC|Z|Etc\/UTC|GMT)$/i.test(zone)) return (wall) => wall;
  const offsetAt = offsets(zone);
  const constant = new Map<number, number | undefined>(); // day → offset; undefined if the offset changes near that day
  return (wall) => {
    const day = Math.floor(wall / DAY);
    if (!constant.has(day)) constant.set(day, steadyOffset(offsetAt, day));
    const known = constant.get(day);
    if (known !== undefined) return wall - known;
    const before = wall - offsetAt(wall - DAY);
    if (offsetAt(before) === wall - before) return before;
    const after = wall - offsetAt(wall + DAY);
    return offsetAt(after) === wall - after ? after : before;
  };
}

/**
 * Returns the offset that holds from the day before to the day after, else undefined. No zone changes twice in three
 * days.
 */
function steadyOffset(offsetAt: ZoneReader, day: number): number | undefined {
  const offset = offsetAt((day - 1) * DAY);
  return offset === offsetAt((day + 2) * DAY) ? offset : undefined;
}

/** Returns a function that gives a zone's offset at an instant, in microseconds east of UTC. */
function offsets(zone: string): ZoneReader {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    throw new ImportFault(`"${zone}" is not a time zone: name one such as "UTC" or "Europe/Berlin".`);
  }
  return (at) => {
    const seconds = Math.floor(at / 1_000_000);
    const part: Record<string, number> = {};
    for (const { type, value } of format.formatToParts(seconds * 1000)) part[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
    return (Date.UTC(year, month - 1, day, hour, minute, second) / 1000 - seconds) * 1_000_000;
  };
}
