import { open, type RootDatabase } from 'lmdb';

export type Database = RootDatabase<Buffer, Buffer>;

const PAGE = 8192; // bytes, whatever the platform: so a key may have 4,026 bytes, and ours need 3,074
const MAP = 2 ** 37; // bytes of address space, 128 GB; the file takes what its items take
const READERS = 1024; // processes and threads that read at a time

/**
 * Opens the database in a file, made where there is none; its lock lies beside it. A commit is over once the system says that
 * it is on the disk: the package's own way, to sync later, is off (`overlappingSync`). A commit that fails tells those whose
 * writes it held; with `eventTurnBatching` it would also reject a promise that nobody has, which ends the process.
 */
export const openDatabase = (file: string, mapSize = MAP): Database =>
  open({
    path: file,
    mapSize,
    pageSize: PAGE,
    maxReaders: READERS,
    overlappingSync: false,
    eventTurnBatching: false,
    encoding: 'binary',
    keyEncoding: 'binary',
  });

/** Why a commit failed: the package says so in a promise of its own, which ends the process where nobody looks at it. */
export async function causeOf(error: unknown): Promise<unknown> {
  if (!(error instanceof Error && 'commitError' in error)) return error;
  return Promise.resolve(error.commitError).catch((cause: unknown) => cause);
}
