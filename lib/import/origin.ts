import { compareAsOf } from '../history/cases/as-of.ts';
import type { AsOf, HistoryEvent, Instant } from '../history/cases/event.ts';
import type { Subject } from '../history/cases/subject.ts';
import { mergeVersions } from '../history/cases/versions.ts';
import type { HistoryContext } from '../history/commits/history-context.ts';
import type { Incoming } from '../history/incoming.ts';
import { markOf } from '../history/ledger/source-runs.ts';
import { readTail } from '../history/ledger/tail.ts';
import { type Merged, mergeEvents } from '../history/merge.ts';
import { eventsOf, walkCommitted, walkLedger } from '../history/rewrite.ts';
import { kindOfEvent, listSources, openSource, refusal, type SourceKind, type SourceNote } from '../history/sources.ts';
import type { Group } from './event-groups.ts';
import { conflict } from './refusals.ts';

/** Where an import says that its events come from. */
export interface ImportOrigin {
  readonly source: string;
  readonly isChosen: boolean; // by who imports; else it is the default of the mapping or format
  readonly replaces: boolean; // what the file has of a case takes the place of what the source had
  readonly asOf?: Instant; // of the export: second part of `as_of`
  readonly isComplete?: boolean; // the file has all cases of the source
}

/** Refused before anything is written: the source takes no events of this kind. */
export class OriginRefused extends Error {
  constructor(reason: string) {
    super(`${reason}.`);
    this.name = 'OriginRefused';
  }
}

/** Gives the events of groups their source and version. */
export interface Placing {
  /** The group with its origin; lines that the site refuses are told and left out, with their case where it is to be replaced. */
  place(group: Group): Promise<Group>;
  readonly moment: Instant; // of the import, as its versions have it
  /** Notes cases of the file that come in no group, since the source has them so, and when the latest of them changed. */
  see(subjects: readonly Subject[], last: Instant | undefined): void;
  /** Puts an empty version in the place of each case of the source that no group had. */
  complete(): Promise<Merged | undefined>;
  /** What that would take away; writes nothing. */
  missing(): Promise<Missing>;
}

/** What a source has of cases that a complete file lacks. */
export interface Missing {
  readonly cases: number;
  readonly events: number;
}

export interface PlacingOptions {
  readonly origin: ImportOrigin | undefined;
  readonly onRejected: (rejected: { readonly line: number; readonly reason: string }) => void;
}

/** Opens the source of an import; `context` is rehearsed where nothing is to be written. Throws `OriginRefused`. */
export async function openPlacing(context: HistoryContext, { origin, onRejected }: PlacingOptions): Promise<Placing> {
  const admission = newAdmission(context);
  const guard = await newGuard(context, origin);
  if (origin === undefined)
    return {
      place: async (group) => admission.admit(await guard(undated(group)), onRejected),
      ...nothingSeen,
    };
  const kind: SourceKind = origin.replaces ? 'versioned' : 'log';
  const opened = await openSource(context, origin.source, kind, { isImport: true });
  if ('reason' in opened) throw new OriginRefused(opened.reason);
  const { source, replaces, asOf = null, isComplete } = origin;
  if (!replaces)
    return {
      place: async (group) => admission.admit(named(await guard(undated(group)), source), onRejected),
      ...nothingSeen,
    };
  const seen = new Set<Subject>();
  let largest: AsOf = [null, asOf, opened.moment];
  return {
    async place(group) {
      const placed = new Map<Subject, readonly Incoming[]>();
      for (const [subject, list] of await guard(group)) {
        const version = versionOf(list, { source, asOf, moment: opened.moment });
        const wrong = version.list.filter((_, place) => version.fates[place] === 'conflict');
        for (const { line, event } of wrong) onRejected({ line, reason: conflict(event) });
        if (compareAsOf(version.asOf, largest) > 0) largest = version.asOf;
        if (isComplete) seen.add(subject);
        if (wrong.length === 0) placed.set(subject, version.list);
      }
      return placed;
    },
    moment: opened.moment,
    see(subjects, last) {
      const version: AsOf = [last ?? null, asOf, opened.moment];
      if (compareAsOf(version, largest) > 0) largest = version;
      if (isComplete) for (const subject of subjects) seen.add(subject);
    },
    complete: () => completeSource(context, { source, seen, largest }),
    missing: () => missingOf(context, { source, seen }),
  };
}

const nothingSeen = {
  moment: 0,
  see: () => undefined,
  complete: async () => undefined,
  missing: async () => ({ cases: 0, events: 0 }),
};

/** A group whose events without a source have no `as_of`: where nothing is replaced, a mapping's says nothing. */
function undated(group: Group): Group {
  const isDated = ({ event }: Incoming): boolean => event.as_of !== undefined && event.source === undefined;
  if (![...group.values()].some((list) => list.some(isDated))) return group;
  const strip = (incoming: Incoming): Incoming => {
    if (!isDated(incoming)) return incoming;
    const { as_of: _, ...event } = incoming.event;
    return { ...incoming, event: event as HistoryEvent };
  };
  return new Map([...group].map(([subject, list]) => [subject, list.map(strip)]));
}

