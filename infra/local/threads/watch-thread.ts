import { workerData } from 'node:worker_threads';
import type { WatchedProcess } from './watched-process.ts';

const LOOK_EVERY = 500; // ms

/** The program of the thread: the other end of `watched-process.ts`. */
function watch({ beats, parent, limit }: WatchedProcess): void {
  const most = Math.ceil(limit / LOOK_EVERY); // looks, not a time: a machine may have slept
  let last = -1;
  let [still, orphaned] = [0, 0];
  setInterval(() => {
    const beat = Atomics.load(beats, 0);
    still = beat === last ? still + 1 : 0;
    orphaned = process.ppid === parent ? 0 : orphaned + 1;
    last = beat;
    if (still > most || orphaned > most) process.kill(process.pid, 'SIGKILL');
  }, LOOK_EVERY);
}

watch(workerData);
