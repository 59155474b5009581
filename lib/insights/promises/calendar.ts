import * as z from 'zod';
import { holiday, workingHours } from '../../access/calendar-fields.ts';
import type { Calendar } from '../../access/calendars.ts';
import { present } from '../../access/records.ts';
import { R_READ, R_SETTINGS } from '../../access/roles.ts';
import { timeZoneField } from '../../access/sites.ts';
import { readTimeZone } from '../../access/time-zones.ts';
import { idsField, lineField } from '../../http/fields.ts';
import { listOf, MAX_LIST, memberSet } from '../../json-readers.ts';
import { flag, nameText } from '../../resource/field.ts';
import { resource } from '../../resource/resource.ts';
import { recordsOf } from '../../resource/storing.ts';
import { type Collection, perVersion } from '../../store/collection.ts';
import { CALENDAR_DAYS } from '../../vocabulary.ts';

const clock = () => z.string('invalid').meta({ examples: ['09:00'] });
const hoursShape = () =>
  z.partialRecord(z.enum(CALENDAR_DAYS), z.array(z.tuple([clock(), clock()], 'invalid'), 'invalid'), 'invalid');
/** As replies show them. */
const shownHours = () => z.partialRecord(z.enum(CALENDAR_DAYS), z.array(z.array(clock()).length(2)));
const date = () => z.string('invalid').meta({ format: 'date' });
const holidayShape = () =>
  z.union(
    [
      z.object({ name: lineField().exactOptional(), date: date() }, 'invalid'),
      z.object({ name: lineField().exactOptional(), from: date(), to: date() }, 'invalid'),
    ],
    'invalid',
  );

const storedHours = z.partialRecord(z.enum(CALENDAR_DAYS), z.array(z.tuple([z.string(), z.string()])));
const storedHoliday = z.union([
  z.object({ date: z.string(), name: z.string().exactOptional() }),
  z.object({ from: z.string(), to: z.string(), name: z.string().exactOptional() }),
]);

/** Working hours with their holidays: read by all, written by Administrators. */
export const CALENDARS = resource({
  one: 'calendar',
  path: '/api/v2/calendars',
  storing: recordsOf('calendar'),
  roles: R_READ,
  fields: {
    name: nameText({ required: true }, lineField()),
    time_zone: {
      stored: z.string(),
      usual: 'UTC',
      body: timeZoneField(),
      required: true as const,
      record: readTimeZone,
      shown: () => z.string(),
    },
    hours: {
      stored: storedHours,
      usual: () => ({}),
      required: true as const,
      read: workingHours,
      record: workingHours,
      body: hoursShape().meta({ description: 'At least one period; those of a day in order' }),
      shown: () =>
        shownHours().meta({ description: 'Periods of work by day, to exclusive; a day left out has no work' }),
    },
    holidays: {
      stored: z.array(storedHoliday),
      usual: () => [],
      read: listOf(holiday),
      record: listOf(holiday),
      body: z
        .array(holidayShape(), 'invalid')
        .meta({ description: 'Dates or ranges of dates without work', maxItems: MAX_LIST }),
      shown: () => z.array(holidayShape()),
    },
    default: flag({ usual: false }, 'For cases whose group has no calendar of its own'),
    groups: {
      stored: z.array(z.int()),
      usual: () => [],
      record: memberSet,
      body: idsField()
        .transform((ids) => [...new Set(ids)].sort((a, b) => a - b))
        .meta({ description: 'The groups whose cases go by this calendar' }),
      shown: () => z.array(z.int()),
    },
  },
  writes: {
    limit: 'calendars',
    roles: R_SETTINGS,
    deletes: true,
    examples: [
      {
        name: 'Berlin',
        time_zone: 'Europe/Berlin',
        default: true,
        hours: { mon: [['09:00', '17:00']], tue: [['09:00', '17:00']] },
        holidays: [{ date: '2026-12-25', name: 'Christmas' }],
      },
      { holidays: [{ from: '2026-12-24', to: '2027-01-01' }] },
    ],
  },
});

/** The calendars of a site by rising id, without deleted ones. */
export const calendars = (collection: Collection): readonly Calendar[] => perVersion(collection, readCalendars);

const readCalendars = (collection: Collection): readonly Calendar[] =>
  present(collection).map((item) => {
    const { time_zone: timeZone, default: isDefault, ...calendar } = CALENDARS.parse(item);
    return { ...calendar, timeZone, isDefault };
  });
