import type { Calendar } from '../../access/calendars.ts';
import type { Reference } from '../reference.ts';
import { worked, workTime } from './work-time.ts';

const SHORTEST = 14 * 86_400; // s, the first range tried: most promises in working time are shorter

/**
 * Returns a second such that no promise whose clock began before it can be broken at `second` or later. The time between
 * the two is that of the longest target, for targets in working time by the slowest calendar. At least 0.
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

/** A second such that more than `seconds` were worked from it to `until`; 0 if not so much was worked since 1970. */
function beforeWorking(calendar: Calendar, seconds: number, until: number): number {
  for (let span = SHORTEST; span < until; span *= 2) {
    if (worked(workTime(calendar, until - span, until + 1), until) > seconds) return until - span;
  }
  return 0;
}
