import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { R_READ, R_WRITE, type Role } from '../access/roles.ts';
import type { Context } from '../context.ts';
import { type Faults, notFound } from '../errors.ts';
import type { Limited } from '../store/bounds.ts';
import { type Collection, perVersion } from '../store/collection.ts';
import { keys, members, type Partition, type ReferenceKind } from '../store/keys.ts';
import { nextId } from '../store/next-id.ts';
import type { Item } from '../store/table.ts';
import { checkRoom, directionField, idOf, wordField } from './fields.ts';
import { listReply } from './page.ts';
import { created, noContent, type Reply, show } from './reply.ts';
import { type Call, type Fields, type Route, route, type Values, withArticle } from './route.ts';
import { pageShape } from './shapes.ts';

/** A kind of reference record as a resource of the API: read by all, and written if it says how. */
export interface SmallResource {
  readonly kind: ReferenceKind;
  readonly one: string; // for names of routes: `Label`
  readonly many: string;
  readonly path: string; // of the list
  readonly param: string; // of the path: `label_id`
  readonly leastId: 0 | 1;
  readonly reads?: (site: string) => readonly Partition[]; // other collections that are shown or checked
  readonly shape: () => z.ZodType;
  /** Shows a record; `collection` is its kind's. */
  readonly shown: (context: Context, item: Item, collection: Collection) => unknown;
}

/** How a resource is written. */
export interface SmallWrites<F extends Fields> {
  readonly limit: Limited;
  readonly fields: F;
  readonly required: readonly (keyof F & string)[]; // to create it
  readonly examples: readonly [create: unknown, update: unknown];
  readonly deletes: boolean;
  readonly roles?: readonly Role[]; // who writes it; default: R_WRITE
  /** Returns the attributes after a write; adds faults. */
  readonly plan: (asked: SmallWrite<F>) => Attributes | Promise<Attributes>;
}

export interface SmallWrite<F extends Fields> {
  readonly context: Context;
  readonly collection: Collection;
  readonly before: Item | undefined; // undefined: it is created
  readonly fields: Values<F>;
  readonly faults: Faults;
}

type Attributes = Readonly<Record<string, unknown>>;

/** The records that are not deleted, by id. */
export const present = (collection: Collection): readonly Item[] => perVersion(collection, readPresent);

const readPresent = ({ items }: Collection): Item[] =>
  [...items.values()].filter(({ deleted }) => deleted !== true).sort((a, b) => Number(a.id) - Number(b.id));

/** A record that is not deleted; throws `not_found`. */
export function recordIn({ items }: Collection, kind: ReferenceKind, id: number): Item {
  const item = items.get(members.item(id));
  if (item === undefined || item.deleted === true) throw notFound(`${kind.replace('_', ' ')} ${id}`);
  return item;
}

/** The place of an id among those that are not deleted, from 1. */
export function rankOf(collection: Collection, id: unknown): number {
  const all = present(collection);
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (Number(all[middle]?.id) < Number(id)) low = middle + 1;
    else high = middle;
  }
  return 1 + low;
}

const named = z.object({ id: z.int(), name: z.string().nullish() });

/** A record's name; its id until a record has given one. */
export function recordName(item: Item): string {
  const { id, name } = named.parse(item);
  return name ?? String(id);
}

/** Records by id or by name without case, equal names by id. */
function sortedBy(
  records: readonly Item[],
  { sort_field = 'id', sort_direction }: Values<typeof sortQuery>,
): readonly Item[] {
  if (sort_field === 'id') return sort_direction === 'desc' ? records.toReversed() : records;
  const sign = sort_direction === 'desc' ? -1 : 1;
  const keyed = records.map((item) => ({ item, key: recordName(item).toLowerCase() }));
  keyed.sort((a, b) => (a.key === b.key ? 0 : a.key < b.key ? -sign : sign));
  return keyed.map(({ item }) => item);
}

export const sortQuery = { sort_field: wordField(['id', 'name']), sort_direction: directionField() };

/** Lists some of the records of a resource. */
export function listRecords(
  call: Call<unknown, typeof sortQuery>,
  resource: SmallResource,
  path: string,
  pick: (records: readonly Item[], collection: Collection) => readonly Item[],
): Promise<Reply> {
  const { context, query } = call;
  const partition = keys.reference(context.site.name, resource.kind);
  const seeds = [partition, ...(resource.reads?.(context.site.name) ?? [])].map(context.version);
  return listReply(call, {
    path,
    seeds,
    members: async () => {
      const collection = await context.open(partition);
      return sortedBy(pick(present(collection), collection), query);
    },
    show: async (item: Item) => resource.shown(context, item, await context.open(partition)),
  });
}

