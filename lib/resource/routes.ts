import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod';
import { recordName } from '../access/records.ts';
import type { User } from '../access/users.ts';
import type { Context } from '../context.ts';
import { type Faults, notFound } from '../errors.ts';
import { directionField, idListField, idOf, moveFields, wordField } from '../http/fields.ts';
import { listReply } from '../http/page.ts';
import { created, noContent, type Reply, show } from '../http/reply.ts';
import { type Call, type Route, route, withArticle } from '../http/route.ts';
import { pageShape } from '../http/shapes.ts';
import type { Collection } from '../store/collection.ts';
import { keys, type Partition } from '../store/keys.ts';
import type { Item } from '../store/table.ts';
import { keysOf } from '../typed-object.ts';
import { change } from './change.ts';
import type { FieldTable, ResourceField, ThingOf } from './field.ts';
import { planOf } from './plan.ts';
import type { Resource, Writes } from './resource.ts';
import { checkRoomIn, writtenAt } from './storing.ts';

type Place = Pick<Call, 'context' | 'params'>;
type Named = Pick<Resource<FieldTable>, 'one' | 'path'>;

const words = (name = ''): string => name.replaceAll('_', ' ').replace(/^sla\b/, 'SLA');
const capitals = (name = ''): string => name.replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());

/** What a resource is called: in names of routes `SavedReport` and `SavedReports`, for people `saved report`. */
export function namesOf({ one, path }: Named) {
  const many = path.split('/').at(-1);
  return { one: capitals(one), many: capitals(many), noun: words(one), nouns: words(many), param: `${one}_id` };
}

const collectionOf = <F extends FieldTable>(
  { storing }: Pick<Resource<F>, 'storing'>,
  { open, site }: Context,
): Promise<Collection> => open(storing.partition(site.name));

/** The collections of the things, of what they link to, and of what else is shown. */
const readsOf =
  <F extends FieldTable>({ fields, storing, reads }: Resource<F>) =>
  (site: string): readonly Partition[] => [
    storing.partition(site),
    ...Object.values<ResourceField>(fields).flatMap(({ links }) => (links ? [links.storing.partition(site)] : [])),
    ...(reads?.(site) ?? []),
  ];

/** The item of the thing in a path; throws `not_found`. */
async function itemIn<F extends FieldTable>(resource: Resource<F>, { context, params }: Place): Promise<Item> {
  const { storing, isFor, parse } = resource;
  const { noun, param } = namesOf(resource);
  const id = idOf(params[param], storing.leastId);
  const item = storing.find(await collectionOf(resource, context), id);
  if (item === undefined || isFor?.(context.user, parse(item)) === false) throw notFound(`${noun} ${id}`);
  return item;
}

/** A route's `find`: returns the thing in the path; throws `not_found`. */
export const finderOf =
  <F extends FieldTable>(resource: Resource<F>) =>
  async (place: Place): Promise<ThingOf<F>> =>
    resource.parse(await itemIn(resource, place));

const showIn = async <F extends FieldTable>(resource: Resource<F>, context: Context, item: Item): Promise<unknown> =>
  resource.show(item, await collectionOf(resource, context), context);

export const sortQuery = {
  ids: idListField(),
  sort_field: wordField(['id', 'name', 'created_at', 'updated_at']),
  sort_direction: directionField(),
};

/** What a list is asked for: all things, or some of them in another order. */
type Sorting = {
  readonly ids?: ReadonlySet<number>;
  readonly sort_field?: string;
  readonly sort_direction?: 'asc' | 'desc';
};

type SortFields = {
  readonly ids?: z.ZodType<ReadonlySet<number>>;
  readonly sort_field?: z.ZodType<string>;
  readonly sort_direction?: z.ZodType<'asc' | 'desc'>;
};

const queryOf = <F extends FieldTable>({ orders, storing }: Resource<F>): SortFields => {
  if (orders) return { sort_field: wordField(keysOf(orders)), sort_direction: directionField() };
  return storing.isRecord ? sortQuery : {};
};

