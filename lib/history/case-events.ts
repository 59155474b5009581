import { unavailable } from '../store/faults.ts';
import { pause } from '../store/pause.ts';
import type { CaseEvent, CaseKey } from './cases/event.ts';
import { isMark, isOfAgent } from './cases/event.ts';
import { caseSubject, hashOf, shardOf } from './cases/subject.ts';
import { mergeVersions } from './cases/versions.ts';
import { shardNow } from './commits/commit.ts';
import type { HistoryContext } from './commits/history-context.ts';
import { readEvents } from './ledger/ledger-store.ts';
import { pendingIn, tailKey } from './ledger/tail.ts';

const TRIES = 8;

/** The stored events of a case, in no order, the live ones among them; none for a case that no event names. */
export async function readCaseEvents(context: HistoryContext, key: CaseKey): Promise<CaseEvent[]> {
  const { table, site } = context;
  const subject = caseSubject(key);
  const number = shardOf(hashOf(subject));
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    // The tail first: an event that a commit takes from it meanwhile is found in the ledger then.
    const pending = pendingIn(await table.get(tailKey(site.name, subject)));
    const ledger = await readEvents(context, await shardNow(table, site.name, number), [subject]);
    if (ledger !== undefined) {
      const { events } = mergeVersions(ledger.get(subject) ?? [], pending?.events ?? []);
      return events.flatMap((event) => (isOfAgent(event) || isMark(event) ? [] : [event]));
    }
    await pause(attempt);
  }
  throw unavailable(new Error('the history changes faster than it can be read'));
}
