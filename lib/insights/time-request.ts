import { isTimeZone, type Site } from '../access/sites.ts';
import type { Faults } from '../errors.ts';
import { clockMicros, readIso } from '../history/cases/instant.ts';
import { WEEK_DAYS } from '../vocabulary.ts';
import { COMPARED_PERIODS, comparedRange } from './comparison.ts';
import { MOST_UNITS, type RelativeTime, relativeRange, TIME_UNITS } from './relative-time.ts';
import type { Range, WindowSize } from './windows.ts';
import { shownOffset, WINDOW_SIZES } from './windows.ts';
import type { ZoneSpec } from './zone.ts';
import { offsetAt } from './zone.ts';

/** The range of a report and how it is cut into windows. */
export interface ReportTime {
  readonly min: number; // s since 1970, inclusive
  readonly max: number; // s, exclusive, not below min
  readonly size: WindowSize;
  readonly zone: ZoneSpec;
  readonly weekStart: number; // 0 Monday … 6 Sunday
  readonly timeZone: string | null; // `time.time_zone` as sent
  readonly compared?: Range; // the range to compare with
  readonly extras?: Body; // the extensions in the request, as sent
}

/** The settings of the site that a report uses. */
export type ReportSite = Pick<Site, 'timeZone' | 'weekStart'>;

/** What the reading of a request's time depends on. */
export interface TimeReading {
  readonly site: ReportSite;
  readonly now: number; // epoch ms
  readonly faults: Faults;
}

type Body = Readonly<Record<string, unknown>>;

const EXTENSIONS = ['last', 'unit', 'including_current', 'compare'] as const;

/** Reads `time`; undefined if faults leave no usable range. */
export function readTime(sent: unknown, reading: TimeReading): ReportTime | undefined {
  const { faults } = reading;
  if (sent === undefined) {
    faults.add('blank', 'time');
    return undefined;
  }
  if (!isObject(sent)) {
    faults.add('invalid', 'time');
    return undefined;
  }
  const read = (sent.last ?? null) === null ? readAbsolute(sent, reading) : readRelative(sent, reading);
  const extras = pickExtras(sent);
  if (read === undefined) {
    readCompare(sent.compare ?? null, undefined, faults);
    return undefined;
  }
  const compared = readCompare(sent.compare ?? null, read, faults);
  return { ...read, ...(compared === undefined ? {} : { compared }), ...(extras === undefined ? {} : { extras }) };
}

function pickExtras(sent: Body): Body | undefined {
  const names = EXTENSIONS.filter((name) => Object.hasOwn(sent, name));
  return names.length === 0 ? undefined : Object.fromEntries(names.map((name) => [name, sent[name]]));
}

function readAbsolute(body: Body, { site, faults }: TimeReading): ReportTime | undefined {
  const min = readMoment(body, ['time', 'min'], faults);
  const max = readMoment(body, ['time', 'max'], faults);
  if (min !== undefined && max !== undefined && min.second > max.second) faults.add('invalid', 'time', 'max');
  const { size, timeZone } = readCut(body, faults);
  readUnit(body, faults);
  readIncluding(body, faults);
  if (min === undefined || max === undefined || size === undefined || timeZone === undefined) return undefined;
  const zone = chooseZone(timeZone, site.timeZone, min);
  if (!hasFourDigitYear(zone, min.second)) faults.add('invalid', 'time', 'min');
  if (!hasFourDigitYear(zone, max.second)) faults.add('invalid', 'time', 'max');
  return { min: min.second, max: max.second, size, zone, weekStart: weekStartOf(site), timeZone };
}

function readRelative(body: Body, { site, now, faults }: TimeReading): ReportTime | undefined {
  const { last } = body;
  const isCount = typeof last === 'number' && Number.isInteger(last) && last >= 1 && last <= MOST_UNITS;
  if (!isCount || (body.min ?? null) !== null || (body.max ?? null) !== null) faults.add('invalid', 'time', 'last');
  const unit = readUnit(body, faults);
  if (unit === null) faults.add('blank', 'time', 'unit');
  const { size, timeZone } = readCut(body, faults);
  const includingCurrent = readIncluding(body, faults);
  if (!isCount || !unit || size === undefined || timeZone === undefined) return undefined;
  const zone = { name: timeZone ?? site.timeZone };
  const weekStart = weekStartOf(site);
  const range = relativeRange({ last, unit, includingCurrent }, zone, weekStart, Math.floor(now / 1000));
  if (!hasFourDigitYear(zone, range.min)) faults.add('invalid', 'time', 'last');
  return { ...range, size, zone, weekStart, timeZone };
}

