import { Refused } from './faults.ts';
import type { Key } from './keys.ts';
import { type BatchedWrite, keyText, type Write } from './table.ts';

export const BATCH_GET = 100; // keys in a BatchGetItem
export const BATCH_WRITE = 25; // writes in a BatchWriteItem
export const TRANSACTION = 100; // writes in a transaction

/** Cuts a list into parts of `size` elements; the last may be shorter. */
export function chunks<T>(all: readonly T[], size: number): T[][] {
  const parts: T[][] = [];
  for (let at = 0; at < all.length; at += size) parts.push(all.slice(at, at + size));
  return parts;
}

/** What `work` makes of each, of which `size` are under way at once; in their order. */
export async function mapInChunks<T, R>(all: readonly T[], size: number, work: (one: T) => Promise<R>): Promise<R[]> {
  const made: R[] = [];
  for (const some of chunks(all, size)) made.push(...(await Promise.all(some.map(work))));
  return made;
}

/** Keys without duplicates, in the order in which each first occurs. */
export const unique = (keys: readonly Key[]): Key[] => [...new Map(keys.map((key) => [keyText(key), key])).values()];

/** The key of a write. */
export function keyOf(write: Write | BatchedWrite): Key {
  if ('put' in write) return write.put;
  return 'delete' in write ? write.delete : write.check;
}

/** Throws `Refused` if two writes have one key: DynamoDB rejects such a call. */
export function refuseRepeats(writes: readonly (Write | BatchedWrite)[]): void {
  const seen = new Set<string>();
  for (const write of writes) {
    const key = keyText(keyOf(write));
    if (seen.has(key)) throw new Refused(`two writes of one call are of the item ${JSON.stringify(key)}`);
    seen.add(key);
  }
}
