import { groupBy } from '../group-by.ts';
import { type AsOf, type Instant, isMark } from '../history/cases/event.ts';
import type { Subject } from '../history/cases/subject.ts';
import { mergeVersions } from '../history/cases/versions.ts';
import type { FileEvent } from '../history/incoming.ts';
import { confirmSource, noteNameless, openSource } from '../history/sources.ts';
import type { HistoryContext } from '../history/storage/history-context.ts';
import { withOrigin } from '../history/storage/serial-events.ts';
import type { Telling } from '../vocabulary.ts';
import { completeSource, type Missing, missingOf } from './complete.ts';
import type { Group } from './event-groups.ts';
import type { LastChange } from './formats/row.ts';
import { type ImportOrigin, OriginRefused, originParts } from './origin.ts';
import { newSourceFilter, newSourceGuard, type OnRefused, withoutVersions, withSource } from './origin-guard.ts';
import { conflict } from './rejects/refusals.ts';

/** Sets source and version of the events of groups. */
export interface OriginAssigner {
  /**
   * Returns the group with its origin. Refused lines are reported and left out; if cases are replaced, their whole case
   * is.
   */
  assign(group: Group): Promise<Group>;
  readonly moment: Instant; // moment of the import, the last part of its versions
  /** Takes known cases, which come in no group. */
  see(subjects: readonly Subject[]): void;
  /** Takes when the last case of a file changed; call it before the file's events are assigned. */
  date(last: LastChange): void;
  /** Takes what the events can tell, where only reading the files says it; call it before they are assigned. */
  learn(tells: readonly Telling[]): void;
  /** Replaces each case of a source that the file does not have by a mark; returns how many events this removed. */
  complete(): Promise<number>;
  /** Counts what `complete` would remove; writes nothing. */
  missing(): Promise<Missing>;
}

/**
 * Opens the sources of an import; `tells` is what events without an origin can tell. Writes to `context`, so a dry run passes a rehearsed table. Throws `OriginRefused`.
 */
export async function openOriginAssigner(
  context: HistoryContext,
  origin: ImportOrigin | undefined,
  onRejected: OnRefused,
  tells?: readonly Telling[],
): Promise<OriginAssigner> {
  const guard = await newSourceGuard(context, origin);
  if (origin === undefined && tells !== undefined) await noteNameless(context, tells);
  const parts = origin && (await openParts(context, origin));
  const main = origin && parts?.get(originParts(origin)[0]?.source ?? '');
  if (origin !== undefined && main === undefined) throw new OriginRefused('The import has no source');
  if (origin?.replaces && parts && main) return assignVersions(context, { origin, parts, main, guard, onRejected });
  let told = origin?.tells ?? tells;
  const admit = newSourceFilter(context, onRejected, () => told);
  return {
    async assign(group) {
      const passed = await guard(withoutVersions(group));
      return admit(origin === undefined ? passed : withSource(passed, origin.source));
    },
    moment: main?.moment ?? 0,
    see: () => undefined,
    date: () => undefined,
    learn: (tells) => {
      told = tells;
    },
    complete: async () => 0,
    missing: async () => ({ cases: 0, events: 0 }),
  };
}

/** A source of an import. */
interface Part {
  readonly source: string;
  readonly replaces: boolean;
  tells: readonly Telling[] | undefined;
  readonly moment: Instant;
  readonly seen: Set<Subject>; // cases in the file; only kept if it is complete
  exported: Instant | null; // second part of its versions: when its file was made, as far as known
}

async function openParts(context: HistoryContext, origin: ImportOrigin): Promise<ReadonlyMap<string, Part>> {
  const parts = new Map<string, Part>();
  for (const { source, replaces, tells } of originParts(origin)) {
    const how = { isImport: true, isTried: true, tells };
    const opened = await openSource(context, source, replaces ? 'versioned' : 'log', how);
    if ('reason' in opened) throw new OriginRefused(opened.reason, adviceFor(opened, replaces));
    const { moment } = opened;
    parts.set(source, { source, replaces, tells, moment, seen: new Set(), exported: origin.asOf ?? null });
  }
  return parts;
}

/** What to do where a source takes events of the other kind only. */
function adviceFor({ isOtherKind }: { readonly isOtherKind: boolean }, replaces: boolean): string | undefined {
  if (!isOtherKind) return undefined;
  return `${replaces ? 'leave out --replace' : 'add --replace'}, or name another source with --source`;
}

