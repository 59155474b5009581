import { groupsOfAgents } from '../access/agents.ts';
import type { Calendar } from '../access/calendars.ts';
import { customFields, references } from '../access/reference.ts';
import type { Context } from '../context.ts';
import { oneFault } from '../errors.ts';
import { type Collection, perVersion } from '../store/collection.ts';
import { keys, type Partition, type ReferenceKind } from '../store/keys.ts';
import { dimensionNamed } from './definitions/dimensions.ts';
import { countPromises } from './definitions/fields.ts';
import { FILTER_OBJECTS, type FilterCondition, type NamedKind } from './definitions/filters.ts';
import { macroReferences } from './meta.ts';
import { calendars } from './promises/calendar.ts';
import { slaPolicies } from './promises/policy.ts';
import type { SlaPolicy } from './promises/sla-policies.ts';
import { NO_REFERENCE, type Reference } from './reference.ts';
import type { ReportRequest } from './request.ts';

/** The kind of reference records that name the members of each kind. */
const NAMED: Readonly<Record<Exclude<NamedKind, 'macros'>, ReferenceKind>> = {
  agents: 'agent',
  groups: 'group',
  channels: 'channel',
  labels: 'label',
  companies: 'company',
};

/** The collections of reference data that a report may need; their heads are read together with the caller's. */
export const referencePartitions = (site: string): readonly Partition[] => [
  keys.macros(site),
  keys.reference(site, 'custom_field'),
  keys.reference(site, 'calendar'),
  keys.reference(site, 'sla_policy'),
  ...Object.values(NAMED).map((kind) => keys.reference(site, kind)),
];

/** Loads the reference data that a request needs, and only the collections that hold it. */
export async function readReference(context: Context, request: ReportRequest): Promise<Reference> {
  const open = openOf(context);
  const policies = countPromises(request.fields) ? slaPolicies(await open('sla_policy')) : [];
  const filters = [request.filters, ...policies.map((policy) => policy.filters)]
    .flatMap((groups) => groups ?? [])
    .flat();
  const needsCalendar = request.hours === 'business' || policies.some(runsInWorkingTime);
  return {
    names: await namesIn(context, filters),
    agentGroups: request.fields.includes('agent_time_online')
      ? perVersion(await open('agent'), groupsOfAgents)
      : new Map(),
    customFields: asksCustomFields(request, filters) ? perVersion(await open('custom_field'), fieldsById) : new Map(),
    rating: context.site.rating,
    calendars: needsCalendar ? someCalendars(await open('calendar')) : [],
    policies,
    now: request.asOf ?? Math.floor(context.clock() / 1000),
  };
}

/** What reading reference data depends on. */
export type ReferenceContext = Pick<Context, 'site' | 'clock' | 'open'>;

/** Loads the reference data for all that reports count of single cases; the site need not have a calendar. */
export async function readReferenceOfCases(context: ReferenceContext): Promise<Reference> {
  const open = openOf(context);
  const policies = slaPolicies(await open('sla_policy'));
  const filters = policies.flatMap((policy) => policy.filters ?? []).flat();
  return {
    ...NO_REFERENCE,
    names: await namesIn(context, filters),
    customFields: perVersion(await open('custom_field'), fieldsById),
    rating: context.site.rating,
    calendars: calendars(await open('calendar')),
    policies,
    now: Math.floor(context.clock() / 1000),
  };
}

const openOf =
  (context: ReferenceContext) =>
  (kind: ReferenceKind): Promise<Collection> =>
    context.open(keys.reference(context.site.name, kind));

const runsInWorkingTime = ({ targets }: SlaPolicy): boolean => targets.some(({ hours }) => hours === 'business');

/** The calendars of a site; throws a 422 if it has none, because the report needs working time. */
function someCalendars(collection: Collection): readonly Calendar[] {
  const all = calendars(collection);
  if (all.length > 0) return all;
  const message = 'The site has no calendar that says when work is done; `support calendar` sets one.';
  throw oneFault('not_found', ['hours'], message);
}

/** Whether reference records name the members of a dictionary. */
export const isNamed = (dictionary: string): dictionary is NamedKind => Object.hasOwn(NO_REFERENCE.names, dictionary);

/** Loads the names of all members of a kind, including deleted ones. */
export async function readNames(context: ReferenceContext, kind: NamedKind): Promise<ReadonlyMap<number, string>> {
  const { name } = context.site;
  return kind === 'macros'
    ? perVersion(await context.open(keys.macros(name)), macroNames)
    : perVersion(await context.open(keys.reference(name, NAMED[kind])), recordNames);
}

/** Loads the names that filters with a text search; filters by id need none. */
async function namesIn(context: ReferenceContext, filters: readonly FilterCondition[]): Promise<Reference['names']> {
  const kinds = filters.filter(({ text }) => text !== '').map(({ object }) => FILTER_OBJECTS[object].names);
  const searched = [...new Set(kinds)].filter((kind) => kind !== 'digits' && kind !== 'customFields');
  const names = { ...NO_REFERENCE.names };
  await Promise.all(
    searched.map(async (kind) => {
      names[kind] = await readNames(context, kind);
    }),
  );
  return names;
}

const asksCustomFields = ({ dimension1, dimension2 }: ReportRequest, filters: readonly FilterCondition[]): boolean =>
  [dimension1, dimension2].some((name) => name !== null && dimensionNamed(name).members === 'customValues') ||
  filters.some(({ object }) => object === 'Custom Fields');

const recordNames = (collection: Collection): ReadonlyMap<number, string> =>
  new Map([...references(collection).values()].map(({ id, name }) => [id, name]));

const macroNames = (macros: Collection): ReadonlyMap<number, string> =>
  new Map(macroReferences(macros).map(({ id, name }) => [id, name]));

const fieldsById = (collection: Collection): Reference['customFields'] =>
  new Map(customFields(collection).map(({ id, name, values }) => [id, { name, listed: values.length > 0 }]));
