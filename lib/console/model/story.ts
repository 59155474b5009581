import type { Names } from './names.ts';
import { storyText } from './text/story-text.ts';
import { text, words } from './text/text.ts';

/** An event of a case, as `GET /api/v2/insights3/cases/<id>` shows it. */
export interface StoryEvent {
  readonly type: string; // case.created, …
  readonly id: string;
  readonly at: string;
  readonly names: Readonly<Record<string, string | readonly string[]>>; // of the members that it mentions
  readonly [property: string]: unknown;
}

/** An event in words: what happened, and what is to say of it. */
export interface EventWords {
  readonly what: string;
  readonly details: readonly string[];
}

/** Since when a case is deleted; undefined if it is not, or was opened or resolved since. */
export function deletedSince(events: readonly StoryEvent[]): string | undefined {
  let since: string | undefined;
  let wasDone = false;
  for (const { type, at, status, to } of events) {
    if (type === 'case.deleted') since = at;
    if (type === 'case.created') wasDone = isDone(status);
    if (type !== 'case.status') continue;
    if (!(wasDone && isDone(to))) since = undefined; // a resolved case that is closed stays deleted
    wasDone = isDone(to);
  }
  return since;
}

const isDone = (status: unknown): boolean => status === 'resolved' || status === 'closed';

/** Tells an event as people say it: "Customer wrote", "Ann replied". `moment` formats times. */
export function tell(event: StoryEvent, names: Names, moment: (at: string) => string): EventWords {
  const { agent, group } = event.names;
  const who = named(agent) ?? (event.automated === true ? storyText.automatic : undefined);
  const inGroup = named(group) === undefined ? [] : [storyText.inGroup(named(group) ?? '')];
  const say = TOLD[event.type];
  if (say === undefined) return { what: words(event.type.replace('.', ' ')), details: plainDetails(event) };
  const { what, details = [] } = say(event, { who, names, moment });
  return { what, details: event.type === 'case.assigned' ? details : [...details, ...inGroup] };
}

interface Telling {
  readonly who: string | undefined; // who acted
  readonly names: Names;
  readonly moment: (at: string) => string;
}

type Say = (event: StoryEvent, telling: Telling) => { readonly what: string; readonly details?: readonly string[] };

const named = (name: string | readonly string[] | undefined): string | undefined =>
  typeof name === 'string' ? name : undefined;
const listed = (name: string | readonly string[] | undefined): string => text.listAnd([name ?? []].flat());
const has = (event: StoryEvent, property: string): boolean => event[property] !== undefined && event[property] !== null;

const TOLD: Readonly<Record<string, Say>> = {
  'case.created': (event, { names }) => ({
    what: storyText.created,
    details: [
      ...(has(event, 'status') ? [names.of('status', String(event.status))] : []),
      ...(named(event.names.channel) === undefined ? [] : [`${names.label('channel')}: ${event.names.channel}`]),
      ...(has(event, 'priority') ? [`${names.label('priority')}: ${event.priority}`] : []),
      ...(named(event.names.company) === undefined ? [] : [`${names.label('company')}: ${event.names.company}`]),
      ...(listed(event.names.labels) === '' ? [] : [`${names.label('label')}: ${listed(event.names.labels)}`]),
      ...Object.entries(Object(event.custom_fields)).map(([field, value]) => customField(names, field, value)),
    ],
  }),
  'case.deleted': (_, { who }) => ({ what: storyText.deleted(who) }),
  'case.status': (event, { who, names }) => ({ what: storyText.status(names.of('status', String(event.to)), who) }),
  'case.assigned': (event) => {
    const to: { readonly agent?: unknown; readonly group?: unknown } = Object(event.to);
    const parts = [event.names.agent, event.names.group].flatMap((name) => named(name) ?? []);
    const taken = to.agent === null || to.group === null;
    return { what: parts.length > 0 || !taken ? storyText.assigned(text.listAnd(parts)) : storyText.unassigned };
  },
  'case.labels': ({ names: { add, remove, set } }) => ({
    what: storyText.labels,
    details: [
      ...(set === undefined ? [] : [storyText.labelsSet(listed(set))]),
      ...(add === undefined ? [] : [storyText.labelsAdded(listed(add))]),
      ...(remove === undefined ? [] : [storyText.labelsRemoved(listed(remove))]),
    ],
  }),
  'case.priority': (event) => ({ what: storyText.priority(has(event, 'priority') ? String(event.priority) : null) }),
  'case.company': (event) => ({ what: storyText.company(named(event.names.company) ?? null) }),
  'case.custom_field': (event, { names }) => ({ what: customField(names, String(event.field), event.value) }),
  'case.viewed': (_, { who }) => ({ what: storyText.viewed(who) }),
  'case.handled': (event, { who, moment }) => ({
    what: storyText.handled(who),
    details: [storyText.between(moment(String(event.from)), moment(String(event.to)))],
  }),
  interaction: (event, { who }) => ({
    what: event.direction === 'inbound' ? storyText.wrote : storyText.replied(who),
  }),
  note: (_, { who }) => ({ what: storyText.noted(who) }),
  'macro.applied': (event, { who }) => ({
    what: storyText.macro(who, named(event.names.macro) ?? String(event.macro)),
  }),
  'csat.rated': (event, { names }) => ({
    what: has(event, 'score') ? storyText.rated(names.of('csat_score', String(event.score))) : storyText.unrated,
  }),
};

const customField = (names: Names, field: string, value: unknown): string =>
  `${names.label(`custom_field:${field}`)}: ${value ?? storyText.empty}`;

/** The plain values of an event of a type that this console does not know. */
const plainDetails = (event: StoryEvent): string[] =>
  Object.entries(event)
    .filter(([name, value]) => !['type', 'id', 'at', 'names', 'case'].includes(name) && typeof value !== 'object')
    .map(([name, value]) => `${words(name)}: ${listed(event.names[name] ?? String(value))}`);
