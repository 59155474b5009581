import { resolve } from 'node:path';
import type { Settings } from '../../../lib/settings.ts';
import type { Table } from '../../../lib/store/table.ts';
import { Fault } from '../../fault.ts';
import { projectPath } from '../../project.ts';

/** The options that locate a command's table; the environment gives the rest. */
export interface PlaceOptions {
  readonly dataDir?: string | undefined;
  readonly table?: string | undefined;
  readonly endpoint?: string | undefined;
  readonly mayMake?: boolean | undefined; // whether a table that a local engine lacks is made: not by what only reads
}

/** The same options as arguments of a command line. */
export const placeArguments = ({ dataDir, table, endpoint }: PlaceOptions): string[] =>
  Object.entries({ '--data-dir': dataDir, '--table': table, '--endpoint': endpoint }).flatMap(([name, value]) =>
    value === undefined ? [] : [name, value],
  );

/** An open table and, if it is on this machine, its folder. */
export interface Place {
  readonly table: Table;
  readonly folder?: string;
  /**
   * Rewrites the file of a table on this machine without deleted data, and closes it; undefined if another process has
   * it open.
   */
  rewrite?(): Promise<{ readonly before: number; readonly after: number } | undefined>;
  /** Copies a table on this machine, as it is at one instant, into another folder; false if a table is there. */
  copyTo?(dataFolder: string): Promise<boolean>;
  readonly hasRoom?: () => boolean; // whether the folder's disk can take more writes
  close(): Promise<void>;
}

const PROJECT = projectPath('');
const DEPLOYED_TABLE = 'support';

/** The data folder given by options or environment; default: `.data` in the project. */
export const dataFolder = (options: PlaceOptions, settings: Settings): string =>
  resolve(options.dataDir ?? settings.DATA_DIR ?? resolve(PROJECT, '.data'));

/** Whether the table is in a data folder on this machine. */
export function isEmbedded(options: PlaceOptions, settings: Settings): boolean {
  if (options.dataDir !== undefined) return true;
  return [options.table, options.endpoint, settings.TABLE_NAME, settings.DYNAMODB_ENDPOINT].every((name) => !name);
}

/** Opens the table: in the data folder, created if new, or a deployed one. */
export async function openPlace(options: PlaceOptions, settings: Settings): Promise<Place> {
  if (!isEmbedded(options, settings)) return openDeployed(options, settings);
  const { openStore } = await import('./store.ts'); // loaded only if needed, like the SDK below
  return openStore(dataFolder(options, settings));
}

/** Whether an endpoint is taken for a local engine that accepts any credentials: the environment has none. */
export const acceptsAnybody = (endpoint: string | undefined, settings: Settings): boolean =>
  endpoint !== undefined && settings.AWS_ACCESS_KEY_ID === undefined && settings.AWS_PROFILE === undefined;

/**
 * Opens a table that this process has open, for another of its threads: by its folder if it is on this machine, else by
 * the same options.
 */
export async function openPlaceAgain(
  folder: string | undefined,
  options: PlaceOptions,
  settings: Settings,
): Promise<Place> {
  if (folder === undefined) return openDeployed(options, settings);
  const { openStoreAgain } = await import('./store.ts');
  return openStoreAgain(folder);
}

async function openDeployed(options: PlaceOptions, settings: Settings): Promise<Place> {
  const endpoint = options.endpoint ?? settings.DYNAMODB_ENDPOINT;
  if (endpoint !== undefined && !URL.canParse(endpoint))
    throw new Fault(`The endpoint ${endpoint} is no URL such as http://127.0.0.1:8000.`, 2);
  const isLocal = acceptsAnybody(endpoint, settings);
  // The SDK's client takes a tenth of a second and 20 MB.
  const [{ connect }, { openTable }, { createTable }] = await Promise.all([
    import('../../../lib/store/client.ts'),
    import('../../../lib/store/dynamodb.ts'),
    import('../../../lib/store/create-table.ts'),
  ]);
  const client = connect({ endpoint, local: isLocal });
  const table = openTable(client, options.table ?? settings.TABLE_NAME ?? DEPLOYED_TABLE);
  if (isLocal && options.mayMake) await createTable(client, table.name);
  return { table, close: async () => client.destroy() };
}
