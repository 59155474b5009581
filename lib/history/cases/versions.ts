import { certain } from '../../certain.ts';
import { byCodePoint } from '../../text.ts';
import { compareAsOf } from './as-of.ts';
import { type AsOf, type HistoryEvent, isMark } from './event.ts';
import type { Subject } from './subject.ts';

/**
 * What can become of an event: `replaced` took the place of one with its id and other content, `unchanged` says what was there
 * before, `superseded` belongs to an older version than the one that is there, of a `conflict` the first event stays.
 */
export const FATES = ['added', 'replaced', 'unchanged', 'superseded', 'conflict'] as const;
export type Fate = (typeof FATES)[number];

/** The events of one subject once others have come. */
export interface MergedEvents {
  readonly events: readonly HistoryEvent[]; // all of them
  readonly fates: readonly Fate[]; // of those that came, in their order
  readonly added: readonly HistoryEvent[]; // those that must be stored
  readonly removed: number; // events that were there, and nothing with their id is
  readonly isRewritten: boolean; // something that was there is gone, at least its older `as_of`
  readonly isSame: boolean; // for reports all is as it was
}

/** Whether an event of a log takes the place of one with its id that was accepted before, instead of conflicting with it. */
export type Rereads = (event: HistoryEvent) => boolean;

/**
 * Merges events of one subject into those that were accepted before, by the rule of docs/design/versions.md. What was accepted before has
 * no two events of one source and id, and of each versioned source one version.
 */
export function mergeVersions(
  before: readonly HistoryEvent[],
  incoming: readonly HistoryEvent[],
  rereads?: Rereads,
): MergedEvents {
  const fates: Fate[] = Array(incoming.length).fill('conflict');
  const placesBySource = groupPlaces(incoming);
  const isPlain = rereads === undefined && placesBySource.size === 1 && hasNoSource(before, placesBySource);
  const beforeBySource = isPlain ? undefined : group(before);
  const events: HistoryEvent[] = beforeBySource ? [] : [...before];
  const added: HistoryEvent[] = [];
  let removed = 0;
  let isRewritten = false;
  let isSame = true;
  for (const [source, places] of placesBySource) {
    const known = beforeBySource ? (beforeBySource.get(source) ?? []) : before;
    const merged = mergeSource(known, incoming, { places, fates, rereads });
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
    if (!placesBySource.has(source)) for (const event of list) events.push(event);
  return { events, fates, added, removed, isRewritten, isSame };
}

const NAMELESS = '';
const sourceOf = ({ source }: HistoryEvent): string => source ?? NAMELESS;

function groupPlaces(incoming: readonly HistoryEvent[]): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  for (const [place, event] of incoming.entries()) {
    const source = sourceOf(event);
    const places = groups.get(source);
    if (places) places.push(place);
    else groups.set(source, [place]);
  }
  return groups;
}

/** Whether all events are of the log without a name, as nearly all are where sources are not used. */
const hasNoSource = (before: readonly HistoryEvent[], groups: ReadonlyMap<string, unknown>): boolean =>
  groups.has(NAMELESS) && before.every(({ source }) => source === undefined);

function group(events: readonly HistoryEvent[]): Map<string, HistoryEvent[]> {
  const groups = new Map<string, HistoryEvent[]>();
  for (const event of events) {
    const source = sourceOf(event);
    const list = groups.get(source);
    if (list) list.push(event);
    else groups.set(source, [event]);
  }
  return groups;
}

interface MergedSource {
  readonly kept: readonly HistoryEvent[]; // of those before
  readonly added: readonly HistoryEvent[];
  readonly removed: number;
  readonly isRewritten: boolean;
  readonly isSame: boolean;
}

/** Merges the incoming events of one source, at these places. */
function mergeSource(
  before: readonly HistoryEvent[],
  incoming: readonly HistoryEvent[],
  { places, fates, rereads }: { places: readonly number[]; fates: Fate[]; rereads: Rereads | undefined },
): MergedSource {
  const last = before[0]?.as_of;
  const largest = largestOf(places, incoming, last);
  const isNewer = last !== undefined && largest !== undefined && compareAsOf(largest, last) > 0;
  const came = places.map((place) => certain(incoming[place]));
  const version = openVersion(before, came, { isNewer, hasMark: last !== undefined && !isNewer, rereads });
  for (const [at, place] of places.entries()) {
    const event = certain(came[at]);
    const isOld = largest !== undefined && compareAsOf(event.as_of ?? [], largest) < 0;
    fates[place] = isOld ? 'superseded' : version.take(event);
  }
  return version.close();
}

/** A version of a source that events come to: the one that is there, or a newer one that takes its place. */
function openVersion(
  before: readonly HistoryEvent[],
  came: readonly HistoryEvent[],
  { isNewer, hasMark, rereads }: { isNewer: boolean; hasMark: boolean; rereads: Rereads | undefined },
) {
  const old = withIdsOf(came, before);
  const current = isNewer ? new Map<string, HistoryEvent>() : old;
  const added: HistoryEvent[] = [];
  const reread = new Set<HistoryEvent>(); // events before that another reading takes the place of
  let allBefore: ReadonlySet<HistoryEvent> | undefined; // made where it is asked for, which is seldom
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
        if (!rereads?.(event) || !wasBefore(first)) return 'conflict';
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
      const kept = reread.size === 0 ? stays : stays.filter((event) => !reread.has(event));
      const removed = isNewer && !onlyMark ? before.length - returned : 0;
      if (mark !== undefined && added.length === 0 && kept.length === 0) added.push(mark);
      return {
        kept,
        added,
        removed,
        isRewritten: isNewer || losesMark || reread.size > 0,
        isSame: news === 0 && removed === 0,
      };
    },
  };
}

/** The events before that have the id of one that came, by id: before may be millions where one came. */
function withIdsOf(came: readonly HistoryEvent[], before: readonly HistoryEvent[]): Map<string, HistoryEvent> {
  const found = new Map<string, HistoryEvent>();
  if (before.length === 0) return found;
  const ids = new Set(came.map(({ id }) => id));
  for (const event of before) if (ids.has(event.id)) found.set(event.id, event);
  return found;
}

function largestOf(places: readonly number[], incoming: readonly HistoryEvent[], last: AsOf | undefined) {
  let largest = last;
  for (const place of places) {
    const asOf = certain(incoming[place]).as_of;
    if (asOf !== undefined && (largest === undefined || compareAsOf(asOf, largest) > 0)) largest = asOf;
  }
  return largest;
}

/** Whether two events say the same, whatever their versions. */
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

/** The mark of a version without events. */
export function markOf(subject: Subject, source: string, asOf: AsOf): HistoryEvent {
  const mark = { id: '', at: 0, source, as_of: asOf } as const;
  const owner = subject.slice(1);
  return subject.startsWith('a')
    ? { ...mark, type: 'agent.version', agent: Number(owner) }
    : { ...mark, type: 'case.version', case: owner };
}

/** Adds events that the ledger holds elsewhere: of one source and id the first stays, and a mark only without events. */
export function uniteEvents(known: readonly HistoryEvent[], more: readonly HistoryEvent[]): HistoryEvent[] {
  return [...mergeVersions(known, more).events];
}

/** What counts of a subject's events: no marks, and of equal ids the event of the smallest source. */
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
