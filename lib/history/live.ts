import { certain } from '../certain.ts';
import { addTo } from '../group-by.ts';
import { ConditionFailed, unavailable } from '../store/faults.ts';
import { pause } from '../store/pause.ts';
import { ALL_TELLINGS } from '../vocabulary.ts';
import { type Erasures, isErasedCase, type StorableEvent, storableEvents, storedSubject } from './cases/erasing.ts';
import type { HistoryEvent } from './cases/event.ts';
import { areTooMany, whyTooMany } from './cases/most-events.ts';
import { type Subject, shardOf, subjectOf } from './cases/subject.ts';
import { type Fate, mergeVersions } from './cases/versions.ts';
import { readErasures } from './erasures.ts';
import { mergeEvents } from './merge.ts';
import { deleteDigests, digestDeletion, kindOfEvent, noteNameless, openSource, sourceOpenCheck } from './sources.ts';
import { bytesOf } from './storage/blobs.ts';
import { shardNow } from './storage/commit.ts';
import type { HistoryContext } from './storage/history-context.ts';
import { readEvents } from './storage/ledger-store.ts';
import { parsePending, pendingItem, pendingRow, staleRow, tailKey } from './storage/tail.ts';

/**
 * What became of a live event. A conflict is never accepted, so a queue may drop it; a failed event should be sent
 * again.
 */
export type IngestOutcome =
  | { readonly outcome: Fate }
  | { readonly outcome: 'erased' } // not stored, because it belongs to an erased case or holds only erased data
  | { readonly outcome: 'refused'; readonly reason: string } // by its source, see `refusal`
  | { readonly outcome: 'failed'; readonly error: unknown };

const TRIES = 8;
/** If a subject's pending events take more bytes, they are committed at once: an item holds 400 KB. */
const PENDING_BYTES = 150_000;
/**
 * If a case has more events in the ledger, no row is stored with its pending events: it would seldom fit, and computing
 * it takes a second for a million events.
 */
const ROW_EVENTS = 50_000;

/**
 * Accepts a few live events, each subject by itself, in the given order. Every report that begins after the return
 * counts them.
 */
export async function ingest(context: HistoryContext, events: readonly HistoryEvent[]): Promise<IngestOutcome[]> {
  const outcomes: IngestOutcome[] = events.map(() => ({ outcome: 'erased' }));
  if (events.some(({ source }) => source === undefined)) await noteNameless(context, ALL_TELLINGS);
  const erasures = await readErasures(context);
  const indexes = new Map<Subject, number[]>();
  for (const [index, event] of events.entries()) {
    const given = subjectOf(event);
    if (erasures && isErasedCase(given, erasures)) continue;
    const subject = erasures ? storedSubject(given, erasures) : given;
    addTo(indexes, subject, index);
  }
  await Promise.all(
    [...indexes].map(async ([subject, own]) => {
      const found = await ingestSubject(
        context,
        subject,
        own.map((index) => certain(events[index])),
        erasures,
      ).catch((error: unknown): IngestOutcome[] => own.map(() => ({ outcome: 'failed', error })));
      for (const [i, index] of own.entries()) outcomes[index] = certain(found[i]);
    }),
  );
  return outcomes;
}

async function ingestSubject(
  context: HistoryContext,
  subject: Subject,
  events: readonly HistoryEvent[],
  erasures: Erasures | undefined,
): Promise<IngestOutcome[]> {
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const outcomes = await tryIngest(context, subject, events, erasures);
    if (outcomes) return outcomes;
    await pause(attempt);
  }
  throw unavailable(new Error(`${subject} is written too often to take an event in`));
}

/** Returns undefined if another writer changed the subject meanwhile: then try again from the start. */
async function tryIngest(
  context: HistoryContext,
  subject: Subject,
  events: readonly HistoryEvent[],
  erasures: Erasures | undefined,
): Promise<IngestOutcome[] | undefined> {
  const { table, site } = context;
  const refusals = await openSources(context, events);
  if (refusals.some((reason) => reason !== undefined)) {
    const rest = events.filter((_, index) => refusals[index] === undefined);
    const outcomes = rest.length === 0 ? [] : await tryIngest(context, subject, rest, erasures);
    let next = 0;
    return outcomes && refusals.map((reason) => (reason ? { outcome: 'refused', reason } : certain(outcomes[next++])));
  }
  // The tail is read before the ledger: a fold that deletes the item in between has committed its events to the ledger.
  const before = parsePending(await table.get(tailKey(site.name, subject)));
  const number = shardOf(subject);
  const shard = await shardNow(table, site.name, number);
  const found = await readEvents(context, shard, [subject]);
  if (found === undefined) return undefined;
  const ledger = found.get(subject) ?? [];

  const pendingBefore = before?.events ?? [];
  const accepted = mergeVersions(ledger, pendingBefore).events;
  const kept = erasures
    ? storableEvents(accepted, events, erasures)
    : events.map((event): StorableEvent => ({ event, isGone: false }));
  const merged = mergeVersions(
    accepted,
    kept.flatMap(({ event }) => event ?? []),
  );
  const outcomes = outcomesOf(kept, merged.fates);
  if (merged.added.length === 0 && !merged.isRewritten) return outcomes;
  if (areTooMany(subject, merged.events.length) && merged.events.length > accepted.length)
    return events.map(() => ({ outcome: 'refused', reason: whyTooMany(subject) }));
  const pending = mergeVersions(pendingBefore, merged.added).events;
  const item = pendingItem(site.name, {
    ...(ledger.length > ROW_EVENTS
      ? staleRow(subject)
      : { ...pendingRow(subject, ledger, pending), base: shard.version }),
    events: pending,
    token: context.newId(),
  });
  if (certain(bytesOf(item)).length > PENDING_BYTES) {
    for (const { source } of merged.added) if (source !== undefined) await deleteDigests(context, source);
    await mergeEvents(context, new Map([[subject, merged.added.map((event) => ({ event }))]]));
    return outcomes;
  }
  try {
    const when = before ? ({ attribute: 'token', equals: before.token } as const) : ({ absent: true } as const);
    const sources = new Map(
      merged.added.flatMap(({ source, as_of }) => (source === undefined ? [] : [[source, as_of]])),
    );
    const checks = [...sources].flatMap(([name, asOf]) => [
      sourceOpenCheck(site.name, name),
      ...(asOf === undefined ? [] : [digestDeletion(site.name, name)]),
    ]);
    await (checks.length === 0 ? table.put(item, when) : table.transact([{ put: item, when }, ...checks]));
    return outcomes;
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined;
    throw error;
  }
}

/** Combines erasures and fates into outcomes. A dropped event was not merged, so `fates` has none for it. */
function outcomesOf(kept: readonly StorableEvent[], fates: readonly Fate[]): IngestOutcome[] {
  let next = 0;
  return kept.map(({ event, isGone }) => {
    const fate = event === undefined ? 'erased' : certain(fates[next++]);
    return { outcome: isGone ? 'erased' : fate };
  });
}

/** Live records can tell everything. */
const RECORDS = { tells: ALL_TELLINGS };

/** Records the sources of events; returns for each event why it is refused, or undefined if it is accepted. */
async function openSources(
  context: HistoryContext,
  events: readonly HistoryEvent[],
): Promise<readonly (string | undefined)[]> {
  const reasons: (string | undefined)[] = [];
  for (const event of events) {
    const { source } = event;
    const opened = source === undefined ? undefined : await openSource(context, source, kindOfEvent(event), RECORDS);
    reasons.push(opened && 'reason' in opened ? opened.reason : undefined);
  }
  return reasons;
}
