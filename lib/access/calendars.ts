import type { CALENDAR_DAYS } from '../vocabulary.ts';

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

/** The calendar of a case's group: the first that lists the group, else the first default one, else the first. */
export const calendarOf = (all: readonly Calendar[], group: number | null): Calendar | undefined =>
  all.find(({ groups }) => group !== null && groups.includes(group)) ??
  all.find(({ isDefault }) => isDefault) ??
  all[0];
