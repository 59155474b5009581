import { resolve } from 'node:path';
import type { Settings } from '../../../lib/settings.ts';
import type { Table } from '../../../lib/store/table.ts';
import { Fault } from '../../fault.ts';
import { projectPath } from '../../project.ts';

/** Where a command finds its table, as its options say; what they leave open the environment does. */
export interface PlaceOptions {
  readonly dataDir?: string | undefined;
  readonly table?: string | undefined;
  readonly endpoint?: string | undefined;
}

/** The same options as a command line has them. */
export const placeArguments = ({ dataDir, table, endpoint }: PlaceOptions): string[] =>
  Object.entries({ '--data-dir': dataDir, '--table': table, '--endpoint': endpoint }).flatMap(([name, value]) =>
    value === undefined ? [] : [name, value],
  );

/** An open table and, where it lies on this machine, its folder. */
export interface Place {
  readonly table: Table;
  readonly folder?: string;
  /** Writes a table on this machine anew without what was deleted, and closes it; undefined where another process has it open. */
  rewrite?(): Promise<{ readonly before: number; readonly after: number } | undefined>;
  readonly hasRoom?: () => boolean; // of the folder's disk
  close(): Promise<void>;
}

const PROJECT = projectPath('');
const DEPLOYED_TABLE = 'support';

/** The data folder that options and environment name: `.data` in the project where they name none. */
export const dataFolder = (options: PlaceOptions, settings: Settings): string =>
  resolve(options.dataDir ?? settings.DATA_DIR ?? resolve(PROJECT, '.data'));

/** Whether the table lies on this machine. */
export function isEmbedded(options: PlaceOptions, settings: Settings): boolean {
  if (options.dataDir !== undefined) return true;
  return [options.table, options.endpoint, settings.TABLE_NAME, settings.DYNAMODB_ENDPOINT].every((name) => !name);
}

/** Opens the table: on this machine, in the data folder, made there where it is new, or a deployed one. */
export async function openPlace(options: PlaceOptions, settings: Settings): Promise<Place> {
  if (!isEmbedded(options, settings)) return openDeployed(options, settings);
  const { openStore } = await import('./store.ts'); // loaded where it is needed alone, as the SDK below
  return openStore(dataFolder(options, settings), (sentence) => process.stderr.write(`${sentence}\n`));
}

async function openDeployed(options: PlaceOptions, settings: Settings): Promise<Place> {
  const endpoint = options.endpoint ?? settings.DYNAMODB_ENDPOINT;
  if (endpoint !== undefined && !URL.canParse(endpoint))
    throw new Fault(`The endpoint ${endpoint} is no URL such as http://127.0.0.1:8000.`, 2);
  const anyone = settings.AWS_ACCESS_KEY_ID === undefined && settings.AWS_PROFILE === undefined;
  // The SDK's client takes a tenth of a second and 20 MB.
  const [{ connect }, { openTable }, { createTable }] = await Promise.all([
    import('../../../lib/store/client.ts'),
    import('../../../lib/store/dynamodb.ts'),
    import('../../../lib/store/create-table.ts'),
  ]);
  const client = connect({ endpoint, local: endpoint !== undefined && anyone });
  const table = openTable(client, options.table ?? settings.TABLE_NAME ?? DEPLOYED_TABLE);
  if (endpoint !== undefined && anyone) await createTable(client, table.name);
  return { table, close: async () => client.destroy() };
}
