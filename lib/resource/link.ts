import { linkShape } from '../http/shapes.ts';
import type { Collection } from '../store/collection.ts';
import type { Partition, ReferenceKind } from '../store/keys.ts';
import { recordsOf } from './storing.ts';

/** A kind of things that other things name by their ids, and link to. */
export interface Linked {
  readonly one: string; // class of the links: `saved_report`
  readonly path: string; // of the list: `/api/v2/saved_reports`
  readonly storing: {
    readonly partition: (site: string) => Partition;
    readonly find: (collection: Collection, id: number) => object | undefined; // undefined for one that is gone
  };
}

const records = (kind: ReferenceKind, one: string = kind): Linked => ({
  one,
  path: `/api/v2/${one}s`,
  storing: recordsOf(kind),
});

/** The records that things of other rooms name. */
export const LINKED = {
  agent: records('agent', 'user'),
  group: records('group'),
  article: records('article'),
  brand: records('brand'),
  custom_field: records('custom_field'),
} as const;

/** The shape of a link to another thing. */
export const linkedShape = (one: string) =>
  linkShape(one).nullable().meta({ description: 'null: there is none, or it is gone' });

/**
 * The link to another thing; null if the id names none, or one that is gone. All links from one thing to another are made
 * here, so that none leads to 404. `collection` is that of the other thing, which the route reads.
 */
export function linkTo({ one, path, storing }: Linked, id: unknown, collection: Collection) {
  const isThere = typeof id === 'number' && storing.find(collection, id) !== undefined;
  return isThere ? { href: `${path}/${id}`, class: one } : null;
}

/** The links to those of some things that are not gone. */
export const linksTo = (linked: Linked, ids: readonly number[], collection: Collection) =>
  ids.flatMap((id) => linkTo(linked, id, collection) ?? []);
