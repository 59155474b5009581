import { hash } from 'node:crypto';
import * as z from 'zod';
import { putLast } from '../put-last.ts';
import { ConditionFailed } from '../store/faults.ts';
import { type Key, keys } from '../store/keys.ts';
import type { Item, Table } from '../store/table.ts';
import { createTurns } from '../store/turns.ts';

/**
 * Limits the requests of a user, or of all users of a site, within a minute. One counter for each hands out shares of the
 * minute's budget to processes: all processes together keep to the limit, and most requests need no access to the table.
 * A process lets a hundredth of the limit through before it takes its first share, so that users with few requests cost
 * no write.
 *
 *     budget ├── share of A ──┼─ of B ─┼ A ┼ B ┼···┤   shares shrink towards the end, so that little is left unused
 */

const MINUTE = 60_000; // ms
const FREE = 100; // a process lets 1/100 of the limit through before it takes a share
const SMALLEST = 50; // a share is at least 1/50 of the limit
const PARTS = 8; // a share is at most 1/8 of the rest, so a process that ends or goes idle withholds little
const TRIES = 8; // attempts to write a counter that other processes write too
const REMEMBERED = 10_000; // users in one process

const schema = z.object({
  minute: z.number(), // since 1970
  taken: z.number(), // requests granted of the budget
  sharers: z.array(z.string()).readonly(), // processes that took a share in this minute
  before: z.number(), // number of sharers in the previous minute
  change: z.string(), // token of the last write, by which its writer recognises it
});
type Counter = z.infer<typeof schema>;

/** The part of a user's budget that this process holds. */
interface Holding {
  readonly minute: number;
  free: number; // requests let through and not yet counted
  share: number; // requests left of the share
  taken: number; // requests granted to all processes, as last read
}

/** A user's request, and the site's limit. */
interface RatedRequest {
  readonly site: string;
  readonly login: string; // as users are stored
  readonly limit: number; // requests a minute; from 1
  readonly read: { readonly item: Item | undefined } | undefined; // the counter, if read with the caller
  readonly now: number; // epoch ms
}

/** Whether a request may pass, and the figures of the limit for its reply. */
export interface Rate {
  readonly passes: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly reset: number; // s until the next minute, at least 1
}

export interface Rates {
  /** The key of the counter to read together with the caller; undefined while this process does not need it. */
  wanted(site: string, login: string, now: number): Key | undefined;
  /** Counts a request. */
  enter(table: Table, request: RatedRequest): Promise<Rate>;
}

const keyOf = (site: string, login: string): Key => keys.rate(site, hash('sha256', login, 'hex').slice(0, 32));

/** The rate limits of one process; `newId` names the process and its writes. */
export function createRates(newId: () => string): Rates {
  const ofProcess = { me: newId().slice(0, 8), newId };
  const holdingOf = createHoldings();
  const limited = new Set<string>(); // sites that have had a limit
  const turns = createTurns();

  return {
    wanted(site, login, now) {
      if (!limited.has(site)) return undefined;
      return holdingOf(site, login, Math.floor(now / MINUTE)).share > 0 ? undefined : keyOf(site, login);
    },
    async enter(table, request) {
      const { site, login, limit, now } = request;
      const minute = Math.floor(now / MINUTE);
      limited.add(site);
      const holding = holdingOf(site, login, minute);
      const passWithoutShare = async (): Promise<boolean> => {
        const { item } = request.read ?? { item: await table.get(keyOf(site, login)) };
        return spend(holding) || (await pass(table, request, { ...ofProcess, holding }, item));
      };
      const passes = spend(holding) || (await turns.take(`${site}\n${login}`, passWithoutShare));
      const remaining = Math.max(0, limit - holding.taken - holding.free + holding.share);
      const reset = Math.max(1, Math.ceil(((minute + 1) * MINUTE - now) / 1000));
      return { passes, limit, remaining: passes ? remaining : 0, reset };
    },
  };
}

/** Returns the holding of a user in a minute; a new one when the minute has changed. */
function createHoldings(): (site: string, login: string, minute: number) => Holding {
  const holdings = new Map<string, Holding>();
  return (site, login, minute) => {
    const name = `${site}\n${login}`;
    const last = holdings.get(name);
    if (last?.minute === minute) return last;
    const fresh = { minute, free: 0, share: 0, taken: 0 };
    putLast(holdings, name, fresh, REMEMBERED);
    return fresh;
  };
}

/** Takes one request from the share; false if the share is used up. */
function spend(holding: Holding): boolean {
  if (holding.share === 0) return false;
  holding.share -= 1;
  return true;
}

/** This process, and its part of a user's budget. */
interface Holder {
  readonly me: string;
  readonly newId: () => string;
  readonly holding: Holding;
}

/** Whether a request passes when the share is used up: as one of the free requests, or by a new share. */
async function pass(table: Table, request: RatedRequest, holder: Holder, item: Item | undefined): Promise<boolean> {
  const { holding } = holder;
  const counter = item && schema.parse(item);
  holding.taken = counter?.minute === holding.minute ? counter.taken : 0;
  if (holding.taken >= request.limit) return false;
  if (holding.free < Math.floor(request.limit / FREE)) {
    holding.free += 1;
    return true;
  }
  await takeShare(table, request, holder, item);
  return spend(holding);
}

/** Takes a share of the remaining budget, and counts the requests let through without a share. */
async function takeShare(table: Table, request: RatedRequest, holder: Holder, first: Item | undefined): Promise<void> {
  const { me, newId, holding } = holder;
  const { minute, free: used } = holding;
  const { limit } = request;
  const key = keyOf(request.site, request.login);
  const change = newId();
  let item = first;
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const before = item && schema.parse(item);
    const after = withShare(before, { minute, limit, used, me, change });
    const granted = after.taken - (before?.minute === minute ? before.taken : 0) - used;
    const when = before ? { attribute: 'change', equals: before.change } : ({ absent: true } as const);
    try {
      await table.put({ ...key, ...after, ttl: (minute + 10) * 60 }, when);
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      item = await table.get(key);
      if (item?.change !== change) continue; // otherwise this process wrote it: the answer to that attempt was lost
    }
    Object.assign(holding, { taken: after.taken, share: Math.max(0, granted), free: 0 });
    return;
  }
  holding.share = 1; // so many processes write this counter that one request more does not matter
}

interface ShareRequest {
  readonly minute: number;
  readonly limit: number;
  readonly used: number; // requests let through before this share
  readonly me: string;
  readonly change: string;
}

/** The counter after a process has taken a share. */
function withShare(counter: Counter | undefined, { minute, limit, used, me, change }: ShareRequest): Counter {
  const isCurrent = counter?.minute === minute;
  const taken = isCurrent ? counter.taken : 0;
  const sharers = [...new Set([...(isCurrent ? counter.sharers : []), me])];
  const before = isCurrent ? counter.before : counter?.minute === minute - 1 ? counter.sharers.length : 0;
  const left = Math.max(0, limit - taken - used);
  const share = Math.max(Math.ceil(left / partOf(before, sharers.length)), Math.ceil(limit / SMALLEST));
  return { minute, taken: Math.min(limit, taken + used + share), sharers, before, change };
}

const partOf = (before: number, now: number): number => Math.max(PARTS, 2 * Math.max(before, now));
