import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning, markIn, processMark } from './processes.ts';

/**
 * Which processes have a data folder open: each leaves a file that says who it is. The file of the table can only be replaced while
 * no other process has it open, since that one would go on with the old file. Whoever opens leaves word first and then looks for a
 * rewrite; a rewrite says so first and then looks for others. So one of the two always sees the other.
 */
const PREFIX = 'table.mdb-open-';
const REWRITE = 'table.mdb-rewriting';
const STEP = 20; // ms
const WRITING = 10_000; // ms, to write a line at most

/** Leaves word that this process has the folder open, once no rewrite is at work. Returns what takes it back. */
export async function holdOpen(folder: string): Promise<() => Promise<void>> {
  const file = join(folder, `${PREFIX}${process.pid}-${randomUUID().slice(0, 8)}`);
  await writeFile(file, await ownMark(), { mode: 0o600 });
  while (await isHeld(join(folder, REWRITE))) await sleep(STEP);
  return () => rm(file, { force: true });
}

/** Does `work` while no other process opens the folder; undefined, and does nothing, where one has it open. `own`: opened by this process. */
export async function whileAlone<T>(folder: string, own: number, work: () => Promise<T>): Promise<T | undefined> {
  const file = join(folder, REWRITE);
  if (await isHeld(file)) return undefined;
  await rm(file, { force: true });
  const isMine = await writeFile(file, await ownMark(), { mode: 0o600, flag: 'wx' }).then(
    () => true,
    () => false, // another rewrite began just now
  );
  if (!isMine) return undefined;
  try {
    const names = (await readdir(folder)).filter((name) => name.startsWith(PREFIX));
    const held = await Promise.all(names.map((name) => isHeld(join(folder, name))));
    for (const [place, name] of names.entries()) if (!held[place]) await rm(join(folder, name), { force: true });
    return held.filter(Boolean).length > own ? undefined : await work();
  } finally {
    await rm(file, { force: true });
  }
}

const ownMark = async (): Promise<string> => JSON.stringify({ ...(await processMark(process.pid)), host: hostname() });

/** Whether the process that left a file runs; one of another machine is taken to. */
async function isHeld(file: string): Promise<boolean> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return false;
  const holder = markIn(text);
  if (holder === undefined) return (await ageOf(file)) < WRITING; // it is just being written, or its writer died then
  return holder.host !== hostname() || isRunning(holder);
}

const ageOf = (file: string): Promise<number> =>
  stat(file).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => 0,
  );
