import { certain } from '../../certain.ts';
import { addTo, groupBy } from '../../group-by.ts';
import { byCodePoint } from '../../text.ts';
import { compareAsOf } from './as-of.ts';
import { type AsOf, type HistoryEvent, isMark } from './event.ts';
import { parseSubject, type Subject } from './subject.ts';

/**
 * What can become of an incoming event. `replaced`: it replaced an event with its id and other content. `unchanged`:
 * the same event was stored before. `superseded`: a newer version is stored already. `conflict`: an event with its id
 * and other content is stored, and that one stays.
 */
export const FATES = ['added', 'replaced', 'unchanged', 'superseded', 'conflict'] as const;
export type Fate = (typeof FATES)[number];

/** The events of one subject after a merge. */
export interface MergedEvents {
  readonly events: readonly HistoryEvent[]; // all events after the merge
  readonly fates: readonly Fate[]; // of the incoming events, in their order
  readonly added: readonly HistoryEvent[]; // the incoming events that must be stored
  readonly removed: number; // number of stored events that are gone, and no event has their id now
  readonly isRewritten: boolean; // some stored event is gone, or only its `as_of` changed
  readonly isSame: boolean; // reports count the same as before
}

/** Whether an incoming event of a log replaces the stored event with its id; otherwise the two conflict. */
export type ReplacesStored = (event: HistoryEvent) => boolean;

/**
 * Merges incoming events of one subject into the stored ones, by the rule of docs/design/versions.md. The stored events
 * have no two events of one source and id, and only one version of each versioned source.
 */
export function mergeVersions(
  before: readonly HistoryEvent[],
  incoming: readonly HistoryEvent[],
  replacesStored?: ReplacesStored,
): MergedEvents {
  const fates: Fate[] = Array(incoming.length).fill('conflict');
  const indexesBySource = groupIndexes(incoming);
  const isPlain = replacesStored === undefined && indexesBySource.size === 1 && hasNoSource(before, indexesBySource);
  const beforeBySource = isPlain ? undefined : groupBy(before, sourceOf);
  const events: HistoryEvent[] = beforeBySource ? [] : [...before];
  const added: HistoryEvent[] = [];
  let removed = 0;
  let isRewritten = false;
  let isSame = true;
  for (const [source, indexes] of indexesBySource) {
    const storedEvents = beforeBySource ? (beforeBySource.get(source) ?? []) : before;
    const merged = mergeSource(storedEvents, incoming, { indexes, fates, replacesStored });
    if (beforeBySource) for (const event of merged.kept) events.push(event);
    for (const event of merged.added) {
      events.push(event);
      added.push(event);
    }
    removed += merged.removed;
    isRewritten ||= merged.isRewritten;
    isSame &&= merged.isSame;
  }
  for (const [source, list] of beforeBySource ?? [])
    if (!indexesBySource.has(source)) for (const event of list) events.push(event);
  return { events, fates, added, removed, isRewritten, isSame };
}

const NAMELESS = '';
const sourceOf = ({ source }: HistoryEvent): string => source ?? NAMELESS;

function groupIndexes(incoming: readonly HistoryEvent[]): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  for (const [index, event] of incoming.entries()) addTo(groups, sourceOf(event), index);
  return groups;
}

/** Whether all events are of the log without a name, which is usual at sites that use no sources. */
const hasNoSource = (before: readonly HistoryEvent[], groups: ReadonlyMap<string, unknown>): boolean =>
  groups.has(NAMELESS) && before.every(({ source }) => source === undefined);

interface MergedSource {
  readonly kept: readonly HistoryEvent[]; // stored events that stay
  readonly added: readonly HistoryEvent[];
  readonly removed: number;
  readonly isRewritten: boolean;
  readonly isSame: boolean;
}

/** Merges the incoming events of one source: those at the given indexes. Writes their fates at the same indexes. */
function mergeSource(
  before: readonly HistoryEvent[],
  incoming: readonly HistoryEvent[],
  {
    indexes,
    fates,
    replacesStored,
  }: { indexes: readonly number[]; fates: Fate[]; replacesStored: ReplacesStored | undefined },
): MergedSource {
  const last = before[0]?.as_of;
  const largest = largestOf(indexes, incoming, last);
  const isNewer = last !== undefined && largest !== undefined && compareAsOf(largest, last) > 0;
  const arrived = indexes.map((index) => certain(incoming[index]));
  const version = openVersion(before, arrived, { isNewer, hasMark: last !== undefined && !isNewer, replacesStored });
  for (const [at, index] of indexes.entries()) {
    const event = certain(arrived[at]);
    const isOld = largest !== undefined && compareAsOf(event.as_of ?? [], largest) < 0;
    fates[index] = isOld ? 'superseded' : version.take(event);
  }
  return version.close();
}

