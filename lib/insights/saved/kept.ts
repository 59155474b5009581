import type * as z from 'zod';
import { R_INSIGHTS } from '../../access/roles.ts';
import type { Resource } from '../../http/resource.ts';
import { type Collection, perVersion } from '../../store/collection.ts';
import { keys, type Partition } from '../../store/keys.ts';
import type { Item } from '../../store/table.ts';

/** What every kept thing has besides the attributes of its kind. */
export interface Kept {
  readonly id: number;
  readonly created_at: number; // epoch ms
  readonly updated_at: number;
}

/** Something that the people with reports keep in a site, such as saved reports. */
export type KeptResource<T extends Kept> = Resource<T, Omit<T, keyof Kept>>;

interface KeptItems<T extends Kept> {
  readonly partition: (site: string) => Partition;
  readonly member: (id: number) => string; // sort key
  readonly stored: z.ZodType<T>;
}

/** Stores a kind of kept things: one item each, ids from the site's own count, and no trace of a deleted one. */
export function keptIn<T extends Kept>({
  partition,
  member,
  stored,
}: KeptItems<T>): Pick<KeptResource<T>, 'storing' | 'roles'> {
  const itemOf = ({ pk }: Collection, thing: T): Item => {
    const attributes: object = thing;
    return { pk, sk: member(thing.id), ...attributes };
  };
  const readAll = ({ items }: Collection): readonly T[] =>
    [...items.values()].map((item) => stored.parse(item)).sort((a, b) => a.id - b.id);
  return {
    roles: R_INSIGHTS,
    storing: {
      partition,
      leastId: 1,
      all: (collection) => perVersion(collection, readAll),
      find: ({ items }, id) => {
        const item = items.get(member(id));
        return item && stored.parse(item);
      },
      idsFrom: keys.ids,
      create: async ({ now, site, open }, collection, attributes) => {
        const ids = await open(keys.ids(site.name));
        const id = ids.version + 1;
        const thing = stored.parse({ ...attributes, id, created_at: now, updated_at: now });
        const changes = [
          { collection, put: [itemOf(collection, thing)], order: [...collection.order, id] },
          { collection: ids, version: id },
        ];
        return { id, thing, changes };
      },
      update: (collection, thing) => ({ collection, put: [itemOf(collection, thing)] }),
      remove: (collection, { id }) => ({
        collection,
        remove: [member(id)],
        order: collection.order.filter((other) => other !== id),
      }),
    },
  };
}
