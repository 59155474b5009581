import * as z from 'zod';
import { type Calendar, calendars } from '../access/calendars.ts';
import { customFields, references } from '../access/reference.ts';
import type { Context } from '../context.ts';
import { Failure } from '../errors.ts';
import { type Collection, view } from '../store/collection.ts';
import { keys, type Partition, type ReferenceKind } from '../store/keys.ts';
import { dimensionNamed } from './dimensions.ts';
import { FILTER_OBJECTS } from './filters.ts';
import { macroReferences } from './meta.ts';
import { type NamedKind, NO_REFERENCE, type Reference } from './reference.ts';
import type { ReportRequest } from './request.ts';

/** Where the names of a kind of members lie. */
const NAMED: Readonly<Record<Exclude<NamedKind, 'macros'>, ReferenceKind>> = {
  agents: 'agent',
  groups: 'group',
  channels: 'channel',
  labels: 'label',
  companies: 'company',
};

const grouped = z.object({ id: z.int(), groups: z.array(z.int()).optional() });

/** The collections whose heads a report reads along with its caller. */
export const referencePartitions = (site: string): readonly Partition[] => [
  keys.macros(site),
  keys.reference(site, 'custom_field'),
  keys.reference(site, 'calendar'),
  ...Object.values(NAMED).map((kind) => keys.reference(site, kind)),
];

/** What the request needs of a site's reference data; collections that it does not ask about are not loaded. */
export async function readReference(context: Context, request: ReportRequest): Promise<Reference> {
  const named = namesAsked(request);
  const names = { ...NO_REFERENCE.names };
  const open = (kind: ReferenceKind) => context.open(keys.reference(context.site.name, kind));
  await Promise.all(
    [...named].map(async (kind) => {
      names[kind] = await readNames(context, kind);
    }),
  );
  return {
    names,
    agentGroups: request.fields.includes('agent_time_online') ? view(await open('agent'), groupsOfAgents) : new Map(),
    customFields: asksCustomFields(request) ? view(await open('custom_field'), fieldsById) : new Map(),
    rating: context.site.rating,
    calendars: request.hours === 'business' ? someCalendars(await open('calendar')) : [],
    now: Math.floor(context.clock() / 1000),
  };
}

/** The calendars of a site; throws the 422 of a report in working time where there is none. */
function someCalendars(collection: Collection): readonly Calendar[] {
  const all = calendars(collection);
  if (all.length > 0) return all;
  const message = 'There is no calendar that says when work is done; `support calendar` sets one.';
  throw new Failure('invalid', { message, errors: { hours: ['not_found'] } });
}

/** Whether reference records name the members of a dictionary. */
export const isNamed = (dictionary: string): dictionary is NamedKind => Object.hasOwn(NO_REFERENCE.names, dictionary);

/** The names of all members of a kind, deleted ones among them. */
export async function readNames(context: Context, kind: NamedKind): Promise<ReadonlyMap<number, string>> {
  const { name } = context.site;
  return kind === 'macros'
    ? view(await context.open(keys.macros(name)), macroNames)
    : view(await context.open(keys.reference(name, NAMED[kind])), recordNames);
}

/** The kinds whose names the filters search: ids need none. */
function namesAsked({ filters }: ReportRequest): Set<NamedKind> {
  const kinds = (filters ?? [])
    .flat()
    .filter(({ text }) => text !== '')
    .map(({ object }) => FILTER_OBJECTS[object].names);
  return new Set(kinds.filter((kind) => kind !== 'digits' && kind !== 'customFields'));
}

const asksCustomFields = ({ dimension1, dimension2, filters }: ReportRequest): boolean =>
  [dimension1, dimension2].some((name) => name !== null && dimensionNamed(name).members === 'customValues') ||
  (filters ?? []).flat().some(({ object }) => object === 'Custom Fields');

const recordNames = (collection: Collection): ReadonlyMap<number, string> =>
  new Map([...references(collection).values()].map(({ id, name }) => [id, name]));

const macroNames = (macros: Collection): ReadonlyMap<number, string> =>
  new Map(macroReferences(macros).map(({ id, name }) => [id, name]));

const fieldsById = (collection: Collection): Reference['customFields'] =>
  new Map(customFields(collection).map(({ id, name, values }) => [id, { name, listed: values.length > 0 }]));

function groupsOfAgents({ items }: Collection): Reference['agentGroups'] {
  return new Map(
    [...items.values()].map((item) => {
      const { id, groups = [] } = grouped.parse(item);
      return [id, groups];
    }),
  );
}
