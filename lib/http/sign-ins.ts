import { describeError, type Log } from '../log.ts';

const SPAN = 60_000; // ms counted in one log line

/** Counts sign-ins and logs their sums, at most one line a minute for each site. */
export interface SignIns {
  succeeded(site: string): void;
  /** Resolves when the refusal is noted or will be noted with others. */
  refused(site: string): Promise<void>;
}

/**
 * Logs the sums a minute after the first sign-in. Calls `note` with the number of refused ones: at once with the first,
 * since a process may end within the minute, and after the minute with those that followed.
 */
export function createSignIns(log: Log, note: (site: string, refused: number) => Promise<void>): SignIns {
  const counts = new Map<string, { succeeded: number; refused: number }>();

  async function noted(site: string, refused: number): Promise<void> {
    try {
      await note(site, refused);
    } catch (error) {
      log('warn', 'refused sign-ins not in the audit', describeError(error));
    }
  }

  /** Returns how many sign-ins of the site now have this outcome. */
  function count(site: string, outcome: 'succeeded' | 'refused'): number {
    const running = counts.get(site);
    const sums = running ?? { succeeded: 0, refused: 0 };
    sums[outcome] += 1;
    if (running) return sums[outcome];
    counts.set(site, sums);
    setTimeout(() => {
      counts.delete(site);
      log(sums.refused > 0 ? 'warn' : 'info', 'sign-ins', { site, ...sums });
      if (sums.refused > 1) void noted(site, sums.refused - 1);
    }, SPAN).unref();
    return sums[outcome];
  }

  return {
    succeeded: (site) => void count(site, 'succeeded'),
    async refused(site) {
      if (count(site, 'refused') === 1) await noted(site, 1);
    },
  };
}
