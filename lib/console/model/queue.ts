import { putLast } from '../../put-last.ts';

/** A request was replaced by a later one of the same slot before it was sent, or cancelled. */
export class Superseded extends Error {
  constructor() {
    super('superseded');
    this.name = 'Superseded';
  }
}

/** The service is busy with another report of the site. */
export class Busy extends Error {
  readonly seconds: number; // to wait, at least 1

  constructor(seconds: number) {
    super('busy');
    this.name = 'Busy';
    this.seconds = seconds;
  }
}

/** What the queue does, for whoever shows it. */
export interface Activity {
  readonly running: boolean;
  readonly waitingFor: number | null; // s, because the service is busy
}

export interface Job<T> {
  readonly slot: string; // a later job of the same slot replaces one that has not been sent
  readonly key: string; // equal keys have equal answers
  readonly isFirst?: boolean; // goes before all that wait
  readonly send: (signal: AbortSignal) => Promise<T>; // throws `Busy`
}

export interface Queue {
  /** Runs a job when its turn comes; throws `Superseded`, or what the job throws. A kept answer comes without a request. */
  readonly ask: <T>(job: Job<T>) => Promise<T>;
  /** Nobody waits for the job of a slot any more: it is not sent, or its answer is kept for another time. */
  readonly leave: (slot: string) => void;
  /** Ends the job of a slot, the request under way included. */
  readonly cancel: (slot: string) => void;
  /** Forgets kept answers. */
  readonly forget: () => void;
}

interface Waiting {
  readonly job: Job<unknown>;
  readonly ending: AbortController;
  dropped: boolean; // nobody waits for its answer any more
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
}

const KEPT = 40; // answers

/** The answer of a job, from among those of all: its own key gave it. */
const answerOf = <T>(answer: unknown): T => answer as T;

/** One request at a time, as the service takes them; `wait` gives a promise that is kept after so many seconds. */
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

  /** What was sent runs on: the service would be busy with it in any case, and its answer is kept. */
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
        const place = job.isFirst ? waiting.findIndex((other) => !other.job.isFirst) : -1;
        waiting.splice(place < 0 ? waiting.length : place, 0, entry);
        queueMicrotask(work); // by then all that a page asks for at once is here
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
