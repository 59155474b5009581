import type { AsOf, HistoryEvent } from '../../../lib/history/cases/event.ts';
import { subjectOf } from '../../../lib/history/cases/subject.ts';

/** The events that count among raw records, by the words of docs/design/versions.md; records must have no conflicts. */
export function currentEvents(records: readonly HistoryEvent[]): HistoryEvent[] {
  const ofSource = Object.values(groupBy(records, (record) => JSON.stringify([subjectOf(record), record.source])));
  const current = ofSource.flatMap((mine) => {
    const largest = mine.map(({ as_of }) => as_of).reduce((a, b) => (isAfter(b, a) ? b : a), undefined);
    return mine.filter(({ as_of }) => !isAfter(largest, as_of));
  });
  const events = current.filter(({ type }) => type !== 'case.version' && type !== 'agent.version');
  return Object.values(groupBy(events, (event) => JSON.stringify([subjectOf(event), event.id]))).map((same) =>
    same.reduce((a, b) => (codePoints(b.source) < codePoints(a.source) ? b : a)),
  );
}

function groupBy(records: readonly HistoryEvent[], key: (record: HistoryEvent) => string) {
  const groups: Record<string, [HistoryEvent, ...HistoryEvent[]]> = {};
  for (const record of records) {
    const name = key(record);
    if (groups[name]) groups[name].push(record);
    else groups[name] = [record];
  }
  return groups;
}

/** Whether a version is larger than another: the first part that differs decides. */
function isAfter(one: AsOf | undefined, other: AsOf | undefined): boolean {
  const parts = [0, 1, 2].map((part) => [one?.[part] ?? -1, other?.[part] ?? -1] as const);
  const [left = 0, right = 0] = parts.find(([left, right]) => left !== right) ?? [];
  return left > right;
}

/** A text that sorts as the code points of a source's name. */
const codePoints = (source = ''): string =>
  [...source].map((one) => one.codePointAt(0)!.toString(16).padStart(6, '0')).join('');
