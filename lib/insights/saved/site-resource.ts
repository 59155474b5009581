import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod';
import { R_INSIGHTS } from '../../access/roles.ts';
import type { User } from '../../access/users.ts';
import type { Context } from '../../context.ts';
import { type Faults, notFound } from '../../errors.ts';
import { checkRoom, idOf } from '../../http/fields.ts';
import { listReply } from '../../http/page.ts';
import { created, noContent, show } from '../../http/reply.ts';
import { type Call, type Fields, type Route, route, type Values, withArticle } from '../../http/route.ts';
import { pageShape } from '../../http/shapes.ts';
import type { Limited } from '../../store/bounds.ts';
import { type Collection, perVersion } from '../../store/collection.ts';
import { keys, type Partition } from '../../store/keys.ts';
import type { Item } from '../../store/table.ts';

/** What every kept thing has besides the attributes of its kind. */
export interface StoredResource {
  readonly id: number;
  readonly created_at: number; // epoch ms
  readonly updated_at: number;
}

/** A kind of thing that the people with reports keep in a site, such as saved reports: stored, shown and written so. */
export interface SiteResource<T extends StoredResource, B extends Fields> {
  readonly one: string; // for names of routes: `SavedReport`
  readonly many: string;
  readonly noun: string; // for people: `saved report`
  readonly limit: Limited;
  readonly path: string; // of the list
  readonly param: string; // of the path: `saved_report_id`
  readonly partition: (site: string) => Partition;
  readonly member: (id: number) => string; // sort key
  readonly stored: z.ZodType<T>;
  readonly shape: () => z.ZodType;
  readonly show: (thing: T) => unknown;
  readonly fields: B;
  readonly required: readonly (keyof B & string)[]; // to create one
  readonly examples: readonly [create: unknown, update: unknown];
  readonly checks?: (site: string) => readonly Partition[]; // other collections that `plan` reads
  readonly isFor?: (user: User, thing: T) => boolean; // who finds a thing; absent: everybody with these routes
  /** Returns the attributes after a write; adds faults. `before` is undefined for a new thing. */
  readonly plan: (
    asked: SiteResourceWrite<T, B>,
  ) => Omit<T, keyof StoredResource> | Promise<Omit<T, keyof StoredResource>>;
}

interface SiteResourceWrite<T, B extends Fields> {
  readonly context: Context;
  readonly before: T | undefined;
  readonly fields: Values<B>;
  readonly faults: Faults;
}

/** How a kind's things are found; `routes` are the five usual ones. */
export interface SiteResourceRoutes<T> {
  readonly find: (call: Pick<Call, 'context' | 'params'>) => Promise<T>;
  readonly routes: readonly Route[];
}

/** A kind with what its routes share. */
interface ResourceContext<T extends StoredResource, B extends Fields> extends SiteResource<T, B> {
  readonly usual: Pick<Route, 'roles' | 'extension'>;
  readonly onePath: string;
  readonly reads: (site: string) => readonly Partition[];
  readonly readsToWrite: (site: string) => readonly Partition[];
  readonly open: (context: Context) => Promise<Collection>;
  readonly itemOf: (collection: Collection, thing: T) => Item;
  readonly find: SiteResourceRoutes<T>['find'];
}

/** Makes list, show, create, update and delete of a kind, with ETags, `If-Match` and the audit as everywhere. */
export function siteResource<T extends StoredResource, B extends Fields>(
  kind: SiteResource<T, B>,
): SiteResourceRoutes<T> {
  const reads = (site: string): readonly Partition[] => [kind.partition(site)];
  const open = (context: Context): Promise<Collection> => context.open(kind.partition(context.site.name));
  const find: SiteResourceRoutes<T>['find'] = async ({ context, params }) => {
    const id = idOf(params[kind.param]);
    const item = (await open(context)).items.get(kind.member(id));
    const thing = item && kind.stored.parse(item);
    if (thing === undefined || kind.isFor?.(context.user, thing) === false) throw notFound(`${kind.noun} ${id}`);
    return thing;
  };
  const all: ResourceContext<T, B> = {
    ...kind,
    usual: { roles: R_INSIGHTS, extension: true },
    onePath: `${kind.path}/{${kind.param}}`,
    reads,
    readsToWrite: (site) => [...reads(site), ...(kind.checks?.(site) ?? [])],
    open,
    itemOf: ({ pk }, thing) => {
      const attributes: object = thing;
      return { pk, sk: kind.member(thing.id), ...attributes };
    },
    find,
  };
  return { find, routes: [listOf(all), showOf(all), createOf(all), updateOf(all), removeOf(all)] };
}

