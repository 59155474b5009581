import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRunning, markOf } from './processes.ts';

/** Who uses a data folder's engine: one file a process, named by its number. Read and written under the folder's lock. */
const users = (folder: string): string => join(folder, 'users');

export async function addEngineUser(folder: string): Promise<void> {
  await mkdir(users(folder), { recursive: true });
  await writeFile(join(users(folder), String(process.pid)), (await markOf(process.pid)).born);
}

/** Takes this process away; whether another one still uses the engine. Those that died are forgotten. */
export async function removeEngineUser(folder: string): Promise<{ readonly othersLeft: boolean }> {
  let othersLeft = false;
  for (const name of await readdir(users(folder)).catch(() => [])) {
    const file = join(users(folder), name);
    const pid = Number(name);
    const born = await readFile(file, 'utf8').catch(() => '');
    if (pid !== process.pid && Number.isInteger(pid) && (await isRunning({ pid, born }))) othersLeft = true;
    else await rm(file, { force: true });
  }
  return { othersLeft };
}
