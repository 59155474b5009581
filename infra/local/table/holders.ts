import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { markIn, mayRun, ownMark } from './processes.ts';

/**
 * Tracks which processes have a data folder open: each leaves a file with its identity. The table's file must not be
 * replaced while another process has it open, since that process would go on with the old file. A process that opens
 * the folder first leaves its file and then checks for a rewrite; a rewrite first announces itself and then checks for
 * others. So one of the two always sees the other.
 */
const PREFIX = 'table.mdb-open-';
const REWRITE = 'table.mdb-rewriting';
const STEP = 20; // ms
const WRITING = 10_000; // ms, the longest time to write a file

/** Whether a process has the folder open, this one included. */
export const isOpen = async (folder: string): Promise<boolean> => (await holdersOf(folder)).length > 0;

/**
 * Records that this process has the folder open, and waits for a running rewrite. Returns a function that removes the
 * record.
 */
export async function holdOpen(folder: string): Promise<() => Promise<void>> {
  const file = join(folder, `${PREFIX}${process.pid}-${randomUUID().slice(0, 8)}`);
  await writeFile(file, await ownMark(), { mode: 0o600 });
  while (await isHeld(join(folder, REWRITE))) await sleep(STEP);
  return () => rm(file, { force: true });
}

/**
 * Does `work` while no other process has the folder open; returns undefined without doing it if one has. `own`: how
 * often this process has it open.
 */
export async function whileAlone<T>(folder: string, own: number, work: () => Promise<T>): Promise<T | undefined> {
  const file = join(folder, REWRITE);
  if (await isHeld(file)) return undefined;
  await rm(file, { force: true });
  const isMine = await writeFile(file, await ownMark(), { mode: 0o600, flag: 'wx' }).then(
    () => true,
    () => false, // another rewrite has just begun
  );
  if (!isMine) return undefined;
  try {
    return (await holdersOf(folder)).length > own ? undefined : await work();
  } finally {
    await rm(file, { force: true });
  }
}

/** The files of those that have the folder open; removes those of dead processes. */
async function holdersOf(folder: string): Promise<string[]> {
  const holders: string[] = [];
  for (const name of await readdir(folder)) {
    if (!name.startsWith(PREFIX)) continue;
    if (await isHeld(join(folder, name))) holders.push(name);
    else await rm(join(folder, name), { force: true });
  }
  return holders;
}

/** Whether the process that left a file still runs; a process of another machine counts as running. */
async function isHeld(file: string): Promise<boolean> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return false;
  const holder = markIn(text);
  if (holder === undefined) return (await ageOf(file)) < WRITING; // it is being written, or its writer died
  return mayRun(holder);
}

const ageOf = (file: string): Promise<number> =>
  stat(file).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => 0,
  );
