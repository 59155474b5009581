import type { Log } from '../log.ts';
import { putLast } from '../put-last.ts';

const SPAN = 60_000; // ms counted in one log line
const REASONS = 100; // counted at a time

/** Notes a request that was refused because the service or its table could not take it. */
export type NoteRefusal = (reason: string, details: Readonly<Record<string, unknown>>) => void;

/**
 * Counts refusals by their reason, so that a flood of them does not become a flood of log lines: the first is logged at
 * once with its details, and those of the following minute in one line with their number.
 */
export function createRefusals(log: Log): NoteRefusal {
  const counts = new Map<string, number>(); // since the first one was logged

  return (reason, details) => {
    const before = counts.get(reason);
    if (before !== undefined) {
      counts.set(reason, before + 1);
      return;
    }
    putLast(counts, reason, 0, REASONS);
    log('warn', 'unavailable', { reason, ...details });
    setTimeout(() => {
      const more = counts.get(reason) ?? 0;
      counts.delete(reason);
      if (more > 0) log('warn', 'unavailable', { reason, count: more });
    }, SPAN).unref();
  };
}
