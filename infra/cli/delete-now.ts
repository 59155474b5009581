import type { HistoryContext } from '../../lib/history/commits/history-context.ts';
import { compact } from '../../lib/history/compact.ts';
import { sweep } from '../../lib/history/compaction/sweep.ts';
import { Fault } from '../fault.ts';
import type { Place } from '../local/table/place.ts';

/**
 * Folds a history and deletes what was replaced, without waiting for reports under way: those read again. Returns what to say
 * of what is left elsewhere.
 */
export async function deleteNow(_place: Place, context: HistoryContext): Promise<string> {
  if (!(await compact(context))) throw new Fault('Another process compacts just now: run compact --now later.');
  await sweep(context, { graceMs: 0 });
  return 'Backups still hold it.';
}
