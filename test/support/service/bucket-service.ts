import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Route } from '../../../lib/http/route.ts';
import { readPack } from '../../../lib/import/pack-source.ts';
import type { Table } from '../../../lib/store/table.ts';
import { type DueStep, openBucketStore } from '../../../lib/uploads/bucket.ts';
import { bucketTools } from '../../../lib/uploads/bucket-tools.ts';
import { doNextStep } from '../../../lib/uploads/next-step.ts';
import { createImportRoutes } from '../../../lib/uploads/routes.ts';
import { folderObjects } from './folder-objects.ts';

/** Imports as in a deployment, with a folder in place of the bucket and a list in place of the queue. */
export async function bucketService(tables: { readonly imports: Table; readonly load: Table }) {
  const objects = folderObjects(await mkdtemp(join(tmpdir(), 'bucket-')));
  const due: DueStep[] = [];
  const sendStep = async (one: DueStep): Promise<void> => void due.push(one);
  const store = openBucketStore({ table: tables.imports, clock: Date.now, objects, sendStep });
  const routes: readonly Route[] = createImportRoutes(store);

  /** Does all steps that are due, as the function `load` does; returns how many there were. */
  async function work(): Promise<number> {
    let steps = 0;
    for (let next = due.shift(); next !== undefined; next = due.shift()) {
      const tools = bucketTools(next.site, {
        ...{ table: tables.load, objects, clock: Date.now, newId: randomUUID },
        folder: await mkdtemp(join(tmpdir(), 'step-')),
        findPack: (name, zone) => readPack(join('lib/import/packs', name), zone),
        limit: { isOver: () => false, isLate: () => false },
        onError: (error) => {
          throw error;
        },
      });
      steps += 1;
      if (await doNextStep({ tools, pause: async () => undefined }, next)) due.push(next);
    }
    return steps;
  }
  return { routes, objects, work };
}
