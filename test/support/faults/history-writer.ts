import { randomUUID } from 'node:crypto';
import { compact } from '../../../lib/history/compact.ts';
import { ingest } from '../../../lib/history/live.ts';
import { loadEvents, manyEvents } from '../generators/history.ts';
import { tableAt } from '../service/table-at.ts';

/** A process that takes a history in, by files and by live messages in turn, and compacts now and then, until it is killed or done. */
const [name = '', site = ''] = process.argv.slice(2);
const table = tableAt(name);
const context = { table, site: { name: site }, clock: Date.now, newId: randomUUID };
const events = manyEvents();
process.stdout.write('begins\n');
for (let at = 0; at < events.length; at += 500) {
  await loadEvents(context, events.slice(at, at + 460));
  await ingest(context, events.slice(at + 460, at + 500));
  await compact(context, { segmentWeight: 4_000, factsAtOnce: 1_000 });
}
process.stdout.write('ends\n');
