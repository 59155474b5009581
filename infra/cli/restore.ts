import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import * as z from 'zod';
import { readSettings } from '../../lib/settings.ts';
import { Fault } from '../fault.ts';
import { acceptsAnybody } from '../local/table/place.ts';
import { line, needed, placeCommand, value } from './command.ts';

const LOOK = 5_000; // ms between two looks at the new table

/** `restore`: a deployed table as of a moment of the last 35 days, as a new table (docs/backup.md). */
export const restoreCommand = (): Command =>
  placeCommand(
    [
      'restore',
      'restore a deployed table from its continuous backup, as a new table that lacks nothing',
      '--table SupportService-prod-Table --to restored',
    ],
    {
      to: needed(line('<name>', 'of the new table')),
      at: value('<instant>', 'moment to restore, such as 2026-11-24T09:30:00Z (default: the latest)', instant),
    },
    async ({ table, endpoint, to, at }) => {
      if (table === undefined) throw new Fault('Name the table to restore: --table.', 2);
      const settings = readSettings();
      const local = acceptsAnybody(endpoint, settings);
      // The SDK's client takes a tenth of a second and 20 MB.
      const [{ connect }, { restoreTable }] = await Promise.all([
        import('../../lib/store/client.ts'),
        import('../../lib/store/restore-table.ts'),
      ]);
      const client = connect({ endpoint: endpoint ?? settings.DYNAMODB_ENDPOINT, local });
      try {
        await restoreTable(client, { source: table, target: to, at, pause: () => sleep(LOOK) });
      } finally {
        client.destroy();
      }
      const next = `npx cdk deploy -c stage=<stage> -c table=${to} --parameters TableInUse=${to}`;
      const text = `Restored ${table} as ${to}.\nLook at it: npx support doctor --table ${to}\nUse it:     ${next}`;
      return { text, json: { from: table, to, at: at?.toISOString() ?? null } };
    },
  );

/** The value of an option that is an instant; Commander names the option. */
function instant(text: string): Date {
  const parsed = z.iso.datetime({ offset: true }).safeParse(text);
  if (!parsed.success) throw new InvalidArgumentError('It must be an instant such as 2026-11-24T09:30:00Z.');
  return new Date(parsed.data);
}
