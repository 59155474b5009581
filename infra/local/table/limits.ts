import { TRANSACTION } from '../../../lib/store/batches.ts';
import { Refused } from '../../../lib/store/faults.ts';
import type { Key } from '../../../lib/store/keys.ts';

/** What DynamoDB takes and no more, so that what works on this machine works there. */
const ITEM_BYTES = 400 * 1024;
const TRANSACTION_BYTES = 4 * 1024 * 1024;
const LONGEST = { pk: 2048, sk: 1024 } as const; // bytes of UTF-8
export const PAGE_BYTES = 1024 * 1024; // of items that a query or scan reads at a time

/** Throws `Refused` for a key that is empty, too long or no text. */
export function checkKey(key: Key): void {
  for (const name of ['pk', 'sk'] as const) {
    const value: unknown = key[name];
    if (typeof value !== 'string') throw new Refused(`the key's ${name} is no text`);
    if (value === '') throw new Refused(`the key's ${name} is empty`);
    if (value.length * 3 > LONGEST[name] && Buffer.byteLength(value) > LONGEST[name])
      throw new Refused(`the key's ${name} is longer than ${LONGEST[name]} bytes`);
  }
}

/** Throws `Refused` for an item that is too large. */
export function checkSize(bytes: number): void {
  if (bytes > ITEM_BYTES) throw new Refused(`an item of ${bytes} bytes is larger than ${ITEM_BYTES}`);
}

/** Throws `Refused` for a transaction of no writes, of too many or too large ones. */
export function checkTransaction(writes: number, bytes: number): void {
  if (writes === 0 || writes > TRANSACTION) throw new Refused(`a transaction of ${writes} writes: 1 to ${TRANSACTION}`);
  if (bytes > TRANSACTION_BYTES)
    throw new Refused(`a transaction of ${bytes} bytes is larger than ${TRANSACTION_BYTES}`);
}
