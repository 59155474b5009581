import { chmod, mkdir, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Fault } from '../../fault.ts';

/** Makes a data folder where there is none, for this user alone; returns its real path. Throws a `Fault` where there can be none. */
export async function openDataFolder(folder: string): Promise<string> {
  try {
    await makeFolder(folder);
    await chmod(folder, 0o700).catch(() => undefined); // of another user, who lets us in
    return await realpath(folder);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Fault(`The data folder ${folder} cannot be used (${why}): name another by --data-dir or DATA_DIR.`);
  }
}

/** Level by level: Node's own recursive `mkdir` never ends where a folder takes none, such as `/proc`. */
async function makeFolder(folder: string): Promise<void> {
  const info = await stat(folder).catch(() => undefined);
  if (info?.isDirectory()) return;
  if (dirname(folder) !== folder) await makeFolder(dirname(folder));
  await mkdir(folder, { mode: 0o700 }).catch(async (error: unknown) => {
    const madeMeanwhile = (await stat(folder).catch(() => undefined))?.isDirectory();
    if (!madeMeanwhile) throw error;
  });
}
