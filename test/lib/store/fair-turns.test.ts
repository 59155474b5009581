import { certain } from '../../../lib/certain.ts';
import { type ClientTurns, fairTurns, machineTurns } from '../../../lib/store/fair-turns.ts';
import { keys } from '../../../lib/store/keys.ts';
import { isLeaseOver, type LeaseState, readLease, withLease } from '../../../lib/store/lease.ts';
import type { Table } from '../../../lib/store/table.ts';
import { freshTable } from '../../support/service/table.ts';

const key = keys.lock('acme');
const LENGTH = 30_000; // ms

/** A site's lock, and a clock of its own that every trip moves on. */
async function newLock() {
  const table = await freshTable();
  const clock = { at: 1_000_000, requests: 0 };
  const turn = async <T>(who: string, work: () => Promise<T>) => {
    clock.requests += 1;
    const owner = `request ${clock.requests}`;
    const lease = { table, key, owner, now: () => clock.at, length: LENGTH };
    return withLease(lease, fairTurns(who), work, await table.get(key));
  };
  const mail = async <T>(work: () => Promise<T>) => {
    clock.requests += 1;
    const owner = `request ${clock.requests}`;
    return withLease({ table, key, owner, now: () => clock.at, length: LENGTH }, machineTurns, work);
  };
  return { table, clock, turn, mail };
}

const REPORT = 100; // ms
const AGAIN = 50; // ms after which a greedy client asks again

/** Sleeps of some clients on one clock, which moves on to the next that wakes once all of them sleep. */
function virtualSleep(clock: { at: number }, clients: number) {
  const asleep: { readonly at: number; readonly wake: () => void }[] = [];
  let awake = clients;
  const rest = (): void => {
    awake -= 1;
    if (awake > 0) return;
    asleep.sort((a, b) => a.at - b.at);
    const next = asleep.shift();
    if (next === undefined) return;
    clock.at = Math.max(clock.at, next.at);
    awake += 1;
    next.wake();
  };
  const sleep = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      asleep.push({ at: clock.at + ms, wake: resolve });
      rest();
    });
  return Object.assign(sleep, { leave: rest });
}

const takes = (outcome: object): boolean => 'done' in outcome;

