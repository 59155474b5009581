import * as fc from 'fast-check';
import type { Period } from '../../../lib/access/calendars.ts';
import type { CalendarRecord } from '../../../lib/import/records/reference-record.ts';
import { CALENDAR_DAYS } from '../../../lib/vocabulary.ts';
import { ERAS, type Era } from './histories.ts';
import { MEMBERS } from './members.ts';

const clock = (quarters: number): string =>
  `${String(Math.floor(quarters / 4)).padStart(2, '0')}:${String((quarters % 4) * 15).padStart(2, '0')}`;

/** Periods that begin and end at quarters of hours; some end at `24:00`, some touch each other. */
const periods: fc.Arbitrary<readonly Period[]> = fc
  .uniqueArray(fc.oneof(fc.integer({ min: 0, max: 96 }), fc.constantFrom(0, 36, 68, 96)), { maxLength: 6 })
  .chain((edges) => fc.boolean().map((touch) => ({ edges: edges.sort((a, b) => a - b), touch })))
  .map(({ edges, touch }) =>
    edges.flatMap((to, at): Period[] => {
      const from = edges[at - 1];
      return from === undefined || (!touch && at % 2 === 0) ? [] : [[clock(from), clock(to)]];
    }),
  );

const dateNear = ({ second }: Era, days: number): string =>
  new Date((second + days * 86_400) * 1000).toISOString().slice(0, 10);

const holidays = (era: Era): fc.Arbitrary<NonNullable<CalendarRecord['holidays']>> =>
  fc.array(
    fc
      .tuple(fc.integer({ min: -20, max: 20 }), fc.integer({ min: 0, max: 4 }))
      .map(([first, length]) =>
        length === 0
          ? { date: dateNear(era, first) }
          : { from: dateNear(era, first), to: dateNear(era, first + length), name: 'away' },
      ),
    { maxLength: 3 },
  );

const arbitraryCalendar = (era: Era): fc.Arbitrary<CalendarRecord> =>
  fc.record({
    type: fc.constant('calendar' as const),
    id: fc.integer({ min: 1, max: 4 }),
    name: fc.constant('Hours'),
    time_zone: fc.constantFrom(era.zone, era.zone, ...ERAS.map(({ zone }) => zone)),
    hours: fc.record(Object.fromEntries(CALENDAR_DAYS.map((day) => [day, periods])), { requiredKeys: [] }),
    holidays: holidays(era),
    default: fc.boolean(),
    groups: fc.subarray([...MEMBERS.group]),
  });

/** Calendars of a site, at least one. */
export const arbitraryCalendars = (era: Era): fc.Arbitrary<CalendarRecord[]> =>
  fc.uniqueArray(arbitraryCalendar(era), { minLength: 1, maxLength: 3, selector: ({ id }) => id });
