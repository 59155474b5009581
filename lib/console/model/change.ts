/** The direction of change of a number that is good. */
export type Good = 'up' | 'down' | 'neither';

const UP = ['resolved_cases', 'csat_score', 'csat_positive_rate', 'first_contact_resolution_rate'];
const DOWN = [
  'open_cases',
  'case_reopens',
  'case_reopen_rate',
  'agent_replies_per_resolve',
  'resolved_without_response',
];
const TIMES = /^(avg_|time_to_|handle_time|reply_time)(?!.*:count$)/;

/** The direction in which a field gets better; of most counts none is. */
export function goodDirection(field: string): Good {
  if (UP.includes(field)) return 'up';
  if (DOWN.includes(field) || TIMES.test(field)) return 'down';
  if (!field.startsWith('sla_')) return 'neither';
  return field.endsWith('_missed') ? 'down' : 'up';
}

/** How a number has changed: relative to the earlier one, or in points if it is a rate. */
export interface Change {
  readonly kind: 'share' | 'points';
  readonly amount: number; // 0.05 for +5 %; 5 for +5 points. Rounded as it is shown
  readonly verdict: 'better' | 'worse' | 'flat';
}

/** The change of a number of a unit; undefined if the two cannot be compared. */
export function changeOf(now: number | null, before: number | null, unit: string, good: Good): Change | undefined {
  if (now === null || before === null) return undefined;
  const kind = unit === 'percent' ? 'points' : 'share';
  if (kind === 'share' && before === 0) return undefined;
  // Rounded, so that a shown 0 is neither better nor worse.
  const amount =
    kind === 'points' ? Math.round((now - before) * 10) / 10 : Math.round((100 * (now - before)) / before) / 100;
  const verdict = good === 'neither' || amount === 0 ? 'flat' : amount > 0 === (good === 'up') ? 'better' : 'worse';
  return { kind, amount, verdict };
}
