import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { listSites } from '../../lib/access/sites.ts';
import type { Settings } from '../../lib/settings.ts';
import type { Table } from '../../lib/store/table.ts';
import { Fault } from '../fault.ts';
import { withLockFile } from '../local/table/lock-file.ts';
import type { Place } from '../local/table/place.ts';
import { isLoopback } from '../loopback.ts';
import { makeDemoSite } from './site.ts';

/**
 * The state of a data folder's demo site: if a start is killed while it creates the site, the next start finishes it.
 */
const schema = z.object({ state: z.enum(['none', 'unfinished', 'made']), at: z.number() }); // `at`: epoch ms, start of creation
type DemoState = z.infer<typeof schema>;

/** Creates the demo site on the first start with an empty data folder, unless `DEMO=0`. `now` in epoch ms. */
export async function prepareDemo({ table, folder }: Place, { DEMO, HOST }: Settings, now: number): Promise<void> {
  if (folder === undefined) return;
  const file = join(folder, 'demo.json');
  if ((await read(file))?.state === 'made') return;
  await withLockFile(join(folder, 'demo.lock'), async () => {
    const { state, at } = (await read(file)) ?? { state: await firstState(table, DEMO), at: now };
    if (state !== 'unfinished') return write(file, { state, at });
    if (!isLoopback(HOST))
      throw new Fault(
        `HOST=${HOST} would let others in as the demo users, whose password everybody knows: set DEMO=0 to leave them out, or HOST=127.0.0.1.`,
      );
    await write(file, { state, at });
    await makeDemoSite(table, at);
    await write(file, { state: 'made', at });
  });
}

async function firstState(table: Table, demo: Settings['DEMO']): Promise<DemoState['state']> {
  return demo === '0' || (await listSites(table)).length > 0 ? 'none' : 'unfinished';
}

async function read(file: string): Promise<DemoState | undefined> {
  try {
    return schema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return undefined;
  }
}

const write = (file: string, state: DemoState): Promise<void> =>
  writeFile(file, JSON.stringify(state), { mode: 0o600 });
