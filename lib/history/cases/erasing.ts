import { type HistoryEvent, isMark } from './event.ts';
import { agentSubject, meantBy, type Subject, subjectOf } from './subject.ts';
import { markOf, mergeVersions, type Rereads, uniteEvents } from './versions.ts';

/** What can be erased. A value is one of a custom field. */
export type ErasedKind = 'agent' | 'company' | 'case' | 'login' | 'value';

/** Who and what was erased from a site, looked up by id or name; these are stored nowhere (docs/design/erasing.md). */
export interface Erasures {
  isErased(kind: Exclude<ErasedKind, 'agent' | 'company'>, name: string): boolean;
  /** The id under which an erased member goes on; undefined: it was not erased. */
  standIn(kind: 'agent' | 'company', id: number): number | undefined;
}

/** What a custom field's value is known as. */
export const valueName = (field: number | string, value: string): string => `${field} ${value}`;

/** Whether a subject's history was erased as a whole: sessions go on under the stand-in of their agent. */
export function isErasedCase(subject: Subject, erasures: Erasures): boolean {
  const meant = meantBy(subject);
  return 'case' in meant && erasures.isErased('case', meant.case);
}

/** An event that comes for a subject, as it may be stored. */
export interface ErasedEvent {
  readonly event: HistoryEvent | undefined; // undefined: nothing of it; a mark: of its version nothing but that it was there
  readonly isGone: boolean; // nothing of the given event is stored
}

/**
 * What may be stored of the events that come for a subject. Whether custom fields go is decided by the history that they
 * make with the events before: an erased company that a newer version no longer names counts no more.
 */
export function eraseComing(
  before: readonly HistoryEvent[],
  came: readonly HistoryEvent[],
  erasures: Erasures,
  rereads?: Rereads,
): readonly ErasedEvent[] {
  const named = came.map((event) => withStandIns(event, erasures));
  const hidesFields =
    namesErased([...before, ...named], erasures) && namesErased(mergeVersions(before, named, rereads).events, erasures);
  if (!hidesFields) return named.map((event) => ({ event, isGone: false }));
  const kept = named.map(withoutFields);
  const left = new Set(kept.flatMap((event) => (event === undefined || isMark(event) ? [] : versionName(event))));
  return kept.map((event, place) => {
    const isGone = event === undefined || (isMark(event) && event !== named[place]);
    return { event: event && isGone && left.has(versionName(event)) ? undefined : event, isGone };
  });
}

const versionName = ({ source, as_of }: HistoryEvent): string => JSON.stringify([source, as_of]);

/** The events of a subject without what was erased; the same list if nothing was erased. */
export function withoutErased(events: readonly HistoryEvent[], erasures: Erasures): readonly HistoryEvent[] {
  const hidesFields = namesErased(events, erasures);
  const kept = events.flatMap((event) => {
    const named = withStandIns(event, erasures);
    return (hidesFields ? withoutFields(named) : named) ?? [];
  });
  const isSame = kept.length === events.length && kept.every((event, place) => event === events[place]);
  return isSame ? events : uniteEvents([], kept); // of marks those of versions that have nothing else
}

/** The subject that events of a subject belong to, once their agent has a stand-in. */
export function subjectAfter(subject: Subject, erasures: Erasures): Subject {
  const meant = meantBy(subject);
  const standIn = 'agent' in meant ? erasures.standIn('agent', meant.agent) : undefined;
  return standIn === undefined ? subject : agentSubject(standIn);
}

/** The cases whose custom fields go, as an erased company has or had them. Stand-ins count too: they stay in the history. */
const namesErased = (events: readonly HistoryEvent[], erasures: Erasures): boolean =>
  events.some((event) => {
    const company = companyOf(event);
    return typeof company === 'number' && erasures.standIn('company', company) !== undefined;
  });

const companyOf = (event: HistoryEvent): number | null | undefined =>
  event.type === 'case.created' || event.type === 'case.company' ? event.company : undefined;

/** An event with stand-ins for the erased members that it names; the same event where it names none. */
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

/** An event without values of custom fields; a version that loses all its events stays as a mark, so that no older one comes back. */
function withoutFields(event: HistoryEvent): HistoryEvent | undefined {
  if (event.type === 'case.custom_field') {
    const { source, as_of: asOf } = event;
    return source !== undefined && asOf !== undefined ? markOf(subjectOf(event), source, asOf) : undefined;
  }
  if (event.type !== 'case.created' || event.custom_fields === undefined) return event;
  const { custom_fields: _, ...rest } = event;
  return rest;
}

/** What an erasure would change, as `erasedParts` finds it. */
export interface ErasedParts {
  readonly events: number; // that go or change
  readonly values: readonly string[]; // of custom fields, as `valueName` returns them
}

/** How many events of a subject an erasure touches, and the custom-field values that go with it. */
export function erasedParts(subject: Subject, events: readonly HistoryEvent[], erasures: Erasures): ErasedParts {
  if (isErasedCase(subject, erasures)) return { events: events.length, values: customValues(events) };
  const after = withoutErased(events, erasures);
  const isMoved = subjectAfter(subject, erasures) !== subject;
  if (after === events && !isMoved) return { events: 0, values: [] };
  const left = new Set(after);
  const changed = isMoved ? events.length : events.filter((event) => !left.has(event)).length;
  return { events: changed, values: namesErased(events, erasures) ? customValues(events) : [] };
}

/** The custom-field values that events name, as `valueName` returns them. */
export function customValues(events: readonly HistoryEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type === 'case.custom_field') return event.value === null ? [] : [valueName(event.field, event.value)];
    if (event.type !== 'case.created') return [];
    return Object.entries(event.custom_fields ?? {}).flatMap(([field, value]) =>
      value === null ? [] : [valueName(field, value)],
    );
  });
}
