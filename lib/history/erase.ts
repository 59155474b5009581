import {
  customValues,
  type Erasures,
  erasedParts,
  isErasedCase,
  subjectAfter,
  withoutErased,
} from './cases/erasing.ts';
import type { HistoryEvent } from './cases/event.ts';
import { agentSubject, type Subject } from './cases/subject.ts';
import type { HistoryContext } from './commits/history-context.ts';
import type { Incoming } from './incoming.ts';
import { mergeEvents } from './merge.ts';
import { eventsOf, rewriteLedger, walkLedger } from './rewrite.ts';

/** What an erasure finds in a history. */
export interface FoundToErase {
  readonly cases: number; // agents of sessions among them
  readonly events: number; // that go or change
  readonly values: readonly string[]; // of custom fields that nothing else has, as `valueName` returns them
}

/** What of a history an erasure touches. Reads the whole ledger, twice where custom fields go. */
export async function findErased(context: HistoryContext, erasures: Erasures): Promise<FoundToErase> {
  const values = new Set<string>();
  const touched = new Set<Subject>();
  let events = 0;
  for await (const known of walkLedger(context)) {
    for (const [subject, list] of known) {
      const parts = erasedParts(subject, list, erasures);
      if (parts.events === 0) continue;
      touched.add(subject);
      events += parts.events;
      for (const value of parts.values) values.add(value);
    }
  }
  if (values.size > 0) {
    for await (const known of walkLedger(context)) {
      for (const [subject, list] of known)
        if (!touched.has(subject)) for (const value of customValues(list)) values.delete(value);
    }
  }
  return { cases: touched.size, events, values: [...values] };
}

/**
 * Takes out of a history what is noted as erased: sessions go over to their agents' stand-ins, then every shard is written
 * anew (docs/design/erasing.md). Returns how many subjects changed. May be run again after a crash.
 */
export async function eraseHistory(
  context: HistoryContext,
  erasures: Erasures,
  agents: readonly number[],
): Promise<number> {
  await mergeEvents(context, new Map(), { wholeTail: true });
  const moved = agents.map(agentSubject).filter((subject) => subjectAfter(subject, erasures) !== subject);
  const sessions = await eventsOf(context, moved);
  const incoming = [...sessions].filter(([, events]) => events.length > 0);
  await mergeEvents(context, new Map(incoming.map(([subject, events]) => [subject, events.map(accepted)])));
  const changed = await rewriteLedger(context, (subject, events) => {
    if (isErasedCase(subject, erasures) || moved.includes(subject)) return events.length === 0 ? events : [];
    return withoutErased(events, erasures);
  });
  await mergeEvents(context, new Map(), { wholeTail: true }); // what was under way when the erasure was noted
  return changed;
}

const accepted = (event: HistoryEvent): Incoming => ({ event, line: 0 });