function listOf<T extends StoredResource, B extends Fields>(kind: ResourceContext<T, B>): Route {
  const { path, partition, stored, isFor } = kind;
  const read = ({ items }: Collection): readonly T[] =>
    [...items.values()].map((item) => stored.parse(item)).sort((a, b) => a.id - b.id);
  return route({
    name: `list${kind.many}`,
    summary: `List ${kind.noun}s by id`,
    method: 'GET',
    path,
    ...kind.usual,
    list: true,
    reply: () => pageShape(kind.shape()),
    reads: kind.reads,
    handle: (call) =>
      listReply(call, {
        path,
        seeds: [call.context.version(partition(call.context.site.name)), isFor ? call.context.user.login : ''],
        members: async () => {
          const all = perVersion(await kind.open(call.context), read);
          return isFor === undefined ? all : all.filter((thing) => isFor(call.context.user, thing));
        },
        show: kind.show,
      }),
  });
}

const showOf = <T extends StoredResource, B extends Fields>(kind: ResourceContext<T, B>): Route =>
  route({
    name: `show${kind.one}`,
    summary: `Show ${withArticle(kind.noun)}`,
    method: 'GET',
    path: kind.onePath,
    ...kind.usual,
    reply: kind.shape,
    reads: kind.reads,
    find: kind.find,
    handle: ({ resource }) => show(kind.show(resource)),
  });

const createOf = <T extends StoredResource, B extends Fields>(kind: ResourceContext<T, B>): Route =>
  route({
    name: `create${kind.one}`,
    summary: `Create ${withArticle(kind.noun)}`,
    method: 'POST',
    path: kind.path,
    ...kind.usual,
    body: kind.fields,
    required: kind.required,
    reply: kind.shape,
    example: kind.examples[0],
    reads: (site) => [...kind.readsToWrite(site), keys.ids(site)],
    handle: async ({ context, fields, faults }) => {
      const { now, site, origin } = context;
      const planned = await kind.plan({ context, before: undefined, fields, faults });
      const collection = await kind.open(context);
      checkRoom(kind.limit, collection.order.length, faults);
      faults.check();
      const ids = await context.open(keys.ids(site.name));
      const id = ids.version + 1;
      const thing = kind.stored.parse({ ...planned, id, created_at: now, updated_at: now });
      const reply = created(origin, `${kind.path}/${id}`, kind.show(thing));
      const changes = [
        { collection, put: [kind.itemOf(collection, thing)], order: [...collection.order, id] },
        { collection: ids, version: id },
      ];
      await context.commit(changes, reply);
      return reply;
    },
  });

const updateOf = <T extends StoredResource, B extends Fields>(kind: ResourceContext<T, B>): Route =>
  route({
    name: `update${kind.one}`,
    summary: `Update the given fields of ${withArticle(kind.noun)}`,
    method: 'PATCH',
    path: kind.onePath,
    ...kind.usual,
    body: kind.fields,
    reply: kind.shape,
    example: kind.examples[1],
    reads: kind.readsToWrite,
    find: kind.find,
    current: ({ resource }) => kind.show(resource),
    handle: async ({ context, resource: before, fields, faults }) => {
      const after = { ...before, ...(await kind.plan({ context, before, fields, faults })) };
      faults.check();
      if (isDeepStrictEqual(after, before)) return show(kind.show(before));
      const updated = { ...after, updated_at: context.now };
      const collection = await kind.open(context);
      await context.commit([{ collection, put: [kind.itemOf(collection, updated)] }]);
      return show(kind.show(updated));
    },
  });

const removeOf = <T extends StoredResource, B extends Fields>(kind: ResourceContext<T, B>): Route =>
  route({
    name: `delete${kind.one}`,
    summary: `Delete ${withArticle(kind.noun)}`,
    method: 'DELETE',
    path: kind.onePath,
    ...kind.usual,
    reads: kind.reads,
    find: kind.find,
    current: ({ resource }) => kind.show(resource),
    handle: async ({ context, resource: { id } }) => {
      const collection = await kind.open(context);
      const order = collection.order.filter((other) => other !== id);
      await context.commit([{ collection, remove: [kind.member(id)], order }]);
      return noContent;
    },
  });
