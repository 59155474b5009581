import type { Command } from 'commander';
import { readSettings } from '../../lib/settings.ts';
import { copyTable } from '../../lib/store/copy.ts';
import { itemName } from '../../lib/store/faults.ts';
import type { Key } from '../../lib/store/keys.ts';
import type { Table } from '../../lib/store/table.ts';
import { Fault } from '../fault.ts';
import { openPlace, type Place } from '../local/table/place.ts';
import { line, type OptionsOf, type Outcome, tableCommand } from './command.ts';

const OPTIONS = {
  toDataDir: line('<folder>', 'local data folder to copy into'),
  toTable: line('<name>', 'deployed table to copy into'),
  toEndpoint: line('<url>', 'where that table answers (default: AWS itself)'),
};

/** `copy`: copies a whole deployment from a local data folder into the cloud or back (docs/deploy.md). */
export const copyCommand = (): Command =>
  tableCommand(
    [
      'copy',
      'copy everything into an empty table or data folder: into the cloud, and back',
      '--data-dir .data --to-table SupportService-prod-Table',
    ],
    OPTIONS,
    doCopy,
  );

async function doCopy(
  source: Place,
  { toDataDir: dataDir, toTable, toEndpoint: endpoint }: OptionsOf<typeof OPTIONS>,
): Promise<Outcome> {
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
    const damaged: string[] = [];
    const onDamaged = (key: Key): void => void damaged.push(itemName(key));
    const copied = isCopied
      ? await countItems(target.table, onDamaged)
      : await copyTable(source.table, target.table, onDamaged);
    if (copied === undefined) throw new Fault('The target already has sites: copy into an empty one.');
    const lines = [
      `${copied} items copied.`,
      ...damaged.map((name) => `Damaged, and lost unless an earlier copy has it: ${name}`),
    ];
    return { text: lines.join('\n'), json: { copied, damaged }, exit: damaged.length === 0 ? 0 : 1 };
  } finally {
    await target.close();
  }
}

/** The number of whole items; each is read again, as those of a file are copied unseen. */
async function countItems(table: Table, onDamaged: (key: Key) => void): Promise<number> {
  let items = 0;
  for await (const page of table.scan(onDamaged)) items += page.length;
  return items;
}
