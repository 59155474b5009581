import { Worker } from 'node:worker_threads';
import { projectPath } from '../../project.ts';

/** What the watching thread sees of a process. */
export interface WatchedProcess {
  readonly beats: Int32Array; // shared: the first number changes while the main thread takes turns
  readonly parent: number; // id of the parent process
  readonly limit: number; // ms
}

const THREAD = projectPath('bin/thread.js');
const PROGRAM = 'infra/local/threads/watch-thread.ts';

/**
 * Has this process killed by a thread of its own once its main thread has been busy with one thing, or its parent has
 * been gone, for longer than `limit` ms: neither signals nor timers reach code that does not end.
 */
export function watchProcess(limit: number): void {
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const workerData: WatchedProcess = { beats, parent: process.ppid, limit };
  setInterval(() => Atomics.add(beats, 0, 1), 250).unref();
  new Worker(THREAD, { argv: [PROGRAM], workerData, execArgv: [] }).unref();
}
