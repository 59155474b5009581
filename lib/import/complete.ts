import { type HistoryEvent, type Instant, isMark } from '../history/cases/event.ts';
import type { Subject } from '../history/cases/subject.ts';
import { markOf, mergeVersions } from '../history/cases/versions.ts';
import type { Incoming } from '../history/incoming.ts';
import { type MergeOutcome, mergeEvents } from '../history/merge.ts';
import { walkCommitted, walkLedger } from '../history/rewrite.ts';
import type { HistoryContext } from '../history/storage/history-context.ts';
import { readTail } from '../history/storage/tail.ts';

/** The cases and events of a source that are missing in a complete file. */
export interface Missing {
  readonly cases: number;
  readonly events: number;
}

/** A file that has all cases of a source. */
export interface CompleteFile {
  readonly source: string;
  readonly seen: ReadonlySet<Subject>; // its cases
  readonly exported: Instant | null; // when it was made, as far as known
  readonly moment: Instant; // of its import
}

/** Counts the cases of a source that are missing in a complete file, and their events, live ones included. */
export async function missingOf(
  context: HistoryContext,
  { source, seen }: Pick<CompleteFile, 'source' | 'seen'>,
): Promise<Missing> {
  const pending = new Map((await readTail(context)).pending.map(({ subject, events }) => [subject, events]));
  let [cases, events] = [0, 0];
  const count = (subject: Subject, all: readonly HistoryEvent[]): void => {
    const missing = seen.has(subject) ? 0 : all.filter((event) => event.source === source && event.id !== '').length;
    if (missing > 0) cases += 1;
    events += missing;
  };
  for await (const known of walkCommitted(context)) {
    for (const [subject, list] of known) {
      count(subject, mergeVersions(list, pending.get(subject) ?? []).events);
      pending.delete(subject);
    }
  }
  for (const [subject, list] of pending) count(subject, list);
  return { cases, events };
}

/**
 * Replaces the events of cases that are missing in a complete file by marks. The first part of a mark is the case's own
 * last known change, so that the next export that names the case brings it back, and an older one does not. Undefined
 * if no case is missing.
 */
export async function completeSource(
  context: HistoryContext,
  { source, seen, exported, moment }: CompleteFile,
): Promise<MergeOutcome | undefined> {
  let all: MergeOutcome | undefined;
  for await (const known of walkLedger(context)) {
    const marks = new Map<Subject, Incoming[]>();
    for (const [subject, events] of known) {
      const ofSource = seen.has(subject) ? [] : events.filter((event) => event.source === source);
      if (!ofSource.some((event) => !isMark(event))) continue;
      const own = Math.max(...ofSource.map(({ as_of }) => as_of?.[0] ?? -1));
      marks.set(subject, [{ event: markOf(subject, source, [own < 0 ? null : own, exported, moment]) }]);
    }
    if (marks.size === 0) continue;
    const merged = await mergeEvents(context, marks);
    all = { ...merged, removed: merged.removed + (all?.removed ?? 0) };
  }
  return all;
}