const words = (name = ''): string => name.replaceAll('_', ' ').replace(/^sla\b/, 'SLA');
const allOf = ({ path }: SmallResource): string => words(path.split('/').at(-1));
const oneOf = ({ param }: SmallResource): string => withArticle(words(param.replace(/_id$/, '')));
const readsOf =
  ({ kind, reads }: SmallResource) =>
  (site: string): readonly Partition[] => [keys.reference(site, kind), ...(reads?.(site) ?? [])];

/** The record in the path of a request, with its collection. */
export interface FoundResource {
  readonly collection: Collection;
  readonly item: Item;
}

/** A route's `find`: returns the record in the path; throws `not_found`. */
export const finderOf =
  ({ kind, param, leastId }: SmallResource) =>
  async ({ context, params }: Pick<Call, 'context' | 'params'>): Promise<FoundResource> => {
    const id = idOf(params[param], leastId);
    const collection = await context.open(keys.reference(context.site.name, kind));
    return { collection, item: recordIn(collection, kind, id) };
  };

/** The two endpoints that read a resource. */
export function readsOfResource(resource: SmallResource): Route[] {
  const { one, many, path, param, shape } = resource;
  const usual = { method: 'GET', roles: R_READ, extension: true, reads: readsOf(resource) } as const;
  return [
    route({
      ...usual,
      name: `list${many}`,
      summary: `List ${allOf(resource)} by id`,
      path,
      list: true,
      query: sortQuery,
      reply: () => pageShape(shape()),
      handle: (call) => listRecords(call, resource, path, (records) => records),
    }),
    route({
      ...usual,
      name: `show${one}`,
      summary: `Show ${oneOf(resource)}`,
      path: `${path}/{${param}}`,
      reply: shape,
      find: finderOf(resource),
      handle: async ({ context, resource: { item, collection } }) =>
        show(await resource.shown(context, item, collection)),
    }),
  ];
}

/** The endpoints that write a resource: create, update and, if it may be, delete. */
export function writesOfResource<F extends Fields>(
  resource: SmallResource,
  { limit, fields: body, required, examples, deletes, roles = R_WRITE, plan }: SmallWrites<F>,
): Route[] {
  const { one, path, param, shape, shown } = resource;
  const usual = { roles, extension: true, reads: readsOf(resource) } as const;
  const find = finderOf(resource);
  const current = ({ context, resource: { item, collection } }: Pick<Call<FoundResource>, 'context' | 'resource'>) =>
    shown(context, item, collection);
  const change = {
    ...usual,
    path: `${path}/{${param}}`,
    find,
    current,
  };
  const create = route({
    ...usual,
    name: `create${one}`,
    summary: `Create ${oneOf(resource)}`,
    method: 'POST',
    path,
    body,
    required,
    reply: shape,
    example: examples[0],
    handle: async ({ context, fields, faults }) => {
      const collection = await context.open(keys.reference(context.site.name, resource.kind));
      checkRoom(limit, present(collection).length, faults);
      const asked = { context, collection, before: undefined, fields, faults };
      const attributes = await plan(asked);
      faults.check();
      const id = nextId(collection);
      const times = { created_at: context.now, updated_at: context.now };
      const item = { pk: collection.pk, sk: members.item(id), id, deleted: false, ...times, ...attributes };
      const reply = created(context.origin, `${path}/${id}`, await shown(context, item, collection));
      await context.commit([{ collection, put: [item] }], reply);
      return reply;
    },
  });
  const update = route({
    ...change,
    name: `update${one}`,
    summary: `Update the given fields of ${oneOf(resource)}`,
    method: 'PATCH',
    body,
    reply: shape,
    example: examples[1],
    handle: async ({ context, resource: { item, collection }, fields, faults }) => {
      const asked = { context, collection, before: item, fields, faults };
      const next = { ...item, ...(await plan(asked)) };
      faults.check();
      const after = isDeepStrictEqual(next, { ...item }) ? item : { ...next, updated_at: context.now };
      if (after !== item) await context.commit([{ collection, put: [after] }]);
      return show(await shown(context, after, collection));
    },
  });
  if (!deletes) return [create, update];
  return [
    create,
    update,
    route({
      ...change,
      name: `delete${one}`,
      summary: `Delete ${oneOf(resource)}; old reports go on to name it`,
      method: 'DELETE',
      handle: async ({ context, resource: { item, collection } }) => {
        await context.commit([{ collection, put: [{ ...item, deleted: true, updated_at: context.now }] }]);
        return noContent;
      },
    }),
  ];
}

/** Adds `taken` if another record has this name; `same` says which count as equal. */
export function refuseTaken(
  { collection, before, faults }: Pick<SmallWrite<Fields>, 'collection' | 'before' | 'faults'>,
  same: (item: Item) => boolean,
): void {
  if (present(collection).some((item) => item.id !== before?.id && same(item))) faults.add('taken', 'name');
}
