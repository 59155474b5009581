import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import { keys } from '../../../lib/store/keys.ts';
import {
  FIRST_COME,
  type LeaseRule,
  readLease,
  releaseLease,
  renewLease,
  takeLease,
  withLease,
} from '../../../lib/store/lease.ts';
import type { Table } from '../../../lib/store/table.ts';
import { ownProgram } from '../../support/service/own-program.ts';
import { freshTable } from '../../support/service/table.ts';

const key = keys.lock('acme');
const FOR_NEXT = z.object({ next: z.string().optional() });

interface Holder {
  readonly child: ChildProcess;
  readonly lines: AsyncIterator<string>; // what it says from now on
}

/** A process that waits for the word to compete for the lease. */
async function holder(table: string, lease: number, holds: number, hold: number): Promise<Holder> {
  const program = ownProgram('test/support/faults/lease-holder.ts');
  const child = spawn(process.execPath, [program, table, lease, holds, hold].map(String), {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  expect(await lines.next()).toMatchObject({ value: 'ready' });
  return { child, lines };
}

async function linesOf({ lines }: Holder): Promise<string[]> {
  const said: string[] = [];
  for (let line = await lines.next(); !line.done; line = await lines.next()) said.push(line.value);
  return said;
}

const begin = ({ child }: Holder): unknown => child.stdin?.write('begin\n');

describe('a lease', () => {
  it('has never two holders, with two processes at it', async () => {
    const { name } = await freshTable();
    const holders = await Promise.all([1, 2].map(() => holder(name, 30_000, 60, 3)));
    holders.forEach(begin);
    const tries = (await Promise.all(holders.map(linesOf))).flat().filter((line) => line !== 'holding');
    const held = tries.filter((line) => line === 'held');
    const refused = tries.filter((line) => line === 'refused');
    expect(held).toHaveLength(120);
    expect(refused.length).toBeGreaterThan(0); // they did get into each other's way
    expect(tries).toHaveLength(held.length + refused.length);
  });

  it('is not blocked beyond the lease by a holder that was killed', async () => {
    const table = await freshTable();
    const lease = 1_000;
    const first = await holder(table.name, lease, 1, 60_000);
    begin(first);
    expect(await first.lines.next()).toMatchObject({ value: 'holding' });
    const { child } = first;
    child.kill('SIGKILL');
    await once(child, 'exit');
    const left = await table.get(key);
    const until = Number(left?.expiresAt);
    const take = (at: number) =>
      withLease({ table, key, owner: 'next', now: () => at, length: lease }, FIRST_COME, async () => at);
    expect(await take(until - 1)).toEqual({ wait: 1 });
    expect(await take(until)).toEqual({ done: until });
    expect(await table.get(key)).toBeUndefined();
  });

  it('is released when the work fails, and only by its owner', async () => {
    const table = await freshTable();
    const lease = { table, key, owner: 'first', now: () => 1_000, length: 500 };
    await expect(withLease(lease, FIRST_COME, () => Promise.reject(new Error('broke')))).rejects.toThrow('broke');
    expect(await table.get(key)).toBeUndefined();
    await withLease(lease, FIRST_COME, () => table.put({ ...key, owner: 'second', expiresAt: 9_000 }));
    expect(await table.get(key)).toMatchObject({ owner: 'second' });
  });

  it('is taken again by the owner whose first try succeeded unheard', async () => {
    const table = await freshTable();
    await table.put({ ...key, owner: 'me', expiresAt: 9_000 });
    const lease = { table, key, owner: 'me', now: () => 1_000, length: 500 };
    expect(await withLease(lease, FIRST_COME, async () => 'mine')).toEqual({ done: 'mine' });
  });

  it('of a holder whose clock was ahead is over', async () => {
    const table = await freshTable();
    await table.put({ ...key, owner: 'ahead', expiresAt: 9_000 });
    const take = (length: number) =>
      takeLease({ table, key, owner: 'next', now: () => 1_000, length }, FIRST_COME).then(
        (outcome) => 'held' in outcome,
      );
    expect([await take(7_000), await take(6_999)]).toEqual([false, true]);
  });
});

/** A lease of one that may be handed over to `next`, on a clock that the test moves. */
async function newLease() {
  const table = await freshTable();
  const clock = { at: 1_000 };
  const rule = (who: string): LeaseRule<{ next?: string | undefined }> => ({
    kept: FOR_NEXT,
    mayTake: ({ kept }, _now, isOver) => isOver || kept.next === who,
    taken: () => ({}),
    released: () => ({}),
  });
  const lease = (owner: string, on: Table = table) => ({
    ...{ table: on, key, owner, now: () => clock.at, length: 100, longest: 900 },
  });
  const state = async () => readLease(rule(''), await table.get(key));
  return { table, clock, rule, lease, state };
}

describe('a lease of long work', () => {
  it('lasts as long as it is renewed, and is lost to whoever took it meanwhile', async () => {
    const { clock, rule, lease } = await newLease();
    const take = async (owner: string) => 'held' in (await takeLease(lease(owner), rule(owner)));
    expect(await take('a')).toBe(true);
    clock.at += 99;
    expect(await renewLease(lease('a'), rule('a'))).toBe(true);
    clock.at += 99;
    expect(await take('b')).toBe(false);
    clock.at += 1;
    expect(await take('b')).toBe(true);
    expect(await renewLease(lease('a'), rule('a'))).toBe(false);
    await releaseLease(lease('a'), rule('a')); // does nothing
    expect(await take('c')).toBe(false);
  });

  it('is not taken by one that found it over, where its holder renewed it meanwhile', async () => {
    const { table, clock, rule, lease, state } = await newLease();
    await takeLease(lease('a'), rule('a'));
    const seen = await table.get(key);
    clock.at += 100;
    await renewLease(lease('a'), rule('a'));
    expect(await takeLease(lease('b'), rule('b'), seen)).toEqual({ wait: 1 });
    expect((await state()).owner).toBe('a');
  });

  it('that was handed over waits for the next holder, whatever renewal was under way', async () => {
    const { clock, rule, lease, state } = await newLease();
    await takeLease(lease('a'), rule('a'));
    await renewLease(lease('a'), rule('a'), 900, { next: 'b' });
    await renewLease(lease('a'), rule('a'));
    clock.at += 899;
    expect(await takeLease(lease('c'), rule('c'))).toEqual({ wait: 1 });
    expect(await takeLease(lease('b'), rule('b'))).toHaveProperty('held');
    expect(await state()).toEqual({ owner: 'b', expiresAt: clock.at + 100, kept: {} });
  });
});
