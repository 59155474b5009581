import { describe, expect, it } from '@jest/globals';
import { countFailure, createGuessGuard, guessKeys } from '../../../lib/access/guesses.ts';
import { freshTable } from '../../support/service/table.ts';

const guesser = { site: 'test', login: 'ann@test.example', address: '10.0.0.1' };
const MINUTE = 60_000;

/** A table on which somebody guesses, as one process of several sees it. */
async function newGame() {
  const table = await freshTable();
  const items = (who = guesser) => table.batchGet(guessKeys(who));
  const tryOnce = async (now: number, who = guesser, guard = createGuessGuard()) => {
    const found = await items(who);
    const wait = guard.enter(who, found, now);
    if (wait === 0) {
      await countFailure(table, who, found, now);
      guard.leave(who);
    }
    return wait;
  };
  return { tryOnce, items };
}

describe('guesses at passwords', () => {
  it('end after ten of a login from an address, for 30 s and then for longer', async () => {
    const { tryOnce } = await newGame();
    for (let guess = 0; guess < 10; guess += 1) expect(await tryOnce(MINUTE)).toBe(0);
    expect(await tryOnce(MINUTE + 1)).toBe(29_999);
    expect(await tryOnce(MINUTE + 30_000)).toBe(0);
    expect(await tryOnce(MINUTE + 30_001)).toBe(59_999);
    const other = { ...guesser, login: 'bob@test.example' };
    expect(await tryOnce(MINUTE + 2, other)).toBe(0);
    expect(await tryOnce(MINUTE + 2, { ...guesser, address: '10.0.0.2' })).toBe(0);
  });

  it('are forgotten after 15 minutes', async () => {
    const { tryOnce } = await newGame();
    for (let guess = 0; guess < 9; guess += 1) await tryOnce(MINUTE);
    for (let guess = 0; guess < 9; guess += 1) expect(await tryOnce(17 * MINUTE)).toBe(0);
  });

  it('count for an address over many logins, and for a login over many addresses', async () => {
    const { tryOnce } = await newGame();
    for (let guess = 0; guess < 50; guess += 1) await tryOnce(MINUTE, { ...guesser, login: `user ${guess}` });
    expect(await tryOnce(MINUTE, { ...guesser, login: 'one more' })).toBeGreaterThan(0);
    for (let guess = 0; guess < 199; guess += 1) await tryOnce(MINUTE, { ...guesser, address: `10.1.0.${guess}` });
    expect(await tryOnce(MINUTE, { ...guesser, address: '10.2.0.1' })).toBe(0);
    expect(await tryOnce(MINUTE, { ...guesser, address: '10.2.0.2' })).toBeGreaterThan(0);
  });

  it('are no more because many begin at once', async () => {
    const { items } = await newGame();
    const guard = createGuessGuard();
    const found = await items();
    const waits = Array.from({ length: 30 }, () => guard.enter(guesser, found, MINUTE));
    expect(waits.filter((wait) => wait === 0)).toHaveLength(10);
  });

  it('of eight processes are all counted', async () => {
    const { tryOnce, items } = await newGame();
    const guards = Array.from({ length: 8 }, createGuessGuard);
    for (let round = 0; round < 2; round += 1)
      await Promise.all(guards.map((guard) => tryOnce(MINUTE, guesser, guard)));
    const [pair] = await items();
    expect(Number(pair?.until)).toBeGreaterThan(MINUTE);
  });
});
