import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod';
import { findRecord, present, recordName } from '../access/records.ts';
import { R_READ, type Role } from '../access/roles.ts';
import type { User } from '../access/users.ts';
import type { Context } from '../context.ts';
import { type Faults, notFound } from '../errors.ts';
import type { Limited } from '../store/bounds.ts';
import type { Change, Collection } from '../store/collection.ts';
import { keys, members, type Partition, type ReferenceKind } from '../store/keys.ts';
import { nextId } from '../store/next-id.ts';
import type { Item } from '../store/table.ts';
import { checkRoom, directionField, idOf, wordField } from './fields.ts';
import { listReply } from './page.ts';
import { created, noContent, type Reply, show } from './reply.ts';
import { type Call, type Fields, type Route, route, type Values, withArticle } from './route.ts';
import { pageShape } from './shapes.ts';

/** How the things of a kind lie in the table. `T` is a thing, `A` what a write says of it. */
interface Storing<T, A> {
  readonly partition: (site: string) => Partition;
  readonly leastId: 0 | 1;
  readonly all: (collection: Collection) => readonly T[]; // by id
  readonly find: (collection: Collection, id: number) => T | undefined;
  readonly nameOf?: (thing: T) => string; // if lists may be sorted by it
  readonly idsFrom?: (site: string) => Partition; // the collection that gives new ids, if not its own
  /** A new thing with its id, and the changes that store it. */
  readonly create: (context: Context, collection: Collection, attributes: A) => Promise<New<T>>;
  readonly update: (collection: Collection, thing: T) => Change;
  readonly remove: (collection: Collection, thing: T, now: number) => Change;
  readonly removeNote?: string; // what the summary of its DELETE adds
}

interface New<T> {
  readonly id: number;
  readonly thing: T;
  readonly changes: readonly Change[];
}

type Attributes = Readonly<Record<string, unknown>>;

/** A kind of things as a resource of the API, and who reads it. */
export interface Resource<T, A> {
  readonly storing: Storing<T, A>;
  readonly path: string; // of the list: `/api/v2/labels`
  readonly param: string; // of the path: `label_id`
  readonly roles: readonly Role[];
  readonly reads?: (site: string) => readonly Partition[]; // other collections that are shown or checked
  readonly isFor?: (user: User, thing: T) => boolean; // who finds a thing; absent: all with these roles
  readonly shape: () => z.ZodType;
  readonly show: (thing: T, collection: Collection, context: Context) => unknown;
}

/** A kind of reference records as a resource, which all may read. */
export type RecordResource = Resource<Item, Attributes>;

/** Stores a kind of reference records. A deleted one stays, as old reports go on to name it. */
export const recordsOf = (kind: ReferenceKind, leastId: 0 | 1 = 1): Pick<RecordResource, 'storing' | 'roles'> => ({
  roles: R_READ,
  storing: {
    partition: (site) => keys.reference(site, kind),
    leastId,
    all: present,
    find: findRecord,
    nameOf: recordName,
    create: async ({ now }, collection, attributes) => {
      const id = nextId(collection);
      const times = { created_at: now, updated_at: now };
      const thing = { pk: collection.pk, sk: members.item(id), id, deleted: false, ...times, ...attributes };
      return { id, thing, changes: [{ collection, put: [thing] }] };
    },
    update: (collection, item) => ({ collection, put: [item] }),
    remove: (collection, item, now) => ({ collection, put: [{ ...item, deleted: true, updated_at: now }] }),
    removeNote: '; old reports go on to name it',
  },
});

/** How a resource is written. */
export interface ResourceWrites<T, A, F extends Fields> {
  readonly limit: Limited;
  readonly roles: readonly Role[];
  readonly fields: F;
  readonly required: readonly (keyof F & string)[]; // to create one
  readonly examples: readonly [create: unknown, update: unknown];
  readonly deletes: boolean;
  readonly checks?: (site: string) => readonly Partition[]; // other collections that only `plan` reads
  /** Returns the attributes after a write; adds faults. */
  readonly plan: (asked: ResourceWrite<T, F>) => A | Promise<A>;
}

interface ResourceWrite<T, F extends Fields> {
  readonly context: Context;
  readonly collection: Collection;
  readonly before: T | undefined; // undefined: it is created
  readonly fields: Values<F>;
  readonly faults: Faults;
}

const words = (name = ''): string => name.replaceAll('_', ' ').replace(/^sla\b/, 'SLA');
const capitals = (name = ''): string => name.replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());

/** What a resource is called: in names of routes `SavedReport` and `SavedReports`, for people `saved report`. */
function namesOf({ path, param }: Pick<Resource<never, never>, 'path' | 'param'>) {
  const [one, many] = [param.replace(/_id$/, ''), path.split('/').at(-1)];
  return { one: capitals(one), many: capitals(many), noun: words(one), nouns: words(many) };
}

const readsOf =
  <T, A>({ storing, reads }: Resource<T, A>, checks?: (site: string) => readonly Partition[]) =>
  (site: string): readonly Partition[] => [
    storing.partition(site),
    ...(reads?.(site) ?? []),
    ...(checks?.(site) ?? []),
  ];

const openOf = <T, A>({ storing }: Resource<T, A>, { open, site }: Context): Promise<Collection> =>
  open(storing.partition(site.name));

const showIn = async <T, A>(resource: Resource<T, A>, context: Context, thing: T): Promise<unknown> =>
  resource.show(thing, await openOf(resource, context), context);

