import { type Collection, perVersion } from './collection.ts';

const FROM_NAMES = 2 ** 40; // ids that imports make of names are not below

/** Whether an id was counted, and not made of a name. */
export const isCounted = (id: number): boolean => id < FROM_NAMES;

/** The id of the next member of a collection: above all that it ever had, save those made of names. */
export const nextId = (collection: Collection): number => perVersion(collection, lastId) + 1;

function lastId({ items }: Collection): number {
  let last = 0;
  for (const { id } of items.values()) if (typeof id === 'number' && isCounted(id) && id > last) last = id;
  return last;
}
