import { ConditionFailed } from './faults.ts';
import type { Key } from './keys.ts';
import { isOver } from './lock-state.ts';
import { pause } from './pause.ts';
import type { Table } from './table.ts';

const RELEASES = 5; // tries

export interface Lease {
  readonly key: Key;
  readonly owner: string; // a token nobody else has
  readonly now: () => number; // epoch ms
  readonly length: number; // ms; longer than the work can possibly take
}

/** The lock is somebody else's; it is free again at the latest then (epoch ms). */
export interface Held {
  readonly heldUntil: number;
}

/**
 * Does `work` while holding the one item at `key`; `Held` at once where somebody else has it.
 *
 *     take ── work ── release            the lease ends only for a holder who died:
 *     └─────────── length ───────────┤   whoever comes after that may take it over
 *
 * Taken on "absent, over or mine", because the SDK repeats conditional writes that had already succeeded. Released
 * only by its owner, before the result is returned; a release that keeps failing leaves the lease to run out. A lease
 * that ends later than any taken now could is over, too: the clock of its holder was wrong.
 */
export async function withLock<T>(
  table: Table,
  lease: Lease,
  work: () => Promise<T>,
): Promise<{ readonly done: T } | Held> {
  const { key, owner, now, length } = lease;
  const taken = now();
  try {
    await table.put(
      { ...key, owner, expiresAt: taken + length },
      { anyOf: [{ absent: true }, { attribute: 'expiresAt', atMost: taken }, { attribute: 'owner', equals: owner }] },
      { tellItem: true },
    );
  } catch (error) {
    if (error instanceof ConditionFailed) {
      const heldUntil = Number(error.item?.expiresAt ?? taken + length);
      const isWrong = isOver(heldUntil, taken, length);
      if (!isWrong || !(await takeOver(table, lease, String(error.item?.owner), taken))) return { heldUntil };
      return await holding(table, lease, work);
    }
    await release(table, lease); // it may have been taken all the same, and only the answer got lost
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

/** Takes a lease from a holder whose clock was ahead; whether nobody else was faster. */
async function takeOver(table: Table, { key, owner, length }: Lease, from: string, now: number): Promise<boolean> {
  try {
    await table.put({ ...key, owner, expiresAt: now + length }, { attribute: 'owner', equals: from });
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}

/** Releases the lock if it is still the owner's; tries a few times if the table does not answer. */
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