/** Takes incoming events into one version of a source: the stored one, or a newer one that replaces it. */
function openVersion(
  before: readonly HistoryEvent[],
  arrived: readonly HistoryEvent[],
  {
    isNewer,
    hasMark,
    replacesStored,
  }: { isNewer: boolean; hasMark: boolean; replacesStored: ReplacesStored | undefined },
) {
  const old = withIdsOf(arrived, before);
  const current = isNewer ? new Map<string, HistoryEvent>() : old;
  const added: HistoryEvent[] = [];
  const reread = new Set<HistoryEvent>(); // stored events that an incoming event replaces
  let allBefore: ReadonlySet<HistoryEvent> | undefined; // made on first use, which is rare
  const wasBefore = (event: HistoryEvent): boolean =>
    event.as_of === undefined && (allBefore ??= new Set(before)).has(event);
  let mark: HistoryEvent | undefined;
  let [news, returned] = [0, 0];
  return {
    take(event: HistoryEvent): Fate {
      if (isMark(event)) {
        mark = event;
        return hasMark ? 'unchanged' : 'added';
      }
      const first = current.get(event.id);
      if (first !== undefined) {
        if (sameContent(first, event)) return 'unchanged';
        if (!replacesStored?.(event) || !wasBefore(first)) return 'conflict';
        reread.add(first);
      }
      current.set(event.id, event);
      added.push(event);
      const earlier = isNewer ? old.get(event.id) : first;
      if (earlier !== undefined) returned += 1;
      if (earlier !== undefined && sameContent(earlier, event)) return 'unchanged';
      news += 1;
      return earlier === undefined ? 'added' : 'replaced';
    },
    close(): MergedSource {
      const onlyMark = before.length === 1 && before.every(isMark);
      const losesMark = onlyMark && added.length > 0;
      const stays = isNewer || losesMark ? [] : before;
      const lastingEvents = reread.size === 0 ? stays : stays.filter((event) => !reread.has(event));
      const removed = isNewer && !onlyMark ? before.length - returned : 0;
      if (mark !== undefined && added.length === 0 && lastingEvents.length === 0) added.push(mark);
      return {
        kept: lastingEvents,
        added,
        removed,
        isRewritten: isNewer || losesMark || reread.size > 0,
        isSame: news === 0 && removed === 0,
      };
    },
  };
}

/**
 * Returns the stored events with the id of an incoming one, by id. Only these: millions may be stored where one comes.
 */
function withIdsOf(arrived: readonly HistoryEvent[], before: readonly HistoryEvent[]): Map<string, HistoryEvent> {
  const found = new Map<string, HistoryEvent>();
  if (before.length === 0) return found;
  const ids = new Set(arrived.map(({ id }) => id));
  for (const event of before) if (ids.has(event.id)) found.set(event.id, event);
  return found;
}

function largestOf(indexes: readonly number[], incoming: readonly HistoryEvent[], last: AsOf | undefined) {
  let largest = last;
  for (const index of indexes) {
    const asOf = certain(incoming[index]).as_of;
    if (asOf !== undefined && (largest === undefined || compareAsOf(asOf, largest) > 0)) largest = asOf;
  }
  return largest;
}

/** Whether two events are equal but for their versions. */
function sameContent(a: HistoryEvent, b: HistoryEvent): boolean {
  return sameFields(a, b, 'as_of');
}

function sameFields(a: object, b: object, except?: string): boolean {
  const left = new Map(Object.entries(a));
  if (except !== undefined) left.delete(except);
  const right = Object.entries(b).filter(([key]) => key !== except);
  return left.size === right.length && right.every(([key, value]) => left.has(key) && sameValue(left.get(key), value));
}

function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  return Array.isArray(a) === Array.isArray(b) && sameFields(a, b);
}

/** Returns a mark: it says that a source has this version of a subject, without events. */
export function markOf(subject: Subject, source: string, asOf: AsOf): HistoryEvent {
  const mark = { id: '', at: 0, source, as_of: asOf } as const;
  const owner = parseSubject(subject);
  return 'agent' in owner ? { ...mark, type: 'agent.version', ...owner } : { ...mark, type: 'case.version', ...owner };
}

/**
 * Merges events from several parts of the ledger: of events with the same source and id the first stays, and a mark
 * stays only if its version has no events.
 */
export function uniteEvents(storedEvents: readonly HistoryEvent[], more: readonly HistoryEvent[]): HistoryEvent[] {
  return [...mergeVersions(storedEvents, more).events];
}

/** Returns the events that reports count: no marks, and of events with the same id that of the smallest source name. */
export function countedEvents<E extends HistoryEvent>(events: readonly E[]): readonly E[] {
  if (events.every(({ source }) => source === undefined)) return events;
  const counted = new Map<string, E>();
  for (const event of events) {
    if (isMark(event)) continue;
    const other = counted.get(event.id);
    if (other === undefined || byCodePoint(sourceOf(event), sourceOf(other)) < 0) counted.set(event.id, event);
  }
  return [...counted.values()];
}
