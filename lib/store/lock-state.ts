import * as z from 'zod';
import type { Item } from './table.ts';

/** A refused client, waiting since `since`; its turn is kept until `until` (epoch ms). */
const waiter = z.object({ who: z.string(), since: z.number(), until: z.number() });
/** A client that held the lock while others waited, and when it released it (epoch ms). */
const served = z.object({ who: z.string(), at: z.number() });

const schema = z.object({
  change: z.string().optional(), // changes with every write; conditions compare it
  owner: z.string().optional(), // token of the request holding the lock
  holder: z.string().optional(), // the client of that request
  expiresAt: z.number().optional(), // epoch ms; end of the lease
  refusals: z.number().default(0),
  waiting: z.array(waiter).default([]),
  served: z.array(served).default([]),
});

/** The lock item: the holder, the waiting clients, and the clients that held it while others waited. */
export type LockState = Readonly<z.infer<typeof schema>>;

const SKEW = 1_000; // ms by which the clocks of two machines may differ
const WAITERS = 50; // waiting clients in an item
const WAITS = 3; // s; refused clients wait 1, 2, 3, 1, … s, so that they do not all come back together

export const readLock = (item: Item | undefined): LockState => schema.parse(item ?? {});

/**
 * Whether a lease is over: it has ended, or it ends later than any lease taken now could, because a clock was wrong.
 */
export function isLeaseOver(expiresAt: number | undefined, now: number, length: number): boolean {
  return expiresAt === undefined || expiresAt <= now || expiresAt > now + length + SKEW;
}

/**
 * Whether a client may take the lock: the lease is over, and no other client has waited since before this client last
 * held it. So clients take turns, however fast one of them repeats its requests.
 */
export function mayTake(state: LockState, who: string, now: number, length: number): boolean {
  if (!isLeaseOver(state.expiresAt, now, length)) return false;
  const last = lastTurn(state, who, now, length);
  return !waitingNow(state, now).some((other) => other.who !== who && other.since <= last);
}

/** When a client last held the lock (epoch ms); a holder that died held it until its lease ended. */
function lastTurn({ served, holder, expiresAt }: LockState, who: string, now: number, length: number): number {
  const turns = served.filter((one) => one.who === who).map(({ at }) => at);
  const died = holder === who && isLeaseOver(expiresAt, now, length) ? [Math.min(expiresAt ?? 0, now)] : [];
  return Math.max(Number.NEGATIVE_INFINITY, ...turns, ...died);
}

const waitingNow = ({ waiting }: LockState, now: number) => waiting.filter(({ until }) => until > now);

/** The lock once `holder` has taken it. */
export function afterTake(
  state: LockState,
  holder: { readonly owner: string; readonly who: string },
  now: number,
  length: number,
): LockState {
  const waiting = waitingNow(state, now).filter(({ who }) => who !== holder.who);
  const { owner, who } = holder;
  return { ...remembered(state, waiting), change: owner, owner, holder: who, expiresAt: now + length };
}

/** The lock after its release; undefined if no client waits, so that the item can be deleted. */
export function afterRelease(state: LockState, now: number): LockState | undefined {
  const waiting = waitingNow(state, now);
  if (waiting.length === 0) return undefined;
  const { owner: _owner, holder, expiresAt: _expiresAt, ...rest } = state;
  const others = state.served.filter(({ who }) => who !== holder);
  const served = holder === undefined ? others : [...others, { who: holder, at: now }];
  return remembered({ ...rest, served }, waiting);
}

/** The lock with a refused client added, and the seconds that client must wait. */
export function afterRefusal(
  state: LockState,
  who: string,
  now: number,
): { readonly state: LockState; readonly wait: number } {
  const wait = 1 + (state.refusals % WAITS);
  const waiting = waitingNow(state, now);
  const before = waiting.find((one) => one.who === who);
  const until = Math.max(before?.until ?? 0, now + (wait + 1) * 1000);
  const noted = [...waiting.filter((one) => one !== before), { who, since: before?.since ?? now, until }];
  const sorted = noted.sort((a, b) => a.since - b.since).slice(0, WAITERS);
  return { state: { ...remembered(state, sorted), refusals: state.refusals + 1 }, wait };
}

/**
 * A state with these waiting clients. Of the served clients it keeps only those that must let a waiting client go
 * first.
 */
function remembered(state: LockState, waiting: LockState['waiting']): LockState {
  const first = Math.min(...waiting.map(({ since }) => since));
  return { ...state, waiting, served: state.served.filter(({ at }) => at >= first) };
}
