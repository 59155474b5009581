import { ImportFault } from './import-fault.ts';

const DAY = 86_400_000_000; // microseconds

/** Turns a wall clock of a zone, in microseconds as if it were UTC, into microseconds since 1970. */
export type ZoneReader = (wall: number) => number;

/**
 * The reader of an IANA zone. A time that the clock skips is read by the offset before the gap, so it moves on by the
 * gap's length; of a time that comes twice the first is taken (as java.time does). Throws `ImportFault` for no zone.
 */
export function zoneReader(zone: string): ZoneReader {
  if (/^(UTC|Z|Etc\/UTC|GMT)$/i.test(zone)) return (wall) => wall;
  const offsetAt = offsets(zone);
  const constant = new Map<number, number | undefined>(); // day → its offset, undefined where it changes near it
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

/** The offset that holds from a day before to a day after, else undefined. Zones do not change twice in three days. */
function steadyOffset(offsetAt: ZoneReader, day: number): number | undefined {
  const offset = offsetAt((day - 1) * DAY);
  return offset === offsetAt((day + 2) * DAY) ? offset : undefined;
}

/** Microseconds east of UTC at an instant. */
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
