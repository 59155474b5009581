import { type HistoryEvent, isOfAgent } from '../history/cases/event.ts';
import { caseSubject, type Subject, subjectOf } from '../history/cases/subject.ts';
import { markOf } from '../history/cases/versions.ts';
import type { Incoming } from '../history/incoming.ts';
import type { Batch, RejectedRow, Row, WholeCases } from './formats/row.ts';
import { isEvent } from './records/records.ts';
import type { ReferenceRecord } from './records/reference-record.ts';
import { openSpill, type SpillBounds, type SpillForm } from './spill/spill.ts';
import { readWritten, writeEvent } from './spill/written-events.ts';

/** Events to be merged in one go: all that a file has of their subjects. */
export type Group = ReadonlyMap<Subject, readonly Incoming[]>;

/** What to do with records that are not events, and how events are grouped. */
export interface GroupOptions {
  readonly spillFolder: string; // for one temporary file that nobody sees
  readonly spillBounds?: SpillBounds;
  /** Why an event that is well formed is not for this site; undefined: it is. */
  readonly refuse?: (event: HistoryEvent) => string | undefined;
  readonly onReference: (record: ReferenceRecord, line: number) => void | Promise<void>;
  readonly onRejected: (row: RejectedRow) => void;
  /** The source whose cases are replaced: those of which a row is rejected are left out, and those without events come as marks. */
  readonly replaces?: string | undefined;
  readonly onWhole?: (batch: WholeCases) => void; // before its rows are taken
}

/** Events of whole cases that make a group, with those of the last case. */
const ENOUGH = 100_000;

/**
 * The events of a file's rows in groups, in bounded memory: spread by case, unless they come in whole cases. `onRead` is
 * told how many events there are so far, and once that the file is read.
 */
export async function* eventGroups(
  batches: AsyncIterable<Batch>,
  options: GroupOptions,
  onRead: (events: number, isRead: boolean) => void,
): AsyncGenerator<Group> {
  const spill = openSpill(options.spillFolder, INCOMING, options.spillBounds);
  const whole = newGathering();
  const spoiled = newSpoiled(options);
  let events = 0;
  let isRead = false;
  try {
    for await (const batch of batches) {
      const isWhole = 'cases' in batch;
      if (isWhole) options.onWhole?.(batch);
      const add = isWhole ? whole.add : spill.add;
      const take = (incoming: Incoming): void => {
        events += 1;
        add(incoming);
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
    for await (const group of spill.groups()) yield spoiled.leaveOut(group);
  } finally {
    await spill.close();
  }
}

const INCOMING: SpillForm<Incoming> = {
  subjectOf: ({ event }) => subjectOf(event),
  write: writeEvent,
  read: readWritten,
};

/** Events whose subjects come whole, until they are taken. */
function newGathering() {
  let group = new Map<Subject, Incoming[]>();
  let size = 0;
  return {
    get size() {
      return size;
    },
    add(incoming: Incoming): void {
      size += 1;
      const subject = subjectOf(incoming.event);
      const list = group.get(subject);
      if (list) list.push(incoming);
      else group.set(subject, [incoming]);
    },
    take(): Group {
      const taken = group;
      group = new Map();
      size = 0;
      return taken;
    },
  };
}

/** Notes the cases of rejected rows, where those are to be left out whole. */
function newSpoiled(options: GroupOptions) {
  const cases = new Map<string | undefined, Set<Subject>>(); // by source
  if (options.replaces === undefined) return { options, leaveOut: (group: Group) => group };
  const onRejected = (row: RejectedRow): void => {
    const { source } = row;
    const mine = cases.get(source) ?? new Set();
    cases.set(source, mine);
    if (row.case !== undefined) mine.add(caseSubject(row.case));
    options.onRejected(row);
  };
  const isSpoiled = (subject: Subject, source: string | undefined): boolean =>
    cases.get(undefined)?.has(subject) === true || (source !== undefined && cases.get(source)?.has(subject) === true);
  const leaveOut = (group: Group): Group => {
    if (cases.size === 0) return group;
    const kept = new Map<Subject, readonly Incoming[]>();
    for (const [subject, list] of group) {
      const mine = list.filter(({ event }) => !isSpoiled(subject, event.source));
      if (mine.length > 0) kept.set(subject, mine);
    }
    return kept;
  };
  return { options: { ...options, onRejected }, leaveOut };
}

/** Takes a row's events; a promise only where the row brings reference records, since most bring none. */
function takeRow(row: Row, options: GroupOptions, take: (incoming: Incoming) => void): Promise<unknown> | undefined {
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
    else options.onRejected({ line, reason, ...ownerOf(record), ...(raw === undefined ? {} : { raw }) });
  }
  return references;
}

/** The mark of a case that the file has without events, where what it has replaces what the source had. */
function emptyVersion(row: Row, replaces: string | undefined): Incoming | undefined {
  if (replaces === undefined || 'reason' in row || row.empty === undefined) return undefined;
  const { case: key, source = replaces, last } = row.empty;
  return { event: markOf(caseSubject(key), source, last === undefined ? [] : [last]), line: row.line };
}

const ownerOf = (event: HistoryEvent): Pick<RejectedRow, 'case' | 'source'> => {
  const source = event.source === undefined ? {} : { source: event.source };
  return isOfAgent(event) ? source : { case: event.case, ...source };
};
