import { describeError, type Log } from '../log.ts';

const SPAN = 60_000; // ms counted in one log line

/** Counts sign-ins and logs their sums, at most one line a minute for each site. */
export interface SignIns {
  succeeded(site: string): void;
  refused(site: string): void;
}

/** Logs the sums a minute after the first sign-in, and calls `note` with the number of refused ones. */
export function createSignIns(log: Log, note: (site: string, refused: number) => Promise<void>): SignIns {
  const counts = new Map<string, { succeeded: number; refused: number }>();

  function count(site: string, outcome: 'succeeded' | 'refused'): void {
    const known = counts.get(site);
    const sums = known ?? { succeeded: 0, refused: 0 };
    sums[outcome] += 1;
    if (known) return;
    counts.set(site, sums);
    setTimeout(() => {
      counts.delete(site);
      log(sums.refused > 0 ? 'warn' : 'info', 'sign-ins', { site, ...sums });
      if (sums.refused > 0)
        note(site, sums.refused).catch((error) =>
          log('warn', 'refused sign-ins not in the audit', describeError(error)),
        );
    }, SPAN).unref();
  }

  return {
    succeeded: (site) => count(site, 'succeeded'),
    refused: (site) => count(site, 'refused'),
  };
}
