import { Worker } from 'node:worker_threads';

/** What a hash is made with: scrypt's cost, block size and parallelism (RFC 7914). */
export interface Cost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

export const HASH_LENGTH = 32; // bytes

/** The thread's program: a text, so that it lies in no file of its own wherever this module is bundled to. */
const PROGRAM = `
const { parentPort } = require('node:worker_threads');
const { scryptSync } = require('node:crypto');
parentPort.on('message', ({ id, password, salt, N, r, p }) => {
  const key = scryptSync(password, salt, ${HASH_LENGTH}, { N, r, p, maxmem: 256 * N * r });
  parentPort.postMessage({ id, key });
});`;

interface Waiting {
  readonly resolve: (key: Buffer) => void;
  readonly reject: (error: Error) => void;
}

interface Derived {
  readonly id: number;
  readonly key: Uint8Array;
}

/**
 * Derives keys in a thread of its own. Node's pool of four threads also reads files and compresses, so that checks there
 * would hold up everything else. The thread ends with the process.
 */
export function createScryptThread(): (password: string, salt: Buffer, cost: Cost) => Promise<Buffer> {
  const waiting = new Map<number, Waiting>();
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
