import type { HistoryContext } from '../../lib/history/commits/history-context.ts';
import { compact } from '../../lib/history/compact.ts';
import { sweep } from '../../lib/history/compaction/sweep.ts';
import { Fault } from '../fault.ts';
import type { Place } from '../local/table/place.ts';
import { grouped } from './progress.ts';

/**
 * Folds a history, deletes what was replaced, without waiting for reports under way: those read again. Then writes the store's file
 * anew, where it lies on this machine; the place is closed by that. Returns what to say of what is left elsewhere.
 */
export async function deleteNow(place: Place, context: HistoryContext): Promise<string> {
  if (!(await compact(context))) throw new Fault('Another process is compacting: run compact --now later.');
  await sweep(context, { graceMs: 0 });
  return `${await shrink(place)}Backups still hold it.`;
}

const MB = 1_000_000;

/** Writes the store's file anew where it lies on this machine and nobody else has it open. Returns a sentence with a space behind. */
export async function shrink(place: Place): Promise<string> {
  if (place.rewrite === undefined) return '';
  const size = await place.rewrite();
  if (size === undefined)
    return 'Freed pages of the data folder keep its bytes while another process uses it: stop that and run compact --now. ';
  const mega = (bytes: number): string => grouped(Math.ceil(bytes / MB));
  return `The data folder's file went from ${mega(size.before)} to ${mega(size.after)} MB. `;
}
