import { dirname, join } from 'node:path';
import { open, type RootDatabase } from 'lmdb';
import * as z from 'zod';

/** A database that any number of processes read and write. */
export interface Database {
  readonly root: RootDatabase<Buffer, Buffer>; // to read, and to write only within `commit`
  /**
   * Does work in a transaction; resolves once the commit is synced to the disk (with `noSync`, once it is made). Work
   * requested in one turn of the event loop shares a commit. Work that throws must not have written anything.
   */
  commit<T>(work: () => T): Promise<T>;
  /** The number of the last commit; every commit raises it. */
  lastCommit(): number;
  close(): Promise<void>;
}

export const PAGE = 8192; // bytes, on every platform: a key may then have 4,026 bytes, and ours need 3,074
const MAP = 2 ** 37; // bytes of address space, 128 GB; the file is only as large as its items
const READERS = 1024; // concurrent processes and threads that read

/**
 * The gate is a second database beside the first: a process holds its write lock to open the database or to commit.
 * LMDB needs that: a process that opens a file sets, for all processes, the commit it found in the headers as the last
 * one (`mdb_env_open2` in the package's source). A commit of another process in between is forgotten, and the next one
 * overwrites it. Nobody writes data to the gate, so nothing can be forgotten there. If its holder dies, the system
 * frees the lock.
 */
const GATE = { name: 'gate.mdb', mapSize: 2 ** 20 } as const;

/** The open gate of a folder. */
export interface Gate {
  /** Does work while no other process does any through the same gate, and no thread of this one. */
  alone<T>(work: () => T): T;
  close(): Promise<void>;
}

/** Opens a folder's gate, created if missing; any number of times in a process. */
export function openGate(folder: string, name: string = GATE.name): Gate {
  const gate = openFile(join(folder, name), { mapSize: GATE.mapSize });
  return { alone: (work) => gate.transactionSync(work), close: () => gate.close() };
}

/** How to open a database other than the table. */
export interface DatabaseOptions {
  readonly mapSize?: number; // bytes; default 128 GB
  readonly gate?: string; // file name of its gate; default the table's
  readonly noSync?: true; // commits do not wait for the disk: they outlive the process, not the system
}

/**
 * Opens the database in a file, created if missing; its lock and its gate are beside it. A commit blocks the thread
 * while the disk syncs. The package's commits on another thread are not used: a process that ends during one would wait
 * for itself forever, and all others for its lock.
 */
export function openDatabase(file: string, options: DatabaseOptions = {}): Database {
  const { mapSize = MAP, gate: name = GATE.name, noSync = false } = options;
  const gate = openGate(dirname(file), name);
  const root = gate.alone(() => openFile(file, { mapSize, noSync }));
  let waiting: Waiting[] = [];

  function commitAll(): void {
    if (waiting.length === 0) return;
    const all = waiting;
    waiting = [];
    try {
      const settled = gate.alone(() => root.transactionSync(() => all.map(({ work }) => work())));
      for (const settle of settled) settle();
    } catch (error) {
      for (const { reject } of all) reject(error);
    }
  }

  return {
    root,
    commit: (work) =>
      new Promise((resolve, reject) => {
        waiting.push({ work: () => attempt(work, resolve, reject), reject });
        if (waiting.length === 1) setImmediate(commitAll);
      }),
    lastCommit: () => stats.parse(root.getStats()).lastTxnId,
    close: async () => {
      commitAll();
      await root.close();
      await gate.close();
    },
  };
}

const stats = z.object({ lastTxnId: z.number() });

interface Waiting {
  readonly work: () => () => void; // returns a function that settles the promise, to call after the commit
  readonly reject: (error: unknown) => void;
}

function attempt<T>(work: () => T, resolve: (value: T) => void, reject: (error: unknown) => void): () => void {
  try {
    const value = work();
    return () => resolve(value);
  } catch (error) {
    return () => reject(error);
  }
}

const openFile = (file: string, options: { mapSize: number; noSync?: boolean }): RootDatabase<Buffer, Buffer> =>
  open({
    ...options,
    path: file,
    pageSize: PAGE,
    maxReaders: READERS,
    overlappingSync: false, // a commit ends once the system reports it on the disk
    encoding: 'binary',
    keyEncoding: 'binary',
  });
