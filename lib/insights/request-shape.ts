import * as z from 'zod';
import { COMPARED_PERIODS } from './comparison.ts';
import { DIMENSION_NAMES, ONE_FIELD } from './definitions/dimensions.ts';
import { DURATION_NAMES, STATISTICS } from './definitions/durations.ts';
import { FIELD_NAMES } from './definitions/fields.ts';
import { FILTER_ACTIONS, FILTER_MATCHES, FILTER_OBJECTS } from './definitions/filters.ts';
import { MOMENT_FORM } from './iso-moment.ts';
import { MOST_UNITS, TIME_UNITS } from './relative-time.ts';
import { HOURS } from './request.ts';
import { WINDOW_SIZES } from './windows.ts';

/** The schema of a report's body for OpenAPI; `readRequest` checks the body. */
export function requestShape() {
  const dimension = z.union([z.enum(DIMENSION_NAMES), z.string().regex(ONE_FIELD)]).nullish();
  const statistic = new RegExp(`^(${DURATION_NAMES.join('|')}):(${Object.keys(STATISTICS).join('|')}|p[1-9][0-9]?)$`);
  const values = z
    .array(z.union([z.int(), z.string()]))
    .nullish()
    .meta({ description: 'Members, as meta names them; absent, null and an empty array mean all' });
  const ids = z.array(z.object({ id: z.union([z.string(), z.int()]) })).nullable();
  const action = z.enum(FILTER_ACTIONS);
  const object = z.enum(Object.keys(FILTER_OBJECTS));
  const match = z.enum(FILTER_MATCHES).nullable();
  return z.object({
    fields: z
      .array(z.union([z.enum(FIELD_NAMES), z.string().regex(statistic)]))
      .min(1)
      .meta({ description: 'Data fields, and statistics of durations as `<duration>:<statistic>`, each at most once' }),
    time: z.union([absoluteTime(), relativeTime(), allTime()]),
    dimension1: dimension,
    dimension1_values: values,
    dimension2: dimension,
    dimension2_values: values,
    filters: z
      .array(
        z
          .array(
            z.union([
              z.tuple([action, object, ids]),
              z.tuple([action, object, match, z.string().nullable(), z.boolean().nullable(), ids]),
            ]),
          )
          .nullable(), // an empty group: some clients send it
      )
      .nullish()
      .meta({ description: 'A case counts when at least one group holds; a group holds when all its conditions do' }),
    hours: z.enum(HOURS).nullish().meta({
      description: 'business: measures times to a reply or resolve in the working time of calendars (extension)',
    }),
    chance: z.boolean().nullish().meta({
      description: 'With `time.compare`: says which changes are no more than chance gives (extension)',
    }),
    totals: z.boolean().nullish().meta({
      description: 'Adds the rows of the same report without windows, without dimensions and without both (extension)',
    }),
  });
}

const instant = () => z.string().regex(MOMENT_FORM); // no date-time: that is one form of many

const cut = () => ({
  window_size: z.enum(WINDOW_SIZES),
  time_zone: z
    .string()
    .nullish()
    .meta({ description: 'IANA zone to cut windows in; else the zone of the site or the offset of min decides' }),
  compare: z
    .union([z.enum(COMPARED_PERIODS), z.object({ min: instant(), max: instant() })])
    .nullish()
    .meta({
      description:
        'Adds the same report on another range (extension). Where the range is still running, a period ends at the same moment; a range with `min` and `max` is never cut',
    }),
});

const absoluteTime = () =>
  z.object({
    min: instant().meta({ description: 'Start, inclusive: an instant of ISO 8601 in any form, with an offset or Z' }),
    max: instant().meta({ description: 'End, exclusive' }),
    ...cut(),
  });

const relativeTime = () =>
  z
    .object({
      last: z.int().min(1).max(MOST_UNITS).meta({ description: 'Whole units up to the current one' }),
      unit: z.enum(TIME_UNITS),
      including_current: z
        .boolean()
        .nullish()
        .meta({ description: 'The current unit is the last of them, so the range ends in the future' }),
      ...cut(),
    })
    .meta({ description: 'Instead of min and max (extension)' });

const allTime = () => {
  const { window_size, time_zone } = cut();
  return z
    .object({ all: z.literal(true), window_size, time_zone })
    .meta({ description: 'Instead of min and max: from the first fact to the newest (extension)' });
};
