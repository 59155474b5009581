import * as fc from 'fast-check';
import type { HistoryEvent } from '../../../lib/history/cases/event.ts';
import type { DimensionName } from '../../../lib/insights/definitions/dimensions.ts';
import type { FilterObjectName } from '../../../lib/insights/definitions/filters.ts';
import { WEEK_DAYS } from '../../../lib/vocabulary.ts';
import { type AnyExample, type Condition, type Example, FUTURE, type ReportBody } from '../oracle/example.ts';
import { FIELD_SQL, SAMPLE_SQL } from '../oracle/fields.ts';
import { arbitraryCalendars } from './calendars.ts';
import { arbitraryStream, ERAS, type Era } from './histories.ts';
import { arbitraryReference, MEMBER_IDS } from './members.ts';
import { arbitraryPolicies, inCalendarTime, isInWorkingTime } from './policies.ts';

/** The key in `MEMBER_IDS` of each dimension's members. */
const DIMENSIONS: Readonly<Record<string, string>> = {
  action_agent: 'agent',
  action_group: 'group',
  assigned_agent: 'agent',
  assigned_group: 'group',
  channel: 'channel',
  label: 'label',
  macro: 'macro',
  custom_field: 'custom_field',
  priority: 'priority',
  company: 'company',
  csat_score: 'csat',
  'custom_field:11': 'custom_field',
  'custom_field:13': 'custom_field',
  status: 'status',
  hour_of_day: 'hour',
  weekday: 'weekday',
} satisfies Record<DimensionName, string>;

const OBJECTS: Readonly<Record<string, string>> = {
  Channels: 'channel',
  Groups: 'group',
  Agents: 'agent',
  Labels: 'label',
  'Custom Fields': 'custom_field',
  Priorities: 'priority',
  Macros: 'macro',
  Companies: 'company',
  'CSat Score': 'csat',
  Statuses: 'status',
} satisfies Record<FilterObjectName, string>;

const DAY = 86_400;
const TEXTS = ['', 'Ann', 'ann', 'n', 'grün', 'GRÜN', 'gold', 'Gold', '30', '1', 'Plan', 'b.', '999'];
const OFFSETS = [0, 3600, -18_000, 20_700, -12_600, 39_600, 50_400, -43_200, 86_340, -60]; // +05:45, +14:00, +23:59 and -00:01 among them

/** Ids that some parsers would read as numbers. They match no member, because ids are compared as texts. */
const NO_IDS = ['', '007', '1.0', ' 1', '-1', '1e0', '9007199254740993'];

const idOf = (kind: string): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...(MEMBER_IDS[kind] ?? [])) },
    { weight: 1, arbitrary: fc.constantFrom(...NO_IDS) },
  );
const idsOf = (kind: string) => fc.uniqueArray(idOf(kind), { maxLength: 3 });

/** A condition of a filter, in any of its forms. */
export const arbitraryCondition: fc.Arbitrary<Condition> = fc
  .constantFrom(...Object.entries(OBJECTS))
  .chain(([object, kind]) => {
    const action = fc.constantFrom('Include', 'Exclude', 'Exclude');
    const ids = fc.option(
      idsOf(kind).map((list) => list.map((id) => ({ id }))),
      { freq: 6 },
    );
    const match = fc.constantFrom('Is', 'Contains', null);
    const text = fc.option(fc.constantFrom(...TEXTS), { freq: 8 });
    const exact = fc.constantFrom(true, false, null);
    return fc.oneof(
      fc.tuple(action, fc.constant(object), ids),
      fc.tuple(action, fc.constant(object), match, text, exact, ids),
    );
  });

const filters = fc.array(fc.array(arbitraryCondition, { maxLength: 2 }), { maxLength: 2 });

/** Values of a dimension as clients send them: numbers and texts. */
const valuesOf = (dimension: string): fc.Arbitrary<(number | string)[] | null> =>
  fc.option(
    fc
      .array(fc.tuple(idOf(DIMENSIONS[dimension] ?? ''), fc.boolean()), { maxLength: 4 })
      .map((list) => list.map(([id, asNumber]) => (asNumber && String(Number(id)) === id ? Number(id) : id))),
    { freq: 3 },
  );

const cross = fc
  .tuple(fc.subarray(Object.keys(DIMENSIONS), { maxLength: 2 }), fc.boolean(), fc.boolean())
  .chain(([picked, swapped, second]) => {
    const [a, b] = swapped ? [...picked].reverse() : picked;
    if (a === undefined) return fc.constant({});
    if (b === undefined) {
      return second
        ? valuesOf(a).map((values) => ({ dimension2: a, dimension2_values: values }))
        : valuesOf(a).map((values) => ({ dimension1: a, dimension1_values: values }));
    }
    return fc.tuple(valuesOf(a), valuesOf(b)).map(([dimension1_values, dimension2_values]) => ({
      ...{ dimension1: a, dimension1_values, dimension2: b, dimension2_values },
    }));
  });

