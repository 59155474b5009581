import { Worker } from 'node:worker_threads';
import { Failure } from '../../../lib/errors.ts';
import type { LiveSegment } from '../../../lib/history/read.ts';
import type { Plan } from '../../../lib/insights/plan.ts';
import type { Partial } from '../../../lib/insights/scan/partial.ts';
import type { FromThread, ThreadData, ToThread } from './scan-messages.ts';

/** A thread that scans segments; one that dies fails its runs, and the next run starts it anew. */
export interface Thread {
  start(plan: Plan): ThreadRun;
  end(): Promise<void>;
}

/** A thread's share of a run. */
export interface ThreadRun {
  /** Hands over segments. Throws where the run has failed already. */
  add(segments: readonly LiveSegment[]): void;
  /** Of all that was added. */
  result(): Promise<Partial>;
  close(): void;
}

const LIMITS = { maxYoungGenerationSizeMb: 6 }; // a scan makes few objects; by default a thread takes 34

/** What waits for a run's end. */
interface Waiting {
  readonly resolve: (partial: Partial) => void;
  readonly reject: (error: unknown) => void;
}

/** Starts a thread on the text of a program. */
export function startThread(program: string, data: ThreadData): Thread {
  const waiting = new Map<number, Waiting>();
  let runs = 0;
  let worker: Worker | undefined = launch();

  function launch(): Worker {
    const started = new Worker(program, { eval: true, workerData: data, execArgv: [], resourceLimits: LIMITS });
    started.unref();
    started.on('message', take);
    started.on('error', (error) => failAll(started, error));
    started.on('exit', () => failAll(started, new Error('a thread that scans ended')));
    return started;
  }

  function take(answer: FromThread): void {
    const { resolve, reject } = waiting.get(answer.run) ?? {};
    waiting.delete(answer.run);
    if ('partial' in answer) resolve?.(answer.partial);
    else reject?.(errorOf(answer.failure));
  }

  function failAll(died: Worker, error: unknown): void {
    if (worker === died) worker = undefined;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }

  return {
    start: (plan) => {
      const thread = (worker ??= launch());
      const run = (runs += 1);
      const send = (message: ToThread): void => thread.postMessage(message);
      let failure: unknown;
      const result = new Promise<Partial>((resolve, reject) => waiting.set(run, { resolve, reject }));
      result.catch((error) => {
        failure = error;
      });
      send({ run, plan });
      return {
        add: (segments) => {
          if (failure !== undefined) throw failure;
          if (segments.length > 0) send({ run, segments });
        },
        result: () => {
          send({ run, asks: 'result' });
          return result;
        },
        close: () => {
          if (waiting.delete(run)) send({ run, asks: 'close' });
        },
      };
    },
    end: async () => {
      await worker?.terminate();
    },
  };
}

function errorOf({ kind, message, details }: Extract<FromThread, { failure: unknown }>['failure']): Error {
  return kind === undefined ? new Error(message) : new Failure(kind, details);
}
