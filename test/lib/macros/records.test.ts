import * as fc from 'fast-check';
import { mentionMacros, takeActions, takeMacros } from '../../../lib/macros/records.ts';
import { macroRoutes } from '../../../lib/macros/routes.ts';
import { createCollections } from '../../../lib/store/collection.ts';
import { keys } from '../../../lib/store/keys.ts';
import type { SiteTable } from '../../../lib/store/site-table.ts';
import type { Item } from '../../../lib/store/table.ts';
import { tries } from '../../support/generators/depth.ts';
import { startService } from '../../support/service/service.ts';

const { ask, table, site } = await startService(macroRoutes);
const day = (number: number): number => Date.UTC(2026, 0, number);
const into = (now = day(20)): SiteTable => ({ site: site.name, table, collections: createCollections(), now });
const target = into();
const importMacro = async (given: SiteTable, record: Parameters<typeof takeMacros>[1][number]) =>
  (await takeMacros(given, [record]))[0];
const importAction = async (given: SiteTable, record: Parameters<typeof takeActions>[1][number]) =>
  (await takeActions(given, [record]))[0];
const show = async (id: number) => (await ask('GET', `/api/v2/macros/${id}`)).body;
const tag = async () => (await ask('GET', '/api/v2/macros')).headers.etag;
const order = async (): Promise<number[]> =>
  (await ask('GET', '/api/v2/macros')).body._embedded.entries.map(({ id }: { id: number }) => id);

