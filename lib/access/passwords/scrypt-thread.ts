import { Worker } from 'node:worker_threads';

/** scrypt's cost, block size and parallelism (RFC 7914). */
export interface Cost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

export const HASH_LENGTH = 32; // bytes

/** The thread's program. It is a string, so that a bundle needs no second file for it. */
const PROGRAM = `
const { parentPort } = require('node:worker_threads');
const { scryptSync } = require('node:crypto');
parentPort.on('message', ({ id, password, salt, N, r, p }) => {
  const key = scryptSync(password, salt, ${HASH_LENGTH}, { N, r, p, maxmem: 256 * N * r });
  parentPort.postMessage({ id, key });
});`;

interface Pending {
  readonly resolve: (key: Buffer) => void;
  readonly reject: (error: Error) => void;
}

interface Derived {
  readonly id: number;
  readonly key: Uint8Array;
}

/**
 * Returns a function that derives keys in a thread of its own. In Node's shared pool of four threads, which also reads
 * files and compresses, password checks would block that work. An idle thread does not keep the process alive.
 */
export function createScryptThread(): (password: string, salt: Buffer, cost: Cost) => Promise<Buffer> {
  const waiting = new Map<number, Pending>();
  let thread: Worker | undefined;
  let last = 0;

  function start(): Worker {
    const worker = new Worker(PROGRAM, { eval: true, execArgv: [] });
    worker.unref();
    worker.on('message', ({ id, key }: Derived) => {
      waiting.get(id)?.resolve(Buffer.from(key));
      waiting.delete(id);
      if (waiting.size === 0) worker.unref();
    });
    worker.on('error', (error) => {
      thread = undefined;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    });
    return worker;
  }

  return (password, salt, { N, r, p }) =>
    new Promise((resolve, reject) => {
      thread ??= start();
      last += 1;
      waiting.set(last, { resolve, reject });
      thread.ref();
      thread.postMessage({ id: last, password, salt, N, r, p });
    });
}
