import { type HistoryEvent, isMark } from '../history/cases/event.ts';
import { parseSubject, type Subject } from '../history/cases/subject.ts';
import type { FileEvent } from '../history/incoming.ts';
import { eventsOf } from '../history/rewrite.ts';
import {
  isEmptyHistory,
  kindOfEvent,
  listSources,
  openSource,
  type SourceNote,
  sourceRefusal,
} from '../history/sources.ts';
import type { HistoryContext } from '../history/storage/history-context.ts';
import type { Telling } from '../vocabulary.ts';
import type { Group } from './event-groups.ts';
import { type ImportOrigin, OriginRefused, originParts } from './origin.ts';

/** Called for each line that the site refuses. */
export type OnRefused = (rejected: { readonly line: number; readonly reason: string }) => void;

/**
 * Removes the `as_of` of events without a source: a mapping sets it, but it only has a meaning if cases are replaced.
 */
export function withoutVersions(group: Group): Group {
  const isDated = ({ event }: FileEvent): boolean => event.as_of !== undefined && event.source === undefined;
  if (![...group.values()].some((list) => list.some(isDated))) return group;
  const strip = (incoming: FileEvent): FileEvent => {
    if (isMark(incoming.event) || !isDated(incoming)) return incoming;
    const { as_of: _, ...event } = incoming.event;
    return { ...incoming, event };
  };
  return new Map([...group].map(([subject, list]) => [subject, list.map(strip)]));
}

/**
 * Returns a check that refuses a file if its source was not chosen by the user and is new to the site, but another
 * source has some of its cases: mostly the file was meant for that other source.
 */
export async function newSourceGuard(
  context: HistoryContext,
  origin: ImportOrigin | undefined,
): Promise<(group: Group) => Promise<Group>> {
  const notes = await listSources(context);
  const mine = new Set<string | undefined>(origin === undefined ? [] : originParts(origin).map(({ source }) => source));
  const isKnown = notes.some(({ name, isTried }) => mine.has(name) && !isTried);
  if (origin?.isChosen || isKnown || (origin === undefined && notes.length === 0)) return async (group) => group;
  if (notes.length === 0 && (await isEmptyHistory(context))) return async (group) => group;
  return async (group) => {
    for (const [subject, list] of await eventsOf(context, group.keys())) {
      const own = group.get(subject)?.some(({ event: { source } }) => source !== undefined && !mine.has(source));
      const isOther = (source: string | undefined): boolean =>
        (source !== undefined || origin !== undefined) && !mine.has(source);
      const other = own ? undefined : list.find(({ source }) => isOther(source));
      if (other !== undefined) throw heldBy(subject, other.source);
    }
    return group;
  };
}

function heldBy(subject: Subject, source: string | undefined): OriginRefused {
  const owner = parseSubject(subject);
  const what = 'agent' in owner ? `Sessions of agent ${owner.agent}` : `Case ${owner.case}`;
  const choose = "choose this file's source with --source";
  return source === undefined
    ? new OriginRefused(
        `${what} was imported before without a source`,
        `${choose}, or give those events one with support source adopt NAME`,
        true,
      )
    : new OriginRefused(`${what} was imported before from the source ${source}`, choose, true);
}

/** Sets this source in the events of a group that have none. */
export const withSource = (group: Group, source: string): Group =>
  new Map(
    [...group].map(([subject, list]) => [
      subject,
      list.map(({ event, line }) => ({ event: event.source === undefined ? { ...event, source } : event, line })),
    ]),
  );

/**
 * Makes a filter that lets through only events that their sources accept; the first event of a new source decides its
 * kind.
 */
export function newSourceFilter(
  context: HistoryContext,
  onRejected: OnRefused,
  tellsOf: () => readonly Telling[] | undefined, // asked once the first event of a source is there
): (group: Group) => Promise<Group> {
  const notes = new Map<string, Pick<SourceNote, 'name' | 'kind' | 'state'> | { readonly reason: string }>();

  async function reasonFor(event: HistoryEvent): Promise<string | undefined> {
    const { source } = event;
    if (source === undefined) return undefined;
    const kind = kindOfEvent(event);
    let note = notes.get(source);
    if (note === undefined) {
      const opened = await openSource(context, source, kind, { isImport: true, tells: tellsOf() });
      note = 'reason' in opened ? opened : { name: source, kind, state: 'open' };
      notes.set(source, note);
    }
    return 'reason' in note ? note.reason : sourceRefusal(note, source, kind);
  }

  return async (group) => {
    const admitted = new Map<Subject, readonly FileEvent[]>();
    for (const [subject, list] of group) {
      if (list.every(({ event }) => event.source === undefined)) {
        admitted.set(subject, list);
        continue;
      }
      const accepted: FileEvent[] = [];
      for (const incoming of list) {
        const reason = await reasonFor(incoming.event);
        if (reason === undefined) accepted.push(incoming);
        else onRejected({ line: incoming.line, reason });
      }
      if (accepted.length > 0) admitted.set(subject, accepted);
    }
    return admitted;
  };
}