/** A route's `find`: returns the thing in the path; throws `not_found`. */
export const finderOf =
  <T, A>(resource: Resource<T, A>) =>
  async ({ context, params }: Pick<Call, 'context' | 'params'>): Promise<T> => {
    const { storing, param, isFor } = resource;
    const id = idOf(params[param], storing.leastId);
    const thing = storing.find(await openOf(resource, context), id);
    if (thing === undefined || isFor?.(context.user, thing) === false)
      throw notFound(`${namesOf(resource).noun} ${id}`);
    return thing;
  };

export const sortQuery = { sort_field: wordField(['id', 'name']), sort_direction: directionField() };

/** Things by id or by name without case, equal names by id. */
function sortedBy<T>(
  things: readonly T[],
  nameOf: (thing: T) => string,
  { sort_field = 'id', sort_direction }: Values<typeof sortQuery>,
): readonly T[] {
  if (sort_field === 'id') return sort_direction === 'desc' ? things.toReversed() : things;
  return sortedByKey(things, (thing) => nameOf(thing).toLowerCase(), sort_direction);
}

/** Things by a key, those with equal keys as they come. */
export function sortedByKey<T>(
  things: readonly T[],
  keyOf: (thing: T) => string | number,
  direction: 'asc' | 'desc' = 'asc',
): readonly T[] {
  const sign = direction === 'desc' ? -1 : 1;
  const keyed = things.map((thing) => ({ thing, key: keyOf(thing) }));
  keyed.sort((a, b) => (a.key === b.key ? 0 : a.key < b.key ? -sign : sign));
  return keyed.map(({ thing }) => thing);
}

/** Lists some of the things of a resource. */
export function listThings<T, A>(
  call: Call<unknown, typeof sortQuery>,
  resource: Resource<T, A>,
  path: string,
  pick: (things: readonly T[]) => readonly T[],
): Promise<Reply> {
  const { context, query } = call;
  const { all, nameOf } = resource.storing;
  const { isFor } = resource;
  return listReply(call, {
    path,
    seeds: [...readsOf(resource)(context.site.name).map(context.version), isFor ? context.user.login : ''],
    members: async () => {
      const things = pick(all(await openOf(resource, context)));
      const own = isFor ? things.filter((thing) => isFor(context.user, thing)) : things;
      return nameOf ? sortedBy(own, nameOf, query) : own;
    },
    show: (thing: T) => showIn(resource, context, thing),
  });
}

/** The two endpoints that read a resource. */
export function readsOfResource<T, A>(resource: Resource<T, A>): Route[] {
  const { path, param, roles, shape, storing } = resource;
  const { one, many, noun, nouns } = namesOf(resource);
  const find = finderOf(resource);
  const usual = { method: 'GET', roles, extension: true, reads: readsOf(resource) } as const;
  return [
    route({
      ...usual,
      name: `list${many}`,
      summary: `List ${nouns} by id`,
      path,
      list: true,
      query: storing.nameOf ? sortQuery : {},
      reply: () => pageShape(shape()),
      handle: (call) => listThings(call, resource, path, (things) => things),
    }),
    route({
      ...usual,
      name: `show${one}`,
      summary: `Show ${withArticle(noun)}`,
      path: `${path}/{${param}}`,
      reply: shape,
      find,
      handle: async ({ context, resource: thing }) => show(await showIn(resource, context, thing)),
    }),
  ];
}

/** The endpoints that write a resource: create, update and, if it may be, delete. */
export function writesOfResource<T extends object, A extends object, F extends Fields>(
  resource: Resource<T, A>,
  { limit, roles, fields: body, required, examples, deletes, checks, plan }: ResourceWrites<T, A, F>,
): Route[] {
  const { path, param, shape: reply, storing } = resource;
  const { one, noun } = namesOf(resource);
  const usual = { roles, extension: true, reads: readsOf(resource, checks) } as const;
  const change = {
    ...usual,
    path: `${path}/{${param}}`,
    find: finderOf(resource),
    current: ({ context, resource: thing }: Pick<Call<T>, 'context' | 'resource'>) => showIn(resource, context, thing),
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
    reads: (site) => [...usual.reads(site), ...(storing.idsFrom ? [storing.idsFrom(site)] : [])],
    handle: async ({ context, fields, faults }) => {
      const collection = await openOf(resource, context);
      checkRoom(limit, storing.all(collection).length, faults);
      const attributes = await plan({ context, collection, before: undefined, fields, faults });
      faults.check();
      const { id, thing, changes } = await storing.create(context, collection, attributes);
      const answer = created(context.origin, `${path}/${id}`, await resource.show(thing, collection, context));
      await context.commit(changes, answer);
      return answer;
    },
  });
  const update = route({
    ...change,
    name: `update${one}`,
    summary: `Update the given fields of ${withArticle(noun)}`,
    method: 'PATCH',
    body,
    reply,
    example: examples[1],
    handle: async ({ context, resource: before, fields, faults }) => {
      const collection = await openOf(resource, context);
      const planned = { ...before, ...(await plan({ context, collection, before, fields, faults })) };
      faults.check();
      const after = isDeepStrictEqual(planned, { ...before }) ? before : { ...planned, updated_at: context.now };
      if (after !== before) await context.commit([storing.update(collection, after)]);
      return show(await resource.show(after, collection, context));
    },
  });
  const remove = route({
    ...change,
    name: `delete${one}`,
    summary: `Delete ${withArticle(noun)}${storing.removeNote ?? ''}`,
    method: 'DELETE',
    handle: async ({ context, resource: thing }) => {
      await context.commit([storing.remove(await openOf(resource, context), thing, context.now)]);
      return noContent;
    },
  });
  return deletes ? [create, update, remove] : [create, update];
}
