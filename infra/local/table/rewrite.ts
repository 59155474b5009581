import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { whyDamaged } from './damage.ts';
import type { Database } from './database.ts';

/** Sizes of a table's file, in bytes. */
export interface Rewritten {
  readonly before: number;
  readonly after: number;
}

/**
 * Rewrites the file of a table without its free pages, which keep the bytes of deleted items, and closes it. No other
 * process may have it open. The new file replaces the old one atomically: if the process dies before, the old one
 * stays.
 */
export async function rewriteFile(database: Database, file: string): Promise<Rewritten> {
  const { size: before } = await stat(file);
  const fresh = await freshFile(database, file);
  const { size: after } = await stat(fresh);
  await database.close();
  await rename(fresh, file);
  await rm(`${file}-lock`, { force: true }); // the old file's lock; the next process to open creates another
  await synced(dirname(file));
  return { before, after };
}

/**
 * Copies a table, as it is at one instant, into a file that does not exist yet, while any process writes. If the process
 * dies before, there is no such file.
 */
export async function copyFile(database: Database, file: string): Promise<void> {
  await rename(await freshFile(database, file), file);
  await synced(dirname(file));
}

/** Writes a table as of one commit, without free pages, beside a file; returns the path of the copy. */
async function freshFile(database: Database, file: string): Promise<string> {
  const fresh = `${file}-fresh`;
  await rm(fresh, { force: true });
  await database.root.backup(fresh, true);
  await synced(fresh);
  const damage = await whyDamaged(fresh);
  await rm(`${fresh}-lock`, { force: true }); // the lock of that check
  if (damage !== undefined) throw new Error(`the new file is damaged: ${damage}`);
  return fresh;
}

async function synced(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
