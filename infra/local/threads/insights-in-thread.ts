import { Worker } from 'node:worker_threads';
import { Failure } from '../../../lib/errors.ts';
import type { DoTask, Task, TaskOutcome } from '../../../lib/http/task.ts';
import { describeError, type Log } from '../../../lib/log.ts';
import { newUsage } from '../../../lib/store/usage.ts';
import { projectPath } from '../../project.ts';
import { endThread } from './end-thread.ts';
import type { FromInsightsThread, InsightsPlace, ToInsightsThread } from './insights-messages.ts';

/** Starts the program in a thread, from its bundle if there is one. */
const THREAD = projectPath('bin/thread.js');
const PROGRAM = 'infra/local/threads/insights-thread.ts';

/** A heap that may become larger grows to four times what is in use before V8 collects; this one to twice. */
const RESOURCES = { maxOldGenerationSizeMb: 1_000 };

const GRACE = 2_000; // ms past its deadline in which a task may still end; before the lease of its lock runs out
/**
 * ms for the thread to close its table, which it may still be opening. A thread that is ended within a transaction of
 * LMDB waits for itself for ever, and the process with it.
 */
const LAST_MOMENT = 10_000;

/** The thread that computes reports. */
export interface InsightsThread {
  /** Does a task in the thread. If the thread dies or the task hangs, the outcome is `unavailable`. */
  readonly doTask: DoTask;
  /** Starts the thread, if it does not run: before its first task, so that it can read ahead. */
  start(): void;
  /** Ends the thread. */
  close(): Promise<void>;
}

/** How the thread is started and how long it is waited for; tests give their own. */
interface ThreadOptions {
  readonly script?: string;
  readonly grace?: number; // ms
  readonly clock?: () => number; // epoch ms; that of the tasks' deadlines
}

/** A running thread, and the tasks that it has. */
interface Running {
  readonly worker: Worker;
  readonly tasks: Map<number, (outcome: TaskOutcome) => void>;
}

/**
 * Computes reports in a thread of its own, so that one report holds up no other request. A thread that dies, or does not
 * answer in time, is replaced with the next task; all its tasks fail.
 */
export function createInsightsThread(
  place: InsightsPlace,
  log: Log,
  { script = THREAD, grace = GRACE, clock = Date.now }: ThreadOptions = {},
): InsightsThread {
  let running: Running | undefined;
  let last = 0;

  function start(): Running {
    const options = { argv: [PROGRAM], workerData: place, execArgv: [], resourceLimits: RESOURCES };
    const worker = new Worker(script, options);
    const started: Running = { worker, tasks: new Map() };
    worker.on('message', (message: FromInsightsThread) => {
      if ('outcome' in message) started.tasks.get(message.id)?.(message.outcome);
      else log(message.level, message.message, message.details);
    });
    worker.on('error', (error) => log('error', 'the thread of reports died', describeError(error)));
    worker.on('exit', () => giveUp(started));
    return started;
  }

  /** Fails all tasks of a thread that will not answer; the next task starts another thread. */
  function giveUp(thread: Running): void {
    if (running === thread) running = undefined;
    for (const settle of thread.tasks.values()) settle(unavailable());
  }

  async function doTask(task: Task): Promise<TaskOutcome> {
    const mine = (running ??= start());
    const id = (last += 1);
    const hung = setTimeout(
      () => {
        log('error', 'the thread of reports hangs and is replaced', { site: task.site.name, route: task.route });
        giveUp(mine);
        void mine.worker.terminate();
      },
      Math.max(0, task.deadline - clock()) + grace,
    );
    try {
      return await new Promise<TaskOutcome>((resolve) => {
        mine.tasks.set(id, resolve);
        mine.worker.postMessage({ id, task } satisfies ToInsightsThread);
      });
    } finally {
      clearTimeout(hung);
      mine.tasks.delete(id);
    }
  }

  async function close(): Promise<void> {
    if (running !== undefined) await endThread(running.worker, LAST_MOMENT);
  }

  return {
    doTask,
    start: () => void (running ??= start()),
    close,
  };
}

const unavailable = (): TaskOutcome => ({
  usage: newUsage(),
  failure: new Failure('unavailable', { headers: { 'Retry-After': '1' } }).plain(),
});
