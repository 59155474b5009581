import type { Site } from '../access/sites.ts';
import { isTimeZone, WEEK_DAYS } from '../access/sites.ts';
import { Faults } from '../errors.ts';
import { clockMicros, readIso } from '../history/cases/instant.ts';
import { type DimensionName, isDimensionName } from './dimensions.ts';
import { type FieldName, isFieldName } from './fields.ts';
import { readFilters } from './filter-request.ts';
import type { Filters } from './filters.ts';
import type { Member } from './reference.ts';
import type { WindowSize } from './windows.ts';
import { shownOffset, WINDOW_SIZES, zonedTime } from './windows.ts';
import type { ZoneSpec } from './zone.ts';
import { offsetAt } from './zone.ts';

/** A report as it was asked for, checked and with its zone chosen. */
export interface ReportRequest {
  readonly fields: readonly FieldName[];
  readonly time: ReportTime;
  readonly dimension1: DimensionName | null;
  readonly dimension1_values: readonly Member[] | null;
  readonly dimension2: DimensionName | null;
  readonly dimension2_values: readonly Member[] | null;
  readonly filters: Filters | null;
}

/** The range of a report and how it is cut. */
export interface ReportTime {
  readonly min: number; // s since 1970, inclusive
  readonly max: number; // s, exclusive, not below min
  readonly size: WindowSize;
  readonly zone: ZoneSpec;
  readonly weekStart: number; // 0 Monday … 6 Sunday
  readonly timeZone: string | null; // `time.time_zone` as sent
}

/** What a report needs of its site. */
export type ReportSite = Pick<Site, 'timeZone' | 'weekStart'>;

/** Reads the body of a report; throws the 422 that names every fault of it, with those known before. */
export function readRequest(
  body: Readonly<Record<string, unknown>>,
  site: ReportSite,
  faults = new Faults(),
): ReportRequest {
  const fields = readFields(body.fields, faults);
  const time = readTime(body.time, site, faults);
  const dimension1 = readDimension(body, 'dimension1', faults);
  const dimension2 = readDimension(body, 'dimension2', faults);
  if (dimension1 !== null && dimension1 === dimension2) faults.add('invalid', 'dimension2');
  const request = {
    fields,
    dimension1,
    dimension1_values: readValues(body, 'dimension1_values', faults),
    dimension2,
    dimension2_values: readValues(body, 'dimension2_values', faults),
    filters: readFilters(body.filters, faults),
  };
  faults.check();
  if (time === undefined) throw new Error('a request without faults has a time');
  return { ...request, time };
}

/** The request as a report shows it: all optional fields present (insights.md rule 3). */
export function echoRequest(request: ReportRequest): Record<string, unknown> {
  const { time, filters } = request;
  return {
    fields: request.fields,
    time: {
      min: zonedTime(time.zone, time.min),
      max: zonedTime(time.zone, time.max),
      window_size: time.size,
      time_zone: time.timeZone,
    },
    dimension1: request.dimension1,
    dimension1_values: request.dimension1_values,
    dimension2: request.dimension2,
    dimension2_values: request.dimension2_values,
    filters:
      filters?.map((group) =>
        group.map(({ action, object, match, text, caseSensitive, ids }) => [
          action,
          object,
          match,
          text,
          caseSensitive,
          ids,
        ]),
      ) ?? null,
  };
}

type Body = Readonly<Record<string, unknown>>;

const isOneOf = <T extends string>(values: readonly T[], value: unknown): value is T =>
  values.some((known) => known === value);

function readFields(sent: unknown, faults: Faults): FieldName[] {
  if (sent === undefined || (Array.isArray(sent) && sent.length === 0)) {
    faults.add('blank', 'fields');
    return [];
  }
  const names: unknown[] = Array.isArray(sent) ? sent : [sent];
  const known = names.filter(isFieldName);
  const sound = Array.isArray(sent) && known.length === names.length && new Set(known).size === known.length;
  if (!sound) faults.add('invalid', 'fields');
  return known;
}