describe('turns at the lock', () => {
  it('lets nobody in while somebody is, and forgets everything once nobody waits', async () => {
    const { table, turn } = await newLock();
    const inside = await turn('a', async () => [await turn('b', async () => 1), await turn('a', async () => 1)]);
    expect(inside).toEqual({ done: [{ wait: 1 }, { wait: 2 }] });
    expect(await turn('b', async () => 2)).toEqual({ done: 2 });
    expect(await turn('a', async () => 3)).toEqual({ done: 3 });
    expect(await table.get(key)).toBeUndefined();
  });

  it('goes to a person at once where a mail holds it, and to a mail when nobody holds it or waits', async () => {
    const { turn, mail, clock } = await newLock();
    const steps: string[] = [];
    const outcome = await mail(async () => {
      expect(takes(await turn('ann', async () => steps.push('ann')))).toBe(true);
      const held = turn('bob', async () => {
        expect(takes(await turn('cat', async () => steps.push('cat')))).toBe(false);
        expect(takes(await mail(async () => steps.push('other mail')))).toBe(false);
      });
      expect(takes(await held)).toBe(true);
      return steps.push('mail');
    });
    expect([takes(outcome), steps]).toEqual([true, ['ann', 'mail']]);
    expect(takes(await mail(async () => undefined))).toBe(false); // cat waits
    clock.at += 5_000;
    expect(takes(await mail(async () => undefined))).toBe(true);
  });

  it('keeps the turn of who was refused, as long as it was told to wait and a second more', async () => {
    const { clock, turn } = await newLock();
    await turn('greedy', () => turn('slow', async () => 1));
    clock.at += 1_999;
    expect(takes(await turn('greedy', async () => 1))).toBe(false);
    expect(takes(await turn('a third', async () => 1))).toBe(true);
    clock.at += 1;
    expect(takes(await turn('greedy', async () => 1))).toBe(true);
  });

  it('serves one that waits as it is told as often as four that never do', () => {
    const served = new Map<string, number>();
    const wakes = new Map([['polite', 0]]);
    const free = readLease(fairTurns(''), undefined);
    let state: LeaseState<ClientTurns> = free;
    let leaves = 0;
    for (let now = 0; now < 40_000; now += 5) {
      if (state.owner && leaves <= now) {
        const kept = fairTurns(state.owner).released(state.kept, now);
        state = kept ? { ...free, kept } : free;
      }
      for (const who of ['one', 'two', 'three', 'four', 'polite']) {
        if ((wakes.get(who) ?? 0) > now || state.owner === who) continue;
        const rule = fairTurns(who);
        if (rule.mayTake(state, now, isLeaseOver(state.expiresAt, now, LENGTH))) {
          state = { owner: who, expiresAt: now + LENGTH, kept: rule.taken(state.kept, now) };
          leaves = now + 100;
          served.set(who, (served.get(who) ?? 0) + 1);
        } else {
          const refusal = certain(rule.refused?.(state.kept, now));
          state = { ...state, kept: refusal.kept };
          if (who === 'polite') wakes.set(who, now + refusal.wait * 1000);
        }
      }
    }
    const counts = [...served.values()];
    expect(counts).toHaveLength(5);
    expect(Math.max(...counts)).toBeLessThanOrEqual(2 * Math.min(...counts));
  });

  it.each([
    ['one greedy client and three that wait as they are told', 1, 3],
    ['four greedy clients', 4, 0],
    ['four greedy clients and one that waits as it is told', 4, 1],
  ])('serves %s within twice as often as one another', async (_, greedy, polite) => {
    const { clock, turn } = await newLock();
    const sleep = virtualSleep(clock, greedy + polite);
    const end = clock.at + 30_000;
    const client = async (who: string, isGreedy: boolean): Promise<number> => {
      let served = 0;
      while (clock.at < end) {
        const outcome = await turn(who, () => sleep(REPORT));
        if ('done' in outcome) served += 1;
        else await sleep(isGreedy ? AGAIN : outcome.wait * 1000);
      }
      sleep.leave();
      return served;
    };
    const all = Array.from({ length: greedy + polite }, (_, number) => client(`client ${number}`, number < greedy));
    const counts = await Promise.all(all);
    expect(Math.min(...counts)).toBeGreaterThan(5);
    expect(Math.max(...counts)).toBeLessThanOrEqual(2 * Math.min(...counts));
  });

  it('is given back though clients were refused meanwhile', async () => {
    const { table, turn } = await newLock();
    await turn('a', () => Promise.all(['b', 'c', 'd'].map((who) => turn(who, async () => 1))));
    expect((await table.get(key))?.owner).toBeUndefined();
  });

  it('remembers everybody who was refused, however many come at once and whenever the lock is released', async () => {
    const { table, turn } = await newLock();
    const others = Array.from({ length: 40 }, (_, number) => `client ${number}`);
    const outcomes: Promise<object>[] = [];
    await turn('greedy', async () => {
      for (const who of others) {
        outcomes.push(turn(who, async () => 1));
        if (outcomes.length === 20) await Promise.all(outcomes);
      }
    });
    const all = await Promise.all(outcomes);
    const refused = others.filter((_, number) => !takes(certain(all[number])));
    expect(refused.length).toBeGreaterThanOrEqual(20);
    const waiting = readLease(fairTurns(''), await table.get(key)).kept.waiting.map(({ who }) => who);
    expect(waiting).toEqual(expect.arrayContaining(refused));
    expect(takes(await turn('greedy', async () => 1))).toBe(false);
  });

  it('is taken by the request whose first try succeeded unheard', async () => {
    const { table, turn } = await newLock();
    const deaf: Table = {
      ...table,
      put: async (item, when, options) => {
        await table.put(item, when);
        await table.put(item, when, options); // as the SDK does when an answer is lost
      },
    };
    const mine = { table: deaf, key, owner: 'me', now: () => 5_000, length: LENGTH };
    expect(await withLease(mine, fairTurns('a'), async () => 'mine')).toEqual({ done: 'mine' });
    expect(takes(await turn('b', async () => 1))).toBe(true);
  });
});
