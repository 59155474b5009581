import { join } from 'node:path';
import { withFolder } from '../support/service/program.ts';
import type { Client } from './client.ts';
import { type DeployedTable, type Support, tableOptions } from './moving.ts';

/** A deployment's sites, and what one of them shows its users. */
interface Shown {
  readonly sites: readonly string[];
  readonly client: Client;
  readonly paths: readonly string[];
  readonly report: Readonly<Record<string, unknown>>;
}

/**
 * Copies a deployed table into a folder, loses every site of the deployment, and brings the copy back (docs/backup.md): the API
 * must answer as before, and must not in between.
 */
export async function loseAndRestore(
  support: Support,
  table: DeployedTable,
  { sites, client, paths, report }: Shown,
): Promise<void> {
  const answers = async (): Promise<string> => {
    const lists: unknown[] = [];
    for (const path of paths) lists.push(await client.get(path));
    return JSON.stringify([lists, await client.report(report)]);
  };
  await withFolder(async (folder) => {
    const copy = join(folder, 'copy');
    const before = await answers();
    await support(['copy', ...tableOptions('', table), '--to-data-dir', copy]);
    for (const name of sites) await support(['site', 'remove', name, '--yes', ...tableOptions('', table)]);
    const lost = await answers().catch((error: unknown) => String(error));
    if (!lost.includes(': 404 ')) throw new Error(`after the loss the API still answers ${lost}`);
    await support(['copy', '--data-dir', copy, ...tableOptions('to-', table)]);
    const after = await answers();
    if (after !== before) throw new Error(`${before}\nbecame ${after}`);
  });
}
