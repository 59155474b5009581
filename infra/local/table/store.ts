import { existsSync, statfsSync } from 'node:fs';
import { chmod, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Table } from '../../../lib/store/table.ts';
import { Fault } from '../../fault.ts';
import { isAsLeft, noteLeft, whyDamaged } from './damage.ts';
import { openDataFolder, RESERVE, TABLE_FILE } from './data-folder.ts';
import { type Database, openDatabase } from './database.ts';
import { EARLIER, FORMAT, readFormat, writeFormat } from './format.ts';
import { holdOpen, isOpen, whileAlone } from './holders.ts';
import { openLmdbTable } from './lmdb-table.ts';
import { openLocks, type TableFiles } from './locks.ts';
import { copyFile, type Rewritten, rewriteFile } from './rewrite.ts';

/** The open table of a data folder. */
export interface Store {
  readonly table: Table;
  readonly folder: string; // real path
  /** Rewrites the file without deleted data, and closes the store; undefined if another process has it open. */
  rewrite(): Promise<Rewritten | undefined>;
  /** Copies the table, as it is at one instant, into a folder; false if a table is there. */
  copyTo(dataFolder: string): Promise<boolean>;
  readonly hasRoom: () => boolean; // whether its disk can take more writes
  close(): Promise<void>;
}

/**
 * Opens the table of a data folder, created if missing; any number of processes share it. While the disk has fewer than
 * `reserve` bytes free it only reads. Throws a `Fault` with advice if the folder cannot be used.
 */
export async function openStore(dataFolder: string, reserve = RESERVE): Promise<Store> {
  const folder = await openDataFolder(dataFolder);
  const file = join(folder, TABLE_FILE);
  if (existsSync(join(folder, EARLIER))) throw new Fault(ofEarlier(folder));
  const isThere = existsSync(file);
  if (!isThere && !hasRoom(folder, reserve)) throw new Fault(fullDisk(folder));
  await makeFile(file, folder);
  if (isThere) await refuseDamaged(file, folder);
  const release = await holdOpen(folder);
  const { items, locks } = await openPrepared(file, folder).catch(async (error: unknown) => {
    await release();
    throw error;
  });
  let isRewritten = false;
  return {
    table: openLmdbTable(items, () => hasRoom(folder, reserve), locks),
    folder,
    hasRoom: () => hasRoom(folder, reserve),
    rewrite: () =>
      whileAlone(folder, 1, async () => {
        isRewritten = true;
        const sizes = await rewriteFile(items, file);
        await noteLeft(file);
        return sizes;
      }),
    async copyTo(dataFolder) {
      const copy = join(await openDataFolder(dataFolder), TABLE_FILE);
      if (existsSync(copy)) return false;
      await copyFile(items, copy);
      await noteLeft(copy);
      return true;
    },
    async close() {
      if (!isRewritten) {
        const commit = items.lastCommit();
        await items.close();
        await noteLeft(file, commit);
      }
      if (locks !== items) await locks.close();
      await release();
    },
  };
}

/** Opens the table of a folder that this process has open, for another of its threads. */
export function openStoreAgain(folder: string): Pick<Store, 'table' | 'hasRoom' | 'close'> {
  const items = openDatabase(join(folder, TABLE_FILE));
  const locks = openLocks(folder) ?? items;
  return {
    table: openLmdbTable(items, () => hasRoom(folder), locks),
    hasRoom: () => hasRoom(folder),
    async close() {
      await items.close();
      if (locks !== items) await locks.close();
    },
  };
}

async function openPrepared(file: string, folder: string): Promise<TableFiles> {
  const database = openOr(file, (why) => new Fault(damaged(folder, why)));
  try {
    await prepareFormat(database, folder);
    const locks = openLocks(folder) ?? database;
    for (const name of await readdir(folder)) if (name.includes('.mdb')) await privately(join(folder, name));
    return { items: database, locks };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Makes a file readable for this user alone; a file of another process may be gone. */
const privately = (file: string): Promise<void> => chmod(file, 0o600).catch(() => undefined);

/** Creates the file if missing, readable for this user alone from the start. */
async function makeFile(file: string, folder: string): Promise<void> {
  try {
    await (await open(file, 'a', 0o600)).close();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Fault(
      `The data folder ${folder} cannot be written (${why}): give this user the right to, or name another by --data-dir or DATA_DIR.`,
    );
  }
}

function openOr(file: string, fault: (why: string) => Fault): Database {
  try {
    return openDatabase(file);
  } catch (error) {
    throw fault(error instanceof Error ? error.message : String(error));
  }
}

async function prepareFormat(database: Database, folder: string): Promise<void> {
  const format = readFormat(database);
  if (format !== undefined && format > FORMAT)
    throw new Fault(
      `The data folder ${folder} was written by a newer version (its format is ${format}, this program knows ${FORMAT}): use that version, or name another folder by --data-dir or DATA_DIR.`,
    );
  if (format === undefined) await writeFormat(database);
}

function hasRoom(folder: string, reserve = RESERVE): boolean {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= reserve;
}

const fullDisk = (folder: string): string =>
  `The disk of the data folder ${folder} is full: leave at least ${RESERVE / 2 ** 20} MB free, or name another folder by --data-dir or DATA_DIR.`;

const ofEarlier = (folder: string): string =>
  `The data folder ${folder} was written by a version before 1.0: start version 1.0 on it once, which converts it (docs/upgrade.md), or name another folder by --data-dir or DATA_DIR.`;

/**
 * Throws a `Fault` if the file is damaged. It is checked unless it is as the last process left it, or a process has it
 * open: so after an unclean end, and where something else has written it.
 */
async function refuseDamaged(file: string, folder: string): Promise<void> {
  if ((await isAsLeft(file)) || (await isOpen(folder))) return;
  await beginning(file, folder);
  const why = await whyDamaged(file);
  if (why !== undefined && !(await isOpen(folder))) throw new Fault(damaged(folder, why));
}

const BEGINNING = 500; // ms
const STEP = 20; // ms

/** Waits a moment while a file is empty: another process may have made it just now, and opens it. */
async function beginning(file: string, folder: string): Promise<void> {
  for (let waited = 0; waited < BEGINNING; waited += STEP) {
    if ((await stat(file)).size > 0 || (await isOpen(folder))) return;
    await sleep(STEP);
  }
}

const damaged = (folder: string, why: string): string =>
  `The data folder ${folder} is damaged (${TABLE_FILE}: ${why}): put back a copy of ${TABLE_FILE}, or name another folder by --data-dir or DATA_DIR.`;
