import { certain } from '../certain.ts';
import { type Erasures, isErasedCase, storableEvents, storedSubject } from './cases/erasing.ts';
import type { HistoryEvent } from './cases/event.ts';
import type { Subject } from './cases/subject.ts';
import type { ReplacesStored } from './cases/versions.ts';

/** An event to merge into the ledger. */
export interface Incoming {
  readonly event: HistoryEvent;
  readonly line?: number | undefined; // line in its file, from 1; absent: it comes from no file
  readonly wasAccepted?: boolean | undefined; // it was checked and counted before, such as one from the tail
}

/** An event of a file. */
export interface FileEvent extends Incoming {
  readonly line: number;
}

/** Moves events of erased agents to their stand-ins, and drops and counts those of erased cases. */
export function applyErasures(
  incoming: ReadonlyMap<Subject, readonly Incoming[]>,
  erasures: Erasures,
): { readonly incoming: Map<Subject, readonly Incoming[]>; readonly dropped: number } {
  const kept = new Map<Subject, readonly Incoming[]>();
  let dropped = 0;
  for (const [subject, list] of incoming) {
    const after = storedSubject(subject, erasures);
    if (isErasedCase(subject, erasures)) dropped += list.filter(isNew).length;
    else kept.set(after, [...(kept.get(after) ?? []), ...list]);
  }
  return { incoming: kept, dropped };
}

/** Returns the incoming events of a subject without erased data, and how many new events were dropped whole. */
export function storableIncoming(
  before: readonly HistoryEvent[],
  came: readonly Incoming[],
  erasures: Erasures,
  replacesStored: ReplacesStored | undefined,
): { readonly came: readonly Incoming[]; readonly dropped: number } {
  const events = came.map(({ event }) => event);
  let dropped = 0;
  const kept = storableEvents(before, events, erasures, replacesStored).flatMap(
    ({ event, isGone }, index): Incoming[] => {
      const incoming = certain(came[index]);
      if (isGone && isNew(incoming)) dropped += 1;
      if (event === undefined) return [];
      if (event === incoming.event) return [incoming];
      return [isGone ? { event, wasAccepted: true } : { ...incoming, event }]; // a mark is not counted
    },
  );
  return { came: kept, dropped };
}

const isNew = ({ wasAccepted = false }: Incoming): boolean => !wasAccepted;
