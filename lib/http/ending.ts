/** The end of a request: it is answered, or nobody waits for the answer any more. */
export interface Ending {
  /** Told of the end, now or later. Made for who asks: most requests need none, and a signal costs more than reading the table. */
  readonly signal: () => AbortSignal;
  readonly end: () => void;
}

const OVER = new Error('nobody waits for the answer'); // made once: each signal would make one with its stack

export function newEnding(): Ending {
  let controller: AbortController | undefined;
  let isOver = false;
  return {
    signal() {
      controller ??= new AbortController();
      if (isOver) controller.abort(OVER);
      return controller.signal;
    },
    end() {
      isOver = true;
      controller?.abort(OVER);
    },
  };
}
