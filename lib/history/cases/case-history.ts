import { byCodePoint } from '../../text.ts';
import type { CaseEvent, HistoryEvent, Instant } from './event.ts';

/** The whole second of an instant, cut off (insights.md rule 22). */
export const secondOf = (at: Instant): number => Math.floor(at / 1_000_000);

/** The order of a case's events: by time, then by id in code-point order (events.md, Promises). */
export function compareEvents(a: HistoryEvent, b: HistoryEvent): number {
  return a.at - b.at || byCodePoint(a.id, b.id);
}

/**
 * The history of one case from its events in any order, repeats included: ordered, without repeats (of one id the first
 * given stays), and with the earliest `case.created` first whatever its time. Later ones of those are dropped: only the
 * first acts (insights.md rule 20).
 */
export function caseHistory(events: readonly CaseEvent[]): CaseEvent[] {
  const once = new Map<string, CaseEvent>();
  for (const event of events) if (!once.has(event.id)) once.set(event.id, event);
  const ordered = [...once.values()].sort(compareEvents);
  const creation = ordered.find((event) => event.type === 'case.created');
  if (creation === undefined) return ordered;
  return [creation, ...ordered.filter((event) => event.type !== 'case.created')];
}

/** Whether two events that share an id say the same; else the second is a conflict (events.md). */
export function sameEvent(a: HistoryEvent, b: HistoryEvent): boolean {
  return sameValue(a, b);
}

function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const left = new Map(Object.entries(a));
  const right = Object.entries(b);
  return left.size === right.length && right.every(([key, value]) => left.has(key) && sameValue(left.get(key), value));
}
