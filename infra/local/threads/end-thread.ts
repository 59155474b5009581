import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import type { ToInsightsThread } from './insights-messages.ts';
import type { ToRowsThread } from './rows-messages.ts';

/** Asks a thread to end by the message `end`, and gives it `lastMoment` ms to close what it has open. */
export async function endThread(worker: Worker, lastMoment: number): Promise<void> {
  worker.postMessage('end' satisfies ToInsightsThread & ToRowsThread);
  if (worker.threadId >= 0) {
    const exited = once(worker, 'exit').catch(() => undefined); // its errors no longer matter
    await Promise.race([exited, sleep(lastMoment, undefined, { ref: false })]);
  }
  await worker.terminate();
}
