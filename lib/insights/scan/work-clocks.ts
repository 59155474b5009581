import { type Calendar, calendarOf } from '../../access/calendars.ts';
import type { Segment } from '../../history/segments/segment.ts';
import type { Elapsed } from '../definitions/measure.ts';
import { type WorkTime, workedBetween, workTime } from '../promises/work-time.ts';

/** The working time of calendars, computed as far as segments have needed it. */
export interface WorkClocks {
  /**
   * Returns a function from a row of the segment to the working time of its case, which covers the segment at least.
   */
  timeOf(segment: Segment): (row: number) => WorkTime;
}

const MARGIN = 370 * 86_400; // s added on both sides, so that it is seldom computed again for the next segments

/** Creates the working time of at least one calendar; it always reaches `until`. */
export function createWorkClocks(calendars: readonly Calendar[], until: number): WorkClocks {
  const known = new Map<Calendar, WorkTime>();
  const covering = (calendar: Calendar, from: number, to: number): WorkTime => {
    const before = known.get(calendar);
    if (before !== undefined && before.from <= from && before.to >= to) return before;
    const made = workTime(
      calendar,
      Math.min(before?.from ?? from, from) - MARGIN,
      Math.max(before?.to ?? until, to, until) + MARGIN,
    );
    known.set(calendar, made);
    return made;
  };
  return {
    timeOf(segment) {
      const { start, end } = segment.head;
      const groups = segment.attribute('group');
      const dictionary = segment.dictionary('groups');
      const times: (WorkTime | undefined)[] = []; // by index of the group
      const of = (index: number): WorkTime => {
        const calendar = calendarOf(calendars, index === 0 ? null : dictionary[index - 1]!);
        if (calendar === undefined) throw new Error('a report in working time needs a calendar');
        return covering(calendar, start, end + 1);
      };
      return (row) => (times[groups[row]!] ??= of(groups[row]!));
    },
  };
}

/** Returns a function that measures in the working time of the segment's cases. */
export function elapsedIn(clocks: WorkClocks, segment: Segment): Elapsed {
  const timeOf = clocks.timeOf(segment);
  const { start } = segment.head;
  return (row, from, to) => workedBetween(timeOf(row), start + from, start + to);
}
