import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, expect, it } from '@jest/globals';
import { keys } from '../../../lib/store/keys.ts';
import { withLock } from '../../../lib/store/lock.ts';
import { ownProgram } from '../../support/service/own-program.ts';
import { freshTable } from '../../support/service/table.ts';

const key = keys.lock('acme');

interface Holder {
  readonly child: ChildProcess;
  readonly lines: AsyncIterator<string>; // what it says from now on
}

/** A process that waits for the word to compete for the lock. */
async function holder(table: string, lease: number, holds: number, hold: number): Promise<Holder> {
  const program = ownProgram('test/support/faults/lock-holder.ts');
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

describe('the lock', () => {
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
    const take = (at: number) => withLock(table, { key, owner: 'next', now: () => at, length: lease }, async () => at);
    expect(await take(until - 1)).toEqual({ heldUntil: until });
    expect(await take(until)).toEqual({ done: until });
    expect(await table.get(key)).toBeUndefined();
  });

  it('is released when the work fails, and only by its owner', async () => {
    const table = await freshTable();
    const lease = { key, owner: 'first', now: () => 1_000, length: 500 };
    await expect(withLock(table, lease, () => Promise.reject(new Error('broke')))).rejects.toThrow('broke');
    expect(await table.get(key)).toBeUndefined();
    await withLock(table, lease, () => table.put({ ...key, owner: 'second', expiresAt: 9_000 }));
    expect(await table.get(key)).toMatchObject({ owner: 'second' });
  });

  it('is taken again by the owner whose first try succeeded unheard', async () => {
    const table = await freshTable();
    await table.put({ ...key, owner: 'me', expiresAt: 9_000 });
    const lease = { key, owner: 'me', now: () => 1_000, length: 500 };
    expect(await withLock(table, lease, async () => 'mine')).toEqual({ done: 'mine' });
  });
});
