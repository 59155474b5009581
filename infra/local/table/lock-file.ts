import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning, markIn, processMark } from './processes.ts';

const LONGEST_HOLD = 20_000; // ms; a process that holds the lock longer is stuck
const STEP = 15; // ms

/** Does `work` while holding a lock file, one process at a time. The lock of a process that died is removed. */
export async function withLockFile<T>(file: string, work: () => Promise<T>): Promise<T> {
  const text = JSON.stringify({ ...(await processMark(process.pid)), token: randomUUID() });
  while (!(await create(file, text))) {
    if (await isStale(file)) await removeStale(file);
    else await sleep(STEP);
  }
  try {
    return await work();
  } finally {
    if ((await read(file)) === text) await rm(file, { force: true });
  }
}

async function create(file: string, text: string): Promise<boolean> {
  try {
    await writeFile(file, text, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

async function isStale(file: string): Promise<boolean> {
  const text = await read(file);
  if (text === undefined) return false;
  const age = Date.now() - (await stat(file).then(({ mtimeMs }) => mtimeMs, Date.now));
  if (age > LONGEST_HOLD) return true;
  const holder = markIn(text);
  return holder !== undefined && !(await isRunning(holder)); // a lock that is being written has only an age
}

/** Removes a stale lock; restores the file if another process has taken the lock meanwhile. */
async function removeStale(file: string): Promise<void> {
  const stale = await read(file);
  const aside = `${file}.${randomUUID()}`;
  const moved = await rename(file, aside).then(
    () => true,
    () => false,
  );
  if (!moved) return;
  const text = await read(aside);
  if (text !== undefined && text !== stale) await create(file, text);
  await rm(aside, { force: true });
}

const read = (file: string): Promise<string | undefined> => readFile(file, 'utf8').catch(() => undefined);
