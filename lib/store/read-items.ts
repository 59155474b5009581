import type { Key } from './keys.ts';
import { type Item, keyText, type Table } from './table.ts';

/** Returns the item found under a key; undefined if there is none, or if the key was not read. */
export type ItemLookup = (key: Key | undefined) => Item | undefined;

/** Reads the items of several keys in one trip; keys that are not needed may be undefined. */
export async function readItems(table: Table, wanted: readonly (Key | undefined)[]): Promise<ItemLookup> {
  const keys = wanted.filter((key) => key !== undefined);
  const items = await table.batchGet(keys);
  const byKey = new Map(keys.map((key, index) => [keyText(key), items[index]]));
  return (key) => key && byKey.get(keyText(key));
}
