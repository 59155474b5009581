import { ConditionFailed } from './faults.ts';
import type { Item, Table, Write } from './table.ts';

/** What a transaction writes beside its changes. */
export interface Beside {
  readonly proof: Item; // under a key that no other transaction writes: where it stands, the transaction was done
  readonly writes?: readonly Write[];
}

/** What became of a transaction: `before` where an earlier attempt of it had been done and its answer got lost. */
export type Done = 'now' | 'before';

/**
 * Writes a transaction once, however often its answer gets lost. The store and the SDK repeat a transaction that was not
 * answered; if it had been done, its own conditions fail. Then the proof stands in the table, and all is well. Throws
 * `ConditionFailed` where somebody else wrote first.
 */
export async function transactOnce(table: Table, writes: readonly Write[], beside?: Beside): Promise<Done> {
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