const statistics = fc.oneof(
  fc.constantFrom('mean', 'min', 'max', 'count', 'p1', 'p50', 'p99'),
  fc.integer({ min: 1, max: 99 }).map((percent) => `p${percent}`),
);
const fieldName = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...Object.keys(FIELD_SQL)) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...Object.keys(SAMPLE_SQL)), statistics)
      .map(([duration, name]) => `${duration}:${name}`),
  },
);

const fields = fc.oneof(fc.constant(Object.keys(FIELD_SQL)), fc.uniqueArray(fieldName, { minLength: 1, maxLength: 4 }));

/** The longest range for each window size, in s, so that a report by hours stays small. */
const SPANS = { none: 60 * DAY, hour: 3 * DAY, day: 20 * DAY, week: 40 * DAY, month: 70 * DAY } as const;

const YEARS = 2 * 366 * DAY;

/** The first and the last second of any event of a history. */
interface Extent {
  readonly first: number;
  readonly last: number;
}

/** Ranges around the change of clocks, where the history is. */
const around = ({ second }: Era, span: number): fc.Arbitrary<[number, number]> =>
  fc.tuple(
    fc.oneof(fc.constant(-span), fc.integer({ min: -span, max: 3600 })).map((before) => second + before),
    fc.oneof(fc.constant(span), fc.integer({ min: 3600, max: span })).map((after) => second + after),
  );

/** Ranges that begin before the history or end after it, contain one second of it, or do not contain it at all. */
const atTheEdges = ({ first, last }: Extent, span: number): fc.Arbitrary<[number, number]> =>
  fc
    .integer({ min: 0, max: span })
    .chain((some) =>
      fc.constantFrom<[number, number]>(
        [first - span, first + some],
        [last - some, last + span],
        [first - some, first + 1],
        [last, last + some + 1],
        [first - some - 1, first],
        [last + 1, last + 2 + some],
        [last + span, last + span + some],
        [first - span - some, first - span],
      ),
    );

/** Ranges of up to four years around the history. */
const ofYears = ({ second }: Era): fc.Arbitrary<[number, number]> =>
  fc
    .tuple(fc.integer({ min: 0, max: YEARS }), fc.integer({ min: 0, max: YEARS }))
    .map(([before, after]) => [second - before, second + after]);

const time = (era: Era, extent: Extent): fc.Arbitrary<ReportBody['time']> =>
  fc
    .constantFrom('none' as const, 'hour' as const, 'day' as const, 'week' as const, 'month' as const)
    .chain((window_size) => {
      const span = SPANS[window_size];
      const range = fc.oneof(
        { weight: 10, arbitrary: around(era, span) },
        { weight: 5, arbitrary: atTheEdges(extent, span) },
        ...(window_size === 'hour' ? [] : [{ weight: 2, arbitrary: ofYears(era) }]),
      );
      return fc
        .tuple(range, arbitraryOffset(era.zone), fc.constantFrom(...OFFSETS))
        .chain(([[min, max], offsetAtMin, offsetAtMax]) =>
          fc.record(
            {
              min: fc.constant(stamp(min, offsetAtMin)),
              max: fc.constant(stamp(max, offsetAtMax)),
              window_size: fc.constant(window_size),
              time_zone: fc.constantFrom(era.zone, era.zone, ...ERAS.map(({ zone }) => zone)),
            },
            { requiredKeys: ['min', 'max', 'window_size'] },
          ),
        );
    });

function extentOf(events: readonly HistoryEvent[], { second }: Era): Extent {
  const edges = events.flatMap((event) => ('from' in event ? [event.from, event.to] : [event.at]));
  const seconds = edges.map((micros) => Math.floor(micros / 1_000_000));
  return seconds.length === 0
    ? { first: second, last: second }
    : { first: Math.min(...seconds), last: Math.max(...seconds) };
}

/** Offsets in seconds: those of a zone, and others. */
const arbitraryOffset = (zone: string): fc.Arbitrary<number> => {
  const known: Readonly<Record<string, readonly number[]>> = {
    'America/New_York': [-14_400, -18_000],
    'Europe/Berlin': [3600, 7200],
    'Australia/Lord_Howe': [37_800, 39_600],
    'Asia/Kathmandu': [20_700],
    'America/Sao_Paulo': [-7200, -10_800],
  };
  return fc.constantFrom(...(known[zone] ?? [0]), ...(known[zone] ?? [0]), ...OFFSETS);
};

const FRACTIONS = ['.75', '', '', '.0', '', '.999999999', ''];

/** A second as RFC 3339 with an offset, sometimes `Z`, sometimes with a fraction, which must not matter. */
function stamp(second: number, offset: number): string {
  const clock = new Date((second + offset) * 1000).toISOString().slice(0, 19);
  const size = Math.abs(offset) / 60;
  const digits = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  const zone = `${offset < 0 ? '-' : '+'}${digits(size / 60)}:${digits(size % 60)}`;
  return `${clock}${FRACTIONS[Math.abs(second) % 7]}${offset === 0 && second % 2 === 0 ? 'Z' : zone}`;
}

