import * as fc from 'fast-check';
import { beginGuess } from '../../../../lib/access/passwords/guesses.ts';
import { networkOf } from '../../../../lib/access/passwords/network.ts';
import type { User } from '../../../../lib/access/users.ts';
import type { Failure } from '../../../../lib/errors.ts';
import { createAuthenticate } from '../../../../lib/http/authenticate.ts';
import { newEnding } from '../../../../lib/http/ending.ts';
import { unavailable } from '../../../../lib/store/faults.ts';
import type { Table } from '../../../../lib/store/table.ts';
import { slowTable } from '../../../support/faults/faulty-table.ts';
import { some } from '../../../support/generators/depth.ts';
import { CHEAP_HASH, PASSWORD, PASSWORD_HASH } from '../../../support/service/credentials.ts';
import { freshTable, hasEngine } from '../../../support/service/table.ts';

const guesser = { site: 'test', login: 'ann@test.example', address: '10.0.0.1' };
const MINUTE = 60_000;
const USER: User = { login: guesser.login, role: 'Administrator', deleted: false, password: CHEAP_HASH };
const SIGN_INS = { succeeded: () => undefined, refused: async () => undefined };

/** Tries a password that is wrong, or right; returns the ms to wait, 0 if it was checked. */
async function tryOnce(table: Table, now: number, who = guesser, isRight = false): Promise<number> {
  const turn = await beginGuess(table, who, now);
  if ('wait' in turn) return turn.wait;
  if (isRight) await turn.giveBack();
  return 0;
}

