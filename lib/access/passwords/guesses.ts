import { hash } from 'node:crypto';
import * as z from 'zod';
import { isAhead } from '../../ahead.ts';
import { ConditionFailed } from '../../store/faults.ts';
import { type Key, keys } from '../../store/keys.ts';
import { readItems } from '../../store/read-items.ts';
import type { Item, Table } from '../../store/table.ts';
import { keysOf } from '../../typed-object.ts';
import { networkOf } from './network.ts';

/**
 * Passwords that are tried are counted three times: by login and address together, by address and by login. Each is
 * counted by an atomic addition *before* it is checked, and given back if it was right. So the limits hold over any
 * number of processes that check at once, and where nothing can be counted, nothing is checked.
 *
 *     count ──► below the limit: check ──► right: give back
 *           └─► at the limit: take the next wait, by one conditional write, then check; who does not get it is refused
 */
const LIMITS = { pair: 10, address: 50, login: 200 } as const; // wrong passwords within the window
export const WINDOW = 15; // minutes, each with a count of its own
const FIRST_WAIT = 30_000; // ms, doubled with each further one
const LONGEST_WAIT = 15 * 60_000; // ms; one that ends later than this from now was set by a wrong clock, and is over
const SHORTEST_WAIT = 1_000; // ms, while another process takes the wait
const MINUTE = 60_000; // ms

const COUNTERS = keysOf(LIMITS);
type Counter = (typeof COUNTERS)[number];

const waitSchema = z.object({
  until: z.number().default(0), // epoch ms; no password is checked before
  waits: z.number().default(0), // waits so far
});
type Wait = z.infer<typeof waitSchema>;

/** Who tries a password: the login, whether a user has it or not, and the client's address. */
export interface Guesser {
  readonly site: string;
  readonly login: string;
  readonly address: string;
}

/** Whether a password may be checked: after `wait` ms, or now. */
export type GuessTurn =
  | { readonly wait: number }
  | {
      /** Takes the guess back from the counts, as the password was right, or was not checked. */
      readonly giveBack: () => Promise<void>;
    };

const waitKey = (guesser: Guesser, counter: Counter): Key =>
  keys.guesses(guesser.site, counter, nameOf(guesser, counter));

const countKey = (guesser: Guesser, counter: Counter, window: number): Key =>
  keys.guessCount(guesser.site, counter, nameOf(guesser, counter), window);

function nameOf({ login, address }: Guesser, counter: Counter): string {
  const network = networkOf(address);
  const named = { pair: `${login}\n${network}`, address: network, login };
  return hash('sha256', named[counter], 'hex').slice(0, 32);
}

/** Counts one password that is about to be checked, and says whether it may be. Throws `unavailable` if it cannot be counted. */
export async function beginGuess(table: Table, guesser: Guesser, now: number): Promise<GuessTurn> {
  const itemOf = await readItems(
    table,
    COUNTERS.map((counter) => waitKey(guesser, counter)),
  );
  const waits = COUNTERS.map((counter) => waitIn(itemOf(waitKey(guesser, counter)), now));
  const wait = Math.max(...waits.map(({ until }) => until - now));
  if (wait > 0) return { wait };
  const sums = await countAll(table, guesser, now);
  const full = COUNTERS.filter((_, index) => (sums[index] ?? 0) >= LIMITS[COUNTERS[index] ?? 'pair']);
  const turns = await Promise.all(
    full.map((counter) => takeWait(table, waitKey(guesser, counter), itemOf(waitKey(guesser, counter)), now)),
  );
  const refused = turns.flatMap((turn) => (typeof turn === 'number' ? [turn] : []));
  const giveBack = async (): Promise<void> => {
    await countAll(table, guesser, now, -1);
    await Promise.all(turns.map((turn) => (typeof turn === 'number' ? undefined : turn())));
  };
  if (refused.length === 0) return { giveBack };
  await giveBack();
  return { wait: Math.max(...refused) };
}

/** Adds to the counts of the current minute; returns the sums of the last 15 minutes, in the order of the counters. */
async function countAll(table: Table, guesser: Guesser, now: number, by: 1 | -1 = 1): Promise<number[]> {
  const minute = Math.floor(now / MINUTE);
  const window = Math.floor(minute / WINDOW);
  const ttl = Math.ceil(now / 1000) + 3 * WINDOW * 60;
  const before = (counter: Counter): Key => countKey(guesser, counter, window - 1);
  const [earlier, ...current] = await Promise.all([
    readItems(table, COUNTERS.map(before)),
    ...COUNTERS.map((counter) =>
      table.add(countKey(guesser, counter, window), { [minuteName(minute % WINDOW)]: by }, ttl),
    ),
  ]);
  return COUNTERS.map((counter, index) => {
    const [item, last] = [current[index], earlier(before(counter))];
    const counts = Array.from({ length: WINDOW }, (_, at) => (at <= minute % WINDOW ? item : last)?.[minuteName(at)]);
    return counts.reduce<number>((sum, count) => sum + Number(count ?? 0), 0);
  });
}

const minuteName = (minute: number): string => `m${minute}`;

/** A stored wait; one that a wrong clock set is over. */
function waitIn(item: Item | undefined, now: number): Wait {
  const wait = waitSchema.parse(item ?? {});
  return isAhead(wait.until, now, LONGEST_WAIT) ? { ...wait, until: 0 } : wait;
}

/**
 * Takes the next wait of a counter at its limit, so that one process checks one password and no other does until the
 * wait is over. Returns a function that ends the wait again, or the ms to wait if another process was faster.
 */
async function takeWait(
  table: Table,
  key: Key,
  item: Item | undefined,
  now: number,
): Promise<number | (() => Promise<void>)> {
  const { until, waits } = waitIn(item, now);
  const earlier = now - until > WINDOW * MINUTE ? 0 : waits;
  const next = now + Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** earlier);
  const ttl = Math.ceil(next / 1000) + 2 * WINDOW * 60;
  const unchanged = { attribute: 'until', equals: Number(item?.until ?? 0) };
  try {
    await table.put({ ...key, until: next, waits: earlier + 1, ttl }, item ? unchanged : { absent: true });
  } catch (error) {
    if (error instanceof ConditionFailed) return SHORTEST_WAIT;
    throw error;
  }
  return async () => {
    try {
      await table.put({ ...key, until, waits: earlier, ttl }, { attribute: 'until', equals: next });
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error; // another process has gone on from there
    }
  };
}
