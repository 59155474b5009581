import * as z from 'zod';
import { isAhead } from '../ahead.ts';
import type { Condition } from './condition.ts';
import { ConditionFailed } from './faults.ts';
import type { Key } from './keys.ts';
import { pause } from './pause.ts';
import type { Item, Table, Write } from './table.ts';
import { newUsage } from './usage.ts';

/** Something of a site that one process holds for a while: the insights lock, a compaction, the turn of imports. */
export interface Lease {
  readonly table: Table;
  readonly key: Key;
  readonly owner: string; // a unique token of this holder
  readonly now: () => number; // epoch ms
  readonly length: number; // ms; within it the work ends or renews the lease
  readonly longest?: number; // ms; the longest time that anybody holds it for; default: `length`
}

/** A lease as its item says; `kept` is what its rule keeps there. */
export interface LeaseState<K> {
  readonly owner: string | undefined; // token of the holder; undefined if it was released
  readonly expiresAt: number; // epoch ms, exclusive; 0 if it was released
  readonly kept: K;
}

/** Who may take a lease, and what its item keeps beside the holder (`K`). */
export interface LeaseRule<K> {
  readonly kept: z.ZodType<K>; // of an item, or of `{}` if there is none
  readonly mayTake: (state: LeaseState<K>, now: number, isOver: boolean) => boolean;
  readonly taken: (kept: K, now: number) => K;
  /** What is kept of a refusal, and the seconds to wait. Without it a refusal writes nothing. */
  readonly refused?: (kept: K, now: number) => { readonly kept: K; readonly wait: number };
  /** What is kept after a release; undefined: the item is deleted. */
  readonly released: (kept: K, now: number) => K | undefined;
}

/** Whoever asks may take the lease when it is over; nothing is kept. */
export const FIRST_COME: LeaseRule<object> = {
  kept: z.object({}),
  mayTake: (_state, _now, isOver) => isOver,
  taken: () => ({}),
  released: () => undefined,
};

/** The lease is held, or it is another's turn. */
export interface LeaseRefused {
  readonly wait: number; // s until another try makes sense, from 1
}

/** A lease that was taken, as it was written. */
export interface LeaseTaken<K> {
  readonly held: LeaseState<K>;
}

const schema = z.object({
  owner: z.string().optional(),
  expiresAt: z.number().optional(),
  until: z.number().optional(), // `expiresAt` in turns of imports of 1.0
});
const ATTEMPTS = 60; // to take or release a lease, or to note a refusal, while others change its item
const RENEWAL_TRIES = 3; // attempts to renew a lease that others keep changing
const RELEASES = 5; // tries to release one while the table does not answer
const RENEWALS = 5; // in the length of a lease

export function readLease<K>({ kept }: Pick<LeaseRule<K>, 'kept'>, item: Item | undefined): LeaseState<K> {
  const { owner, until = 0, expiresAt = until } = schema.parse(item ?? {});
  return { owner: owner === '' ? undefined : owner, expiresAt, kept: kept.parse(item ?? {}) };
}

/** Whether a lease is over: it has ended, or it ends later than any that is taken now, because a clock was wrong. */
export const isLeaseOver = (expiresAt: number, now: number, longest: number): boolean =>
  expiresAt <= now || isAhead(expiresAt, now, longest);

/**
 * Takes a lease. `seen` is its item if it was read: then a free one costs one write.
 *
 *     take ──── work ──── release                  its item is deleted, or keeps what the rule says
 *     ├──── length ────┤                           anyone may take it then: the holder has died
 *          renew ├──── length ────┤                work that takes longer moves the end
 *             hand over ├──── longer ────┤         waits for the next holder, for whom alone the rule makes way
 *
 * Each write has the condition that the item is as it was read, by `change`, which is another text after every write.
 * So no two act on the same state. A write that was repeated because its answer was lost recognises its `owner`.
 */
