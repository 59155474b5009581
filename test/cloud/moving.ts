import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withFolder } from '../support/service/program.ts';
import { MADE_UP, madeUpHistory } from './golden.ts';

/** Runs the command line; gives what it said. */
export type Support = (args: readonly string[], input?: string) => Promise<string>;

export interface DeployedTable {
  readonly name: string;
  readonly endpoint: string | undefined; // undefined: AWS itself
}

/** The options that name a table: `--table` and `--endpoint`, or those of a target, `--to-table` and `--to-endpoint`. */
export const tableOptions = (to: '' | 'to-', { name, endpoint }: DeployedTable): string[] => [
  ...[`--${to}table`, name],
  ...(endpoint === undefined ? [] : [`--${to}endpoint`, endpoint]),
];

/** The site that is moved. */
export const MOVED = 'moved';

/** Moves a data folder into an empty table and back into another folder (docs/deploy.md); all three show the same. */
export async function moveThereAndBack(support: Support, table: DeployedTable): Promise<void> {
  await withFolder(async (folder) => {
    const [here, back] = [join(folder, 'here'), join(folder, 'back')];
    const history = join(folder, 'history.ndjson');
    const request = join(folder, 'report.json');
    await writeFile(history, madeUpHistory());
    await writeFile(request, JSON.stringify(MADE_UP[0]?.body));
    const site = ['--site', MOVED];
    const shown = async (...place: readonly string[]): Promise<string> =>
      (await support(['user', 'list', ...site, '--json', ...place])) +
      (await support(['report', request, ...site, '--output', 'json', ...place]));

    await support(['site', 'add', MOVED, '--data-dir', here]);
    const user = ['--login', 'ann@moved.example', '--role', 'Agent', '--password-stdin', '--data-dir', here];
    await support(['user', 'add', ...site, ...user], 'moves as well\n');
    await support(['import', history, ...site, '--data-dir', here]);
    await support(['copy', '--data-dir', here, ...tableOptions('to-', table)]);
    await support(['copy', ...tableOptions('', table), '--to-data-dir', back]);

    const original = await shown('--data-dir', here);
    for (const place of [tableOptions('', table), ['--data-dir', back]]) {
      const copy = await shown(...place);
      if (copy !== original) throw new Error(`${original}\nbecame ${copy}`);
    }
  });
}