describe('importing macros', () => {
  it('lets them join the site’s own under their ids, and gives out later ids above', async () => {
    await importMacro(target, { id: 50, name: 'Imported', folders: ['F'], enabled: false });
    expect(await show(50)).toMatchObject({ name: 'Imported', enabled: false, folders: ['F'], position: 1 });
    const own = (await ask('POST', '/api/v2/macros', { body: { name: 'Own' } })).body;
    expect([own.id, own.position]).toEqual([51, 2]);
    const action = { id: 70, macro: 50, type: 'set-case-priority', value: '3' };
    expect(await importAction(target, action)).toBeUndefined();
    expect((await ask('GET', '/api/v2/macros/50/actions/70')).body).toMatchObject({ value: '3', enabled: true });
    const later = await ask('POST', '/api/v2/macros/50/actions', { body: { type: 'set-case-note', value: 'x' } });
    expect(later.body.id).toBe(71);
  });

  it('puts them where their positions say', async () => {
    await importMacro(target, { id: 40, name: 'First', position: 1 });
    await importMacro(target, { id: 60, name: 'Far', position: 9 });
    await importMacro(target, { id: 61, name: 'Last' });
    expect(await order()).toEqual([40, 50, 51, 60, 61]);
    expect((await show(61)).position).toBe(10);
    await importMacro(target, { id: 40, name: 'First', position: 9 });
    expect(await order()).toEqual([50, 51, 40, 60, 61]);
  });

  it('changes nothing by the same record again', async () => {
    const record = { id: 80, name: 'Again', description: 'x', updated_at: day(10) };
    await importMacro(target, record);
    const action = { id: 81, macro: 80, type: 'set-case-labels', value: ['a'], updated_at: day(10) };
    await importAction(target, action);
    const before = [await tag(), (await ask('GET', '/api/v2/macros/80/actions')).headers.etag];
    for (const again of [record, { id: 80, name: 'Again', description: 'x' }]) await importMacro(into(day(25)), again);
    for (const again of [action, { id: 81, macro: 80, type: 'set-case-labels', value: ['a'] }])
      await importAction(into(day(25)), again);
    expect([await tag(), (await ask('GET', '/api/v2/macros/80/actions')).headers.etag]).toEqual(before);
  });

  it('lets the newest record win whatever the order, and null clear', async () => {
    await importMacro(target, { id: 80, name: 'Newer', updated_at: day(12) });
    await importMacro(target, { id: 80, name: 'Older', description: 'y', updated_at: day(11) });
    expect(await show(80)).toMatchObject({ name: 'Newer', description: 'x' });
    await importMacro(target, { id: 80, name: 'Newer', description: null, updated_at: day(13) });
    expect((await show(80)).description).toBeNull();
    await importAction(target, { id: 81, macro: 80, deleted: true, updated_at: day(14) });
    await importAction(target, { id: 81, macro: 80, type: 'set-case-note', value: 'late', updated_at: day(13) });
    expect((await ask('GET', '/api/v2/macros/80/actions/81')).status).toBe(404);
  });

  it('deletes a macro with its actions, and brings it back without them', async () => {
    await importAction(target, { id: 90, macro: 80, type: 'set-case-note', value: 'x' });
    const tags = [(await ask('GET', '/api/v2/macros/80/actions')).headers.etag];
    await importMacro(target, { id: 80, deleted: true, updated_at: day(21) });
    expect((await ask('GET', '/api/v2/macros/80')).status).toBe(404);
    expect((await ask('GET', '/api/v2/macros/80/actions')).status).toBe(404);
    await importMacro(into(day(22)), { id: 80, name: 'Still gone' });
    expect((await ask('GET', '/api/v2/macros/80')).status).toBe(404);
    expect(await importAction(target, { id: 91, macro: 80, type: 'set-case-note', value: 'x' })).toBe(
      'macro: 80 is not a macro of this site',
    );
    await importMacro(into(day(23)), { id: 80, name: 'Back', deleted: false });
    const back = await ask('GET', '/api/v2/macros/80/actions');
    expect([back.status, back.body.total_entries]).toEqual([200, 0]);
    expect(tags).not.toContain(back.headers.etag);
    await ask('DELETE', '/api/v2/macros/80');
  });

  it('finds the macro of an action that is only deleted', async () => {
    await importAction(target, { id: 95, macro: 50, type: 'set-case-note', value: 'x' });
    expect(await importAction(target, { id: 95, deleted: true })).toBeUndefined();
    expect((await ask('GET', '/api/v2/macros/50/actions/95')).status).toBe(404);
    expect(await importAction(target, { id: 96, deleted: true })).toBeUndefined();
  });

  it.each([
    [{ macro: 4, type: 'set-case-note', value: 'x' }, 'macro: 4 is not a macro of this site'],
    [{ macro: 50, type: 'set-case-colour', value: 'x' }, 'type: "set-case-colour" is not a type of a macro\'s action'],
    [{ macro: 50, type: 'set-case-priority', value: '11' }, 'value: "11" is not a value for set-case-priority'],
    [{ macro: 50, type: 'set-case-note' }, 'value is missing'],
    [{ macro: 50, value: 'x' }, 'type is missing'],
  ])('refuses the action %j', async (record, reason) => {
    expect(await importAction(target, { id: 99, ...record })).toBe(reason);
  });

  it('keeps the ids of macros that only history names', async () => {
    await mentionMacros(target, [200, 200, 50, ...Array.from({ length: 100 }, (_, n) => 300 + n)]);
    expect((await ask('GET', '/api/v2/macros/200')).status).toBe(404);
    expect((await ask('POST', '/api/v2/macros', { body: { name: 'Above' } })).body.id).toBe(400);
    await importMacro(target, { id: 200, name: 'Named at last' });
    expect((await show(200)).name).toBe('Named at last');
  });
});

