interface Held {
  readonly run: () => void;
  readonly every: number | undefined; // ms, of a repeated one
  left: number; // ms
}

/**
 * Timers that run only when the test says that time passed; all else is real. Jest's own fakes hold `nextTick`, too, on
 * which files that share this process wait.
 */
export function holdTimers() {
  const timers = new Map<object, Held>();
  const holding =
    (isRepeated: boolean) =>
    (run: () => void, ms = 1) => {
      const timer = { ref: () => timer, unref: () => timer };
      timers.set(timer, { run, every: isRepeated ? ms : undefined, left: ms });
      return timer;
    };
  const { setTimeout, setInterval, clearTimeout, clearInterval } = globalThis;
  const drop = (timer: object): void => void timers.delete(timer);
  const held = { setInterval: holding(true), clearInterval: drop };
  return {
    /** Holds repeated timers, and with `all` those that run once, too. */
    hold: (all = false) =>
      Object.assign(globalThis, held, all ? { setTimeout: holding(false), clearTimeout: drop } : {}),
    release: () => Object.assign(globalThis, { setTimeout, setInterval, clearTimeout, clearInterval }),
    pass: (ms: number) => {
      for (const [timer, { run, every }] of timers) {
        const held = timers.get(timer);
        if (held === undefined) continue;
        held.left -= ms;
        while (held.left <= 0 && timers.has(timer)) {
          if (every === undefined) timers.delete(timer);
          else held.left += every;
          run();
        }
      }
    },
  };
}
