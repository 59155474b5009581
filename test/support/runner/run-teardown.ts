import { rm } from 'node:fs/promises';
import { empty, sender } from '../service/account-site.ts';
import { readDeployed } from '../service/deployed.ts';
import type { Engine } from '../service/engine.ts';
import { removeOwnSites } from '../service/own-sites.ts';

let engine: Engine | undefined;

/** Hands the run's engine over to what ends it. */
export function rememberEngine(started: Engine | undefined): void {
  engine = started;
}

/** Ends the engine and removes what the run has made, in a deployment too, whether its tests passed or not. */
export default async function tearDown(): Promise<void> {
  engine?.end();
  for (const folder of [process.env.TEST_FOLDER, process.env.TMPDIR])
    if (folder) await rm(folder, { recursive: true, force: true });
  const deployed = readDeployed();
  if (deployed === undefined) return;
  if (deployed.account) return empty(sender(deployed.url, deployed.account), deployed.account.login);
  const { deployedTable } = await import('../service/engine-table.ts');
  await removeOwnSites(deployedTable(), deployed.run);
}
