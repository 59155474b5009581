import type { Calendar } from '../access/calendars.ts';
import { worked, workTime } from './hours.ts';
import type { Reference } from './reference.ts';

const SHORTEST = 14 * 86_400; // s that are looked back at first: most promises in working time are shorter

/**
 * A second before which no clock began whose promise is broken at `second` or later: the longest promise before it, in the
 * working time of every calendar where it runs in that. 0 where there is none such.
 */
export function earliestClock({ policies, calendars }: Reference, second: number): number {
  const targets = policies.flatMap((policy) => policy.targets);
  const longest = (hours: string): number | undefined => {
    const lengths = targets.flatMap((target) => (target.hours === hours ? [target.seconds] : []));
    return lengths.length === 0 ? undefined : lengths.reduce((a, b) => Math.max(a, b)) + 1;
  };
  const [allTime, working] = [longest('calendar'), longest('business')];
  const starts = [
    second - (allTime ?? 0),
    ...(working === undefined ? [] : calendars.map((calendar) => beforeWorking(calendar, working, second))),
  ];
  return Math.max(0, Math.min(...starts));
}

/** A second since which more than so many seconds have been worked up to another; 0 where that is not so. */
function beforeWorking(calendar: Calendar, seconds: number, until: number): number {
  for (let span = SHORTEST; span < until; span *= 2) {
    if (worked(workTime(calendar, until - span, until + 1), until) > seconds) return until - span;
  }
  return 0;
}
