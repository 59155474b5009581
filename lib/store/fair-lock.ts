import type { Condition } from './condition.ts';
import { ConditionFailed } from './faults.ts';
import type { Key } from './keys.ts';
import { afterRefusal, afterRelease, afterTake, type LockState, mayTake, readLock } from './lock-state.ts';
import { pause } from './pause.ts';
import type { Item, Table } from './table.ts';

const TELL = { returnItem: true } as const;
const ATTEMPTS = 3; // attempts to take a lock that others keep changing
const RELEASES = 5; // tries

/** One request for the lock. */
export interface Turn {
  readonly key: Key;
  readonly owner: string; // a unique token of the request
  readonly who: string; // the client; several requests of one client share its turn
  readonly now: () => number; // epoch ms
  readonly length: number; // ms of the lease; longer than the work can take
}

/** The lock is held, or it is another client's turn. */
export interface LockRefused {
  readonly wait: number; // s until the client may try again: 1…3
}

/**
 * Does `work` while holding the lock item at `key`; returns `LockRefused` at once if another request holds it. `seen`
 * is the item as the request has read it. A free lock costs one write to take and one to release, a refusal one write.
 *
 *     take ── work ── release            the lease runs out only if the holder died:
 *     └─────────── length ───────────┤   then the next client may take the lock
 *
 * A refused client goes before clients that have had the lock since, for the seconds it was told to wait and one more.
 * Every write has a condition on `change`, so that no two requests act on the same state; a repeated write recognises
 * its own `owner`.
 */
export async function withTurn<T>(
  table: Table,
  turn: Turn,
  seen: Item | undefined,
  work: () => Promise<T>,
): Promise<{ readonly done: T } | LockRefused> {
  const outcome = await take(table, turn, seen);
  if ('wait' in outcome) return outcome;
  try {
    return { done: await work() };
  } finally {
    await release(table, turn, outcome);
  }
}

async function take(table: Table, turn: Turn, seen: Item | undefined): Promise<LockState | LockRefused> {
  const { key, who, now, length, owner } = turn;
  let item = seen;
  for (let attempt = 1; ; attempt += 1) {
    const state = readLock(item);
    const at = now();
    const own = mayTake(state, who, at, length) ? afterTake(state, { owner, who }, at, length) : undefined;
    const { wait, state: noted } = afterRefusal(state, who, at);
    const next = own ?? { ...noted, change: `${owner} was refused` };
    try {
      await table.put({ ...key, ...next }, unchanged(item), TELL);
      return own ?? { wait };
    } catch (error) {
      if (!(error instanceof ConditionFailed)) {
        if (own) await release(table, turn, own); // the lock may be taken after all, with only the answer lost
        throw error;
      }
      item = error.item;
      if (own && item?.owner === owner) return own; // an earlier try succeeded, but its answer was lost
      if (attempt === ATTEMPTS) return { wait };
    }
  }
}

/** Releases the lock if this owner still holds it; retries a few times if the table does not answer. */
async function release(table: Table, { key, owner, now }: Turn, held: LockState): Promise<void> {
  let state = held;
  let when: Condition = { attribute: 'change', equals: owner };
  for (let attempt = 1; attempt <= RELEASES; attempt += 1) {
    try {
      const after = afterRelease(state, now());
      if (after === undefined) await table.delete(key, when);
      else await table.put({ ...key, ...after, change: `${owner} is done` }, when);
      return;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) {
        await pause(attempt);
        continue;
      }
      const item = await table.get(key).catch(() => undefined);
      if (item?.owner !== owner) return;
      state = readLock(item); // another client was refused meanwhile
      when = { attribute: 'owner', equals: owner }; // a client refused just now may be forgotten
    }
  }
}

/** The condition that the item has not changed. An item of an earlier version of this service has only its owner. */
function unchanged(item: Item | undefined): Condition {
  if (item === undefined) return { absent: true };
  const attribute = item.change === undefined ? 'owner' : 'change';
  return { attribute, equals: String(item[attribute]) };
}
