import { type Calendar, calendarOf } from '../../access/calendars.ts';
import type { Segment } from '../../history/segments/segment.ts';
import { type WorkTime, workedBetween, workTime } from '../hours.ts';

/** The seconds between two, both since the start of a segment, in the working time of the case of a row. */
export type Elapsed = (row: number, from: number, to: number) => number;

/** The working time of calendars, as far as segments need it so far. */
export interface WorkClocks {
  /** By row of a segment the working time of its case, from the segment's start to at least its end. */
  timeOf(segment: Segment): (row: number) => WorkTime;
}

const MARGIN = 370 * 86_400; // s on both sides, so that a few segments later the time is seldom made again

/** The working time of calendars, of which there is at least one; `until` is a second that it reaches in any case. */
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

/** Measures in the working time of the cases of a segment. */
export function elapsedIn(clocks: WorkClocks, segment: Segment): Elapsed {
  const timeOf = clocks.timeOf(segment);
  const { start } = segment.head;
  return (row, from, to) => workedBetween(timeOf(row), start + from, start + to);
}