const weekStartOf = ({ weekStart }: ReportSite): number => WEEK_DAYS.indexOf(weekStart);

const NO_ZONE = { message: 'time.time_zone is not a zone of the IANA list, such as America/New_York.' };

/** Reads how the range is cut into windows; a faulty part is undefined. */
function readCut(body: Body, faults: Faults): { size: WindowSize | undefined; timeZone: string | null | undefined } {
  const size = requiredText(body, ['time', 'window_size'], faults);
  if (size !== undefined && !isOneOf(WINDOW_SIZES, size))
    faults.explain('invalid', ['time', 'window_size'], { sent: size, allowed: WINDOW_SIZES });
  const timeZone = body.time_zone ?? null;
  const isZone = timeZone === null || (typeof timeZone === 'string' && isTimeZone(timeZone));
  if (!isZone) faults.explain('invalid', ['time', 'time_zone'], NO_ZONE);
  return { size: isOneOf(WINDOW_SIZES, size) ? size : undefined, timeZone: isZone ? timeZone : undefined };
}

/** Reads `time.unit`: null if it is absent, undefined if it is faulty. */
function readUnit(body: Body, faults: Faults): RelativeTime['unit'] | null | undefined {
  const unit = body.unit ?? null;
  if (unit === null || isOneOf(TIME_UNITS, unit)) return unit;
  faults.explain('invalid', ['time', 'unit'], { sent: unit, allowed: TIME_UNITS });
  return undefined;
}

function readIncluding(body: Body, faults: Faults): boolean {
  const including = body.including_current ?? false;
  if (typeof including !== 'boolean') faults.add('invalid', 'time', 'including_current');
  return including === true;
}

/** Reads `time.compare` as a range; if `time` itself is faulty, only the checks that do not need it are made. */
function readCompare(sent: unknown, time: ReportTime | undefined, faults: Faults): Range | undefined {
  if (sent === null) return undefined;
  if (isOneOf(COMPARED_PERIODS, sent)) {
    const range = time && comparedRange(time, sent);
    if (range !== undefined && range.min < 0) faults.add('invalid', 'time', 'compare');
    return range;
  }
  if (!isObject(sent)) {
    faults.add('invalid', 'time', 'compare');
    return undefined;
  }
  const min = readMoment(sent, ['time', 'compare', 'min'], faults);
  const max = readMoment(sent, ['time', 'compare', 'max'], faults);
  if (min !== undefined && min.second < 0) faults.add('invalid', 'time', 'compare', 'min');
  if (min === undefined || max === undefined) return undefined;
  const isLate = time !== undefined && !hasFourDigitYear(time.zone, max.second);
  if (min.second > max.second || isLate) faults.add('invalid', 'time', 'compare', 'max');
  return { min: min.second, max: max.second };
}

/** RFC 3339 can show only years of four digits; the zone's offset may move an instant into another year. */
function hasFourDigitYear(zone: ZoneSpec, second: number): boolean {
  const local = second + shownOffset(zone, second);
  return local >= YEAR_0 && local < YEAR_10_000;
}

const YEAR_0 = -62_167_219_200; // s since 1970
const YEAR_10_000 = 253_402_300_800;

/** The zone named, else the site's if its offset at `min` is the one sent, else that offset. */
function chooseZone(timeZone: string | null, siteZone: string, min: Moment): ZoneSpec {
  if (timeZone !== null) return { name: timeZone };
  const site = { name: siteZone };
  return offsetAt(site, min.second) === min.offset ? site : { offset: min.offset };
}

interface Moment {
  readonly second: number; // s since 1970
  readonly offset: number; // s east of UTC, as sent
}

function readMoment(body: Body, path: readonly string[], faults: Faults): Moment | undefined {
  const text = requiredText(body, path, faults);
  if (text === undefined) return undefined;
  const read = readIso(text);
  const local = read && clockMicros(read.clock);
  if (read?.offset === undefined || local === undefined) {
    faults.add('invalid', ...path);
    return undefined;
  }
  return { second: Math.floor((local - read.offset) / 1_000_000), offset: read.offset / 1_000_000 };
}

/** Reads the text of `body` under the last name of `path`; undefined, and a fault at `path`, if it has none. */
function requiredText(body: Body, path: readonly string[], faults: Faults): string | undefined {
  const sent = body[path.at(-1) ?? ''];
  if (typeof sent === 'string' && sent.trim() !== '') return sent;
  const blank = sent === undefined || sent === null || typeof sent === 'string';
  faults.add(blank ? 'blank' : 'invalid', ...path);
  return undefined;
}

const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isOneOf = <T extends string>(values: readonly T[], value: unknown): value is T =>
  values.some((known) => known === value);
