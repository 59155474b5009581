import { describe, expect, it } from '@jest/globals';
import { importAction, importMacro, mentionMacros } from '../../../lib/macros/import.ts';
import { macroRoutes } from '../../../lib/macros/routes.ts';
import { createCollections } from '../../../lib/store/collection.ts';
import type { ImportTarget } from '../../../lib/store/import-target.ts';
import { startService } from '../../support/service/service.ts';

const { ask, table, site } = await startService(macroRoutes);
const day = (number: number): number => Date.UTC(2026, 0, number);
const into = (now = day(20)): ImportTarget => ({ site: site.name, table, collections: createCollections(), now });
const target = into();
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
