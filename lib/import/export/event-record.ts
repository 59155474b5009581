import { type HistoryEvent, isMark } from '../../history/cases/event.ts';
import { formatInstant } from '../../history/cases/instant.ts';

/** Returns the record from which an import makes this event (docs/import.md). */
export function eventRecord(event: HistoryEvent): Readonly<Record<string, unknown>> {
  const record = withTimes(event);
  const asOf = event.as_of?.map((part) => (part === null ? null : formatInstant(part)));
  return asOf === undefined ? record : { ...record, as_of: asOf };
}

function withTimes(event: HistoryEvent): Readonly<Record<string, unknown>> {
  if (isMark(event)) {
    const { id: _, at: __, ...mark } = event;
    return mark;
  }
  const at = formatInstant(event.at);
  switch (event.type) {
    case 'case.assigned': {
      const { agent, group, to, ...rest } = event; // in the record these keys name the assignee
      return { ...rest, ...to, at };
    }
    case 'case.handled':
    case 'agent.session':
      return { ...event, at, from: formatInstant(event.from), to: formatInstant(event.to) };
    default:
      return { ...event, at };
  }
}
