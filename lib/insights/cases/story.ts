import * as z from 'zod';
import type { Context } from '../../context.ts';
import { type Failure, notFound, oneFault } from '../../errors.ts';
import { CaseTooLong, readCaseEvents } from '../../history/case-events.ts';
import { caseHistory } from '../../history/cases/case-history.ts';
import type { CaseRow } from '../../history/cases/case-row.ts';
import type { CaseEvent } from '../../history/cases/event.ts';
import { caseRow } from '../../history/cases/facts.ts';
import { openSegment } from '../../history/segments/segment.ts';
import { encodeSegment } from '../../history/segments/segment-encode.ts';
import { fitsReply } from '../../http/reply.ts';
import { defineField } from '../definitions/definitions.ts';
import { FIELD_NAMES, type FieldName } from '../definitions/fields.ts';
import { kindsOf } from '../definitions/measures.ts';
import { memberNames } from '../member-names.ts';
import { planReport } from '../plan.ts';
import type { Reference } from '../reference.ts';
import { NO_DIMENSIONS } from '../request.ts';
import { startWalk } from '../scan/scan.ts';
import { createBuffers } from '../scan/view.ts';
import { readReferenceOfCases } from '../site-reference.ts';
import { ALL_TIME, zonedTime } from '../windows.ts';
import { countedIn, entriesOf } from './entries.ts';
import { shownKey } from './shown-case.ts';

/** A case's story as replies show it. */
export const storyShape = () =>
  z.object({
    case: z.union([z.int(), z.string()]),
    events: z.array(
      z.looseObject({
        type: z.string(),
        id: z.string(),
        at: z.string(),
        names: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
      }),
    ),
    facts: z.array(
      z.object({
        field: z.string(),
        at: z.string(),
        agent: z.int().nullable().meta({ description: 'Who acted' }),
        group: z.int().nullable(),
        value: z.number(),
        counted: z.boolean().meta({ description: 'False if the entry is only in the denominator of a rate' }),
      }),
    ),
  });

type Story = z.infer<ReturnType<typeof storyShape>>;

const MOST_EVENTS = 20_000; // about as many as fit a reply

/**
 * Returns the stored events of a case in order, and what reports count of it. Throws `not_found` for a case without
 * events, and the 422 `too_large` if the story would not fit a reply.
 */
export async function tellStory(context: Context, key: string): Promise<Story> {
  const history = caseHistory(await readEvents(context, key));
  if (history.length === 0) throw notFound(`case ${key}`);
  const nameOf = await namesIn(context);
  const reference = await readReferenceOfCases(context);
  const story = {
    case: shownKey(key),
    events: history.map((event) => showEvent(event, nameOf, context.site.timeZone)),
    facts: factsOf(caseRow(key, history), reference, context.site.timeZone),
  };
  if (!fitsReply(JSON.stringify(story))) throw tooLong(key, history.length);
  return story;
}

async function readEvents(context: Context, key: string): Promise<CaseEvent[]> {
  try {
    return await readCaseEvents(context, key, MOST_EVENTS);
  } catch (error) {
    throw error instanceof CaseTooLong ? tooLong(key, error.count) : error;
  }
}

const tooLong = (key: string, count: number): Failure =>
  oneFault(
    'too_large',
    ['base'],
    `The story of case ${key} does not fit a reply: it has ${count} events. \`support site export\` writes them all.`,
  );

/** The properties of events that hold ids with names, and the dimension whose members they are. */
const NAMED = {
  agent: 'assigned_agent',
  group: 'assigned_group',
  channel: 'channel',
  company: 'company',
  macro: 'macro',
  labels: 'label',
  set: 'label',
  add: 'label',
  remove: 'label',
} as const;

type NameOf = (property: string, value: unknown) => string | string[] | undefined;

async function namesIn(context: Context): Promise<NameOf> {
  const names = new Map(
    await Promise.all(
      Object.entries(NAMED).map(
        async ([property, dimension]) => [property, await memberNames(context, dimension)] as const,
      ),
    ),
  );
  return (property, value) => {
    const name = names.get(property);
    if (name === undefined) return undefined;
    if (Array.isArray(value)) return value.map((member) => name(Number(member)));
    return typeof value === 'number' ? name(value) : undefined;
  };
}

const MICROS = 1_000_000; // in a second

function showEvent(event: CaseEvent, nameOf: NameOf, zone: string): Story['events'][number] {
  const { at, case: _, source: __, as_of: ___, ...rest } = { source: undefined, as_of: undefined, ...event };
  const shown = (micros: number): string => zonedTime({ name: zone }, Math.floor(micros / MICROS));
  const times = 'from' in rest ? { from: shown(rest.from), to: shown(rest.to) } : {};
  const assigned = event.type === 'case.assigned' ? event.to : {};
  const names = Object.entries({ ...rest, ...assigned }).flatMap(([property, value]) => {
    const name = nameOf(property, value);
    return name === undefined ? [] : [[property, name] as const];
  });
  return { ...rest, ...times, at: shown(at), names: Object.fromEntries(names) };
}

/**
 * The fields that a story shows. The others would show the same facts a second time, or depend on the present moment.
 */
const STORY_FIELDS = FIELD_NAMES.filter((name) => {
  const { kind, unit } = defineField(name);
  const isOfNow = name === 'open_cases' || name === 'agent_time_online';
  return !isOfNow && (kind === 'total' || unit === 'seconds' || name === 'first_contact_resolution_rate');
});

/**
 * Finds what each of these fields counts of a case, with the same code as reports. The facts of a field are all of one
 * kind, and the segment has those of the case alone, in the order of the row.
 */
function factsOf(row: CaseRow, reference: Reference, zone: string): Story['facts'] {
  const segment = openSegment(encodeSegment([row]));
  const { start } = segment.head;
  const buffers = createBuffers();
  return STORY_FIELDS.flatMap((field) => {
    const found: (Story['facts'][number] & { readonly second: number })[] = [];
    const plan = planReport(requestOf(field), reference);
    const [kind] = [...plan.measures].flatMap(kindsOf);
    const isCounted = countedIn(field);
    startWalk(plan, buffers, (view) => {
      entriesOf(field)?.(view, (_, relative, value, fact) => {
        const second = start + relative;
        const { agent, group } = (kind && row.facts[kind][fact]) ?? NOBODY;
        found.push({
          second,
          field,
          at: zonedTime({ name: zone }, second),
          agent,
          group,
          value,
          counted: isCounted(value),
        });
      });
    }).addCases(segment, []);
    return found;
  })
    .sort((a, b) => a.second - b.second)
    .map(({ second, ...fact }) => fact);
}

const NOBODY = { agent: null, group: null };

const requestOf = (field: FieldName) => ({
  fields: [field],
  time: { ...ALL_TIME, size: 'none' as const, zone: { offset: 0 }, weekStart: 0 },
  ...NO_DIMENSIONS,
  filters: null,
});
