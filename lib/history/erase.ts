import {
  customValues,
  type Erasures,
  erasedParts,
  isErasedCase,
  storedSubject,
  withoutErased,
} from './cases/erasing.ts';
import type { HistoryEvent } from './cases/event.ts';
import { agentSubject, type Subject } from './cases/subject.ts';
import { noteErased } from './erasures.ts';
import type { Incoming } from './incoming.ts';
import { mergeEvents } from './merge.ts';
import { eventsOf, rewriteLedger, walkLedger } from './rewrite.ts';
import { forgetImports } from './sources.ts';
import { readManifest } from './storage/commit.ts';
import type { HistoryContext } from './storage/history-context.ts';

/** What an erasure will remove or change in a history. */
export interface ErasureScope {
  readonly cases: number; // number of subjects: cases, and agents with sessions
  readonly events: number; // number of events that are removed or changed
  readonly values: readonly string[]; // custom-field values that no other case has, as `valueName` returns them
}

/** Finds what an erasure will touch. Reads the whole ledger, and a second time if custom-field values are erased. */
export async function findErased(context: HistoryContext, erasures: Erasures): Promise<ErasureScope> {
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
 * Removes from a history what `recordErased` recorded: moves sessions to the stand-ins of their agents, then rewrites
 * every shard (docs/design/erasing.md). Returns how many subjects changed. After a crash it may be run again.
 */
export async function eraseHistory(
  context: HistoryContext,
  erasures: Erasures,
  agents: readonly number[],
): Promise<number> {
  await mergeEvents(context, new Map(), { wholeTail: true });
  const moved = agents.map(agentSubject).filter((subject) => storedSubject(subject, erasures) !== subject);
  const sessions = await eventsOf(context, moved);
  const incoming = [...sessions].filter(([, events]) => events.length > 0);
  await mergeEvents(context, new Map(incoming.map(([subject, events]) => [subject, events.map(accepted)])));
  const changed = await rewriteLedger(context, (subject, events) => {
    if (isErasedCase(subject, erasures) || moved.includes(subject)) return events.length === 0 ? events : [];
    return withoutErased(events, erasures);
  });
  await mergeEvents(context, new Map(), { wholeTail: true }); // live events that were under way when the erasure began
  await forgetImports(context); // what they replaced may name what was erased
  await noteErased(context, (await readManifest(context.table, context.site.name)).version);
  return changed;
}

const accepted = (event: HistoryEvent): Incoming => ({ event, wasAccepted: true });
