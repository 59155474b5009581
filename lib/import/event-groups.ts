import { addTo } from '../group-by.ts';
import { type HistoryEvent, type Instant, isOfAgent } from '../history/cases/event.ts';
import { areTooMany, TooManyEvents } from '../history/cases/most-events.ts';
import { caseSubject, type Subject, subjectOf } from '../history/cases/subject.ts';
import { markOf } from '../history/cases/versions.ts';
import type { FileEvent } from '../history/incoming.ts';
import type { Batch, LastChange, RejectedRow, Row, WholeCases } from './formats/row.ts';
import { isEvent } from './records/records.ts';
import type { ReferenceRecord } from './records/reference-record.ts';
import { openSpill, type SpillBounds, type SpillForm } from './spill/spill.ts';
import { readWritten, writeEvent } from './spill/written-events.ts';

/** Events to merge in one commit: all events that the file has of their subjects. */
export type Group = ReadonlyMap<Subject, readonly FileEvent[]>;

export interface GroupOptions {
  readonly spillFolder: string; // for one temporary file without a name
  readonly spillBounds?: SpillBounds | undefined; // for events that do not come case by case
  /** Returns why a well-formed event does not fit this site; undefined if it fits. */
  readonly refuse?: (event: HistoryEvent) => string | undefined;
  readonly onReference: (record: ReferenceRecord, line: number) => void | Promise<void>;
  readonly onRejected: (row: RejectedRow) => void;
  /**
   * The source whose cases the file replaces: cases with a rejected row are left out, cases without events become
   * marks.
   */
  readonly replaces?: string | undefined;
  readonly onWhole?: ((batch: WholeCases) => void) | undefined; // called before the rows of the batch are read
  readonly onChanged?: ((last: LastChange) => void) | undefined; // called before events of the file are yielded
}

/** A group of whole cases is complete once it has so many events. */
const ENOUGH = 60_000;

/**
 * Yields the events of a file's rows in groups, in bounded memory. Events that do not come in whole cases are grouped
 * by case through a temporary file. Calls `onRead` with the number of events so far, and once with true when the file
 * is read.
 */
export async function* eventGroups(
  batches: AsyncIterable<Batch>,
  options: GroupOptions,
  onRead: (events: number, isRead: boolean) => void,
): AsyncGenerator<Group> {
  const spill = openSpill(options.spillFolder, INCOMING, options.spillBounds);
  const whole = newGathering();
  const spoiled = newSpoiled(options);
  const changed = new Map<string | undefined, Instant>();
  let events = 0;
  let isRead = false;
  try {
    for await (const batch of batches) {
      const isWhole = 'cases' in batch;
      if (isWhole) options.onWhole?.(batch);
      if (isWhole) for (const last of batch.changed ?? []) options.onChanged?.(last);
      const add = isWhole ? whole.add : spill.add;
      const take = (incoming: FileEvent): void => {
        events += 1;
        add(incoming);
        if (!isWhole) noteChange(incoming.event, changed);
      };
      for (const row of isWhole ? batch.cases : batch) {
        const references = takeRow(row, spoiled.options, take);
        if (references) await references;
        const mark = emptyVersion(row, options.replaces);
        if (mark !== undefined) add(mark);
      }
      onRead(events, isWhole && !isRead);
      isRead ||= isWhole;
      if (whole.size >= ENOUGH) yield spoiled.leaveOut(whole.take());
      await spill.rest();
    }
    if (whole.size > 0) yield spoiled.leaveOut(whole.take());
    if (!isRead) onRead(events, true);
    for (const [source, at] of changed) options.onChanged?.({ source, at });
    for await (const group of spill.groups()) yield spoiled.leaveOut(group);
  } finally {
    await spill.close();
  }
}

/** Keeps the largest first part of the versions of each source. */
function noteChange({ source, as_of }: HistoryEvent, changed: Map<string | undefined, Instant>): void {
  const at = as_of?.[0] ?? null;
  if (at !== null && at > (changed.get(source) ?? -1)) changed.set(source, at);
}

const INCOMING: SpillForm<FileEvent> = {
  subjectOf: ({ event }) => subjectOf(event),
  lineOf: ({ line }) => line,
  write: writeEvent,
  read: readWritten,
};

/** Makes a collection of events whose subjects come whole. */
function newGathering() {
  let group = new Map<Subject, FileEvent[]>();
  let size = 0;
  return {
    get size() {
      return size;
    },
    add(incoming: FileEvent): void {
      size += 1;
      const subject = subjectOf(incoming.event);
      const events = addTo(group, subject, incoming);
      if (areTooMany(subject, events)) throw new TooManyEvents(subject, incoming.line);
    },
    take(): Group {
      const taken = group;
      group = new Map();
      size = 0;
      return taken;
    },
  };
}

/** Remembers the cases with rejected rows, if the file replaces cases: such a case is left out whole. */
function newSpoiled(options: GroupOptions) {
  const cases = new Map<string | undefined, Set<Subject>>(); // by source
  if (options.replaces === undefined) return { options, leaveOut: (group: Group) => group };
  const onRejected = (row: RejectedRow): void => {
    const { source } = row;
    const ofSource = cases.get(source) ?? new Set();
    cases.set(source, ofSource);
    if (row.case !== undefined) ofSource.add(caseSubject(row.case));
    options.onRejected(row);
  };
  const isSpoiled = (subject: Subject, source: string | undefined): boolean =>
    cases.get(undefined)?.has(subject) === true || (source !== undefined && cases.get(source)?.has(subject) === true);
  const leaveOut = (group: Group): Group => {
    if (cases.size === 0) return group;
    const kept = new Map<Subject, readonly FileEvent[]>();
    for (const [subject, list] of group) {
      const sound = list.filter(({ event }) => !isSpoiled(subject, event.source));
      if (sound.length > 0) kept.set(subject, sound);
    }
    return kept;
  };
  return { options: { ...options, onRejected }, leaveOut };
}

/** Takes a row's events. Returns a promise only if the row has reference records, because most rows have none. */
function takeRow(row: Row, options: GroupOptions, take: (incoming: FileEvent) => void): Promise<unknown> | undefined {
  if ('reason' in row) {
    options.onRejected(row);
    return undefined;
  }
  const { line, raw, records } = row;
  let references: Promise<unknown> | undefined;
  for (const record of records) {
    if (!isEvent(record)) {
      references = (references ?? Promise.resolve()).then(() => options.onReference(record, line));
      continue;
    }
    const reason = options.refuse?.(record);
    if (reason === undefined) take({ event: record, line });
    else options.onRejected({ line, reason, ...ownerOf(record), raw });
  }
  return references;
}

/** Returns the mark of a case without events in the file, if the file replaces the cases of a source. */
function emptyVersion(row: Row, replaces: string | undefined): FileEvent | undefined {
  if (replaces === undefined || 'reason' in row || row.empty === undefined) return undefined;
  const { case: key, source = replaces, last } = row.empty;
  return { event: markOf(caseSubject(key), source, last === undefined ? [] : [last]), line: row.line };
}

const ownerOf = (event: HistoryEvent): Pick<RejectedRow, 'case' | 'source'> => ({
  case: isOfAgent(event) ? undefined : event.case,
  source: event.source,
});
