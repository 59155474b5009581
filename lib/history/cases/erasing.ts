import type { HistoryEvent } from './event.ts';
import { agentSubject, meantBy, type Subject } from './subject.ts';

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

/** Removes from an event what was erased; undefined if nothing of it stays. `all` are the events of its subject. */
export function openEraser(
  all: readonly HistoryEvent[],
  erasures: Erasures,
): (event: HistoryEvent) => HistoryEvent | undefined {
  const hidesFields = namesErased(all, erasures);
  return (event) => {
    const named = withStandIns(event, erasures);
    return hidesFields ? withoutFields(named) : named;
  };
}

/** The events of a subject without what was erased; the same list if nothing was erased. */
export function withoutErased(events: readonly HistoryEvent[], erasures: Erasures): readonly HistoryEvent[] {
  const erase = openEraser(events, erasures);
  const kept = events.flatMap((event) => erase(event) ?? []);
  return kept.length === events.length && kept.every((event, place) => event === events[place]) ? events : kept;
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

function withoutFields(event: HistoryEvent): HistoryEvent | undefined {
  if (event.type === 'case.custom_field') return undefined;
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
