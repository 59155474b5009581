import type { Calendar } from '../../access/calendars.ts';
import type { Reference } from '../reference.ts';
import { ALL_TIME } from '../windows.ts';
import type { SlaPolicy, SlaTarget } from './sla-policies.ts';
import { worked, workTime } from './work-time.ts';

const SHORTEST = 14 * 86_400; // s, the first range tried: most promises in working time are shorter

/**
 * Returns a second such that no promise whose clock began before it can be broken at `second` or later. The time between
 * the two is that of the longest target, for targets in working time by the slowest calendar. At least 0.
 */
export function earliestClock({ policies, calendars }: Reference, second: number): number {
  const [allTime, working] = [longestTarget(policies, 'calendar'), longestTarget(policies, 'business')];
  const starts = [
    second - (allTime ?? 0),
    ...(working === undefined ? [] : calendars.map((calendar) => beforeWorking(calendar, working, second))),
  ];
  return Math.max(0, Math.min(...starts));
}

/**
 * Returns a second before which every promise whose clock began at `second` or earlier is broken, unless somebody keeps it:
 * one that no calendar's working time reaches is never broken.
 */
export function latestBreak({ policies, calendars }: Reference, second: number): number {
  const [allTime, working] = [longestTarget(policies, 'calendar'), longestTarget(policies, 'business')];
  const ends = working === undefined ? [] : calendars.map((calendar) => afterWorking(calendar, working, second));
  return Math.min(ALL_TIME.max, Math.max(second + (allTime ?? 0), ...ends) + 1);
}

/** The seconds of the longest target in some hours, and one; undefined without such targets. */
function longestTarget(policies: readonly SlaPolicy[], hours: SlaTarget['hours']): number | undefined {
  const lengths = policies.flatMap(({ targets }) =>
    targets.flatMap((target) => (target.hours === hours ? [target.seconds] : [])),
  );
  return lengths.length === 0 ? undefined : lengths.reduce((a, b) => Math.max(a, b)) + 1;
}

/** A second such that more than `seconds` are worked from `from` to it; the end of time if so much never is. */
function afterWorking(calendar: Calendar, seconds: number, from: number): number {
  for (let span = SHORTEST; from + span < ALL_TIME.max; span *= 2) {
    if (worked(workTime(calendar, from, from + span), from + span) > seconds) return from + span;
  }
  return ALL_TIME.max;
}

/** A second such that more than `seconds` were worked from it to `until`; 0 if not so much was worked since 1970. */
function beforeWorking(calendar: Calendar, seconds: number, until: number): number {
  for (let span = SHORTEST; span < until; span *= 2) {
    if (worked(workTime(calendar, until - span, until + 1), until) > seconds) return until - span;
  }
  return 0;
}
