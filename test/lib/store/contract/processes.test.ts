import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { some, tries } from '../../../support/generators/depth.ts';
import { ownProgram } from '../../../support/service/own-program.ts';
import { freshTable, hasEngine } from '../../../support/service/table.ts';

const WRITES = tries(150, 1 / 3); // of each process
const ROUNDS = tries(5, 1 / 2); // of killing

const OPENERS = 4;
const OPENED = tries(300, 1 / 2); // times, by each

const start = (program: string, ...args: readonly string[]): ChildProcess =>
  spawn(process.execPath, [ownProgram(`test/support/store/${program}.ts`), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });

interface Writer {
  readonly child: ChildProcess;
  readonly acknowledged: () => string[]; // the numbers of its writes
}

function write(table: string, name: string, writes: number, kind: string): Writer {
  const child = start('store-writer', table, name, `${writes}`, kind);
  let said = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  return { child, acknowledged: () => said.split('\n').slice(0, -1) };
}

const KINDS = [
  { store: 'lmdb', what: 'items', kind: '' },
  { store: 'lmdb', what: 'locks', kind: '#lock' }, // which lie in a file of their own
  ...(hasEngine ? [{ store: 'engine', what: 'items', kind: '' } as const] : []),
] as const;

describe.each(some(KINDS))('several processes on $store that write $what', ({ store, kind }) => {
  const counter = { pk: `counter${kind}`, sk: 'counter' };
  const sorted = (numbers: readonly string[]): string[] => [...numbers].sort();

  it('never overwrite one another', async () => {
    const table = await freshTable(store);
    const writers = ['a', 'b', 'c'].map((name) => ({ name, ...write(table.name, name, WRITES, kind) }));
    await Promise.all(writers.map(({ child }) => once(child, 'close')));
    expect(await table.get(counter)).toMatchObject({ version: 3 * WRITES });
    for (const { name } of writers) expect(await table.query(`${name}${kind}`)).toHaveLength(WRITES);
  });

  it('lose nothing acknowledged and leave nothing half done when they are killed', async () => {
    const table = await freshTable(store);
    let acknowledged = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const writers = ['a', 'b'].map((name) => ({
        name: `${round}${name}`,
        ...write(table.name, `${round}${name}`, 1e6, kind),
      }));
      while (writers.some((writer) => writer.acknowledged().length < 3)) await sleep(5);
      await sleep(Math.random() * 60);
      for (const { child } of writers) child.kill('SIGKILL');
      await Promise.all(writers.map(({ child }) => once(child, 'close')));
      // The lock of the killed holds nobody up; a last write that was committed, not acknowledged, may show only after the next.
      await table.put({ pk: `after${kind}`, sk: `${round}` });
      for (const writer of writers) {
        const found = (await table.query(`${writer.name}${kind}`)).map(({ sk }) => sk);
        const twins = (await table.query(`${writer.name} twin${kind}`)).map(({ sk }) => sk);
        expect(sorted(twins)).toEqual(sorted(found));
        expect(found).toEqual(expect.arrayContaining(writer.acknowledged()));
        expect(found.length).toBeLessThanOrEqual(writer.acknowledged().length + 1);
        acknowledged += found.length;
      }
      expect(await table.get(counter)).toMatchObject({ version: acknowledged });
    }
  });
});

describe('processes of one data folder', () => {
  it('lose no write of one while others open the table', async () => {
    const table = await freshTable('lmdb');
    await table.put({ pk: 'a', sk: 'first' });
    let left = OPENERS;
    for (let n = 0; n < OPENERS; n += 1) start('store-opener', table.name, `${OPENED}`).on('close', () => (left -= 1));
    let written = 0;
    for (; left > 0; written += 1) {
      await table.put({ pk: 'b', sk: `${written}` });
      await table.put({ pk: 'b#lock', sk: `${written}` });
    }
    expect(await table.query('b')).toHaveLength(written);
    expect(await table.query('b#lock')).toHaveLength(written);
  });

  it('end in the middle of their writes, and hold nobody up', async () => {
    const table = await freshTable('lmdb');
    for (let n = 0; n < 5; n += 1) {
      const [status] = await once(start('store-leaver', table.name), 'close');
      expect(status).toBe(0);
    }
    await table.put({ pk: 'a', sk: 'after' });
  });
});
