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
 * Returns the history of one case, in the order of `inOrder`. The events may come in any order and repeat. Marks and
 * repeats are dropped: of events with the same id the first stays, or that of the smallest source name if several
 * sources have it.
 */
export function caseHistory(events: readonly CaseEvent[]): CaseEvent[] {
  const once = new Map<string, CaseEvent>();
  for (const event of countedEvents(events)) if (!once.has(event.id)) once.set(event.id, event);
  return inOrder([...once.values()]);
}

/**
 * Sorts the events of one case, each id once, into the order in which they act: by time, but with the earliest
 * `case.created` first whatever its time. Later `case.created` events are dropped: only the first acts (docs/rules.md
 * 20).
 */
export function inOrder(events: readonly CaseEvent[]): CaseEvent[] {
  const ordered = [...events].sort(compareEvents);
  const creation = ordered.find((event) => event.type === 'case.created');
  if (creation === undefined) return ordered;
  return [creation, ...ordered.filter((event) => event.type !== 'case.created')];
}
