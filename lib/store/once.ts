import { ConditionFailed } from './faults.ts';
import type { Item, Table, Write } from './table.ts';

/** What a transaction writes besides its changes. */
export interface ExtraWrites {
  readonly proof: Item; // an item that only this transaction writes: it exists if the transaction was done
  readonly writes?: readonly Write[];
}

/** When a transaction was done: `before` if an earlier attempt had done it and its answer was lost. */
export type Done = 'now' | 'before';

/**
 * Writes a transaction exactly once, even if its answer gets lost. The store and the SDK repeat an unanswered
 * transaction; if it had been done, its own conditions fail, but the proof is in the table. Throws `ConditionFailed` if
 * another write came first.
 */
export async function transactOnce(table: Table, writes: readonly Write[], beside?: ExtraWrites): Promise<Done> {
  if (beside === undefined) {
    await table.transact(writes);
    return 'now';
  }
  const { proof, writes: others = [] } = beside;
  try {
    await table.transact([...writes, ...others, { put: proof }]);
    return 'now';
  } catch (error) {
    if (error instanceof ConditionFailed && (await table.get(proof)) !== undefined) return 'before';
    throw error;
  }
}
