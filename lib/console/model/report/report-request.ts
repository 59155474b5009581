import type { Period } from '../period.ts';
import { zonedText } from '../zone.ts';
import type { Condition, ReportState } from './report-state.ts';

/** The body of a report as the API takes it (docs/insights.md). */
export interface ReportBody {
  readonly fields: readonly string[];
  readonly time: Readonly<Record<string, unknown>>;
  readonly dimension1?: string;
  readonly dimension1_values?: readonly (string | number)[];
  readonly dimension2?: string;
  readonly dimension2_values?: readonly (string | number)[];
  readonly filters?: readonly unknown[];
  readonly hours?: 'business';
  readonly totals?: true;
}

/** The request for a state, with totals. `siteZone` is the zone of local times if the state has none. */
export function requestOf(state: ReportState, siteZone = 'UTC'): ReportBody {
  const { fields, by, byValues, and, andValues, filters, hours } = state;
  return {
    fields,
    time: timeOf(state, siteZone),
    ...(by !== null && { dimension1: by, ...(byValues.length > 0 && { dimension1_values: byValues.map(toMember) }) }),
    ...(and !== null && {
      dimension2: and,
      ...(andValues.length > 0 && { dimension2_values: andValues.map(toMember) }),
    }),
    ...(filters.length !== 0 && { filters: filters.map((group) => group.map(toCondition)) }),
    ...(hours !== null && { hours }),
    totals: true,
  };
}

function timeOf({ period, per, zone, compare }: ReportState, siteZone: string): Record<string, unknown> {
  return {
    ...spanOf(period, zone ?? siteZone),
    window_size: per,
    ...(zone === null && period.kind !== 'range' ? {} : { time_zone: zone ?? siteZone }),
    ...(compare !== null && period.kind !== 'all' && { compare }),
  };
}

/** The part of a report's `time` that says which period it is; `zone` is that of local times. */
export function spanOf(period: Period, zone: string): Record<string, unknown> {
  if (period.kind === 'range') return { min: zonedText(period.from, zone), max: zonedText(period.until, zone) };
  if (period.kind === 'all') return { all: true };
  const { count, unit, current } = period;
  return { last: count, unit, ...(current && { including_current: true }) };
}

/** Turns a text of digits into a number, as members are in the API's replies. */
const toMember = (value: string): string | number => (/^(0|[1-9]\d{0,14})$/.test(value) ? Number(value) : value);

/** A condition as the API takes it. */
export const toCondition = ({ action, object, ids, text }: Condition): unknown[] =>
  text === '' ? [action, object, ids.map((id) => ({ id }))] : [action, object, 'Contains', text, false, []];

const PATH = '/api/v2/insights3/reports';

/** The request as a shell command; the password is a variable. */
export function curlOf(origin: string, login: string, body: unknown): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  return [
    `curl -s -u ${quoted(login)}:"$PASSWORD" ${quoted(`${origin}${PATH}`)}`,
    `-H 'Content-Type: application/json'`,
    `-d ${quoted(JSON.stringify(body))}`,
  ].join(' ');
}
