import type { HistoryEvent } from '../../../lib/history/cases/event.ts';
import { type Subject, subjectOf } from '../../../lib/history/cases/subject.ts';

/** Groups events by their subject, each list in the given order. */
export function bySubject(events: Iterable<HistoryEvent>): Map<Subject, HistoryEvent[]> {
  const lists = new Map<Subject, HistoryEvent[]>();
  for (const event of events) {
    const subject = subjectOf(event);
    const list = lists.get(subject);
    if (list) list.push(event);
    else lists.set(subject, [event]);
  }
  return lists;
}