describe('guesses at passwords', () => {
  it('end after ten of a login from an address, for 30 s and then for longer', async () => {
    const table = await freshTable();
    for (let guess = 0; guess < 10; guess += 1) expect(await tryOnce(table, MINUTE)).toBe(0);
    expect(await tryOnce(table, MINUTE + 1)).toBe(29_999);
    expect(await tryOnce(table, MINUTE + 30_000)).toBe(0);
    expect(await tryOnce(table, MINUTE + 30_001)).toBe(59_999);
    expect(await tryOnce(table, MINUTE + 2, { ...guesser, login: 'bob@test.example' })).toBe(0);
    expect(await tryOnce(table, MINUTE + 2, { ...guesser, address: '10.0.0.2' })).toBe(0);
  });

  it('wait twice as long each time, up to 15 minutes, however long they go on', async () => {
    const table = await freshTable();
    const waits: number[] = [];
    for (let now = MINUTE; waits.length < 8; ) {
      const wait = await tryOnce(table, now);
      if (wait > 0) waits.push(wait + 1); // asked 1 ms after it began
      now += Math.max(1, wait);
    }
    expect(waits).toEqual([30, 60, 120, 240, 480, 900, 900, 900].map((seconds) => seconds * 1000));
  });

  it('are forgotten after 15 minutes, in whichever quarter of an hour they began', async () => {
    for (const start of [0, 1, 7, 14]) {
      const table = await freshTable();
      for (let guess = 0; guess < 9; guess += 1) await tryOnce(table, (start + 15) * MINUTE);
      expect(await tryOnce(table, (start + 29) * MINUTE)).toBe(0);
      expect(await tryOnce(table, (start + 29) * MINUTE + 1)).toBeGreaterThan(0);
      const later = (start + 44) * MINUTE;
      for (let guess = 0; guess < 10; guess += 1) expect(await tryOnce(table, later)).toBe(0);
    }
  });

  it('count for an address over many logins, and for a login over many addresses', async () => {
    const table = await freshTable();
    for (let guess = 0; guess < 50; guess += 1) await tryOnce(table, MINUTE, { ...guesser, login: `user ${guess}` });
    expect(await tryOnce(table, MINUTE, { ...guesser, login: 'one more' })).toBeGreaterThan(0);
    for (let guess = 0; guess < 199; guess += 1)
      await tryOnce(table, MINUTE, { ...guesser, address: `10.1.0.${guess}` });
    expect(await tryOnce(table, MINUTE, { ...guesser, address: '10.2.0.1' })).toBe(0);
    expect(await tryOnce(table, MINUTE, { ...guesser, address: '10.2.0.2' })).toBeGreaterThan(0);
  });

  it('are given back when they were right, also at the limit', async () => {
    const table = await freshTable();
    for (let guess = 0; guess < 9; guess += 1) await tryOnce(table, MINUTE);
    for (let guess = 0; guess < 5; guess += 1) expect(await tryOnce(table, MINUTE, guesser, true)).toBe(0);
    expect(await tryOnce(table, MINUTE)).toBe(0);
    expect(await tryOnce(table, MINUTE, guesser, true)).toBe(30_000);
  });

  it('are given back when they were not checked, as their clients left', async () => {
    const table = await freshTable();
    const { check } = createAuthenticate(SIGN_INS, false, async () => []);
    const ending = newEnding();
    ending.end();
    const tried = { guesser, user: USER, now: MINUTE, ending };
    for (let guess = 0; guess < 20; guess += 1)
      await expect(check(table, { ...tried, password: `wrong ${guess}` })).rejects.toMatchObject({
        kind: 'unavailable',
      });
    expect(await tryOnce(table, MINUTE)).toBe(0);
  });

  it('are not checked where they cannot be counted', async () => {
    const table = await freshTable();
    const full: Table = { ...table, add: () => Promise.reject(unavailable(new Error('the disk is full'))) };
    await expect(tryOnce(full, MINUTE)).rejects.toMatchObject({ kind: 'unavailable' });
    const { check } = createAuthenticate(SIGN_INS, false, async () => []);
    for (const password of ['wrong', PASSWORD]) {
      const tried = check(full, {
        guesser,
        user: { ...USER, password: PASSWORD_HASH },
        password,
        now: MINUTE,
        ending: newEnding(),
      });
      await expect(tried).rejects.toMatchObject({ kind: 'unavailable' }); // which tells nobody whether it is right
    }
  });

  it('are allowed again when a wait ends later than the longest one: a clock was wrong', async () => {
    const table = await freshTable();
    const wrong = MINUTE + 365 * 24 * 60 * MINUTE;
    for (let guess = 0; guess < 10; guess += 1) await tryOnce(table, wrong);
    expect(await tryOnce(table, wrong + 1)).toBeGreaterThan(0);
    expect(await tryOnce(table, MINUTE)).toBe(0);
  });

  it.each(some(hasEngine ? (['lmdb', 'engine'] as const) : (['lmdb'] as const)))(
    'are checked ten times, of 400 at once under 50 functions with tables of 3 to 9 ms, on %s',
    async (store) => {
      const table = await freshTable(store);
      const guards = Array.from({ length: 50 }, (_, index) => ({
        slow: slowTable(table, () => (3 + ((index * 7) % 7)) / 12),
        ...createAuthenticate(SIGN_INS, false, async () => []),
      }));
      const outcomes = await Promise.all(
        Array.from({ length: 8 }, (_, round) =>
          guards.map(({ check, slow }, index) => {
            const password = `wrong ${round} ${index}`; // equal ones would share a check
            const tried = check(slow, {
              guesser,
              user: { ...USER, password: PASSWORD_HASH },
              password,
              now: MINUTE,
              ending: newEnding(),
            });
            return tried.catch((error: Failure) => error.kind);
          }),
        ).flat(),
      );
      const countOf = (what: string | boolean): number => outcomes.filter((outcome) => outcome === what).length;
      // Some are not counted in time by the engine, so that they are not checked either.
      const uncounted = store === 'engine' ? countOf('unavailable') : 0;
      expect(countOf('too_many_requests') + uncounted + countOf(false)).toBe(400);
      expect(countOf(false)).toBeLessThanOrEqual(10);
      expect(countOf(false)).toBeGreaterThanOrEqual(uncounted === 0 ? 10 : 1);
      expect(await tryOnce(table, MINUTE + 1)).toBeGreaterThan(SOON);
    },
  );
});

const SOON = 20_000; // ms

describe('the network of an address', () => {
  it.each([
    ['10.0.0.1', '10.0.0.1'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['::1', '0:0:0:0::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:DB8:0:0:ffff:1:2:3', '2001:db8:0:0::/64'],
    ['2001:db8:0:1::', '2001:db8:0:1::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::10.0.0.1', '64:ff9b:0:0::/64'],
    ['', ''],
  ])('%s is %s', (address, network) => expect(networkOf(address)).toBe(network));

  it('is the same for all addresses of a /64, and for no other', () => {
    const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16));
    const groups = fc.array(group, { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(groups, groups, (some, others) => {
        const same = [...some.slice(0, 4), ...others.slice(4)].join(':');
        expect(networkOf(same)).toBe(networkOf(some.join(':')));
        const isOne = some.slice(0, 4).join() === others.slice(0, 4).join();
        expect(networkOf(others.join(':')) === networkOf(some.join(':'))).toBe(isOne);
      }),
    );
  });
});
