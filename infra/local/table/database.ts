import { dirname, join } from 'node:path';
import { open, type RootDatabase } from 'lmdb';

/** A database that any number of processes read and write. */
export interface Database {
  readonly root: RootDatabase<Buffer, Buffer>; // to read, and to write within `commit` alone
  /**
   * Does work in a transaction; resolves once the commit was synced to the disk. What is asked for in one turn of the event
   * loop shares a commit. Work that throws must not have written.
   */
  commit<T>(work: () => T): Promise<T>;
  close(): Promise<void>;
}

const PAGE = 8192; // bytes, whatever the platform: so a key may have 4,026 bytes, and ours need 3,074
const MAP = 2 ** 37; // bytes of address space, 128 GB; the file takes what its items take
const READERS = 1024; // processes and threads that read at a time

/**
 * The gate lies beside the database: whoever opens it or commits to it holds the gate's lock. LMDB needs that. A process that opens
 * a file tells all others which commit was the last one when it read the file's headers (`mdb_env_open2` in the package's
 * source): a commit that another makes meanwhile is forgotten, and the next one is written over it. The lock is that of
 * the writers of a database that nobody writes to, so that there is nothing to forget; when its holder dies, the system frees it.
 */
const GATE = { name: 'gate.mdb', mapSize: 2 ** 20 } as const;

/**
 * Opens the database in a file, made where there is none; its lock and its gate lie beside it. A commit holds up the thread, for
 * as long as the disk takes to sync: with the package's commits on another thread, a process that ends meanwhile waits for
 * itself for ever, and all others for its lock.
 */
export function openDatabase(file: string, mapSize = MAP): Database {
  const gate = openFile(join(dirname(file), GATE.name), GATE.mapSize);
  const root = gate.transactionSync(() => openFile(file, mapSize));
  let waiting: Waiting[] = [];

  function commitAll(): void {
    if (waiting.length === 0) return;
    const all = waiting;
    waiting = [];
    try {
      const settled = gate.transactionSync(() => root.transactionSync(() => all.map(({ work }) => work())));
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
    close: async () => {
      commitAll();
      await root.close();
      await gate.close();
    },
  };
}

interface Waiting {
  readonly work: () => () => void; // returns what tells the outcome, once it is committed
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

const openFile = (file: string, mapSize: number): RootDatabase<Buffer, Buffer> =>
  open({
    path: file,
    mapSize,
    pageSize: PAGE,
    maxReaders: READERS,
    overlappingSync: false, // a commit is over once the system says that it is on the disk
    encoding: 'binary',
    keyEncoding: 'binary',
  });
