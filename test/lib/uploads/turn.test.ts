import { keys } from '../../../lib/store/keys.ts';
import type { Table } from '../../../lib/store/table.ts';
import {
  checkTurn,
  endTurn,
  HANDED_MS,
  type Holders,
  handOver,
  hasTurn,
  moveTurn,
  readTurn,
  releaseTurn,
  TURN_MS,
  takeTurn,
} from '../../../lib/uploads/turn.ts';
import { freshTable } from '../../support/service/table.ts';

let table: Table;
let now: number; // epoch ms
const context = () => ({ table, clock: () => now });
const take = (owner: string, id?: number, isHanded = false) =>
  takeTurn(context(), { site: 'acme', owner, id, isHanded });

beforeEach(async () => {
  table = await freshTable();
  now = 1_000_000;
});

describe('the turn of a site’s imports', () => {
  it('is one’s at a time, counts ids, and runs out with whoever died', async () => {
    expect(await take('a')).toEqual({ site: 'acme', id: 1, owner: 'a' });
    expect(await take('b')).toBeUndefined();
    now += TURN_MS;
    expect(await take('b')).toMatchObject({ id: 2, owner: 'b' });
    expect(await take('c', 1)).toBeUndefined();
  });

  it('goes to one of two that ask at once', async () => {
    const both = await Promise.all([take('a'), take('b')]);
    expect(both.filter((turn) => turn !== undefined)).toHaveLength(1);
  });

  it('is given back by its owner alone', async () => {
    const mine = await take('a');
    if (mine === undefined) throw new Error('no turn');
    await endTurn(context(), { ...mine, owner: 'b' });
    expect(await take('b')).toBeUndefined();
    expect(await releaseTurn(context(), { ...mine, owner: 'b' })).toBeUndefined();
    await endTurn(context(), mine);
    expect(await take('b', 1)).toMatchObject({ id: 1 });
    await expect(table.transact([{ put: { pk: 'x', sk: 'y' } }, checkTurn(mine)])).rejects.toThrow();
  });

  it('of a process that is known to be dead is over at once, and shows so', async () => {
    const dead = new Set<string>();
    const as = (name: string) => {
      const holders: Holders = { own: async () => name, isGone: async (holder) => dead.has(holder) };
      return { ...context(), holders };
    };
    const mine = await takeTurn(as('service'), { site: 'acme', owner: 'a' });
    if (mine === undefined) throw new Error('no turn');
    expect(await moveTurn(as('worker'), mine)).toBe(true);
    const shown = async () => hasTurn(await readTurn(as('other'), 'acme'), mine.id, now);
    dead.add('service'); // its worker lives
    expect([await shown(), await takeTurn(as('other'), { site: 'acme', owner: 'b' })]).toEqual([true, undefined]);
    dead.add('worker');
    expect(await shown()).toBe(false);
    expect(await take('b')).toBeUndefined(); // who cannot see it waits
    expect(await takeTurn(as('other'), { site: 'acme', owner: 'b' })).toMatchObject({ id: 2, owner: 'b' });
    expect(await moveTurn(as('worker'), mine)).toBe(false);
  });

  it('that was handed over waits for the import’s next step, and for nobody else', async () => {
    const mine = await take('a');
    if (mine === undefined) throw new Error('no turn');
    expect(await handOver(context(), mine)).toBe(true);
    now += HANDED_MS - 1;
    expect([await take('b'), await take('b', 1), await take('b', 2, true)]).toEqual([undefined, undefined, undefined]);
    expect(await take('b', 1, true)).toMatchObject({ id: 1, owner: 'b' });
    expect(await take('c', 1, true)).toBeUndefined(); // who took it works
    expect(await handOver(context(), mine)).toBe(false);
    expect((await table.get(keys.uploadTurn('acme')))?.handed).toBeUndefined();
  });
});
