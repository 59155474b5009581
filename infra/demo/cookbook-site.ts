import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { readSite } from '../../lib/access/sites.ts';
import { readNdjson } from '../../lib/import/formats/ndjson.ts';
import { importRows } from '../../lib/import/import-rows.ts';
import { createCollections } from '../../lib/store/collection.ts';
import type { Table } from '../../lib/store/table.ts';
import { COOKBOOK_NOW } from './cookbook.ts';
import { makeDemoSite } from './site.ts';
import { DEMO_SITE } from './users.ts';

/** Makes the demo site that the cookbook asks, with the records that the page shows in its block of NDJSON. */
export async function makeCookbookSite(table: Table, page: string): Promise<void> {
  await makeDemoSite(table, COOKBOOK_NOW);
  const site = await readSite(table, DEMO_SITE);
  const [, records = ''] = /```ndjson\n([\s\S]*?)\n```/.exec(page) ?? [];
  if (site === undefined) throw new Error('there is no demo site');
  const context = { table, site, collections: createCollections(), clock: () => COOKBOOK_NOW, newId: randomUUID };
  await importRows(context, readNdjson(linesOf(records)), {
    spillFolder: tmpdir(),
    onRejected: ({ reason }) => {
      throw new Error(reason);
    },
  });
}

async function* linesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
