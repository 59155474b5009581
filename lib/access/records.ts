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

/** Whether an item is what stays of a deleted thing, of whatever kind. */
export const isTrace = ({ deleted, state }: Item): boolean => deleted === true || state === 'deleted';

/**
 * A thing's item with its mark, `unused`: true if it was made here and no case and no record of an import has named it yet,
 * so that nothing needs it once it is deleted; false once one has. Nobody knows it of items of earlier versions, which have
 * none (`lib/import/unnamed.ts`). `isTold`: a record or a case names the thing by this write.
 */
export function marked(item: Item, before: Item | undefined, isTold: boolean): Item {
  const { unused: _, ...rest } = item;
  const isNamed = isTold && (before === undefined || before.unused === true || item.unused === false);
  const unused = isNamed ? false : before === undefined ? true : before.unused;
  return unused === undefined ? rest : { ...rest, unused };
}

/** A thing's item without its mark. */
export const unmarked = ({ unused: _, ...item }: Item): Item => item;

/** The item of a thing that a record names. */
export const named = (item: Item): Item => (item.unused === true ? { ...item, unused: false } : item);

/** Whether a case that names a thing is to be noted with it: it is not there, or may go once it is deleted. */
export const isToNote = (item: Item | undefined): boolean => item === undefined || mayGo(item);

const mayGo = (item: Item): boolean => item.unused === true || (item.unused === undefined && isTrace(item));

/**
 * What is written of a collection with deleted things: those that nothing names go, and of the others their names stay. The
 * last of all that have names stays, too, until another one has a higher id, so that no id is given twice. At most `most` go
 * at a time.
 */
export function keptTraces(
  { items }: Pick<Collection, 'items'>,
  puts: readonly Item[],
  most: number,
): { readonly put: readonly Item[]; readonly remove: readonly string[] } {
  const after = new Map([...items, ...puts.map((item) => [item.sk, item] as const)]);
  let last = 0;
  for (const { id, name, subject } of after.values())
    if (typeof id === 'number' && isCounted(id) && (name ?? subject) !== undefined) last = Math.max(last, id);
  const gone = [...after.values()].filter((item) => isTrace(item) && item.unused === true && item.id !== last);
  const remove = new Set(gone.slice(0, Math.max(0, most)).map(({ sk }) => sk));
  return {
    put: puts.filter(({ sk }) => !remove.has(sk)).map((item) => (item.deleted === true ? nameOnly(item) : item)),
    remove: [...remove].filter((sk) => items.has(sk)),
  };
}

/** What old reports need of a deleted record, and imports that tell of it again. */
const nameOnly = (item: Item): Item => {
  const { pk, sk, id, name, subject, deleted, body_hash, unused, created_at, updated_at } = item;
  const attributes = { id, name, subject, deleted, body_hash, unused, created_at, updated_at };
  return { pk, sk, ...Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined)) };
};

/** How many deleted things (not parts of things, which have no id) stay because a case, or a record, may name them. */
export const countTraces = (collection: Collection): number => perVersion(collection, tracesOf);

const tracesOf = ({ items }: Collection): number =>
  [...items.values()].filter((item) => item.id !== undefined && isTrace(item) && item.unused !== true).length;

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

const withName = z.object({ id: z.int(), name: z.string().nullish() });

/** A record's name; its id until a record has given one. */
export function recordName(item: Item): string {
  const { id, name } = withName.parse(item);
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