describe('importing many macros together', () => {
  const id = fc.integer({ min: 1, max: 6 });
  const updated_at = fc.integer({ min: 1, max: 9 }).map(day);
  const deleted = fc.boolean();
  const name = fc.constantFrom('a', 'b');
  const position = fc.integer({ min: 1, max: 6 });
  const macroRecord = fc.record({ id, name, position, deleted, updated_at }, { requiredKeys: ['id'] });
  const value = fc.constantFrom('x', 'y');
  const type = fc.constantFrom('set-case-note', 'set-case-priority');
  const actionRecord = fc.oneof(
    fc.record({ id, macro: id, type, value, deleted, updated_at }, { requiredKeys: ['id', 'macro'] }),
    fc.record({ id, deleted: fc.constant(true) }),
  );

  type Macros = Parameters<typeof takeMacros>[1];
  type Actions = Parameters<typeof takeActions>[1];

  let sites = 0;

  /** What a site holds after macros, actions and the macros again were imported in parts of some size. */
  async function heldAfter(macros: Macros, actions: Actions, again: Macros, size: number) {
    sites += 1;
    const given = { ...into(), site: `held-${sites}` };
    const reasons: unknown[] = [];
    const inParts = async <R>(
      records: readonly R[],
      take: (to: SiteTable, some: readonly R[]) => Promise<readonly unknown[]>,
    ) => {
      for (let at = 0; at < records.length; at += size)
        reasons.push(...(await take(given, records.slice(at, at + size))));
    };
    await inParts(macros, takeMacros);
    // An action lies in one macro.
    await inParts(
      actions.map((record) => ({ ...record, ...(record.macro && { id: record.macro * 10 + record.id }) })),
      takeActions,
    );
    await inParts(again, takeMacros);
    const partitions = [keys.macros(given.site), ...[1, 2, 3, 4, 5, 6].map((macro) => keys.actions(given.site, macro))];
    const held = await Promise.all(partitions.map(({ pk }) => table.query(pk)));
    const ids = await table.get(keys.head(keys.ids(given.site)));
    const isLast = (item: { sk: string; ids?: unknown }) =>
      item.sk !== 'head' && !(item.sk === 'order' && item.ids === '');
    return { reasons, ids: ids?.version, items: held.flat().filter(isLast).map(without) };
  }
  /** An item without its site, and without how often a macro's actions were written, which is less for many at once. */
  const without = ({ pk, actions: _, ...item }: Item) => ({ ...item, of: pk.split('#').slice(2) });

  it('leaves what importing them one by one leaves', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(macroRecord, { maxLength: 12 }),
        fc.array(actionRecord, { maxLength: 12 }),
        fc.array(macroRecord, { maxLength: 6 }),
        async (macros, actions, again) => {
          expect(await heldAfter(macros, actions, again, 100)).toEqual(await heldAfter(macros, actions, again, 1));
        },
      ),
      { numRuns: tries(25, 1 / 4) },
    );
  });

  /** A fresh site whose transactions are counted, and in them the orders that they write. */
  async function counted() {
    const { table: under, site: large } = await startService(macroRoutes);
    const written = { transactions: 0, orders: 0 };
    const counting: SiteTable['table'] = {
      ...under,
      transact: async (writes) => {
        written.transactions += 1;
        written.orders += writes.filter((write) => 'put' in write && write.put.sk === 'order').length;
        expect(writes.length).toBeLessThanOrEqual(100);
        return under.transact(writes);
      },
    };
    return { written, to: { ...into(), table: counting, site: large.name, collections: createCollections() } };
  }

  it('writes their order once for a transaction full of them, not once for each', async () => {
    const { written, to } = await counted();
    const records = Array.from({ length: 460 }, (_, n) => ({ id: n + 1, name: `${n}`, position: 460 - n }));
    expect(new Set(await takeMacros(to, records))).toEqual(new Set([undefined]));
    expect(written).toEqual({ transactions: 10, orders: 10 });
  });

  it('writes the actions of many macros in one transaction, the order of each macro once', async () => {
    const { written, to } = await counted();
    const macros = Array.from({ length: 60 }, (_, n) => ({ id: n + 1, name: `${n}` }));
    await takeMacros(to, macros);
    Object.assign(written, { transactions: 0, orders: 0 });
    const note = { type: 'set-case-note', value: 'x' };
    const actions = macros.flatMap((macro, n) =>
      [1, 2, 3].map((place) => ({ id: 1000 + 3 * n + place, macro: macro.id, ...note })),
    );
    expect(new Set(await takeActions(to, actions))).toEqual(new Set([undefined]));
    expect(written.transactions).toBeLessThanOrEqual(180 / 45);
    expect(written.orders).toBeLessThanOrEqual(60 + written.transactions);
  });

  it('deletes macros with as many actions as there are in transactions that hold them', async () => {
    const { to } = await counted();
    const macros = Array.from({ length: 5 }, (_, n) => ({ id: n + 1, name: `${n}` }));
    await takeMacros(to, macros);
    const note = { type: 'set-case-note', value: 'x' };
    const actions = Array.from({ length: 300 }, (_, n) => ({ id: 10 + n, macro: 1 + (n % 3), ...note }));
    await takeActions(to, actions);
    await takeMacros(
      to,
      macros.map(({ id }) => ({ id, deleted: true })),
    );
    for (const { id } of macros) expect(await to.table.query(keys.actions(to.site, id).pk)).toEqual([]);
  });
});
