import * as z from 'zod';
import { holiday, workingHours } from '../../access/calendar-fields.ts';
import { type Holiday, parseCalendar } from '../../access/calendars.ts';
import { R_SETTINGS } from '../../access/roles.ts';
import { timeZoneField } from '../../access/sites.ts';
import { booleanField, idsField, lineField } from '../../http/fields.ts';
import { type RecordResource, readsOfResource, recordsOf, writesOfResource } from '../../http/resource.ts';
import type { Route } from '../../http/route.ts';
import { idShape, linkShape } from '../../http/shapes.ts';
import { listOf } from '../../json-readers.ts';
import { CALENDAR_DAYS } from '../../vocabulary.ts';
import { readInto } from './read-into.ts';

const PATH = '/api/v2/calendars';

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

const CALENDARS: RecordResource = {
  ...recordsOf('calendar'),
  path: PATH,
  param: 'calendar_id',
  shape: () =>
    z.object({
      id: idShape(),
      name: z.string(),
      time_zone: z.string(),
      hours: shownHours().meta({ description: 'Periods of work by day, to exclusive; a day left out has no work' }),
      holidays: z.array(holidayShape()),
      default: z.boolean(),
      groups: z.array(z.int()),
      _links: z.object({ self: linkShape('calendar') }),
    }),
  show: (item) => {
    const { id, name, timeZone, hours, holidays, isDefault, groups } = parseCalendar(item);
    return {
      ...{ id, name, time_zone: timeZone, hours, holidays, default: isDefault, groups },
      _links: { self: { href: `${PATH}/${id}`, class: 'calendar' } },
    };
  },
};

/** Working hours with their holidays: read by all, written by Administrators. */
export const calendarRoutes: readonly Route[] = [
  ...readsOfResource(CALENDARS),
  ...writesOfResource(CALENDARS, {
    limit: 'calendars',
    roles: R_SETTINGS,
    deletes: true,
    fields: {
      name: lineField(),
      time_zone: timeZoneField(),
      hours: hoursShape().meta({ description: 'At least one period; those of a day in order' }),
      holidays: z
        .array(holidayShape(), 'invalid')
        .meta({ description: 'Dates or ranges of dates without work, at most 1,000' }),
      default: booleanField().meta({ description: 'For cases whose group has no calendar of its own' }),
      groups: idsField().meta({ description: 'The groups whose cases go by this calendar' }),
    },
    required: ['name', 'time_zone', 'hours'],
    examples: [
      {
        ...{ name: 'Berlin', time_zone: 'Europe/Berlin', default: true },
        hours: { mon: [['09:00', '17:00']], tue: [['09:00', '17:00']] },
        holidays: [{ date: '2026-12-25', name: 'Christmas' }],
      },
      { holidays: [{ from: '2026-12-24', to: '2027-01-01' }] },
    ],
    plan: ({ fields, faults }) => {
      const { hours, holidays, groups, ...rest } = fields;
      return {
        ...rest,
        ...(hours === undefined ? {} : { hours: readInto(faults, 'hours', hours, workingHours) }),
        ...(holidays === undefined
          ? {}
          : { holidays: readInto<readonly Holiday[]>(faults, 'holidays', holidays, listOf(holiday)) }),
        ...(groups === undefined ? {} : { groups: [...new Set(groups)].sort((a, b) => a - b) }),
      };
    },
  }),
];
