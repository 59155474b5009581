import { type HistoryEvent, isMark } from './event.ts';
import { agentSubject, parseSubject, type Subject, subjectOf } from './subject.ts';
import { markOf, mergeVersions, type ReplacesStored, uniteEvents } from './versions.ts';

/** What can be erased. `value` is a value of a custom field. */
export type ErasedKind = 'agent' | 'company' | 'case' | 'login' | 'value';

/**
 * Looks up by id or name what was erased from a site. The ids and names are stored nowhere (docs/design/erasing.md).
 */
export interface Erasures {
  isErased(kind: Exclude<ErasedKind, 'agent' | 'company'>, name: string): boolean;
  /** Returns the stand-in, the id that replaces that of an erased member; undefined if the member was not erased. */
  standIn(kind: 'agent' | 'company', id: number): number | undefined;
}

/** Returns the name by which a custom field's value is looked up. */
export const valueName = (field: number | string, value: string): string => `${field} ${value}`;

/** True if a subject is an erased case. Agents never are: their sessions stay, under the agent's stand-in. */
export function isErasedCase(subject: Subject, erasures: Erasures): boolean {
  const meant = parseSubject(subject);
  return 'case' in meant && erasures.isErased('case', meant.case);
}

/** An incoming event of a subject, as it may be stored. */
export interface StorableEvent {
  readonly event: HistoryEvent | undefined; // undefined: not stored; a mark: only its version is stored
  readonly isGone: boolean; // no content of the incoming event is stored
}

/**
 * Returns what may be stored of a subject's incoming events, one result for each. Custom fields are removed if the
 * merged history names an erased company; a company that a newer version no longer names does not count.
 */
export function storableEvents(
  before: readonly HistoryEvent[],
  incoming: readonly HistoryEvent[],
  erasures: Erasures,
  replacesStored?: ReplacesStored,
): readonly StorableEvent[] {
  const named = incoming.map((event) => withStandIns(event, erasures));
  const hidesFields =
    namesErased([...before, ...named], erasures) &&
    namesErased(mergeVersions(before, named, replacesStored).events, erasures);
  if (!hidesFields) return named.map((event) => ({ event, isGone: false }));
  const kept = named.map(withoutFields);
  const left = new Set(kept.flatMap((event) => (event === undefined || isMark(event) ? [] : versionName(event))));
  return kept.map((event, index) => {
    const isGone = event === undefined || (isMark(event) && event !== named[index]);
    return { event: event && isGone && left.has(versionName(event)) ? undefined : event, isGone };
  });
}

const versionName = ({ source, as_of }: HistoryEvent): string => JSON.stringify([source, as_of]);

/** Returns a subject's events without erased data; the same list if nothing in it was erased. */
export function withoutErased(events: readonly HistoryEvent[], erasures: Erasures): readonly HistoryEvent[] {
  const hidesFields = namesErased(events, erasures);
  const kept = events.flatMap((event) => {
    const named = withStandIns(event, erasures);
    return (hidesFields ? withoutFields(named) : named) ?? [];
  });
  const isSame = kept.length === events.length && kept.every((event, index) => event === events[index]);
  return isSame ? events : uniteEvents([], kept); // drops marks of versions that still have events
}

/** Returns the subject under which a subject's events are stored: that of the stand-in if it is an erased agent. */
export function storedSubject(subject: Subject, erasures: Erasures): Subject {
  const meant = parseSubject(subject);
  const standIn = 'agent' in meant ? erasures.standIn('agent', meant.agent) : undefined;
  return standIn === undefined ? subject : agentSubject(standIn);
}

/**
 * True if events name an erased company: then the custom-field values of their case are erased too. A stand-in counts
 * as its company: after an erasure the history names only the stand-in.
 */
const namesErased = (events: readonly HistoryEvent[], erasures: Erasures): boolean =>
  events.some((event) => {
    const company = companyOf(event);
    return typeof company === 'number' && erasures.standIn('company', company) !== undefined;
  });

const companyOf = (event: HistoryEvent): number | null | undefined =>
  event.type === 'case.created' || event.type === 'case.company' ? event.company : undefined;

/** Replaces the erased members that an event names by their stand-ins; returns the same event if it names none. */
function withStandIns(event: HistoryEvent, erasures: Erasures): HistoryEvent {
  const agentAfter = (id: number): number => erasures.standIn('agent', id) ?? id;
  let after = event;
  if (event.agent !== undefined && agentAfter(event.agent) !== event.agent)
    after = { ...after, agent: agentAfter(event.agent) };
  if (after.type === 'case.assigned' && typeof after.to.agent === 'number') {
    const agent = agentAfter(after.to.agent);
    if (agent !== after.to.agent) after = { ...after, to: { ...after.to, agent } };
  }
  if (after.type !== 'case.created' && after.type !== 'case.company') return after;
  const { company } = after;
  const standIn = typeof company === 'number' ? erasures.standIn('company', company) : undefined;
  return standIn === undefined || standIn === company ? after : { ...after, company: standIn };
}

/**
 * Returns an event without values of custom fields: a mark instead of a `case.custom_field` of a version, so that no
 * older version comes back if this one loses all its events; undefined for one of a log.
 */
function withoutFields(event: HistoryEvent): HistoryEvent | undefined {
  if (event.type === 'case.custom_field') {
    const { source, as_of: asOf } = event;
    return source !== undefined && asOf !== undefined ? markOf(subjectOf(event), source, asOf) : undefined;
  }
  if (event.type !== 'case.created' || event.custom_fields === undefined) return event;
  const { custom_fields: _, ...rest } = event;
  return rest;
}

/** What an erasure would change in one subject. */
export interface ErasedParts {
  readonly events: number; // number of events that are removed or changed
  readonly values: readonly string[]; // removed custom-field values, as `valueName` returns them
}

/** Returns how many events of a subject an erasure removes or changes, and which custom-field values it removes. */
export function erasedParts(subject: Subject, events: readonly HistoryEvent[], erasures: Erasures): ErasedParts {
  if (isErasedCase(subject, erasures)) return { events: events.length, values: customValues(events) };
  const after = withoutErased(events, erasures);
  const isMoved = storedSubject(subject, erasures) !== subject;
  if (after === events && !isMoved) return { events: 0, values: [] };
  const left = new Set(after);
  const changed = isMoved ? events.length : events.filter((event) => !left.has(event)).length;
  return { events: changed, values: namesErased(events, erasures) ? customValues(events) : [] };
}

/** Returns the custom-field values that events name, as `valueName` returns them. */
export function customValues(events: readonly HistoryEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type === 'case.custom_field') return event.value === null ? [] : [valueName(event.field, event.value)];
    if (event.type !== 'case.created') return [];
    return Object.entries(event.custom_fields ?? {}).flatMap(([field, value]) =>
      value === null ? [] : [valueName(field, value)],
    );
  });
}
