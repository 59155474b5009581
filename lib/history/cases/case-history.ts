import { byCodePoint } from '../../text.ts';
import type { CaseEvent, HistoryEvent, Instant } from './event.ts';
import { countedEvents } from './versions.ts';

/** The whole second of an instant, cut off (docs/rules.md 22). */
export const secondOf = (at: Instant): number => Math.floor(at / 1_000_000);

/** The order of a case's events: by time, then by id in code-point order (docs/import.md). */
export function compareEvents(a: HistoryEvent, b: HistoryEvent): number {
  return a.at - b.at || byCodePoint(a.id, b.id);
}

/**
 * The history of one case from its events in any order, repeats included: without marks and repeats (of one id the first
 * given stays, that of the smallest source where several have it), in the order of `inOrder`.
 */
export function caseHistory(events: readonly CaseEvent[]): CaseEvent[] {
  const once = new Map<string, CaseEvent>();
  for (const event of countedEvents(events)) if (!once.has(event.id)) once.set(event.id, event);
  return inOrder([...once.values()]);
}

/**
 * The events of one case, each id once, in the order in which they act: by time, but with the earliest `case.created` first
 * whatever its time. Later ones of those are dropped: only the first acts (docs/rules.md 20).
 */
export function inOrder(events: readonly CaseEvent[]): CaseEvent[] {
  const ordered = [...events].sort(compareEvents);
  const creation = ordered.find((event) => event.type === 'case.created');
  if (creation === undefined) return ordered;
  return [creation, ...ordered.filter((event) => event.type !== 'case.created')];
}
