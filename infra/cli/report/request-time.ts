import type { Site } from '../../../lib/access/site-fields.ts';
import { clockMicros, readIso } from '../../../lib/history/cases/instant.ts';
import { COMPARED_PERIODS } from '../../../lib/insights/comparison.ts';
import { zonedTime } from '../../../lib/insights/windows.ts';
import { instantOf, isTimeZone } from '../../../lib/zone.ts';
import { Fault } from '../../fault.ts';

/** The options that set the time of a report. */
export interface TimeOptions {
  readonly min?: string | undefined;
  readonly max?: string | undefined;
  readonly last?: number | undefined;
  readonly unit?: string | undefined;
  readonly includingCurrent?: boolean | undefined;
  readonly all?: boolean | undefined;
  readonly window?: string | undefined;
  readonly timeZone?: string | undefined;
  readonly compare?: string | undefined;
}

type TimeJson = Readonly<Record<string, unknown>>;

/** `time` of a request: that of a file, overridden by options; `now` in epoch ms. Throws a `Fault`. */
export function requestTime(before: TimeJson, options: TimeOptions, site: Site, now: number): TimeJson {
  const { min, max, last, unit, includingCurrent, all, window, timeZone, compare } = options;
  const zone = timeZone ?? (typeof before.time_zone === 'string' ? before.time_zone : site.timeZone);
  if (!isTimeZone(zone)) throw new Fault('--time-zone is not a zone of the IANA list, such as Europe/Berlin.', 2);
  const isAbsolute = min !== undefined || max !== undefined;
  const isRelative = last !== undefined || unit !== undefined || includingCurrent !== undefined;
  if (isAbsolute && isRelative)
    throw new Fault('--min and --max exclude --last, --unit and --including-current: use one or the other.', 2);
  if (all && (isAbsolute || isRelative))
    throw new Fault('--all excludes --min, --max, --last, --unit and --including-current: use one or the other.', 2);
  const { min: _min, max: _max, last: _last, unit: _unit, including_current: _current, all: _all, ...cut } = before;
  const range = all
    ? { all }
    : isAbsolute
      ? {
          ...(min === undefined ? pick(before, 'min') : { min: momentOf(min, '--min', zone) }),
          ...(max === undefined
            ? { max: before.max ?? zonedTime({ name: zone }, Math.floor(now / 1000)) }
            : { max: momentOf(max, '--max', zone) }),
        }
      : isRelative
        ? {
            ...pick(before, 'last', 'unit', 'including_current'),
            ...defined({ last, unit, including_current: includingCurrent }),
          }
        : pick(before, 'min', 'max', 'last', 'unit', 'including_current', 'all');
  const ofUnit = range.unit === 'quarter' || range.unit === 'year' ? 'month' : range.unit;
  const usual = 'unit' in range ? ofUnit : 'none';
  return {
    ...cut,
    ...range,
    window_size: window ?? before.window_size ?? usual,
    ...(timeZone !== undefined && { time_zone: timeZone }),
    ...(compare !== undefined && { compare: compareOf(compare, zone) }),
  };
}

/** A comparison: the name of a period, or `<min>/<max>`. */
function compareOf(text: string, zone: string): unknown {
  const [min, max, ...others] = text.split('/');
  if (min === undefined || max === undefined || others.length > 0) return text;
  return { min: momentOf(min, '--compare', zone), max: momentOf(max, '--compare', zone) };
}

/** The forms of `--compare`. */
export const COMPARE_FORMS = `${COMPARED_PERIODS.join(', ')} or <min>/<max>`;

/**
 * A time in the form of requests. A time without offset is local to the zone, a date means its midnight, a month its
 * first day.
 */
function momentOf(text: string, option: string, zone: string): string {
  const whole = /^\d{4}-\d\d$/.test(text) ? `${text}-01` : text;
  const read = readIso(/^\d{4}-\d\d-\d\d$/.test(whole) ? `${whole}T00:00` : whole);
  const local = read && clockMicros(read.clock);
  if (read === undefined || local === undefined)
    throw new Fault(
      `${option} ${text} is not a time: write 2026-03-01, "2026-03-01 09:00" or 2026-03-01T09:00:00+01:00.`,
      2,
    );
  if (read.offset !== undefined) return text;
  return zonedTime({ name: zone }, instantOf({ name: zone }, Math.floor(local / 1_000_000)));
}

const pick = (from: TimeJson, ...names: readonly string[]): TimeJson =>
  Object.fromEntries(names.flatMap((name) => (name in from ? [[name, from[name]]] : [])));

/** The properties that are defined. */
const defined = (values: TimeJson): TimeJson =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
