import { routesWith } from '../../../lib/routes.ts';
import type { Table } from '../../../lib/store/table.ts';
import { QUOTA, RECORD_MS, roomFor } from '../../../lib/uploads/quota.ts';
import { takeTurn } from '../../../lib/uploads/turn.ts';
import { finishUpload, listUploads, type Upload } from '../../../lib/uploads/upload.ts';
import { KEPT_MS, LARGEST_FILE, type UploadedFile, type UploadStore } from '../../../lib/uploads/upload-store.ts';
import { startService, type TestService } from '../../support/service/service.ts';

let service: TestService;
beforeEach(async () => {
  service = await startService(routesWith(store));
});

const store: UploadStore = {
  arrival: {
    receive: async (_file, bytes, largest) => {
      let size = 0;
      for await (const part of bytes) size += part.length;
      return Math.min(size, largest);
    },
  },
  removeSource: () => Promise.resolve(),
  start: async () => undefined,
  readRejected: async () => undefined,
  drop: async () => undefined,
};

/** Keeps an import as it is after its last work. */
async function keep(fields: Partial<Upload>): Promise<number> {
  const { table, site, clock } = service;
  const context = { table, clock };
  const turn = await takeTurn(context, { site: site.name, owner: 'test', id: fields.id });
  await finishUpload(context, turn!, {
    ...{ name: 'file.csv', size: 1, login: 'ann@acme.example', given: {}, created_at: clock(), updated_at: clock() },
    ...{ work: 'check', status: 'done', problem: null, progress: null, touched: false },
    ...{ found: null, checked: null, loaded: null, merged: null, changes: [] },
    ...fields,
    id: turn!.id,
  });
  return turn!.id;
}

const bring = () => service.ask('POST', '/api/v2/imports?name=a.ndjson', { body: 'x' });
const room = () => roomFor(service.table, service.site.name, store, service.clock());

describe('the imports of a site', () => {
  it('are so many at most that are neither loaded nor undone', async () => {
    const ids: number[] = [];
    for (let count = 0; count < QUOTA.open; count += 1) ids.push(await keep({}));
    await keep({ work: 'load', touched: true });
    const { status, body } = await bring();
    expect([status, body.errors]).toEqual([422, { base: ['too_large'] }]);
    expect(body.details[0].message).toContain(`has ${QUOTA.open} open imports`);
    await keep({ id: ids[0]!, work: 'undo' });
    expect((await bring()).status).toBe(201);
  });

  it('hold so many bytes at most, until their files are deleted', async () => {
    const id = await keep({ size: QUOTA.bytes - 10, work: 'load', touched: true });
    expect(await room()).toBe(10);
    await keep({ id, size: QUOTA.bytes, work: 'load', touched: true });
    expect((await bring()).body.details[0].message).toContain('have reached 20 GiB');
    await keep({ id, size: QUOTA.bytes, work: 'load', touched: true, updated_at: service.clock() - KEPT_MS - 1 });
    expect(await room()).toBe(LARGEST_FILE);
  });

  it('end with their files once nobody has used them for long', async () => {
    const now = service.clock();
    const dropped: UploadedFile[] = [];
    const old = { updated_at: now - RECORD_MS.other - 1 };
    const stays = [
      await keep({ work: 'load', touched: true, ...old }),
      await keep({ updated_at: now - RECORD_MS.other + 60_000 }),
    ];
    const ends = [await keep(old), await keep({ work: 'load', updated_at: now - RECORD_MS.loaded - 1 })];
    const drop: UploadStore['drop'] = async (file) => void dropped.push(file);
    await roomFor(service.table, service.site.name, { drop }, now);
    expect((await listUploads(service.table, service.site.name)).map(({ id }) => id)).toEqual(stays.reverse());
    const files = ends.map((id) => ({ site: service.site.name, id, name: 'file.csv' }));
    expect(dropped).toEqual(expect.arrayContaining(files));
    expect(dropped).toHaveLength(2);
  });

  it('are listed by pages, of which each reads its own alone', async () => {
    for (let count = 0; count < 12; count += 1) await keep({});
    let whole = 0;
    const counting: Table = {
      ...service.table,
      metered: () => counting,
      query: async (pk, options) => {
        const items = await service.table.query(pk, options);
        whole += items.filter(({ parts }) => parts !== undefined).length;
        return items;
      },
      batchGet: async (wanted) => {
        const items = await service.table.batchGet(wanted);
        whole += items.filter((item) => item?.parts !== undefined).length;
        return items;
      },
    };
    const { body } = await service.again({ routes: routesWith(store), table: counting })(
      'GET',
      '/api/v2/imports?per_page=2&page=2',
    );
    expect([body.total_entries, body._embedded.entries.map(({ id }: { readonly id: number }) => id)]).toEqual([
      12,
      [10, 9],
    ]);
    expect(whole).toBe(2);
  });
});
