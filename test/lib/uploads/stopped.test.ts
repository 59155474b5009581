import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeSource } from '../../../lib/history/sources.ts';
import { routes } from '../../../lib/routes.ts';
import { unavailable } from '../../../lib/store/faults.ts';
import { keys } from '../../../lib/store/keys.ts';
import type { Table } from '../../../lib/store/table.ts';
import { ownSource } from '../../../lib/uploads/upload.ts';
import { startService } from '../../support/service/service.ts';
import { testUploads } from '../../support/service/uploads.ts';

const service = await startService(routes);
const folder = await mkdtemp(join(tmpdir(), 'stopped-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const EVENT = '{"type":"case.created","id":"a","case":7,"at":"2026-10-01T10:00:00Z"}';
const history = keys.history(service.site.name).pk;

/** The table, with something that happens before sources are read and histories are written. */
const disturbed = (before: { readonly read?: () => Promise<unknown>; readonly write?: () => never }): Table => ({
  ...service.table,
  metered: () => disturbed(before),
  batchGet: async (wanted) => {
    if (wanted.some(({ pk, sk }) => pk === history && sk.startsWith('source#'))) await before.read?.();
    return service.table.batchGet(wanted);
  },
  transact: async (writes) => {
    if (writes.some((write) => 'put' in write && write.put.pk.startsWith(history))) before.write?.();
    return service.table.transact(writes);
  },
});

const full = (): never => {
  throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
};

describe('an import that is stopped', () => {
  it.each([
    [
      'because its source was removed meanwhile',
      (id: number) =>
        disturbed({
          read: () => closeSource(service, ownSource(id), 'removing'),
        }),
      'removed',
    ],
    [
      'because the store takes no writes',
      () =>
        disturbed({
          write: () => {
            throw unavailable(new Error('no room'));
          },
        }),
      'no further writes',
    ],
    ['because the disk is full', () => disturbed({ write: full }), 'too full'],
  ])('%s says so in a sentence', async (_, tableOf, reason) => {
    const { id } = await testUploads(service, folder).bring(EVENT, {}, 'events.ndjson');
    const failing = testUploads({ ...service, table: tableOf(id) }, folder, () => undefined);
    const { status, problem } = await failing.work(id, 'load');
    expect([status, problem]).toEqual(['failed', expect.stringContaining(reason)]);
  });
});
