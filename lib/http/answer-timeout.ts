import { unavailable } from '../store/faults.ts';

/** Limits how long a client waits for an answer. */
export interface AnswerTimeout {
  /**
   * Returns the result of the work; throws `unavailable` if it takes too long. The work goes on, so it may still be
   * done, as with any answer that gets lost.
   */
  race<T>(work: Promise<T>): Promise<T>;
  /** Passes on the parts of a body. The time in which they arrive does not count; after them the wait starts again. */
  pausedDuring(parts: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
}

/** A wait of `within` ms from the start of the race. */
export function newAnswerTimeout(within: number): AnswerTimeout {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  let end: (error: Error) => void = () => undefined;
  const wait = (): void => {
    if (!isOver) timer = setTimeout(() => end(unavailable()), within);
  };
  return {
    race: (work) =>
      new Promise((resolve, reject) => {
        end = reject;
        wait();
        work.then(resolve, reject).finally(() => {
          isOver = true;
          clearTimeout(timer);
        });
      }),
    async *pausedDuring(parts) {
      clearTimeout(timer);
      try {
        yield* parts;
      } finally {
        wait();
      }
    },
  };
}
