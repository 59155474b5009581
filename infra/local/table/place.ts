import { resolve } from 'node:path';
import type { Settings } from '../../../lib/settings.ts';
import { createTable } from '../../../lib/store/create-table.ts';
import { openTable, type Table } from '../../../lib/store/table.ts';
import { Fault } from '../../fault.ts';
import { projectPath } from '../../project.ts';
import { shareEngine } from './engine.ts';
import { engineCalls } from './engine-calls.ts';

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

/** An open table and, where the embedded engine keeps it, the folder it lies in. */
export interface Place {
  readonly table: Table;
  readonly folder?: string;
  /** Keeps the embedded engine going, for a service; where there is none, does nothing. */
  keepAlive(onDeath: (sentence: string) => void): Promise<void>;
  close(): Promise<void>;
}

const PROJECT = projectPath('');
const DEPLOYED_TABLE = 'support';

/** The data folder that options and environment name: `.data` in the project where they name none. */
export const dataFolder = (options: PlaceOptions, settings: Settings): string =>
  resolve(options.dataDir ?? settings.DATA_DIR ?? resolve(PROJECT, '.data'));

/** Whether the embedded engine keeps the table. */
export function isEmbedded(options: PlaceOptions, settings: Settings): boolean {
  if (options.dataDir !== undefined) return true;
  return [options.table, options.endpoint, settings.TABLE_NAME, settings.DYNAMODB_ENDPOINT].every((name) => !name);
}

/** Opens the table: in the embedded engine of the data folder, made there where it is new, or a deployed one. */
export async function openPlace(options: PlaceOptions, settings: Settings): Promise<Place> {
  if (!isEmbedded(options, settings)) return openDeployed(options, settings);
  const folder = dataFolder(options, settings);
  const engine = await shareEngine(folder);
  const calls = engineCalls(engine.endpoint);
  const close = async (): Promise<void> => {
    calls.close();
    await engine.release();
  };
  try {
    await createTable(calls, engine.table);
  } catch (error) {
    await close();
    throw error;
  }
  return { table: openTable(calls, engine.table), folder, keepAlive: engine.keepAlive, close };
}

async function openDeployed(options: PlaceOptions, settings: Settings): Promise<Place> {
  const endpoint = options.endpoint ?? settings.DYNAMODB_ENDPOINT;
  if (endpoint !== undefined && !URL.canParse(endpoint))
    throw new Fault(`The endpoint ${endpoint} is no URL such as http://127.0.0.1:8000.`, 2);
  const anyone = settings.AWS_ACCESS_KEY_ID === undefined && settings.AWS_PROFILE === undefined;
  // Loaded here alone: the SDK's client takes a tenth of a second and 20 MB, and the embedded engine is spoken to without it.
  const [{ connect }, { callsOf, tableCallsOf }] = await Promise.all([
    import('../../../lib/store/client.ts'),
    import('../../../lib/store/calls.ts'),
  ]);
  const client = connect({ endpoint, local: endpoint !== undefined && anyone });
  const table = openTable(callsOf(client), options.table ?? settings.TABLE_NAME ?? DEPLOYED_TABLE);
  if (endpoint !== undefined && anyone) await createTable(tableCallsOf(client), table.name);
  return { table, keepAlive: async () => undefined, close: async () => client.destroy() };
}
