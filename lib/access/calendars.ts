import * as z from 'zod';
import { type Collection, perVersion } from '../store/collection.ts';
import type { Item } from '../store/table.ts';
import { CALENDAR_DAYS } from '../vocabulary.ts';

/** The days of a week as calendars name them. */
export type CalendarDay = (typeof CALENDAR_DAYS)[number];

/** A period within a day, `HH:MM` from 00:00 to 24:00; `to` is exclusive. */
export type Period = readonly [from: string, to: string];

/** A day without work, or all days from one to another, both included; dates are `YYYY-MM-DD`. */
export type Holiday = { readonly name?: string } & (
  | { readonly date: string }
  | { readonly from: string; readonly to: string }
);

/** The working hours of a site or of some groups, as calendar records give them. */
export interface Calendar {
  readonly id: number;
  readonly name: string;
  readonly timeZone: string; // IANA
  readonly hours: Readonly<Partial<Record<CalendarDay, readonly Period[]>>>; // in order; a day left out has no work
  readonly holidays: readonly Holiday[];
  readonly isDefault: boolean;
  readonly groups: readonly number[];
}

const stored = z
  .object({
    id: z.int(),
    name: z.string().default(''),
    time_zone: z.string().default('UTC'),
    hours: z.partialRecord(z.enum(CALENDAR_DAYS), z.array(z.tuple([z.string(), z.string()]))).default({}),
    holidays: z
      .array(
        z.union([
          z.object({ date: z.string(), name: z.string().exactOptional() }),
          z.object({ from: z.string(), to: z.string(), name: z.string().exactOptional() }),
        ]),
      )
      .default([]),
    default: z.boolean().default(false),
    groups: z.array(z.int()).default([]),
    deleted: z.boolean().default(false),
  })
  .transform(({ time_zone, default: isDefault, ...rest }) => ({ ...rest, timeZone: time_zone, isDefault }));

/** The calendars of a site by rising id, without deleted ones. */
export const calendars = (collection: Collection): readonly Calendar[] => perVersion(collection, readCalendars);

/** A calendar from its stored item; throws if the item is not one. */
export const parseCalendar = (item: Item): Calendar => stored.parse(item);

const readCalendars = ({ items }: Collection): readonly Calendar[] =>
  [...items.values()]
    .map((item) => stored.parse(item))
    .flatMap(({ deleted, ...calendar }) => (deleted ? [] : [calendar]))
    .sort((a, b) => a.id - b.id);

/** The calendar of a case's group: the first that lists the group, else the first default one, else the first. */
export const calendarOf = (all: readonly Calendar[], group: number | null): Calendar | undefined =>
  all.find(({ groups }) => group !== null && groups.includes(group)) ??
  all.find(({ isDefault }) => isDefault) ??
  all[0];
