import { TRANSACTION } from '../../../lib/store/batches.ts';
import { Refused } from '../../../lib/store/faults.ts';

/** What DynamoDB takes and no more, so that what works on this machine works there. */
const ITEM_BYTES = 400 * 1024;
const TRANSACTION_BYTES = 4 * 1024 * 1024;
export const PAGE_BYTES = 1024 * 1024; // of items that a query or scan reads at a time

/** Throws `Refused` for an item that is too large. */
export function checkSize(bytes: number): void {
  if (bytes > ITEM_BYTES) throw new Refused(`an item of ${bytes} bytes is larger than ${ITEM_BYTES}`);
}

/** Throws `Refused` for a transaction of no writes, of too many or too large ones: `weights` are their bytes. */
export function checkTransaction(weights: readonly number[]): void {
  if (weights.length === 0 || weights.length > TRANSACTION)
    throw new Refused(`a transaction of ${weights.length} writes: 1 to ${TRANSACTION}`);
  const bytes = weights.reduce((sum, one) => sum + one, 0);
  if (bytes > TRANSACTION_BYTES)
    throw new Refused(`a transaction of ${bytes} bytes is larger than ${TRANSACTION_BYTES}`);
}
