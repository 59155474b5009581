import { putLast } from '../../put-last.ts';

/** Thrown for a request that was cancelled, or replaced by a later one of the same slot. */
export class Superseded extends Error {
  constructor() {
    super('superseded');
    this.name = 'Superseded';
  }
}

/** Thrown when the service is busy with another report of the site. */
export class Busy extends Error {
  readonly seconds: number; // to wait before the next try, at least 1

  constructor(seconds: number) {
    super('busy');
    this.name = 'Busy';
    this.seconds = seconds;
  }
}

/** The state of the queue, for the page to show. */
export interface Activity {
  readonly running: boolean;
  readonly waitingFor: number | null; // s until the next try, if the service is busy
}

export interface Job<T> {
  readonly slot: string; // a later job replaces an earlier one of the same slot
  readonly key: string; // jobs with equal keys have equal answers
  readonly isFirst?: boolean; // goes before all other waiting jobs
  readonly send: (signal: AbortSignal) => Promise<T>; // throws `Busy`
}

export interface Queue {
  /** Runs a job in its turn, or answers from the cache. Rejects with `Superseded`, or with the error of the job. */
  readonly ask: <T>(job: Job<T>) => Promise<T>;
  /** Drops the job of a slot: it is not sent any more, or its answer is only cached. */
  readonly leave: (slot: string) => void;
  /** Drops the job of a slot, and aborts its request if it was sent. */
  readonly cancel: (slot: string) => void;
  /** Clears the cache. */
  readonly forget: () => void;
}

interface Waiting {
  readonly job: Job<unknown>;
  readonly ending: AbortController;
  dropped: boolean; // its answer is not wanted any more
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
}

const KEPT = 40; // answers in the cache

/**
 * Types the answer of a job. The cache has answers of all types, but the answer under a job's key has the job's type.
 */
const answerOf = <T>(answer: unknown): T => answer as T;

/**
 * Creates a queue that sends one request at a time, since the service takes only one of a site. `wait` returns a
 * promise that resolves after so many seconds.
 */
export function createQueue(wait: (seconds: number) => Promise<void>, onActivity: (activity: Activity) => void): Queue {
  const waiting: Waiting[] = [];
  const kept = new Map<string, unknown>();
  let current: Waiting | undefined;

  async function run(entry: Waiting): Promise<unknown> {
    while (!entry.dropped) {
      onActivity({ running: true, waitingFor: null });
      try {
        return await entry.job.send(entry.ending.signal);
      } catch (error) {
        if (!(error instanceof Busy) || entry.dropped) throw error;
        onActivity({ running: true, waitingFor: error.seconds });
        await wait(error.seconds);
      }
    }
    throw new Superseded();
  }

  async function work(): Promise<void> {
    if (current !== undefined) return;
    while ((current = waiting.shift()) !== undefined) {
      const entry = current;
      const { job, resolve, reject } = entry;
      try {
        const answer = kept.has(job.key) ? kept.get(job.key) : await run(entry);
        putLast(kept, job.key, answer, KEPT);
        if (entry.dropped) reject(new Superseded());
        else resolve(answer);
      } catch (error) {
        reject(entry.dropped ? new Superseded() : error);
      }
    }
    onActivity({ running: false, waitingFor: null });
  }

  /** A request that was sent is not aborted: the service is busy with it anyway, and its answer can be cached. */
  function drop(slot: string): void {
    for (const entry of waiting.filter(({ job }) => job.slot === slot)) {
      waiting.splice(waiting.indexOf(entry), 1);
      entry.reject(new Superseded());
    }
    if (current?.job.slot === slot) current.dropped = true;
  }

  return {
    ask: <T>(job: Job<T>) => {
      drop(job.slot);
      if (kept.has(job.key)) return Promise.resolve(answerOf<T>(kept.get(job.key)));
      return new Promise<T>((resolve, reject) => {
        const ending = new AbortController();
        const entry: Waiting = {
          job,
          ending,
          dropped: false,
          resolve: (answer) => resolve(answerOf<T>(answer)),
          reject,
        };
        const index = job.isFirst ? waiting.findIndex((other) => !other.job.isFirst) : -1;
        waiting.splice(index < 0 ? waiting.length : index, 0, entry);
        queueMicrotask(work); // after the page has added all its jobs, so that `isFirst` can put one before the others
      });
    },
    leave: drop,
    cancel: (slot) => {
      const running = current?.job.slot === slot ? current : undefined;
      drop(slot);
      running?.ending.abort();
    },
    forget: () => kept.clear(),
  };
}