/**
 * Refuses a file whose cases another source holds, where nobody chose the source and it is new to the site: mostly it was
 * meant to be that other one.
 */
async function newGuard(
  context: HistoryContext,
  origin: ImportOrigin | undefined,
): Promise<(group: Group) => Promise<Group>> {
  const notes = await listSources(context);
  const isKnown = notes.some(({ name }) => name === origin?.source);
  if (origin?.isChosen || isKnown || (origin === undefined && notes.length === 0)) return async (group) => group;
  return async (group) => {
    for (const [subject, list] of await eventsOf(context, group.keys())) {
      const own = group.get(subject)?.some(({ event }) => event.source !== undefined);
      const other = list.find(({ source }) => (source !== undefined || origin !== undefined) && !own);
      if (other !== undefined) throw new OriginRefused(heldReason(subject, other.source));
    }
    return group;
  };
}

function heldReason(subject: Subject, source: string | undefined): string {
  const what = subject.startsWith('a') ? `Sessions of agent ${subject.slice(1)}` : `Case ${subject.slice(1)}`;
  return source === undefined
    ? `${what} came before without a source: name this file's with --source, or give that one by support source adopt NAME`
    : `${what} came before from the source ${source}: name this file's with --source`;
}

const named = (group: Group, source: string): Group =>
  new Map(
    [...group].map(([subject, list]) => [
      subject,
      list.map(({ event, line }) => ({ event: event.source === undefined ? { ...event, source } : event, line })),
    ]),
  );

/** All that a file has of a case as one version of a source. Its first part is the largest one of its events. */
function versionOf(
  list: readonly Incoming[],
  { source, asOf, moment }: { readonly source: string; readonly asOf: Instant | null; readonly moment: Instant },
) {
  let own: Instant | null = null;
  for (const { event } of list) own = later(own, event.as_of?.[0] ?? null);
  const version: AsOf = [own, asOf, moment];
  const versioned = list.map(({ event, line }): Incoming => ({ event: { ...event, source, as_of: version }, line }));
  const { fates } = mergeVersions(
    [],
    versioned.map(({ event }) => event),
  );
  return { asOf: version, fates, list: versioned };
}

const later = (a: Instant | null, b: Instant | null): Instant | null => (a === null || (b ?? a) > a ? b : a);

/** Lets events through whose sources take them, by what the site notes and by the first of them in the file. */
function newAdmission(context: HistoryContext) {
  const notes = new Map<string, Pick<SourceNote, 'name' | 'kind' | 'state'> | { readonly reason: string }>();

  async function reasonFor(event: HistoryEvent): Promise<string | undefined> {
    const { source } = event;
    if (source === undefined) return undefined;
    const kind = kindOfEvent(event);
    let note = notes.get(source);
    if (note === undefined) {
      const opened = await openSource(context, source, kind, { isImport: true });
      note = 'reason' in opened ? opened : { name: source, kind, state: 'open' };
      notes.set(source, note);
    }
    return 'reason' in note ? note.reason : refusal(note, source, kind);
  }

  return {
    async admit(group: Group, onRejected: PlacingOptions['onRejected']): Promise<Group> {
      const admitted = new Map<Subject, readonly Incoming[]>();
      for (const [subject, list] of group) {
        if (list.every(({ event }) => event.source === undefined)) {
          admitted.set(subject, list);
          continue;
        }
        const mine: Incoming[] = [];
        for (const incoming of list) {
          const reason = await reasonFor(incoming.event);
          if (reason === undefined) mine.push(incoming);
          else onRejected({ line: incoming.line, reason });
        }
        if (mine.length > 0) admitted.set(subject, mine);
      }
      return admitted;
    },
  };
}

/** Counts what a source has of cases that a complete file lacks, live events among it. */
async function missingOf(
  context: HistoryContext,
  { source, seen }: { readonly source: string; readonly seen: ReadonlySet<Subject> },
): Promise<Missing> {
  const pending = new Map((await readTail(context)).pending.map(({ subject, events }) => [subject, events]));
  let [cases, events] = [0, 0];
  const count = (subject: Subject, all: readonly HistoryEvent[]): void => {
    const mine = seen.has(subject) ? 0 : all.filter((event) => event.source === source && event.id !== '').length;
    if (mine > 0) cases += 1;
    events += mine;
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

/** Marks the cases of a source that a complete file lacks. */
async function completeSource(
  context: HistoryContext,
  { source, seen, largest }: { readonly source: string; readonly seen: ReadonlySet<Subject>; readonly largest: AsOf },
): Promise<Merged | undefined> {
  let all: Merged | undefined;
  for await (const known of walkLedger(context)) {
    const marks = new Map<Subject, Incoming[]>();
    for (const [subject, events] of known) {
      const isGone = !seen.has(subject) && events.some((event) => event.source === source && event.id !== '');
      if (isGone) marks.set(subject, [{ event: markOf(subject, source, largest), line: 1 }]);
    }
    if (marks.size === 0) continue;
    const merged = await mergeEvents(context, marks);
    all = { ...merged, removed: merged.removed + (all?.removed ?? 0) };
  }
  return all;
}
