import type { Site } from '../access/site-fields.ts';
import type { Faults } from '../errors.ts';
import { A_BOOLEAN, A_TIME } from '../http/takes.ts';
import { isJsonObject, type UncheckedObject } from '../json.ts';
import { WEEK_DAYS } from '../vocabulary.ts';
import type { ZoneSpec } from '../zone.ts';
import { isTimeZone, offsetAt } from '../zone.ts';
import { COMPARED_PERIODS, comparedRange } from './comparison.ts';
import { type Moment, readMoment } from './iso-moment.ts';
import { MOST_UNITS, type RelativeTime, relativeRange, TIME_UNITS } from './relative-time.ts';
import type { Range, WindowSize } from './windows.ts';
import { ALL_TIME, shownOffset, WINDOW_SIZES } from './windows.ts';

/** The range of a report and how it is cut into windows. */
export interface ReportTime {
  readonly min: number; // s since 1970, inclusive
  readonly max: number; // s, exclusive, not below min
  readonly size: WindowSize;
  readonly zone: ZoneSpec;
  readonly weekStart: number; // 0 Monday … 6 Sunday
  readonly compared?: Range | undefined; // the range to compare with
  readonly until?: number | undefined; // s: with a comparison the end of what there is, `max` or the moment of the request
  readonly all?: true; // min and max stand for all time, until `withAllTime` has found them
  readonly isEmpty?: true; // of all time: there is no fact, so no row
  readonly extras?: UncheckedObject | undefined; // the extensions in the request, as sent
}

/** The settings of the site that a report uses. */
export type ReportSite = Pick<Site, 'timeZone' | 'weekStart'>;

/** What the reading of a request's time depends on. */
export interface TimeReading {
  readonly site: ReportSite;
  readonly now: number; // epoch ms
  readonly faults: Faults;
}

const EXTENSIONS = ['time_zone', 'all', 'last', 'unit', 'including_current', 'compare'] as const;

/** A time without what it is compared with, and the relative time that it was read from. */
type ReadTime = Omit<ReportTime, 'compared' | 'until' | 'extras'> & {
  readonly relative?: Pick<RelativeTime, 'last' | 'unit'>;
};

/** Reads `time`; undefined if faults leave no usable range. */
export function readTime(sent: unknown, reading: TimeReading): ReportTime | undefined {
  const { faults } = reading;
  if (sent === undefined) {
    faults.explain('blank', ['time'], { takes: A_RANGE });
    return undefined;
  }
  if (!isJsonObject(sent)) {
    faults.explain('invalid', ['time'], { sent, takes: A_RANGE });
    return undefined;
  }
  const isAll = readTrue(sent, 'all', faults);
  const readRange = isAll ? readAll : (sent.last ?? null) === null ? readAbsolute : readRelative;
  const read = readRange(sent, reading);
  const extras = pickExtras(sent);
  if (read === undefined) {
    readCompare(sent.compare ?? null, undefined, faults);
    return undefined;
  }
  const { relative, ...time } = read;
  const now = Math.floor(reading.now / 1000);
  const compared = readCompare(sent.compare ?? null, { ...read, now }, faults);
  return { ...time, compared, ...(compared && { until: Math.min(time.max, now) }), extras };
}

function pickExtras(sent: UncheckedObject): UncheckedObject | undefined {
  const names = EXTENSIONS.filter((name) => Object.hasOwn(sent, name));
  return names.length === 0 ? undefined : Object.fromEntries(names.map((name) => [name, sent[name]]));
}

function readAbsolute(body: UncheckedObject, { site, faults }: TimeReading): ReadTime | undefined {
  const min = momentOf(body, ['time', 'min'], faults);
  const max = momentOf(body, ['time', 'max'], faults);
  if (min !== undefined && max !== undefined && min.second > max.second)
    faults.explain('invalid', ['time', 'max'], AFTER_MAX);
  const { size, timeZone } = readCut(body, faults);
  readUnit(body, faults);
  readTrue(body, 'including_current', faults);
  if (min === undefined || max === undefined || size === undefined || timeZone === undefined) return undefined;
  const zone = chooseZone(timeZone, site.timeZone, min);
  if (!hasFourDigitYear(zone, min.second)) faults.explain('invalid', ['time', 'min'], OTHER_YEARS);
  if (!hasFourDigitYear(zone, max.second)) faults.explain('invalid', ['time', 'max'], OTHER_YEARS);
  return { min: min.second, max: max.second, size, zone, weekStart: weekStartOf(site) };
}

/** All time; the range is found with the facts of the site. */
function readAll(body: UncheckedObject, { site, faults }: TimeReading): ReadTime | undefined {
  if (['min', 'max', 'last', 'unit'].some((name) => (body[name] ?? null) !== null))
    faults.explain('invalid', ['time', 'all'], NOT_ALL);
  if ((body.compare ?? null) !== null) faults.explain('invalid', ['time', 'compare'], NOTHING_BEFORE);
  readTrue(body, 'including_current', faults);
  const { size, timeZone } = readCut(body, faults);
  if (size === undefined || timeZone === undefined) return undefined;
  return { ...ALL_TIME, all: true, size, zone: { name: timeZone ?? site.timeZone }, weekStart: weekStartOf(site) };
}

