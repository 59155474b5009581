import { rm } from 'node:fs/promises';
import { empty, sender } from './account-site.ts';
import { readDeployed } from './deployed.ts';
import type { Engine } from './engine.ts';
import { removeOwnSites } from './own-sites.ts';

/** Ends the engine and removes what the run has made, in a deployment too, whether its tests passed or not. */
export async function tearDown(engine: Engine | undefined): Promise<void> {
  engine?.end();
  for (const folder of [process.env.TEST_FOLDER, process.env.TMPDIR])
    if (folder) await rm(folder, { recursive: true, force: true });
  const deployed = readDeployed();
  if (deployed === undefined) return;
  if (deployed.account) return empty(sender(deployed.url, deployed.account));
  const { deployedTable } = await import('./engine-table.ts');
  await removeOwnSites(deployedTable(), deployed.run);
}
