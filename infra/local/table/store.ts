import { statfsSync } from 'node:fs';
import { chmod, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Table } from '../../../lib/store/table.ts';
import { Fault } from '../../fault.ts';
import { whyDamaged } from './damage.ts';
import { openDataFolder } from './data-folder.ts';
import { type Database, openDatabase } from './database.ts';
import { isEarlier, upgrade } from './earlier.ts';
import { FORMAT, readFormat, writeFormat } from './format.ts';
import { holdOpen, whileAlone } from './holders.ts';
import { openLmdbTable } from './lmdb-table.ts';
import { openLocks, type TableFiles } from './locks.ts';
import { type Rewritten, rewriteFile } from './rewrite.ts';

/** The open table of a data folder. */
export interface Store {
  readonly table: Table;
  readonly folder: string; // real path
  /** Rewrites the file without deleted data, and closes the store; undefined if another process has it open. */
  rewrite(): Promise<Rewritten | undefined>;
  readonly hasRoom: () => boolean; // whether its disk can take more writes
  close(): Promise<void>;
}

const FILE = 'table.mdb';
const RESERVE = 16 * 1024 * 1024; // bytes of the disk to leave free

/**
 * Opens the table of a data folder, created if missing; any number of processes share it. Data of an earlier version is
 * upgraded first, which `say` reports. Throws a `Fault` with advice if the folder cannot be used.
 */
export async function openStore(dataFolder: string, say: (sentence: string) => void): Promise<Store> {
  const folder = await openDataFolder(dataFolder);
  const file = join(folder, FILE);
  if (!hasRoom(folder)) throw new Fault(fullDisk(folder));
  await makeFile(file, folder);
  const damage = await whyDamaged(file);
  if (damage !== undefined) throw new Fault(damaged(folder, damage));
  const release = await holdOpen(folder);
  const { items, locks } = await openPrepared(file, folder, say).catch(async (error: unknown) => {
    await release();
    throw error;
  });
  let isOpen = true;
  return {
    table: openLmdbTable(items, () => hasRoom(folder), locks),
    folder,
    hasRoom: () => hasRoom(folder),
    rewrite: () =>
      whileAlone(folder, 1, async () => {
        isOpen = false;
        return rewriteFile(items, file);
      }),
    async close() {
      if (isOpen) await items.close();
      if (locks !== items) await locks.close();
      await release();
    },
  };
}

async function openPrepared(file: string, folder: string, say: (sentence: string) => void): Promise<TableFiles> {
  const database = openOr(file, (why) => new Fault(damaged(folder, why)));
  try {
    await prepareFormat(database, folder, say);
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

async function prepareFormat(database: Database, folder: string, say: (sentence: string) => void): Promise<void> {
  const format = readFormat(database);
  if (format !== undefined && format > FORMAT)
    throw new Fault(
      `The data folder ${folder} was written by a newer version (its format is ${format}, this program knows ${FORMAT}): use that version, or name another folder by --data-dir or DATA_DIR.`,
    );
  if (await isEarlier(folder)) await upgrade(database, folder, say);
  else if (format === undefined) await writeFormat(database);
}

function hasRoom(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= RESERVE;
}

const fullDisk = (folder: string): string =>
  `The disk of the data folder ${folder} is full: leave at least ${RESERVE / 2 ** 20} MB free, or name another folder by --data-dir or DATA_DIR.`;

const damaged = (folder: string, why: string): string =>
  `The data folder ${folder} is damaged (${FILE}: ${why}): put back a copy of ${FILE}, or name another folder by --data-dir or DATA_DIR.`;