function readTime(sent: unknown, site: ReportSite, faults: Faults): ReportTime | undefined {
  if (sent === undefined) {
    faults.add('blank', 'time');
    return undefined;
  }
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
    faults.add('invalid', 'time');
    return undefined;
  }
  const body: Body = { ...sent };
  const min = readMoment(body, 'min', faults);
  const max = readMoment(body, 'max', faults);
  if (min !== undefined && max !== undefined && min.second > max.second) faults.add('invalid', 'time', 'max');
  const size = requiredText(body, 'window_size', faults);
  if (size !== undefined && !isOneOf(WINDOW_SIZES, size)) faults.add('invalid', 'time', 'window_size');
  const timeZone = body.time_zone ?? null;
  const isZone = timeZone === null || (typeof timeZone === 'string' && isTimeZone(timeZone));
  if (!isZone) faults.add('invalid', 'time', 'time_zone');
  if (min === undefined || max === undefined || !isOneOf(WINDOW_SIZES, size) || !isZone) return undefined;
  const zone = chooseZone(timeZone, site.timeZone, min);
  if (!hasFourDigitYear(zone, min.second)) faults.add('invalid', 'time', 'min');
  if (!hasFourDigitYear(zone, max.second)) faults.add('invalid', 'time', 'max');
  return {
    min: min.second,
    max: max.second,
    size,
    zone,
    weekStart: WEEK_DAYS.indexOf(site.weekStart),
    timeZone,
  };
}

/** RFC 3339 knows no other years, and the zone of the report may carry an instant into one. */
function hasFourDigitYear(zone: ZoneSpec, second: number): boolean {
  const local = second + shownOffset(zone, second);
  return local >= YEAR_0 && local < YEAR_10_000;
}

const YEAR_0 = -62_167_219_200; // s since 1970
const YEAR_10_000 = 253_402_300_800;

/** The zone named, else the site's if its offset at `min` is the one sent, else that offset (insights.md rule 2). */
function chooseZone(timeZone: string | null, siteZone: string, min: Moment): ZoneSpec {
  if (timeZone !== null) return { name: timeZone };
  const site = { name: siteZone };
  return offsetAt(site, min.second) === min.offset ? site : { offset: min.offset };
}

interface Moment {
  readonly second: number; // s since 1970
  readonly offset: number; // s east of UTC, as sent
}

function readMoment(time: Body, name: 'min' | 'max', faults: Faults): Moment | undefined {
  const text = requiredText(time, name, faults);
  if (text === undefined) return undefined;
  const read = readIso(text);
  const local = read && clockMicros(read.clock);
  if (read?.offset === undefined || local === undefined) {
    faults.add('invalid', 'time', name);
    return undefined;
  }
  return { second: Math.floor((local - read.offset) / 1_000_000), offset: read.offset / 1_000_000 };
}

function requiredText(time: Body, name: string, faults: Faults): string | undefined {
  const sent = time[name];
  if (typeof sent === 'string' && sent.trim() !== '') return sent;
  const blank = sent === undefined || sent === null || typeof sent === 'string';
  faults.add(blank ? 'blank' : 'invalid', 'time', name);
  return undefined;
}

function readDimension(body: Body, name: 'dimension1' | 'dimension2', faults: Faults): DimensionName | null {
  const sent = body[name] ?? null;
  if (sent === null || isDimensionName(sent)) return sent;
  faults.add('invalid', name);
  return null;
}

function readValues(body: Body, name: 'dimension1_values' | 'dimension2_values', faults: Faults): Member[] | null {
  const sent = body[name] ?? null;
  if (sent === null) return null;
  const isMember = (value: unknown): value is Member => typeof value === 'string' || Number.isSafeInteger(value);
  if (Array.isArray(sent) && sent.every(isMember)) return sent;
  faults.add('invalid', name);
  return null;
}
