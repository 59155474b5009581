import { chmod, mkdir, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Fault } from '../../fault.ts';

/** The file of everything but locks. */
export const TABLE_FILE = 'table.mdb';

/** Bytes of the disk to leave free: with fewer a table only reads. */
export const RESERVE = 16 * 1024 * 1024;

/**
 * Creates a data folder for this user alone if it does not exist; returns its real path. Throws a `Fault` if it cannot
 * be used.
 */
export async function openDataFolder(folder: string): Promise<string> {
  try {
    await makeFolder(folder);
    await chmod(folder, 0o700).catch(() => undefined); // fails for a folder of another user that we may use
    return await realpath(folder);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Fault(`The data folder ${folder} cannot be used (${why}): name another by --data-dir or DATA_DIR.`);
  }
}

/**
 * Creates a folder level by level: Node's recursive `mkdir` never returns if a folder cannot have subfolders, such as
 * `/proc`.
 */
async function makeFolder(folder: string): Promise<void> {
  const info = await stat(folder).catch(() => undefined);
  if (info?.isDirectory()) return;
  if (dirname(folder) !== folder) await makeFolder(dirname(folder));
  await mkdir(folder, { mode: 0o700 }).catch(async (error: unknown) => {
    const madeMeanwhile = (await stat(folder).catch(() => undefined))?.isDirectory();
    if (!madeMeanwhile) throw error;
  });
}
