import { routes } from '../../../lib/routes.ts';
import { takeTurn } from '../../../lib/uploads/turn.ts';
import { finishUpload, readUpload, type Upload } from '../../../lib/uploads/upload.ts';
import { startService } from '../../support/service/service.ts';

const stored: Upload = {
  ...{ id: 1, name: 'file.csv', size: 1, login: 'ann@acme.example', given: {}, created_at: 1, updated_at: 1 },
  ...{ work: 'check', status: 'done', problem: null, progress: null, touched: false },
  ...{ found: null, checked: null, loaded: null, merged: null, changes: [] },
};

it('a list that was read before is not the same once an import shows somebody else', async () => {
  const { ask, table, site } = await startService(routes);
  const write = async (upload: Upload): Promise<void> => {
    const known = await readUpload(table, site.name, upload.id);
    const context = { table, clock: Date.now };
    const turn = await takeTurn(context, { site: site.name, owner: 'test', id: known?.id });
    await finishUpload(context, turn!, upload);
  };
  await write(stored);
  const before = await ask('GET', '/api/v2/imports');
  expect(before.body._embedded.entries[0].by).toBe('ann@acme.example');
  await write({ ...stored, login: 'erased-1' }); // as `erase --user` leaves it: nothing else changes
  const headers = { 'If-None-Match': String(before.headers.etag) };
  const after = await ask('GET', '/api/v2/imports', { headers });
  expect([after.status, after.body?._embedded.entries[0].by]).toEqual([200, 'erased-1']);
});
