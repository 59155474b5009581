import { unavailable } from '../store/faults.ts';
import { pause } from '../store/pause.ts';
import type { CaseEvent, CaseKey } from './cases/event.ts';
import { isMark, isOfAgent } from './cases/event.ts';
import { caseSubject, shardOf } from './cases/subject.ts';
import { mergeVersions } from './cases/versions.ts';
import { shardNow } from './storage/commit.ts';
import type { HistoryContext } from './storage/history-context.ts';
import { countEvents } from './storage/ledger.ts';
import { type LeafBytes, readByLeaf } from './storage/ledger-store.ts';
import { parsePending, tailKey } from './storage/tail.ts';

const TRIES = 8;

/** A case has more events than the caller accepts. */
export class CaseTooLong extends Error {
  readonly count: number;

  constructor(count: number) {
    super(`the case has ${count} events`);
    this.name = 'CaseTooLong';
    this.count = count;
  }
}

/**
 * Reads the events of a case from ledger and tail, in no order; empty if there are none. Throws `CaseTooLong` before
 * it decodes more than `most` events.
 */
export async function readCaseEvents(context: HistoryContext, key: CaseKey, most: number): Promise<CaseEvent[]> {
  const { table, site } = context;
  const subject = caseSubject(key);
  const number = shardOf(subject);
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    // The tail is read first: if a commit takes an event from it after that, the ledger has the event too.
    const pending = parsePending(await table.get(tailKey(site.name, subject)));
    const bytes: LeafBytes = new Map();
    const leaves = await readByLeaf(context, await shardNow(table, site.name, number), [subject], bytes);
    if (leaves !== undefined) {
      const count = [...bytes.values()].reduce((sum, leaf) => sum + countEvents(leaf, subject), 0);
      if (count > most) throw new CaseTooLong(count);
      const stored = [...leaves].flatMap((storedEvents) => storedEvents.get(subject) ?? []);
      const { events } = mergeVersions(stored, pending?.events ?? []);
      return events.flatMap((event) => (isOfAgent(event) || isMark(event) ? [] : [event]));
    }
    await pause(attempt);
  }
  throw unavailable(new Error('the history changes faster than it can be read'));
}