/** Records that something is about to be stored of each part; throws `OriginRefused`. */
async function confirmParts(context: HistoryContext, parts: Iterable<Part>): Promise<void> {
  for (const { source, replaces, tells } of parts) {
    const reason = await confirmSource(context, source, replaces ? 'versioned' : 'log', tells);
    if (reason !== undefined) throw new OriginRefused(reason);
  }
}

interface Replacing {
  readonly origin: ImportOrigin;
  readonly parts: ReadonlyMap<string, Part>;
  readonly main: Part;
  readonly guard: (group: Group) => Promise<Group>;
  readonly onRejected: OnRefused;
}

/** The assigner of an import that replaces cases. */
function assignVersions(
  context: HistoryContext,
  { origin, parts, main, guard, onRejected }: Replacing,
): OriginAssigner {
  const { asOf, isComplete } = origin;
  const complete = [...parts.values()].filter(({ replaces }) => replaces);
  let isConfirmed = false;
  return {
    async assign(group) {
      const assigned = new Map<Subject, readonly FileEvent[]>();
      const passed = await guard(group);
      if (!isConfirmed) await confirmParts(context, parts.values());
      isConfirmed = true;
      for (const [subject, list] of passed) {
        const all: FileEvent[] = [];
        for (const [part, ofPart] of byPart(list, parts, main)) {
          for (const incoming of assignPart(subject, ofPart, part, { origin, onRejected })) all.push(incoming);
        }
        if (all.length > 0) assigned.set(subject, all);
      }
      return assigned;
    },
    moment: main.moment,
    see(subjects) {
      if (isComplete) for (const subject of subjects) main.seen.add(subject);
    },
    date({ source, at }) {
      const part = parts.get(source ?? '') ?? main;
      if (asOf === undefined) part.exported = later(part.exported, at);
    },
    learn(tells) {
      main.tells = tells;
    },
    async complete() {
      let removed = 0;
      for (const part of complete)
        if (part.seen.size > 0) removed += (await completeSource(context, part))?.removed ?? 0;
      return removed;
    },
    async missing() {
      let [cases, events] = [0, 0];
      for (const part of complete) {
        const missing = part.seen.size > 0 ? await missingOf(context, part) : { cases: 0, events: 0 };
        cases = Math.max(cases, missing.cases);
        events += missing.events;
      }
      return { cases, events };
    },
  };
}

/** Groups the events of a case by part; events without a part belong to the main one. */
function byPart(
  list: readonly FileEvent[],
  parts: ReadonlyMap<string, Part>,
  main: Part,
): Iterable<readonly [Part, readonly FileEvent[]]> {
  if (parts.size === 1) return [[main, list]];
  return groupBy(list, ({ event }) => parts.get(event.source ?? '') ?? main);
}

/**
 * Returns a part's events of a case: unchanged if the part is a log, else as one version, or none if a line is refused.
 */
function assignPart(
  subject: Subject,
  list: readonly FileEvent[],
  part: Part,
  { origin, onRejected }: { readonly origin: ImportOrigin; readonly onRejected: OnRefused },
): readonly FileEvent[] {
  if (!part.replaces)
    return list.some(({ event }) => isMark(event)) ? list.filter(({ event }) => !isMark(event)) : list;
  makeVersion(list, part);
  const wrong = conflictsIn(list);
  for (const { line, event } of wrong) onRejected({ line, reason: conflict(event) });
  if (origin.isComplete) part.seen.add(subject);
  return wrong.length === 0 ? list : [];
}

/**
 * Turns all events of a case in a file into one version of a source: its first part is the largest one among the events,
 * the second when the file was made, the third the moment of the import. The events are changed in place: copies would cost a CSV of tickets a fifth more processor time.
 */
function makeVersion(list: readonly FileEvent[], { source, exported, moment }: Part): void {
  let own: Instant | null = null;
  for (const { event } of list) own = later(own, event.as_of?.[0] ?? null);
  const version: AsOf = [own, exported, moment];
  for (const { event } of list) withOrigin(event, source, version);
}

/** Returns the events whose id an earlier event with other content has. */
function conflictsIn(list: readonly FileEvent[]): readonly FileEvent[] {
  if (new Set(list.map(({ event }) => event.id)).size === list.length) return [];
  const { fates } = mergeVersions(
    [],
    list.map(({ event }) => event),
  );
  return list.filter((_, index) => fates[index] === 'conflict');
}

const later = (a: Instant | null, b: Instant | null): Instant | null => (a === null || (b ?? a) > a ? b : a);
