import { randomUUID } from 'node:crypto';
import { compact } from '../../lib/history/compact.ts';
import { connect } from '../../lib/store/client.ts';
import { openTable } from '../../lib/store/table.ts';
import { loadEvents, manyEvents } from './history.ts';

/** A process that loads a history in files of 500 events and compacts after each, until it is killed or done. */
const [name = '', site = ''] = process.argv.slice(2);
const table = openTable(connect({ endpoint: process.env.TEST_ENDPOINT, local: true }), name);
const context = { table, site: { name: site }, clock: Date.now, newId: randomUUID };
const events = manyEvents();
process.stdout.write('begins\n');
for (let at = 0; at < events.length; at += 500) {
  await loadEvents(context, events.slice(at, at + 500));
  await compact(context, { segmentWeight: 4_000, factsAtOnce: 1_000 });
}
process.stdout.write('ends\n');
