import { unavailable } from '../store/faults.ts';
import { pause } from '../store/pause.ts';
import type { CaseEvent, CaseKey } from './cases/event.ts';
import { isMark, isOfAgent } from './cases/event.ts';
import { caseSubject, hashOf, shardOf } from './cases/subject.ts';
import { mergeVersions } from './cases/versions.ts';
import { shardNow } from './commits/commit.ts';
import type { HistoryContext } from './commits/history-context.ts';
import { countEvents } from './ledger/ledger.ts';
import { type LeafBytes, readByLeaf } from './ledger/ledger-store.ts';
import { pendingIn, tailKey } from './ledger/tail.ts';

const TRIES = 8;

/** A case has more events than somebody wants to read. */
export class TooManyEvents extends Error {
  readonly count: number;

  constructor(count: number) {
    super(`the case has ${count} events`);
    this.name = 'TooManyEvents';
    this.count = count;
  }
}

/**
 * The stored events of a case, in no order, the live ones among them; none for a case that no event names. Throws `TooManyEvents`
 * before it reads more than `most` of the ledger.
 */
export async function readCaseEvents(context: HistoryContext, key: CaseKey, most: number): Promise<CaseEvent[]> {
  const { table, site } = context;
  const subject = caseSubject(key);
  const number = shardOf(hashOf(subject));
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    // The tail first: an event that a commit takes from it meanwhile is found in the ledger then.
    const pending = pendingIn(await table.get(tailKey(site.name, subject)));
    const bytes: LeafBytes = new Map();
    const leaves = await readByLeaf(context, await shardNow(table, site.name, number), [subject], bytes);
    if (leaves !== undefined) {
      const count = [...bytes.values()].reduce((sum, leaf) => sum + countEvents(leaf, subject), 0);
      if (count > most) throw new TooManyEvents(count);
      const stored = [...leaves].flatMap((known) => known.get(subject) ?? []);
      const { events } = mergeVersions(stored, pending?.events ?? []);
      return events.flatMap((event) => (isOfAgent(event) || isMark(event) ? [] : [event]));
    }
    await pause(attempt);
  }
  throw unavailable(new Error('the history changes faster than it can be read'));
}
