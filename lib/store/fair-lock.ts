import type { Condition } from './condition.ts';
import { ConditionFailed } from './faults.ts';
import type { Key } from './keys.ts';
import { type LockState, mayTake, readLock, refused, released, taken } from './lock-state.ts';
import { pause } from './pause.ts';
import type { Item, Table } from './table.ts';

const TELL = { tellItem: true } as const;
const LOOKS = 3; // how often a lock that others keep changing is looked at before its client is refused
const RELEASES = 5; // tries

/** One client's wish to have the lock. */
export interface Turn {
  readonly key: Key;
  readonly owner: string; // a token nobody else has
  readonly who: string; // the client: requests of one client count as one in turn
  readonly now: () => number; // epoch ms
  readonly length: number; // ms; longer than the work can possibly take
}

/** The lock is somebody else's, or somebody else's turn. */
export interface LockRefused {
  readonly wait: number; // s until the client may come again: 1…3
}

/**
 * Does `work` while holding the one item at `key`; `Refused` at once where somebody else has it. `seen` is the item as
 * the request has read it: a lock that is free costs a write to take and one to give back, a refusal one write.
 *
 *     take ── work ── release            the lease ends only for a holder who died:
 *     └─────────── length ───────────┤   whoever comes after that may take it over
 *
 * Who was refused goes before those who have had the lock since, for the seconds it was told to wait and one more.
 * Every write compares `change`, so no two requests act on the same state; a repeated write finds its own `owner`.
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
  for (let look = 1; ; look += 1) {
    const state = readLock(item);
    const at = now();
    const mine = mayTake(state, who, at, length) ? taken(state, { owner, who }, at, length) : undefined;
    const { wait, state: noted } = refused(state, who, at);
    const next = mine ?? { ...noted, change: `${owner} was refused` };
    try {
      await table.put({ ...key, ...next }, unchanged(item), TELL);
      return mine ?? { wait };
    } catch (error) {
      if (!(error instanceof ConditionFailed)) {
        if (mine) await release(table, turn, mine); // it may have been taken all the same, and only the answer got lost
        throw error;
      }
      item = error.item;
      if (mine && item?.owner === owner) return mine; // the first try had succeeded, and only its answer got lost
      if (look === LOOKS) return { wait };
    }
  }
}

/** Releases the lock if it is still the owner's; tries a few times if the table does not answer. */
async function release(table: Table, { key, owner, now }: Turn, held: LockState): Promise<void> {
  let state = held;
  let when: Condition = { attribute: 'change', equals: owner };
  for (let attempt = 1; attempt <= RELEASES; attempt += 1) {
    try {
      const after = released(state, now());
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
      state = readLock(item); // a client was refused meanwhile
      when = { attribute: 'owner', equals: owner }; // another that is refused only now may be forgotten
    }
  }
}

/** That the item is what was seen; an item of an earlier version of this service has its owner alone. */
function unchanged(item: Item | undefined): Condition {
  if (item === undefined) return { absent: true };
  const attribute = item.change === undefined ? 'owner' : 'change';
  return { attribute, equals: String(item[attribute]) };
}
