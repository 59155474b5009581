import { compareEvents } from '../history/cases/case-history.ts';
import type { CaseEvent } from '../history/cases/event.ts';
import { formatInstant } from '../history/cases/instant.ts';
import { type Batch, rowsIn } from './formats/row.ts';
import { type HistoryRecord, isEvent } from './records/records.ts';

/** The events of the first cases of an import in words, so that the user can check the mapping. */
export interface Stories {
  /** Yields the same batches, and collects the first cases from them. */
  readonly watch: (batches: AsyncIterable<Batch>) => AsyncGenerator<Batch>;
  readonly tell: () => readonly CaseStory[];
}

/** A case in words. */
export interface CaseStory {
  readonly case: string;
  readonly events: readonly StoryEvent[]; // in their order
}

interface StoryEvent {
  readonly at: string; // ISO 8601, in UTC
  readonly type: CaseEvent['type'];
  readonly what: string; // `is now resolved (Ann)`
}

const CASES = 3;
const EVENTS = 40; // most events of a case

type Names = ReadonlyMap<string, string>;

/** Starts without cases. `tell` looks names up at the end, because reference records may come after the events. */
export function newStories(): Stories {
  const cases = new Map<string, CaseEvent[]>();
  const names = new Map<string, string>();

  function look(record: HistoryRecord): void {
    if (!isEvent(record)) {
      if ('id' in record && 'name' in record && typeof record.name === 'string') {
        names.set(`${record.type} ${record.id}`, record.name);
      }
      return;
    }
    if (!('case' in record) || record.type === 'case.version') return;
    const events = cases.get(record.case);
    if (events === undefined && cases.size < CASES) cases.set(record.case, [record]);
    else if (events !== undefined && events.length < EVENTS) events.push(record);
  }

  return {
    async *watch(batches) {
      for await (const batch of batches) {
        for (const row of rowsIn(batch)) {
          if ('records' in row) for (const record of row.records) look(record);
        }
        yield batch;
      }
    },
    tell: () => [...cases].map(([key, events]) => ({ case: key, events: tellCase(events, names) })),
  };
}

/** The first events of a case in words; `names` by kind and id, as in `agent 7`. */
export const tellCase = (events: readonly CaseEvent[], names: Names): readonly StoryEvent[] =>
  [...events]
    .sort(compareInStory)
    .slice(0, EVENTS)
    .map((event) => ({ at: formatInstant(event.at), type: event.type, what: tellEvent(event, names) }));

/** Returns stories as lines: a heading for each case, and its events, one on each line. */
export const storyLines = (stories: readonly CaseStory[]): string[] =>
  stories.flatMap(({ case: key, events }) => [
    `Case ${key} (times in UTC):`,
    ...events.map(({ at, what }) => `  ${at.slice(0, 19).replace('T', ' ')}  ${what}`),
  ]);

/** The order of reports, but within the same instant the creation comes first, so that a story begins with it. */
const compareInStory = (a: CaseEvent, b: CaseEvent): number =>
  a.at - b.at || Number(b.type === 'case.created') - Number(a.type === 'case.created') || compareEvents(a, b);

type EventOf<T extends CaseEvent['type']> = Extract<CaseEvent, { type: T }>;
type Sentences = { readonly [T in CaseEvent['type']]: (event: EventOf<T>, name: Name) => string };
type Name = (kind: string, id: number | null | undefined) => string;

/** The words for each type of event. */
const SENTENCES: Sentences = {
  'case.created': ({ status, channel, priority, company, labels, custom_fields: fields }, name) =>
    [
      'is created',
      ...(status === undefined ? [] : [`already ${status}`]),
      ...(channel == null ? [] : [`by ${name('channel', channel)}`]),
      ...(priority == null ? [] : [`with priority ${priority}`]),
      ...(company == null ? [] : [`for ${name('company', company)}`]),
      ...(labels?.length ? [`labelled ${labels.map((label) => name('label', label)).join(', ')}`] : []),
      ...Object.entries(fields ?? {}).map(([field, value]) => `${name('custom_field', Number(field))}: ${value}`),
    ].join(', '),
  'case.deleted': () => 'is deleted',
  'case.status': ({ to }) => `is now ${to}`,
  'case.assigned': ({ to: { agent, group } }, name) => {
    const parts = [
      ...(agent === undefined ? [] : [agent === null ? 'no agent' : name('agent', agent)]),
      ...(group === undefined ? [] : [group === null ? 'no group' : `the group ${name('group', group)}`]),
    ];
    return `is assigned to ${parts.join(' and ')}`;
  },
  'case.labels': ({ set, add = [], remove = [] }, name) => {
    const list = (ids: readonly number[]) => ids.map((id) => name('label', id)).join(', ');
    if (set !== undefined) return `has the labels ${list(set) || 'none'}`;
    return [...(add.length ? [`gets ${list(add)}`] : []), ...(remove.length ? [`loses ${list(remove)}`] : [])].join(
      ', ',
    );
  },
  'case.priority': ({ priority }) => `has priority ${priority ?? 'none'}`,
  'case.company': ({ company }, name) => `belongs to ${company === null ? 'no company' : name('company', company)}`,
  'case.custom_field': ({ field, value }, name) => `${name('custom_field', field)} is ${value ?? 'empty'}`,
  'case.viewed': () => 'is viewed',
  'case.handled': ({ from, to }) => `is worked on for ${Math.round((to - from) / 1_000_000)} s`,
  interaction: ({ direction }) => (direction === 'inbound' ? 'the customer writes' : 'a reply is sent'),
  note: () => 'a note is written',
  'macro.applied': ({ macro }, name) => `the macro ${name('macro', macro)} is applied`,
  'csat.rated': ({ score }) => (score === null ? 'the customer takes the rating back' : `is rated ${score}`),
  'case.version': () => 'has a new version', // never told: stories skip marks
};

function tellEvent(event: CaseEvent, names: Names): string {
  const name: Name = (kind, id) => names.get(`${kind} ${id}`) ?? `${kind} ${id}`;
  const tell = <T extends CaseEvent['type']>(type: T, told: EventOf<T>): string => SENTENCES[type](told, name);
  const who = event.automated
    ? ' (automated)'
    : event.agent === undefined
      ? ''
      : ` (${name('agent', event.agent)}${event.group === undefined ? '' : `, ${name('group', event.group)}`})`;
  return `${tell(event.type, event)}${who}`;
}