/** The things of a list as it is asked for. */
function listed<F extends FieldTable>(resource: Resource<F>, collection: Collection, query: Sorting): readonly Item[] {
  const { orders, storing } = resource;
  const { sort_field, sort_direction } = query;
  const items = (orders?.[sort_field ?? ''] ?? storing.all)(collection);
  if (storing.isRecord) return sortedBy(resource, items, query);
  return sort_direction === 'desc' ? items.toReversed() : items;
}

/** The records that `ids` name, or all; by id, by name without case or by a time, equal ones by id, those without a time last. */
function sortedBy<F extends FieldTable>(
  { parse }: Pick<Resource<F>, 'parse'>,
  all: readonly Item[],
  { ids, sort_field = 'id', sort_direction }: Sorting,
): readonly Item[] {
  const items = ids ? all.filter(({ id }) => ids.has(Number(id))) : all;
  if (sort_field === 'id') return sort_direction === 'desc' ? items.toReversed() : items;
  if (sort_field === 'name') return sortedByKey(items, (item) => recordName(item).toLowerCase(), sort_direction);
  const timeOf = (item: Item): number => {
    const time = { ...item, ...parse(item) }[sort_field]; // as it is shown
    return typeof time === 'number' ? time : sort_direction === 'desc' ? -Infinity : Infinity;
  };
  return sortedByKey(items, timeOf, sort_direction);
}

/** Items by a key, those with equal keys as they come. */
function sortedByKey(
  items: readonly Item[],
  keyOf: (item: Item) => string | number,
  direction: 'asc' | 'desc' = 'asc',
): readonly Item[] {
  const sign = direction === 'desc' ? -1 : 1;
  const keyed = items.map((item) => ({ item, key: keyOf(item) }));
  keyed.sort((a, b) => (a.key === b.key ? 0 : a.key < b.key ? -sign : sign));
  return keyed.map(({ item }) => item);
}

/** By whom a list of own things depends: another user of the same login, or another role, finds others. */
const whoseList = ({ login, generation = 0, role }: User): string => [login, generation, role].join('\n');

/** Lists some of the things of a resource. */
export function listThings<F extends FieldTable>(
  call: Omit<Call, 'query'> & { readonly query: Sorting },
  resource: Resource<F>,
  path: string,
  pick: (items: readonly Item[]) => readonly Item[],
): Promise<Reply> {
  const { context, query } = call;
  const { isFor, parse } = resource;
  return listReply(call, {
    path,
    seeds: [...readsOf(resource)(context.site.name).map(context.version), isFor ? whoseList(context.user) : ''],
    members: async () => {
      const items = pick(listed(resource, await collectionOf(resource, context), query));
      return isFor ? items.filter((item) => isFor(context.user, parse(item))) : items;
    },
    show: (item: Item) => showIn(resource, context, item),
  });
}

/** The endpoints of a resource: list and show, and, if clients write it, create, update and perhaps delete. */
export const routesOf = <F extends FieldTable>(resource: Resource<F>): Route[] => [
  ...readingRoutes(resource),
  ...(resource.writes ? writingRoutes(resource, resource.writes) : []),
];

function readingRoutes<F extends FieldTable>(resource: Resource<F>): Route[] {
  const { path, roles, shape, storing, orders, extension = true } = resource;
  const { one, many, noun, nouns, param } = namesOf(resource);
  const usual = { method: 'GET', roles, extension, reads: readsOf(resource) } as const;
  return [
    route({
      ...usual,
      name: `list${many}`,
      summary: `List ${nouns}${orders ? '' : ' by id'}`,
      path,
      list: true,
      query: queryOf(resource),
      lists: storing.isRecord ? ['ids'] : [],
      reply: () => pageShape(shape()),
      handle: (call) => listThings(call, resource, path, (items) => items),
    }),
    route({
      ...usual,
      name: `show${one}`,
      summary: `Show ${withArticle(noun)}`,
      path: `${path}/{${param}}`,
      reply: shape,
      find: (place) => itemIn(resource, place),
      handle: async ({ context, resource: item }) => show(await showIn(resource, context, item)),
    }),
  ];
}

