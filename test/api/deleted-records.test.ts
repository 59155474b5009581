import { newMentions } from '../../lib/import/mentions.ts';
import { routes } from '../../lib/routes.ts';
import { COLLECTION_LIMITS } from '../../lib/store/bounds.ts';
import { createCollections } from '../../lib/store/collection.ts';
import { keys } from '../../lib/store/keys.ts';
import { writeReferences } from '../support/generators/reference.ts';
import { itInProcess, startService, type TestService } from '../support/service/service.ts';

/** What stays of records that are made and deleted here: nothing, unless a case names them. */

const API = '/api/v2';
let service: TestService;
beforeEach(async () => {
  service = await startService(routes);
});

const make = async (kind: string, name: string): Promise<number> => {
  const { status, body } = await service.ask('POST', `${API}/${kind}`, {
    body: { name, description: 'x'.repeat(200) },
  });
  expect([status, body.name]).toEqual([201, name]);
  return body.id;
};
const remove = async (kind: string, id: number): Promise<void> => {
  expect((await service.ask('DELETE', `${API}/${kind}/${id}`)).status).toBe(204);
};
const stored = (kind: 'label' | 'brand') =>
  service.table.query(keys.reference(service.site.name, kind).pk, { prefix: 'item#' });
const meta = async () => (await service.ask('GET', `${API}/insights3/meta`)).text;

/** Notes that a case has a label, as an import and a pull do. */
async function applyLabel(label: number): Promise<void> {
  const { table, site, clock } = service;
  const mentions = newMentions();
  mentions.see({ type: 'case.labels', id: 'e', case: '1', at: 1, add: [label] } as Parameters<typeof mentions.see>[0]);
  await mentions.write({ table, site: site.name, collections: createCollections(), now: clock() }, undefined);
}

describe.each(['labels', 'brands'] as const)('deleted %s that nothing names', (kind) => {
  it('go, and their ids are never given again', async () => {
    const ids: number[] = [];
    for (let count = 1; count <= 40; count += 1) {
      const id = await make(kind, `name ${count}`);
      await remove(kind, id);
      ids.push(id);
    }
    expect(new Set(ids).size).toBe(40);
    expect(await stored(kind === 'labels' ? 'label' : 'brand')).toHaveLength(1); // the last, which keeps its id
    expect((await meta()).length).toBeLessThan(400);
  });
});

describe('a deleted label', () => {
  it('that a case has stays by its name alone', async () => {
    const id = await make('labels', 'refund');
    await applyLabel(id);
    await remove('labels', id);
    await remove('labels', await make('labels', 'another'));
    const [first] = await stored('label');
    expect(Object.keys(first!).sort()).toEqual(['created_at', 'deleted', 'id', 'name', 'pk', 'sk', 'updated_at']);
    expect(JSON.parse(await meta()).labels[id]).toEqual({ name: 'refund', deleted: true });
  });

  it('that a case got after it was deleted stays, too', async () => {
    const id = await make('labels', 'refund');
    await remove('labels', id);
    await applyLabel(id);
    await make('labels', 'another');
    expect(JSON.parse(await meta()).labels[id]).toEqual({ name: 'refund', deleted: true });
  });

  itInProcess('counts against the bound if cases may name it', async () => {
    const { table, site, ask } = service;
    const most = COLLECTION_LIMITS.labels;
    const records = Array.from({ length: most }, (_, at) => ({ id: at + 1, name: `l${at}`, deleted: true }));
    await writeReferences(table, site.name, 'label', records);
    const { status, body } = await ask('POST', `${API}/labels`, { body: { name: 'one more' } });
    expect([status, body.errors]).toEqual([422, { base: ['too_large'] }]);
    expect(body.details[0].message).toContain('deleted ones that cases may name');
    expect((await ask('GET', `${API}/insights3/meta`)).status).toBe(200);
  });
});
