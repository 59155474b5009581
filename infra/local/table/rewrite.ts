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
 * Writes the file of a table anew without its free pages, which keep the bytes of what was deleted, and closes it. Nobody else
 * may have it open. The new file takes the old one's place in one step: a process that dies before leaves the old one.
 */
export async function rewriteFile(database: Database, file: string): Promise<Rewritten> {
  const { size: before } = await stat(file);
  const fresh = `${file}-fresh`;
  await rm(fresh, { force: true });
  await database.root.backup(fresh, true);
  await synced(fresh);
  const damage = await whyDamaged(fresh);
  await rm(`${fresh}-lock`, { force: true }); // of that look at it
  if (damage !== undefined) throw new Error(`the new file is damaged: ${damage}`);
  const { size: after } = await stat(fresh);
  await database.close();
  await rename(fresh, file);
  await rm(`${file}-lock`, { force: true }); // of the old file; the next to open makes another
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
