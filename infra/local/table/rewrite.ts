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
  const fresh = `${file}-fresh`;
  await rm(fresh, { force: true });
  await database.root.backup(fresh, true);
  await synced(fresh);
  const damage = await whyDamaged(fresh);
  await rm(`${fresh}-lock`, { force: true }); // the lock of that check
  if (damage !== undefined) throw new Error(`the new file is damaged: ${damage}`);
  const { size: after } = await stat(fresh);
  await database.close();
  await rename(fresh, file);
  await rm(`${file}-lock`, { force: true }); // the old file's lock; the next process to open creates another
  await synced(dirname(file));
  return { before, after };
}

async function synced(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
