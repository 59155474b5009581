import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Route } from '../../../lib/http/route.ts';
import { readPack } from '../../../lib/import/open-pack.ts';
import { routes as all } from '../../../lib/routes.ts';
import type { Table } from '../../../lib/store/table.ts';
import { type DueWork, fileKey, openBucketStore, parseDue } from '../../../lib/uploads/bucket.ts';
import { bucketTools } from '../../../lib/uploads/bucket-tools.ts';
import { doNextStep } from '../../../lib/uploads/next-step.ts';
import { createImportRoutes } from '../../../lib/uploads/routes.ts';
import { createRemovalRoute, doRemoval } from '../../../lib/uploads/source-removal.ts';
import { folderObjects } from './folder-objects.ts';
import { byPerson, startService } from './service.ts';

/** Imports as in a deployment, with a folder in place of the bucket and a list in place of the queue. */
export async function bucketService(tables: { readonly imports: Table; readonly load: Table }) {
  const objects = folderObjects(await mkdtemp(join(tmpdir(), 'bucket-')));
  const due: string[] = []; // messages of the queue
  const sendStep = async (one: DueWork): Promise<void> => void due.push(JSON.stringify(one));
  const store = openBucketStore({ table: tables.imports, clock: Date.now, objects, sendStep });
  const routes: readonly Route[] = [...createImportRoutes(store), createRemovalRoute(store.removeSource)];

  /** Does all work that is due, as the function `load` does; returns how many there were. */
  async function work(): Promise<number> {
    let steps = 0;
    for (let message = due.shift(); message !== undefined; message = due.shift()) {
      const next = parseDue(message);
      steps += 1;
      if (!('id' in next)) {
        await doRemoval({ table: tables.load, clock: Date.now, newId: randomUUID }, next);
        continue;
      }
      const tools = bucketTools(next.site, {
        ...{ table: tables.load, objects, clock: Date.now, newId: randomUUID },
        folder: await mkdtemp(join(tmpdir(), 'step-')),
        findPack: (name, zone) => readPack(join('lib/import/packs', name), zone),
        limit: { isOver: () => false, isLate: () => false },
        onError: (error) => {
          throw error;
        },
      });
      if (await doNextStep({ tools, pause: async () => undefined }, next)) due.push(message);
    }
    return steps;
  }
  return { routes, objects, due, work };
}

const IMPORTS = '/api/v2/imports';

/** A service of all routes, whose imports lie in such a bucket, with the steps of an import; each returns what GET shows. */
export async function startBucketService() {
  const service = await startService(all);
  const bucket = await bucketService({ imports: service.table, load: service.table });
  const ask = service.again({ routes: bucket.routes });
  const settled = async (id: number) => {
    await bucket.work();
    return (await ask('GET', `${IMPORTS}/${id}`)).body;
  };
  const sent = async (method: 'PATCH' | 'POST', id: number, path: string, body?: object) => {
    expect((await ask(method, `${IMPORTS}/${id}${path}`, { ...byPerson(), ...(body && { body }) })).status).toBe(200);
    return settled(id);
  };
  const correct = (id: number, body: object) => sent('PATCH', id, '', body);
  const answer = (id: number, answers: object) => correct(id, { answers });
  const step = (id: number, what: 'load' | 'undo') => sent('POST', id, `/${what}`);
  async function bring(file: string | Uint8Array, name: string) {
    const { body } = await ask('POST', `${IMPORTS}?name=${name}`);
    await bucket.objects.put(fileKey({ site: service.site.name, id: body.id }), file);
    await ask('POST', `${IMPORTS}/${body.id}/check`);
    return settled(body.id);
  }
  return { service, bucket, ask, settled, correct, answer, step, bring };
}
export type BucketService = Awaited<ReturnType<typeof startBucketService>>;
