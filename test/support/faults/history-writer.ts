import { randomUUID } from 'node:crypto';
import type { HistoryEvent } from '../../../lib/history/cases/event.ts';
import { compact } from '../../../lib/history/compact.ts';
import { ingest } from '../../../lib/history/live.ts';
import { removeSource } from '../../../lib/history/take-back.ts';
import { loadEvents, manyEvents, manyVersions } from '../generators/history.ts';
import { tableAt } from '../service/table-at.ts';

/**
 * A process that imports a history, by files and by live messages in turn, and compacts after each, until it is done or
 * killed. Of `versions` it removes one source at the end.
 */
const [name = '', site = '', what = 'events'] = process.argv.slice(2);
const table = tableAt(name);
const context = { table, site: { name: site }, clock: Date.now, newId: randomUUID };
const events: readonly HistoryEvent[] = what === 'versions' ? manyVersions() : manyEvents();
process.stdout.write('begins\n');
for (let at = 0; at < events.length; at += 500) {
  await loadEvents(context, events.slice(at, at + 460));
  await ingest(context, events.slice(at + 460, at + 500));
  await compact(context, { segmentWeight: 4_000, factsAtOnce: 1_000 });
}
if (what === 'versions') await removeSource(context, 'calls');
process.stdout.write('ends\n');
