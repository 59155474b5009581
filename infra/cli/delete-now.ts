import { compact } from '../../lib/history/compact.ts';
import { sweep } from '../../lib/history/compaction/sweep.ts';
import { writersAtWork } from '../../lib/history/storage/draft.ts';
import type { HistoryContext } from '../../lib/history/storage/history-context.ts';
import { Fault } from '../fault.ts';
import type { Place } from '../local/table/place.ts';
import { grouped } from './progress.ts';

/** Throws a `Fault` while an import writes to a site's history. */
export async function requireNoWriter(context: HistoryContext): Promise<void> {
  if (await writersAtWork(context))
    throw new Fault('An import is at work on this site, or died within the last 15 minutes: wait for its end.');
}

/**
 * With `now`, folds a history and deletes replaced data at once; reports that are being computed read again. Then it
 * rewrites the store's file if it is on this machine, which closes the place. Returns a sentence about the copies that
 * are left.
 */
export async function deleteBytes(place: Place, context: HistoryContext, now = false): Promise<string> {
  if (!now)
    return 'Its bytes are deleted after the next compaction (--now deletes them at once); backups still hold them.';
  if (!(await compact(context))) throw new Fault('Another process is compacting: run compact --now later.');
  await sweep(context, { graceMs: 0 });
  return `${await shrink(place)}Backups still hold it.`;
}

const MB = 1_000_000;

/**
 * Rewrites the store's file if it is on this machine and no other process has it open. Returns a sentence with a space
 * at its end; '' for other stores.
 */
export async function shrink(place: Place): Promise<string> {
  if (place.rewrite === undefined) return '';
  const size = await place.rewrite();
  if (size === undefined)
    return 'Freed pages of the data folder keep its bytes while another process uses it: stop that and run compact --now. ';
  const mega = (bytes: number): string => grouped(Math.ceil(bytes / MB));
  return `The data folder's file went from ${mega(size.before)} to ${mega(size.after)} MB. `;
}