function writingRoutes<F extends FieldTable>(
  resource: Resource<F>,
  { limit, roles, examples, deletes, moved, removes }: Writes<F>,
): Route[] {
  const { path, shape: reply, storing, body, required, extension = true } = resource;
  const { one, noun, param } = namesOf(resource);
  const reads = readsOf(resource);
  const children = storing.list?.children;
  const usual = { roles, extension, reads } as const;
  const existing = {
    ...usual,
    path: `${path}/{${param}}`,
    find: (place: Place) => itemIn(resource, place),
    current: ({ context, resource: item }: Pick<Call<Item>, 'context' | 'resource'>) => showIn(resource, context, item),
  };
  const create = route({
    ...usual,
    name: `create${one}`,
    summary: `Create ${withArticle(noun)}`,
    method: 'POST',
    path,
    body,
    required,
    reply,
    example: examples[0],
    reads: (site) => [...reads(site), ...(storing.isRecord ? [] : [keys.ids(site)])],
    handle: async ({ context, fields: sent, faults }) => {
      const collection = await collectionOf(resource, context);
      checkRoomIn(limit, storing, collection, faults);
      const after = await planned(resource, { context, collection, before: undefined, sent, faults });
      const answer = created(context.origin, `${path}/${after.id}`, await resource.show(after, collection, context));
      await change(context, [{ collection, storing, edits: [{ before: undefined, after }] }], { answer });
      return answer;
    },
  });
  const update = route({
    ...existing,
    name: `update${one}`,
    summary: `Update the given fields of ${withArticle(noun)}`,
    method: 'PATCH',
    body,
    reply,
    example: examples[1],
    handle: async ({ context, resource: before, fields: sent, faults }) => {
      const collection = await collectionOf(resource, context);
      const item = await planned(resource, { context, collection, before, sent, faults });
      const { parse } = resource; // gives usual values, so that to send one that is not stored changes nothing
      const at = context.now;
      const written = storing.isRecord ? writtenAt(at, before, item) : { ...item, updated_at: at };
      const after = isDeepStrictEqual(parse(item), parse(before)) ? before : written;
      await change(context, [{ collection, storing, edits: [{ before, after }] }]);
      return show(await resource.show(after, collection, context));
    },
  });
  const remove = route({
    ...existing,
    name: `delete${one}`,
    summary: `Delete ${withArticle(noun)}${children ? ` with its ${children.name}` : ''}${storing.isRecord ? '; old reports go on to name it' : ''}`,
    method: 'DELETE',
    reads: (site, params) => [...reads(site), ...(children ? [children.partition(site, Number(params[param]))] : [])],
    handle: async ({ context, resource: before }) => {
      const collection = await collectionOf(resource, context);
      const after = storing.deleted(before, context.now);
      const { plans = [], writes = [] } = (await removes?.(context, resource.parse(before))) ?? {};
      await change(context, [{ collection, storing, edits: [{ before, after }] }, ...plans], { writes });
      return noContent;
    },
  });
  return [create, update, ...(moved ? [movingRoute(resource, moved)] : []), ...(deletes ? [remove] : [])];
}

/** The endpoint that moves a thing in its order. */
function movingRoute<F extends FieldTable>(resource: Resource<F>, editsOf: NonNullable<Writes<F>['moved']>): Route {
  const { path, shape: reply, storing } = resource;
  const { one, noun, param } = namesOf(resource);
  return route({
    name: `move${one}`,
    summary: `Move ${withArticle(noun)} before another one, or to the end`,
    method: 'POST',
    path: `${path}/{${param}}/move`,
    success: 200,
    roles: resource.writes?.roles ?? [],
    extension: true,
    reads: readsOf(resource),
    body: moveFields,
    required: ['before'],
    reply,
    example: { before: null },
    find: (place) => itemIn(resource, place),
    handle: async ({ context, resource: item, fields: { before = null }, faults }) => {
      const collection = await collectionOf(resource, context);
      const id = Number(item.id);
      const edits = editsOf(collection, { id, before, now: context.now, faults });
      faults.check();
      await change(context, [{ collection, storing, edits }]);
      return show(await resource.show(storing.find(collection, id) ?? item, collection, context));
    },
  });
}

/** Plans a write; throws its faults. */
async function planned<F extends FieldTable>(
  resource: Resource<F>,
  wish: Parameters<typeof planOf<F>>[1] & { readonly faults: Faults },
): Promise<Item> {
  const item = await planOf(resource, wish);
  wish.faults.check();
  return item;
}
