const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const; // with the exit status that shells expect

/**
 * Calls `end` at the first signal that ends the process, and ignores later ones. Returns a function that stops
 * listening.
 */
export function onEndSignal(end: (exit: number) => unknown): () => void {
  let isEnding = false;
  const listeners = Object.entries(SIGNALS).map(([signal, exit]) => {
    const listener = (): void => {
      if (isEnding) return;
      isEnding = true;
      end(exit);
    };
    process.on(signal, listener);
    return { signal, listener };
  });
  return () => {
    for (const { signal, listener } of listeners) process.off(signal, listener);
  };
}

const CHECK_EVERY = 200; // ms

/**
 * Calls `end` when the parent process is gone. npm starts programs through a shell, and a shell that dies of a signal
 * does not pass it on.
 */
export function onOrphaned(end: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    end();
  }, CHECK_EVERY).unref();
}
