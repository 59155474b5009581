import { TRANSACTION } from '../../../lib/store/batches.ts';
import { Refused } from '../../../lib/store/faults.ts';

/** DynamoDB's limits, so that programs that work on this machine work there, too. */
const ITEM_BYTES = 400 * 1024;
const TRANSACTION_BYTES = 4 * 1024 * 1024;
export const PAGE_BYTES = 1024 * 1024; // bytes of items in one page of a query or scan

/** Throws `Refused` for an item that is too large. */
export function checkSize(bytes: number): void {
  if (bytes > ITEM_BYTES) throw new Refused(`an item of ${bytes} bytes is larger than ${ITEM_BYTES}`);
}

/** Throws `Refused` for a transaction with no writes, too many, or too large ones; `weights` are their bytes. */
export function checkTransaction(weights: readonly number[]): void {
  if (weights.length === 0 || weights.length > TRANSACTION)
    throw new Refused(`a transaction of ${weights.length} writes: 1 to ${TRANSACTION}`);
  const bytes = weights.reduce((sum, one) => sum + one, 0);
  if (bytes > TRANSACTION_BYTES)
    throw new Refused(`a transaction of ${bytes} bytes is larger than ${TRANSACTION_BYTES}`);
}
