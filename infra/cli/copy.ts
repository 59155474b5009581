import { Command } from 'commander';
import * as z from 'zod';
import { readSettings } from '../../lib/settings.ts';
import { copyTable } from '../../lib/store/copy.ts';
import type { Table } from '../../lib/store/table.ts';
import { Fault } from '../fault.ts';
import { openPlace, type Place } from '../local/table/place.ts';
import { onTable, withExample } from './command.ts';

const shape = {
  toDataDir: z.string().optional(),
  toTable: z.string().optional(),
  toEndpoint: z.string().optional(),
};
type CopyOptions = z.infer<z.ZodObject<typeof shape>>;

/** `copy`: copies a whole deployment from a local data folder into the cloud or back (docs/deploy.md). */
export function copyCommand(): Command {
  const command = new Command('copy')
    .description('copy everything into an empty table or data folder: into the cloud, and back')
    .option('--to-data-dir <folder>', 'local data folder to copy into')
    .option('--to-table <name>', 'deployed table to copy into')
    .option('--to-endpoint <url>', 'where that table answers (default: AWS itself)');
  return onTable(withExample(command, 'copy --data-dir .data --to-table SupportService-prod-Table'), shape, doCopy);
}

async function doCopy(source: Place, { toDataDir: dataDir, toTable, toEndpoint: endpoint }: CopyOptions) {
  if ((dataDir === undefined) === (toTable === undefined))
    throw new Fault('Name where to copy to: either --to-data-dir or --to-table.', 2);
  const isCopied = dataDir !== undefined && ((await source.copyTo?.(dataDir)) ?? false);
  // The environment's settings are for the source.
  const elsewhere = { DATA_DIR: undefined, TABLE_NAME: undefined, DYNAMODB_ENDPOINT: undefined };
  const target = await openPlace(
    { dataDir, table: toTable, endpoint, mayMake: true },
    { ...readSettings(), ...elsewhere },
  );
  try {
    const copied = isCopied ? await countItems(target.table) : await copyTable(source.table, target.table);
    if (copied === undefined) throw new Fault('The target already has sites: copy into an empty one.');
    return { text: `${copied} items copied.`, json: { copied } };
  } finally {
    await target.close();
  }
}

async function countItems(table: Table): Promise<number> {
  let items = 0;
  for await (const page of table.scan()) items += page.length;
  return items;
}