export async function takeLease<K>(
  lease: Lease,
  rule: LeaseRule<K>,
  seen?: Item,
): Promise<LeaseTaken<K> | LeaseRefused> {
  const { table, key, owner, now, length, longest = length } = lease;
  let item = seen;
  for (let attempt = 1; ; attempt += 1) {
    const state = readLease(rule, item);
    const at = now();
    const isMine = rule.mayTake(state, at, isLeaseOver(state.expiresAt, at, longest));
    const held = { owner, expiresAt: at + length, kept: rule.taken(state.kept, at) };
    const refusal = rule.refused?.(state.kept, at);
    const wait = refusal?.wait ?? Math.max(1, Math.ceil((state.expiresAt - at) / 1000));
    if (!isMine && refusal === undefined) return { wait };
    const next = isMine ? itemOf(held, owner) : itemOf({ ...state, ...refusal }, `${owner} was refused`);
    try {
      await table.put({ ...key, ...next }, asRead(item), { returnItem: true });
      return isMine ? { held } : { wait };
    } catch (error) {
      if (!(error instanceof ConditionFailed)) {
        if (isMine) await releaseLease(lease, rule, held); // it may be taken after all, with only the answer lost
        throw error;
      }
      item = error.item;
      if (isMine && item?.owner === owner) return { held: readLease(rule, item) }; // an earlier try had succeeded
      if (attempt === ATTEMPTS) return { wait };
    }
  }
}

/** What releases each lease that this process holds for some work. */
const held = new Set<() => Promise<void>>();

/** Releases what this process holds: called as it ends by a signal, so that nobody waits until its leases run out. */
export const releaseHeld = async (): Promise<void> => void (await Promise.all([...held].map((release) => release())));

/** Does `work` while holding a lease, and releases it before the result is returned; refuses at once. */
export async function withLease<K, T>(
  lease: Lease,
  rule: LeaseRule<K>,
  work: () => Promise<T>,
  seen?: Item,
): Promise<{ readonly done: T } | LeaseRefused> {
  const outcome = await takeLease(lease, rule, seen);
  if ('wait' in outcome) return outcome;
  const release = (): Promise<void> => releaseLease(lease, rule, outcome.held);
  held.add(release);
  try {
    return { done: await work() };
  } finally {
    held.delete(release);
    await release();
  }
}

/** Moves the end of a lease to `length` ms from now, and changes what is kept by `to`. False if the lease is lost. */
export async function renewLease<K>(
  lease: Lease,
  rule: LeaseRule<K>,
  length = lease.length,
  to: Partial<K> = {},
): Promise<boolean> {
  const { table, key, owner, now } = lease;
  for (let attempt = 1; ; attempt += 1) {
    const item = await table.get(key);
    if (item?.owner !== owner) return false;
    const { kept, expiresAt: before } = readLease(rule, item);
    const expiresAt = Math.max(before, now() + length); // a renewal under way does not shorten what was handed over
    const next = itemOf({ owner, expiresAt, kept: { ...kept, ...to } }, `${owner} until ${expiresAt}`);
    try {
      await table.put({ ...key, ...next }, asRead(item));
      return true;
    } catch (error) {
      if (!(error instanceof ConditionFailed) || attempt === RENEWAL_TRIES) throw error;
    }
  }
}

/** How work that takes longer than its lease gets on. */
export interface LeaseWork {
  readonly progress?: () => number; // another number after each piece of the work that asks nothing of the table
  readonly onTaken: () => void; // another holder has taken the lease
}

/** A lease that is being renewed. */
export interface RenewedLease {
  /** The lease's table for the work: each request to it is progress. */
  readonly table: Table;
  /** Stops renewing. */
  readonly stop: () => void;
  /** Rejects with `StoodStill` once the work has made no progress for `STILL_MS`; the lease is not renewed any more then. */
  readonly still: Promise<never>;
}

/** Work made no progress: it waits for something that never comes, though its process lives. */
export class StoodStill extends Error {
  constructor() {
    super('the work has made no progress for half an hour');
    this.name = 'StoodStill';
  }
}

/** ms without progress after which work has lost its lease; reading the largest file once takes minutes. */
export const STILL_MS = 30 * 60_000;

