const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const; // with the exit status that shells expect

/** Calls `end` once when the process is told to end; later signals wait for it. Returns what stops the listening. */
export function onEndSignal(end: (exit: number) => unknown): () => void {
  let told = false;
  const listeners = Object.entries(SIGNALS).map(([signal, exit]) => {
    const listener = (): void => {
      if (told) return;
      told = true;
      end(exit);
    };
    process.on(signal, listener);
    return { signal, listener };
  });
  return () => {
    for (const { signal, listener } of listeners) process.off(signal, listener);
  };
}

const LOOK = 200; // ms

/**
 * Calls `end` when the process that started this one is gone. npm puts a shell between itself and a program; where that
 * shell dies of a signal, nobody passes it on.
 */
export function onOrphaned(end: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    end();
  }, LOOK).unref();
}
