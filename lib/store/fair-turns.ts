import * as z from 'zod';
import { isAhead } from '../ahead.ts';
import type { LeaseRule, LeaseState } from './lease.ts';

/** A refused client, waiting since `since`; its turn is kept until `until` (epoch ms). */
const waiter = z.object({ who: z.string(), since: z.number(), until: z.number() });
/** A client that held the lease while others waited, and when it released it (epoch ms). */
const served = z.object({ who: z.string(), at: z.number() });

const schema = z.object({
  holder: z.string().optional(), // the client that holds the lease
  refusals: z.number().default(0),
  waiting: z.array(waiter).default([]),
  served: z.array(served).default([]),
});
/** The clients that wait, and those that held the lease while others waited. */
export type ClientTurns = Readonly<z.infer<typeof schema>>;

const WAITERS = 50; // waiting clients in an item
const LONGEST_TURN = 4_000; // ms that a turn is kept: `WAITS` and one second more
const WAITS = 3; // s; refused clients wait 1, 2, 3, 1, … s, so that they do not all come back together

/**
 * Clients take turns, however fast one of them repeats its requests: a refused client goes before clients that have held
 * the lease since, for the seconds it was told to wait and one more. `who` names the client; its requests share its turn.
 */
export const fairTurns = (who: string): LeaseRule<ClientTurns> => ({
  kept: schema,
  mayTake(state, now, isOver) {
    if (!isOver && state.kept.holder !== MACHINE) return false;
    const last = lastTurn(state, who, now);
    return !waitingNow(state.kept, now).some((other) => other.who !== who && other.since <= last);
  },
  taken(turns, now) {
    const waiting = waitingNow(turns, now).filter((other) => other.who !== who);
    return { ...withWaiting(turns, waiting), holder: who };
  },
  refused(turns, now) {
    const wait = 1 + (turns.refusals % WAITS);
    const waiting = waitingNow(turns, now);
    const before = waiting.find((one) => one.who === who);
    const until = Math.max(before?.until ?? 0, now + (wait + 1) * 1000);
    const noted = [...waiting.filter((one) => one !== before), { who, since: before?.since ?? now, until }];
    const sorted = noted.sort((a, b) => a.since - b.since).slice(0, WAITERS);
    return { kept: { ...withWaiting(turns, sorted), refusals: turns.refusals + 1 }, wait };
  },
  released(turns, now) {
    const waiting = waitingNow(turns, now);
    if (waiting.length === 0) return undefined;
    const { holder, ...rest } = turns;
    const others = turns.served.filter((one) => one.who !== holder);
    return withWaiting(
      { ...rest, served: holder === undefined ? others : [...others, { who: holder, at: now }] },
      waiting,
    );
  },
});

const MACHINE = 'deliver'; // no client has this name: it is no hash

/**
 * The turns of mails and alerts: people go first. A machine takes the lease only when nobody holds it or waits, waits
 * unseen, and yields: a client takes the lease from it at once, and what it computes goes on beside.
 */
export const machineTurns: LeaseRule<ClientTurns> = machineRule();

function machineRule(): LeaseRule<ClientTurns> {
  const { refused: _, ...rule } = fairTurns(MACHINE);
  return { ...rule, mayTake: ({ kept }, now, isOver) => isOver && waitingNow(kept, now).length === 0 };
}

/** When a client last held a lease that is over (epoch ms); a holder that died held it until the lease ended. */
function lastTurn({ kept: { served, holder }, expiresAt }: LeaseState<ClientTurns>, who: string, now: number): number {
  const turns = served.filter((one) => one.who === who && !isAhead(one.at, now)).map(({ at }) => at);
  const died = holder === who ? [Math.min(expiresAt, now)] : [];
  return Math.max(Number.NEGATIVE_INFINITY, ...turns, ...died);
}

const waitingNow = ({ waiting }: ClientTurns, now: number) =>
  waiting.filter(({ until }) => until > now && !isAhead(until, now, LONGEST_TURN));

/**
 * The turns with these waiting clients. Of the served clients it keeps only those that must let a waiting client go
 * first.
 */
function withWaiting(turns: ClientTurns, waiting: ClientTurns['waiting']): ClientTurns {
  const first = Math.min(...waiting.map(({ since }) => since));
  return { ...turns, waiting, served: turns.served.filter(({ at }) => at >= first) };
}
