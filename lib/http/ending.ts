/** Signals the end of a request: it is answered, or the client has gone. */
export interface Ending {
  /**
   * The signal that is aborted at the end. Created on demand: most requests need none, and a signal costs more than
   * reading the table.
   */
  readonly signal: () => AbortSignal;
  readonly end: () => void;
}

const OVER = new Error('the request has ended'); // created once: otherwise each signal creates one with its stack

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