/** Renews a lease while its work makes progress. */
export function keepLease<K>(lease: Lease, rule: LeaseRule<K>, work: LeaseWork): RenewedLease {
  const every = lease.length / RENEWALS;
  const usage = newUsage(); // of the work itself, without what renews the lease
  const progress = (): number => usage.trips + (work.progress?.() ?? 0);
  let last = progress();
  let renewals = 0; // since the last progress; not a time, as a machine may have slept
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => clearInterval(timer);
  const still = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      const now = progress();
      renewals = now === last ? renewals + 1 : 0;
      last = now;
      if (renewals * every > STILL_MS) {
        stop();
        reject(new StoodStill());
        return;
      }
      renewLease(lease, rule).then(
        (isMine) => isMine || work.onTaken(),
        () => undefined, // the next renewal may succeed; if none does, the lease ends
      );
    }, every);
  });
  still.catch(() => undefined); // the work may have ended before
  return { table: lease.table.metered(usage), stop, still };
}

/**
 * Releases a lease if this owner still holds it; `held` saves a read. Keeps who is refused meanwhile, unless these are
 * so many that it would never come to its turn. Retries a few times if the table does not answer; if it never does, the
 * lease ends by itself.
 */
export async function releaseLease<K>(lease: Lease, rule: LeaseRule<K>, held?: LeaseState<K>): Promise<void> {
  const { table, key, owner } = lease;
  let reading: LeaseReading<K> | undefined = held && { state: held, when: { attribute: 'change', equals: owner } };
  let failures = 0;
  for (let attempt = 1; attempt <= ATTEMPTS && failures < RELEASES; attempt += 1) {
    try {
      const { state, when } = reading ?? readingOf(rule, await table.get(key));
      reading = undefined;
      if (state.owner !== owner) return;
      const write = releaseOf(lease, rule, state, attempt === ATTEMPTS ? ownedBy(owner) : when);
      await ('put' in write ? table.put(write.put, write.when, { returnItem: true }) : table.delete(key, write.when));
      return;
    } catch (error) {
      if (error instanceof ConditionFailed) reading = error.item && readingOf(rule, error.item);
      else {
        failures += 1;
        await pause(failures);
      }
    }
  }
}

/** The state of an item, and the condition that it has not changed. */
interface LeaseReading<K> {
  readonly state: LeaseState<K>;
  readonly when: Condition;
}

const readingOf = <K>(rule: LeaseRule<K>, item: Item | undefined): LeaseReading<K> => ({
  state: readLease(rule, item),
  when: asRead(item),
});

/** The write in a transaction that releases a lease; undefined if the lease is lost. */
export async function releaseWrite<K>(lease: Lease, rule: LeaseRule<K>): Promise<Write | undefined> {
  const { table, key, owner } = lease;
  const state = readLease(rule, await table.get(key));
  return state.owner === owner ? releaseOf(lease, rule, state, ownedBy(owner)) : undefined;
}

/** The check in a transaction that a lease is still held. */
export const checkLease = ({ key, owner }: Pick<Lease, 'key' | 'owner'>): Write => ({
  check: key,
  when: ownedBy(owner),
});

const ownedBy = (owner: string): Condition => ({ attribute: 'owner', equals: owner });

function releaseOf<K>({ key, owner, now }: Lease, rule: LeaseRule<K>, { kept }: LeaseState<K>, when: Condition) {
  const left = rule.released(kept, now());
  if (left === undefined) return { delete: key, when };
  return { put: { ...key, ...itemOf({ owner: undefined, expiresAt: 0, kept: left }, `${owner} is done`) }, when };
}

const itemOf = <K>({ owner, expiresAt, kept }: LeaseState<K>, change: string) => ({
  ...kept,
  change,
  owner,
  expiresAt: owner === undefined ? undefined : expiresAt,
});

/** The condition that an item is as it was read. One of an earlier version of this service has only its owner. */
function asRead(item: Item | undefined): Condition {
  if (item === undefined) return { absent: true };
  const attribute = item.change === undefined ? 'owner' : 'change';
  return { attribute, equals: String(item[attribute]) };
}
