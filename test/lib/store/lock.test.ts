import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, expect, it } from '@jest/globals';
import { withLock } from '../../../lib/store/lock.ts';
import { freshTable } from '../../support/table.ts';

const key = { pk: 'lock', sk: 'lock' };

function holder(table: string, lease: number, rounds: number, hold: number): ChildProcess {
  const program = ['--import', 'tsx', 'test/support/lock-holder.ts', table, lease, rounds, hold].map(String);
  return spawn(process.execPath, program, { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function linesOf(child: ChildProcess): Promise<string[]> {
  const lines: string[] = [];
  if (child.stdout) for await (const line of createInterface(child.stdout)) lines.push(line);
  return lines;
}

describe('the lock', () => {
  it('has never two holders, with two processes at it', async () => {
    const { name } = await freshTable();
    const outcomes = (await Promise.all([1, 2].map(() => linesOf(holder(name, 30_000, 150, 1))))).flat();
    expect(outcomes).not.toContain('TWO HOLDERS');
    expect(outcomes.filter((line) => line === 'held').length).toBeGreaterThan(100);
    expect(outcomes.filter((line) => line === 'held' || line === 'refused')).toHaveLength(300);
  });

  it('is not blocked beyond the lease by a holder that was killed', async () => {
    const table = await freshTable();
    const lease = 1_000;
    const child = holder(table.name, lease, 1, 60_000);
    if (child.stdout) await once(createInterface(child.stdout), 'line'); // it holds the lock now
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