/** A random history with a random report on it. */
export const arbitraryExample: fc.Arbitrary<Example> = fc
  .constantFrom(...ERAS)
  .chain((era) =>
    arbitraryStream(era).chain((events) =>
      fc.record({
        events: fc.constant(events),
        reference: arbitraryReference,
        site: fc.record({
          timeZone: fc.constantFrom(era.zone, era.zone, 'UTC'),
          weekStart: fc.constantFrom('monday', 'monday', ...WEEK_DAYS),
          rating: fc.constantFrom('yes_no', 'four_star'),
        }),
        now: fc.oneof(fc.constant(FUTURE), fc.integer({ min: era.second - 30 * DAY, max: era.second + 30 * DAY })),
        body: fc
          .tuple(time(era, extentOf(events, era)), fields, cross, fc.option(filters, { nil: undefined, freq: 1 }))
          .map(([when, names, dimensions, restriction]) => ({
            ...{ fields: names, time: when, ...dimensions },
            ...(restriction === undefined ? {} : { filters: restriction }),
          })),
        calendars: fc.oneof(fc.constant([]), arbitraryCalendars(era)),
        policies: arbitraryPolicies(filters),
        measured: fc.constantFrom('business' as const, 'calendar' as const, undefined),
        soon: fc.constant(era.second + 40 * DAY),
      }),
    ),
  )
  .map(({ calendars, policies, measured, soon, reference, body, now, ...rest }) => {
    if (calendars.length === 0 || !isShort(rest.events)) {
      return { ...rest, now, body, reference: [...reference, ...inCalendarTime(policies)] };
    }
    return {
      ...rest,
      now: isInWorkingTime(policies) ? Math.min(now, soon) : now, // the oracle knows working time up to then
      reference: [...reference, ...calendars, ...policies],
      body: measured === undefined ? body : { ...body, hours: measured },
    };
  });

const UNIT_LENGTHS = { day: DAY, week: 7 * DAY, month: 30 * DAY, quarter: 91 * DAY, year: 365 * DAY } as const;
const MANY_WINDOWS: readonly string[] = ['hour', 'day']; // in a year

/** The same time of the last day of its month, in UTC. */
function atMonthEnd(second: number): number {
  const date = new Date(second * 1000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0) / 1000 + (second % DAY);
}

/**
 * A random history with a random report, whose range often still runs and whose comparison often meets the history.
 * Promises and working time are left out: the oracle knows working time only up to shortly after the history.
 */
export const arbitraryComparison: fc.Arbitrary<AnyExample> = arbitraryExample
  .filter(
    ({ events, body }) => extentOf(events, { zone: '', second: Date.parse(body.time.min) / 1000 }).first > 3 * YEARS,
  )
  .chain((example) => {
    const { hours, ...body } = example.body;
    const { window_size, time_zone } = body.time;
    const cut = { window_size, ...(time_zone === undefined ? {} : { time_zone }) };
    const cutFor = (unit: keyof typeof UNIT_LENGTHS) =>
      UNIT_LENGTHS[unit] > UNIT_LENGTHS.month && MANY_WINDOWS.includes(window_size)
        ? { ...cut, window_size: 'month' as const }
        : cut;
    const { first, last } = extentOf(example.events, {
      zone: '',
      second: Math.floor(Date.parse(body.time.min) / 1000),
    });
    return fc
      .record({
        from: fc.integer({ min: first - 3 * DAY, max: last + 3 * DAY }), // where the other range begins or ends, roughly
        length: fc.oneof(fc.integer({ min: 0, max: SPANS[window_size] }), fc.constant(SPANS[window_size])),
        passed: fc.double({ min: 0, max: 1.2, noNaN: true }), // of the range
        count: fc.integer({ min: 1, max: 3 }),
        unit: fc.constantFrom('day' as const, 'week' as const, 'month' as const, 'quarter' as const, 'year' as const),
        isMonthEnd: fc.constantFrom(true, false, false, false),
        including_current: fc.boolean(),
        isRelative: fc.boolean(),
        compare: fc.constantFrom(...(['previous_period', 'previous_period', 'previous_year', 'range'] as const)),
        offset: fc.constantFrom(...OFFSETS),
      })
      .map(({ from, length, passed, count, unit, including_current, isRelative, isMonthEnd, compare, offset }) => {
        const year = compare === 'previous_year' ? 365 * DAY : undefined;
        const begin = from + (year ?? length);
        const range = { min: stamp(begin, offset), max: stamp(begin + length, offset) };
        const against = compare === 'range' ? range : compare;
        const time = isRelative
          ? { last: count, unit, including_current, ...cutFor(unit), compare: against }
          : { ...range, ...cut, compare: against };
        const moment = isRelative ? from + (year ?? count * UNIT_LENGTHS[unit]) : begin + Math.floor(length * passed);
        const now = isMonthEnd ? atMonthEnd(moment) : moment;
        const reference = example.reference.filter(({ type }) => type !== 'calendar' && type !== 'sla_policy');
        return { ...example, reference, now, body: { ...body, time } };
      });
  });

/** Whether a history is short enough for the oracle, which lists working time in quarters of an hour. */
function isShort(events: readonly HistoryEvent[]): boolean {
  const times = events.map(({ at }) => at);
  return Math.max(...times) - Math.min(...times) < 200 * DAY * 1_000_000;
}
