import { Faults } from '../errors.ts';
import { A_BOOLEAN } from '../http/takes.ts';
import type { UncheckedObject } from '../json.ts';
import { DIMENSION_NAMES, type DimensionName, isDimensionName } from './definitions/dimensions.ts';
import { FIELD_NAMES, type FieldName, isFieldName } from './definitions/fields.ts';
import type { Filters } from './definitions/filters.ts';
import { readFilters, showFilters } from './filter-request.ts';
import type { Member } from './reference.ts';
import { type ReportSite, type ReportTime, readTime, type TimeReading } from './time-request.ts';
import { zonedTime } from './windows.ts';

/** A checked request of a report, with its time zone chosen. */
export interface ReportRequest {
  readonly fields: readonly FieldName[];
  readonly time: ReportTime;
  readonly dimension1: DimensionName | null;
  readonly dimension1_values: readonly Member[] | null;
  readonly dimension2: DimensionName | null;
  readonly dimension2_values: readonly Member[] | null;
  readonly filters: Filters | null;
  readonly totals?: boolean; // default false
  readonly chance?: boolean; // with a comparison: says which changes chance alone would give; default false
  readonly hours?: Hours; // how durations are measured; default calendar
  readonly extras?: Readonly<Record<string, unknown>>; // the extensions in the request, as sent
  readonly asOf?: number; // s: the moment of the query that answers it, if one was begun before; default: the present
}

/** The dimensions of a request that has none. */
export const NO_DIMENSIONS = { dimension1: null, dimension1_values: null, dimension2: null, dimension2_values: null };

export type { ReportSite } from './time-request.ts';

const EXTENSIONS = ['totals', 'hours', 'chance'] as const;

/** How durations are measured: in all seconds, or only in working time. */
export const HOURS = ['calendar', 'business'] as const;
type Hours = (typeof HOURS)[number];

/**
 * Reads the body of a report; `now` is in epoch ms. Throws a 422 that names its faults and those already in `faults`.
 */
export function readRequest(
  body: UncheckedObject,
  site: ReportSite,
  now: number,
  faults = new Faults(),
): ReportRequest {
  const reading: TimeReading = { site, now, faults };
  const fields = readFields(body.fields, faults);
  const time = readTime(body.time, reading);
  const dimension1 = readDimension(body, 'dimension1', faults);
  const dimension2 = readDimension(body, 'dimension2', faults);
  if (dimension1 !== null && dimension1 === dimension2) faults.explain('invalid', ['dimension2'], SAME_DIMENSION);
  const request = {
    fields,
    dimension1,
    dimension1_values: readValues(body, 'dimension1_values', faults),
    dimension2,
    dimension2_values: readValues(body, 'dimension2_values', faults),
    filters: readFilters(body.filters, faults),
    ...readExtensions(body, faults),
  };
  faults.check();
  if (time === undefined) throw new Error('a request without faults has a time');
  return { ...request, time, ...(request.chance && { chance: time.compared !== undefined }) };
}

/** Reads the extensions apart from those of `time`; an empty object if the request has none. */
function readExtensions(
  body: UncheckedObject,
  faults: Faults,
): Pick<ReportRequest, 'totals' | 'hours' | 'chance' | 'extras'> {
  const names = EXTENSIONS.filter((name) => Object.hasOwn(body, name));
  if (names.length === 0) return {};
  const isTrue = (name: 'totals' | 'chance'): boolean => {
    const sent = body[name] ?? false;
    if (typeof sent !== 'boolean') faults.explain('invalid', [name], { sent, takes: A_BOOLEAN });
    return sent === true;
  };
  const sent = body.hours ?? 'calendar';
  const hours = HOURS.find((known) => known === sent);
  if (hours === undefined) faults.explain('invalid', ['hours'], { sent, noun: 'way to measure', allowed: HOURS });
  return {
    totals: isTrue('totals'),
    chance: isTrue('chance'),
    hours: hours ?? 'calendar',
    extras: Object.fromEntries(names.map((name) => [name, body[name]])),
  };
}

/** The request as a report shows it: all optional fields present, extensions only where the request has them. */
export function echoRequest(request: ReportRequest): Record<string, unknown> {
  const { time, filters } = request;
  return {
    fields: request.fields,
    time: {
      min: zonedTime(time.zone, time.min),
      max: zonedTime(time.zone, time.max),
      window_size: time.size,
      ...time.extras,
      ...(time.until !== undefined && { until: zonedTime(time.zone, time.until) }),
    },
    dimension1: request.dimension1,
    dimension1_values: request.dimension1_values,
    dimension2: request.dimension2,
    dimension2_values: request.dimension2_values,
    filters: filters && showFilters(filters),
    ...request.extras,
  };
}

const SAME_DIMENSION = { message: 'dimension2 is the same as dimension1; it takes another one, or null.' };
const SOME_FIELDS = 'a list of fields such as ["case_creates"]';
const SOME_MEMBERS = 'a list of members such as [5, "7:0123456789abcdef"], or null';

function readFields(sent: unknown, faults: Faults): FieldName[] {
  if (sent === undefined || (Array.isArray(sent) && sent.length === 0)) {
    faults.explain('blank', ['fields'], { takes: SOME_FIELDS });
    return [];
  }
  if (!Array.isArray(sent)) {
    faults.explain('invalid', ['fields'], { sent, takes: SOME_FIELDS });
    return [];
  }
  const names: readonly unknown[] = sent;
  const at = names.findIndex((name, index) => !isFieldName(name) || names.indexOf(name) < index);
  if (at < 0) return names.filter(isFieldName);
  const hint = isFieldName(names[at])
    ? { message: `${names[at]} is in fields twice.` }
    : { sent: names[at], noun: 'field', allowed: FIELD_NAMES };
  faults.explain('invalid', ['fields'], { field: `fields.${at}`, ...hint });
  return names.filter(isFieldName);
}

function readDimension(body: UncheckedObject, name: 'dimension1' | 'dimension2', faults: Faults): DimensionName | null {
  const sent = body[name] ?? null;
  if (sent === null || isDimensionName(sent)) return sent;
  faults.explain('invalid', [name], { sent, noun: 'dimension', allowed: DIMENSION_NAMES });
  return null;
}

function readValues(
  body: UncheckedObject,
  name: 'dimension1_values' | 'dimension2_values',
  faults: Faults,
): Member[] | null {
  const sent = body[name] ?? null;
  if (sent === null) return null;
  const isMember = (value: unknown): value is Member => typeof value === 'string' || Number.isSafeInteger(value);
  if (Array.isArray(sent) && sent.every(isMember)) return sent;
  faults.explain('invalid', [name], { sent, takes: SOME_MEMBERS });
  return null;
}
