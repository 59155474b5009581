import * as z from 'zod';
import { type Faults, notFound } from '../errors.ts';
import { type Collection, perVersion } from '../store/collection.ts';
import { members, type ReferenceKind } from '../store/keys.ts';
import { isCounted } from '../store/next-id.ts';
import type { Item } from '../store/table.ts';

/** The records that are not deleted, by id. */
export const present = (collection: Collection): readonly Item[] => perVersion(collection, readPresent);

const readPresent = ({ items }: Collection): Item[] =>
  [...items.values()].filter(({ deleted }) => deleted !== true).sort((a, b) => Number(a.id) - Number(b.id));

/**
 * The mark of a record that was made here, and that no case and no imported record has named yet: once deleted, nothing
 * needs it. Old items have none, as nobody knows it of them.
 */
export const UNUSED = { unused: true } as const;

/** A record without that mark. */
export const used = ({ unused: _, ...item }: Item): Item => item;

/**
 * What is written of deleted records: those that nothing names go, and of the others their names stay. The last of all
 * stays, too, until another one has a higher id, so that no id is given twice. At most `most` go at a time.
 */
export function keptRecords(
  { items }: Collection,
  puts: readonly Item[],
  most: number,
): { readonly put: readonly Item[]; readonly remove: readonly string[] } {
  const after = new Map([...items, ...puts.map((item) => [item.sk, item] as const)]);
  let last = 0;
  for (const { id } of after.values()) if (isCounted(Number(id))) last = Math.max(last, Number(id));
  const gone = [...after.values()].filter(
    ({ id, deleted, unused }) => deleted === true && unused === true && id !== last,
  );
  const remove = new Set(gone.slice(0, most).map(({ sk }) => sk));
  return {
    put: puts.filter(({ sk }) => !remove.has(sk)).map((item) => (item.deleted === true ? nameOnly(item) : item)),
    remove: [...remove].filter((sk) => items.has(sk)),
  };
}

/** What old reports need of a deleted record. */
const nameOnly = ({ pk, sk, id, name, deleted, unused, created_at, updated_at }: Item): Item => {
  const kept = { name, deleted, unused, created_at, updated_at };
  return { pk, sk, id, ...Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined)) };
};

/** How many records count against the bound of their kind: deleted ones, too, if cases may name them. */
export const countRecords = ({ items }: Collection): number =>
  [...items.values()].filter(({ deleted, unused }) => deleted !== true || unused !== true).length;

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
  {
    collection,
    before,
    faults,
  }: Readonly<{ collection: Collection; before: Readonly<{ id?: unknown }> | undefined; faults: Faults }>,
  same: (item: Item) => boolean,
): void {
  if (present(collection).some((item) => item.id !== before?.id && same(item))) faults.add('taken', 'name');
}
