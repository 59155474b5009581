import { countTraces, findRecord, present } from '../access/records.ts';
import type { Faults } from '../errors.ts';
import { checkRoom } from '../http/fields.ts';
import type { Limited } from '../store/bounds.ts';
import { type Collection, perVersion } from '../store/collection.ts';
import { keys, members, type Partition, type ReferenceKind } from '../store/keys.ts';
import type { Item } from '../store/table.ts';

/** How the things of a kind lie in the table. */
export interface Storing {
  readonly partition: (site: string) => Partition;
  readonly member: (id: number) => string; // sort key
  readonly leastId: 0 | 1;
  readonly isRecord: boolean; // of a history: what nobody said of it is absent
  readonly all: (collection: Collection) => readonly Item[]; // without deleted ones; by id, or in their order
  readonly count: (collection: Collection) => number; // against the bound, with deleted ones that stay
  readonly keepsDeleted: boolean; // as long as a case or a record may name them (`keptTraces`)
  readonly find: (collection: Collection, id: number) => Item | undefined; // undefined for a deleted one, too
  readonly deleted: (item: Item, at: number) => Item | undefined; // what stays of it; `at` in epoch ms
  readonly list?: ThingList; // absent for records
}

/** How things stand in the order of their collection. */
export interface ThingList {
  readonly isIn: (item: Item) => boolean; // not what stays of a deleted thing
  readonly rank?: (item: Item) => unknown; // what its place depends on; absent: it keeps its place
  /** Its index among the others, whose ids are in order; absent: it is put last. */
  readonly place?: (order: readonly number[], item: Item, items: ReadonlyMap<number, Item>) => number;
  readonly children?: ThingChildren;
}

/** The things of another kind that belong to one, in a collection that comes and goes with it. */
interface ThingChildren {
  readonly name: string; // `actions`; in what stays of a deleted thing, the last version of their collection
  readonly partition: (site: string, id: number) => Partition;
}

/** Adds a fault if a collection has no room for one more. */
export function checkRoomIn(
  kind: Limited,
  { count, all }: Pick<Storing, 'count' | 'all'>,
  collection: Collection,
  faults: Faults,
): void {
  const inUse = count(collection);
  checkRoom(kind, inUse, faults, inUse - all(collection).length);
}

/** Stores a kind of reference records. A deleted one stays by its name, which old reports go on to say. */
export const recordsOf = (kind: ReferenceKind, leastId: 0 | 1 = 1): Storing => ({
  partition: (site) => keys.reference(site, kind),
  member: members.item,
  leastId,
  isRecord: true,
  all: present,
  count: (records) => present(records).length + countTraces(records),
  keepsDeleted: true,
  find: findRecord,
  deleted: (item, at) => writtenAt(at, item, { ...item, deleted: true }),
});

/** A changed record: it was made when it was, which for one of an import that did not tell is the time of its first change. */
export const writtenAt = (now: number, before: Item, item: Item): Item => {
  const made = before.created_at ?? before.updated_at;
  return { ...item, ...(made != null && { created_at: made }), updated_at: now };
};

/** Stores a kind of things that people make here: ids from the site's own count, and no trace of a deleted one. */
export const thingsIn = (partition: Storing['partition'], member: Storing['member']): Storing => ({
  partition,
  member,
  leastId: 1,
  isRecord: false,
  list: { isIn: () => true },
  all: (collection) => perVersion(collection, byId),
  count: ({ items }) => items.size,
  keepsDeleted: false,
  find: ({ items }, id) => items.get(member(id)),
  deleted: () => undefined,
});

const byId = ({ items }: Collection): readonly Item[] =>
  [...items.values()].sort((a, b) => Number(a.id) - Number(b.id));

/**
 * Stores a kind of things in an order of which imports tell, too. What stays of a deleted one keeps an older record from
 * bringing it back.
 */
export const listedIn = (
  member: Storing['member'],
  { all, deleted, ...list }: ThingList & Pick<Storing, 'all' | 'deleted'>,
) => ({
  member,
  leastId: 1 as const,
  isRecord: false,
  all,
  deleted,
  list,
  count: (listed: Collection) => listed.order.length + countTraces(listed),
  keepsDeleted: true,
  find: ({ items }: Collection, id: number) => {
    const item = items.get(member(id));
    return item !== undefined && list.isIn(item) ? item : undefined;
  },
});