function readRelative(body: UncheckedObject, { site, now, faults }: TimeReading): ReadTime | undefined {
  const { last } = body;
  const isCount = typeof last === 'number' && Number.isInteger(last) && last >= 1 && last <= MOST_UNITS;
  if (!isCount) faults.explain('invalid', ['time', 'last'], { sent: last, takes: SOME_UNITS });
  else if ((body.min ?? null) !== null || (body.max ?? null) !== null)
    faults.explain('invalid', ['time', 'last'], NOT_BOTH);
  const unit = readUnit(body, faults);
  if (unit === null) faults.explain('blank', ['time', 'unit'], { takes: `one of ${TIME_UNITS.join(', ')}` });
  const { size, timeZone } = readCut(body, faults);
  const includingCurrent = readTrue(body, 'including_current', faults);
  if (!isCount || !unit || size === undefined || timeZone === undefined) return undefined;
  const zone = { name: timeZone ?? site.timeZone };
  const weekStart = weekStartOf(site);
  const range = relativeRange({ last, unit, includingCurrent }, zone, weekStart, Math.floor(now / 1000));
  if (!hasFourDigitYear(zone, range.min)) faults.explain('invalid', ['time', 'last'], OTHER_YEARS);
  return { ...range, size, zone, weekStart, relative: { last, unit } };
}

const weekStartOf = ({ weekStart }: ReportSite): number => WEEK_DAYS.indexOf(weekStart);

const A_RANGE =
  'an object such as {"min": "2026-01-01T00:00:00Z", "max": "2026-02-01T00:00:00Z", "window_size": "day"}';
const SOME_UNITS = `a whole number from 1 to ${MOST_UNITS}`;
const A_COMPARISON = `${COMPARED_PERIODS.join(', ')}, an object with min and max, or null`;
const AFTER_MAX = { message: 'max is before min.' };
const NOT_ALL = { message: 'A time with all has neither last and unit, nor min and max.' };
const NOTHING_BEFORE = { message: 'Nothing lies before all time, so there is nothing to compare with.' };
const NOT_BOTH = { message: 'A time has either last and unit, or min and max.' };
const OTHER_YEARS = { message: 'The time leaves the years 0000 to 9999 on the clock of the report.' };
const BEFORE_1970 = { message: 'The range to compare with begins before 1970.' };
const NO_ZONE = { message: 'time.time_zone is not a zone of the IANA list, such as America/New_York.' };

/** Reads how the range is cut into windows; a faulty part is undefined. */
function readCut(
  body: UncheckedObject,
  faults: Faults,
): { size: WindowSize | undefined; timeZone: string | null | undefined } {
  const size = requiredText(body, ['time', 'window_size'], `one of ${WINDOW_SIZES.join(', ')}`, faults);
  if (size !== undefined && !isOneOf(WINDOW_SIZES, size))
    faults.explain('invalid', ['time', 'window_size'], { sent: size, allowed: WINDOW_SIZES });
  const timeZone = body.time_zone ?? null;
  const isZone = timeZone === null || (typeof timeZone === 'string' && isTimeZone(timeZone));
  if (!isZone) faults.explain('invalid', ['time', 'time_zone'], NO_ZONE);
  return { size: isOneOf(WINDOW_SIZES, size) ? size : undefined, timeZone: isZone ? timeZone : undefined };
}

/** Reads `time.unit`: null if it is absent, undefined if it is faulty. */
function readUnit(body: UncheckedObject, faults: Faults): RelativeTime['unit'] | null | undefined {
  const unit = body.unit ?? null;
  if (unit === null || isOneOf(TIME_UNITS, unit)) return unit;
  faults.explain('invalid', ['time', 'unit'], { sent: unit, allowed: TIME_UNITS });
  return undefined;
}

function readTrue(body: UncheckedObject, name: 'all' | 'including_current', faults: Faults): boolean {
  const sent = body[name] ?? false;
  if (typeof sent !== 'boolean') faults.explain('invalid', ['time', name], { sent, takes: A_BOOLEAN });
  return sent === true;
}

/** Reads `time.compare` as a range; if `time` itself is faulty, only the checks that do not need it are made. */
function readCompare(
  sent: unknown,
  time: (ReadTime & { readonly now: number }) | undefined,
  faults: Faults,
): Range | undefined {
  if (sent === null) return undefined;
  if (isOneOf(COMPARED_PERIODS, sent)) {
    const range = time && comparedRange(time, sent);
    if (range !== undefined && range.min < 0) faults.explain('invalid', ['time', 'compare'], BEFORE_1970);
    return range;
  }
  if (!isJsonObject(sent)) {
    faults.explain('invalid', ['time', 'compare'], { sent, takes: A_COMPARISON });
    return undefined;
  }
  const min = momentOf(sent, ['time', 'compare', 'min'], faults);
  const max = momentOf(sent, ['time', 'compare', 'max'], faults);
  if (min !== undefined && min.second < 0) faults.explain('invalid', ['time', 'compare', 'min'], BEFORE_1970);
  if (min === undefined || max === undefined) return undefined;
  const isLate = time !== undefined && !hasFourDigitYear(time.zone, max.second);
  if (min.second > max.second || isLate)
    faults.explain('invalid', ['time', 'compare', 'max'], isLate ? OTHER_YEARS : AFTER_MAX);
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

function momentOf(body: UncheckedObject, path: readonly string[], faults: Faults): Moment | undefined {
  const text = requiredText(body, path, A_TIME, faults);
  const moment = text === undefined ? undefined : readMoment(text);
  if (text !== undefined && moment === undefined) faults.explain('invalid', path, { sent: text, takes: A_TIME });
  return moment;
}

/** Reads the text of `body` under the last name of `path`; undefined, and a fault at `path`, if it has none. */
function requiredText(
  body: UncheckedObject,
  path: readonly string[],
  takes: string,
  faults: Faults,
): string | undefined {
  const sent = body[path.at(-1) ?? ''];
  if (typeof sent === 'string' && sent.trim() !== '') return sent;
  const blank = sent === undefined || sent === null || typeof sent === 'string';
  faults.explain(blank ? 'blank' : 'invalid', path, { sent, takes });
  return undefined;
}

const isOneOf = <T extends string>(values: readonly T[], value: unknown): value is T =>
  values.some((known) => known === value);
