import * as z from 'zod';
import { type Faults, notFound } from '../errors.ts';
import { type Collection, perVersion } from '../store/collection.ts';
import { members, type ReferenceKind } from '../store/keys.ts';
import type { Item } from '../store/table.ts';

/** The records that are not deleted, by id. */
export const present = (collection: Collection): readonly Item[] => perVersion(collection, readPresent);

const readPresent = ({ items }: Collection): Item[] =>
  [...items.values()].filter(({ deleted }) => deleted !== true).sort((a, b) => Number(a.id) - Number(b.id));

/** A record that is not deleted; undefined without one. */
export function findRecord({ items }: Collection, id: number): Item | undefined {
  const item = items.get(members.item(id));
  return item?.deleted === true ? undefined : item;
}

/** A record that is not deleted; throws `not_found`. */
export function recordIn(collection: Collection, kind: ReferenceKind, id: number): Item {
  const item = findRecord(collection, id);
  if (item === undefined) throw notFound(`${kind.replace('_', ' ')} ${id}`);
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

/** Adds `taken` if a record other than `before` has this name; `same` says which count as equal. */
export function refuseTaken(
  { collection, before, faults }: Readonly<{ collection: Collection; before: Item | undefined; faults: Faults }>,
  same: (item: Item) => boolean,
): void {
  if (present(collection).some((item) => item.id !== before?.id && same(item))) faults.add('taken', 'name');
}
