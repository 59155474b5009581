import { hash } from 'node:crypto';
import * as z from 'zod';
import { ConditionFailed } from '../store/faults.ts';
import { type Key, keys } from '../store/keys.ts';
import type { Item, Table } from '../store/table.ts';
import { keysOf } from '../typed-object.ts';

/** Wrong passwords are counted three times: by login and address together, by address and by login. */
const LIMITS = { pair: 10, address: 50, login: 200 } as const; // failures within the window
const WINDOW = 15; // minutes
const FIRST_WAIT = 30_000; // ms, doubled with each further failure
const LONGEST_WAIT = 15 * 60_000; // ms
const SHORTEST_WAIT = 1_000; // ms, while running checks decide whether the limit is reached
const TRIES = 8; // attempts to write a counter that other processes write too

const COUNTERS = keysOf(LIMITS);

const schema = z.object({
  version: z.number(),
  failures: z.array(z.tuple([z.number(), z.number()])), // [minute since 1970, failures in it]
  until: z.number().default(0), // epoch ms; no password is checked before
  waits: z.number().default(0), // waits imposed so far
});
type Count = z.infer<typeof schema>;

/** Who tries a password: the login, whether a user has it or not, and the client's address. */
export interface Guesser {
  readonly site: string;
  readonly login: string;
  readonly address: string;
}

/** The keys of the counters, in the order in which the other functions expect their items. */
export function guessKeys({ site, login, address }: Guesser): Key[] {
  const named = { pair: `${login}\n${address}`, address, login };
  return COUNTERS.map((counter) => keys.guesses(site, counter, hash('sha256', named[counter], 'hex').slice(0, 32)));
}

/** Lets checks of passwords begin as long as no counter, with this process's running checks added, is at its limit. */
export interface GuessGuard {
  /** Returns the ms to wait before the password may be checked. At 0 the check may begin; call `leave` when it ends. */
  enter(guesser: Guesser, items: readonly (Item | undefined)[], now: number): number;
  leave(guesser: Guesser): void;
}

export function createGuessGuard(): GuessGuard {
  const underWay = new Map<string, number>(); // running checks by counter

  const add = (guesser: Guesser, more: number): void => {
    for (const { pk, sk } of guessKeys(guesser)) {
      const count = (underWay.get(`${pk}\n${sk}`) ?? 0) + more;
      if (count > 0) underWay.set(`${pk}\n${sk}`, count);
      else underWay.delete(`${pk}\n${sk}`);
    }
  };

  return {
    enter(guesser, items, now) {
      const waits = guessKeys(guesser).map(({ pk, sk }, index) => {
        const { until, failures } = read(items[index]);
        if (until > now) return until - now;
        const running = underWay.get(`${pk}\n${sk}`) ?? 0;
        const isFull = recentSum(failures, now) + running >= LIMITS[COUNTERS[index] ?? 'pair'];
        return isFull && running > 0 ? SHORTEST_WAIT : 0;
      });
      const wait = Math.max(...waits);
      if (wait === 0) add(guesser, 1);
      return wait;
    },
    leave: (guesser) => add(guesser, -1),
  };
}

const recentSum = (failures: Count['failures'], now: number): number =>
  failures.reduce((sum, [at, count]) => (at > Math.floor(now / 60_000) - WINDOW ? sum + count : sum), 0);

/** Counts one failure. Reads a counter again and retries if another process writes it at the same time. */
export async function countFailure(
  table: Table,
  guesser: Guesser,
  items: readonly (Item | undefined)[],
  now: number,
): Promise<void> {
  await Promise.all(
    guessKeys(guesser).map(async (key, index) => {
      const limit = LIMITS[COUNTERS[index] ?? 'pair'];
      let item = items[index];
      for (let attempt = 1; attempt <= TRIES; attempt += 1) {
        try {
          return await write(table, key, item, failed(read(item), limit, now));
        } catch (error) {
          if (!(error instanceof ConditionFailed)) throw error;
          item = await table.get(key);
        }
      }
    }),
  );
}

function read(item: Item | undefined): Count {
  return item === undefined ? { version: 0, failures: [], until: 0, waits: 0 } : schema.parse(item);
}

function write(table: Table, key: Key, before: Item | undefined, count: Count): Promise<void> {
  const ttl = Math.ceil(Math.max(count.until, (count.failures.at(-1)?.[0] ?? 0) * 60_000) / 1000) + 2 * WINDOW * 60;
  const when = before === undefined ? { absent: true as const } : { attribute: 'version', equals: count.version - 1 };
  return table.put({ ...key, ...count, ttl }, when);
}

/** A counter after one more failure. */
function failed({ version, failures, until, waits }: Count, limit: number, now: number): Count {
  const minute = Math.floor(now / 60_000);
  const recent = failures.filter(([at]) => at > minute - WINDOW && at < minute);
  const current = failures.find(([at]) => at === minute)?.[1] ?? 0;
  const counted: [number, number][] = [...recent, [minute, current + 1]];
  const sum = counted.reduce((all, [, count]) => all + count, 0);
  const before = recent.length === 0 && current === 0 ? 0 : waits;
  if (sum < limit) return { version: version + 1, failures: counted, until, waits: before };
  const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** before);
  return { version: version + 1, failures: counted, until: Math.max(until, now + wait), waits: before + 1 };
}
