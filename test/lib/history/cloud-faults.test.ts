import { Failure } from '../../../lib/errors.ts';
import type { HistoryEvent } from '../../../lib/history/cases/event.ts';
import { compact } from '../../../lib/history/compact.ts';
import { GRACE_MS } from '../../../lib/history/compaction/sweep.ts';
import { CLAIM_MS } from '../../../lib/history/storage/draft.ts';
import { keys } from '../../../lib/store/keys.ts';
import { FAULT_NAMES, type FaultName } from '../../support/faults/faulty-client.ts';
import { some, tries } from '../../support/generators/depth.ts';
import {
  expectedRows,
  freshHistory,
  ingestEvents,
  loadEvents,
  manyEvents,
  orphans,
  readRows,
} from '../../support/generators/history.ts';
import { struckTable } from '../../support/service/engine-table.ts';
import { freshTable, hasEngine, itOnEngine } from '../../support/service/table.ts';

const table = await freshTable(hasEngine ? 'engine' : 'lmdb');
/** The part of the calls that a fault strikes: the SDK waits long after each throttle. */
const partOf = (fault: FaultName): number => (fault === 'throttle' ? 0.05 : 0.3);
const EVENTS = Math.max(100, tries(400));
const BATCH = 10; // live events a call
const TRIES = 20;
const fine = { segmentWeight: 250, factsAtOnce: 20 };

/** Does work again until the table was not unavailable in it, as a queue, a schedule or an operator would. */
async function untilDone(work: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await work();
      return;
    } catch (error) {
      const passes = error instanceof Failure && error.kind === 'unavailable';
      if (!passes || attempt === TRIES) throw error;
    }
  }
}

itOnEngine.each(some(FAULT_NAMES))(
  'a history loses and doubles nothing and leaves nothing locked under %s',
  async (fault) => {
    const sound = freshHistory(table);
    const struck: typeof sound = { ...sound, table: struckTable(table, fault, partOf(fault)) };
    const events: readonly HistoryEvent[] = manyEvents().slice(0, EVENTS);
    const live = events.slice(EVENTS - 10 * BATCH);

    await untilDone(() => loadEvents(struck, events.slice(0, EVENTS - 5 * BATCH))); // half of the live ones come twice
    for (let at = 0; at < live.length; at += BATCH) {
      await untilDone(() => ingestEvents(struck, live.slice(at, at + BATCH)));
      await untilDone(async () => expect(await readRows(struck)).toEqual(await readRows(sound)));
    }
    expect(await readRows(sound)).toEqual(expectedRows(events));
    await untilDone(() => compact(struck, fine));
    expect(await table.get(keys.lease(sound.site.name))).toBeUndefined();
    expect(await readRows(sound)).toEqual(expectedRows(events));

    sound.now += CLAIM_MS + GRACE_MS;
    await compact(sound, fine);
    expect(await orphans(sound)).toEqual([]);
  },
);
