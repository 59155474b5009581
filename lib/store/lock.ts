import { ConditionFailed } from './faults.ts';
import type { Key } from './keys.ts';
import { isLeaseOver } from './lock-state.ts';
import { pause } from './pause.ts';
import type { Table } from './table.ts';

const RELEASES = 5; // tries

export interface Lease {
  readonly key: Key;
  readonly owner: string; // a unique token
  readonly now: () => number; // epoch ms
  readonly length: number; // ms; longer than the work can take
}

/** Another owner holds the lock; its lease ends at `heldUntil` (epoch ms). */
export interface LockHeld {
  readonly heldUntil: number;
}

/**
 * Does `work` while holding the lock item at `key`; returns `Held` at once if another owner holds it.
 *
 *     take ── work ── release            the lease runs out only if the holder died:
 *     └─────────── length ───────────┤   then the next owner may take the lock
 *
 * The condition to take it is "absent, over, or mine", because the SDK repeats conditional writes that had succeeded.
 * Only its owner releases it, before the result is returned; if the release keeps failing, the lease runs out. A lease
 * that ends later than any taken now could is over, too: its holder's clock was wrong.
 */
export async function withLock<T>(
  table: Table,
  lease: Lease,
  work: () => Promise<T>,
): Promise<{ readonly done: T } | LockHeld> {
  const { key, owner, now, length } = lease;
  const taken = now();
  try {
    await table.put(
      { ...key, owner, expiresAt: taken + length },
      { anyOf: [{ absent: true }, { attribute: 'expiresAt', atMost: taken }, { attribute: 'owner', equals: owner }] },
      { returnItem: true },
    );
  } catch (error) {
    if (error instanceof ConditionFailed) {
      const heldUntil = Number(error.item?.expiresAt ?? taken + length);
      const isWrong = isLeaseOver(heldUntil, taken, length);
      if (!isWrong || !(await takeOver(table, lease, String(error.item?.owner), taken))) return { heldUntil };
      return await holding(table, lease, work);
    }
    await release(table, lease); // the lock may be taken after all, with only the answer lost
    throw error;
  }
  return holding(table, lease, work);
}

async function holding<T>(table: Table, lease: Lease, work: () => Promise<T>): Promise<{ readonly done: T }> {
  try {
    return { done: await work() };
  } finally {
    await release(table, lease);
  }
}

/** Takes the lease of a holder whose clock was ahead; false if another owner was faster. */
async function takeOver(table: Table, { key, owner, length }: Lease, from: string, now: number): Promise<boolean> {
  try {
    await table.put({ ...key, owner, expiresAt: now + length }, { attribute: 'owner', equals: from });
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}

/** Releases the lock if this owner still holds it; retries a few times if the table does not answer. */
async function release(table: Table, { key, owner }: Lease): Promise<void> {
  for (let attempt = 1; attempt <= RELEASES; attempt += 1) {
    try {
      return await table.delete(key, { attribute: 'owner', equals: owner });
    } catch (error) {
      if (error instanceof ConditionFailed) return;
      await pause(attempt);
    }
  }
}
