import type { Erasures } from '../history/cases/erasing.ts';
import type { HistoryEvent } from '../history/cases/event.ts';
import { readErasures } from '../history/erasures.ts';
import { ingest } from '../history/live.ts';
import type { SiteTable } from '../store/site-table.ts';
import { type ImportContext, targetOf } from './import-rows.ts';
import { newMentions } from './mentions.ts';
import type { MessageFate, ValidMessage } from './records/messages.ts';
import { type HistoryRecord, isEvent } from './records/records.ts';
import type { ReferenceRecord } from './records/reference-record.ts';
import { freeGuard } from './reference/access.ts';
import { parentsFirst, takeReference } from './reference/take-reference.ts';
import { conflict, newRatingCheck } from './rejects/refusals.ts';

/** A record and its position in the batch. */
interface At<R extends HistoryRecord> {
  readonly place: number;
  readonly record: R;
}

/**
 * Stores a few live records by the rules of an import: reference records before events, parents before children.
 * Returns in the same order what became of each record; never throws.
 */
export async function takeRecords(
  context: ImportContext,
  letters: readonly ValidMessage[],
): Promise<readonly MessageFate[]> {
  const { site } = context;
  const target = targetOf(context);
  const access = freeGuard('service', context);
  const fates: MessageFate[] = letters.map(() => 'left');
  const stops = new Map<string, number>(); // group → position of its first failed record
  const rating = newRatingCheck(site.rating);
  const erasures = readErasures(context);
  erasures.catch(() => undefined); // each record that needs them awaits them and fails
  const references: At<ReferenceRecord>[] = [];
  const events: At<HistoryEvent>[] = [];
  for (const [place, { record }] of letters.entries()) {
    if (isEvent(record)) {
      const reason = rating.refuse(record);
      if (reason === undefined) events.push({ place, record });
      else fates[place] = { reason };
    } else {
      rating.follow(record);
      references.push({ place, record });
    }
  }
  const group = (place: number): string => letters[place]?.message.group ?? '';
  const isFree = ({ place }: At<HistoryRecord>): boolean => place <= (stops.get(group(place)) ?? Infinity);

  for (const reference of parentsFirst(references)) {
    if (!isFree(reference)) continue;
    const { place, record } = reference;
    const fate = await fateOf(async () => takeReference({ ...target, access }, record, await erasures));
    fates[place] = fate;
    if (typeof fate === 'object' && 'error' in fate) stops.set(group(place), place);
  }
  const free = events.filter(isFree);
  const taken = await takeEvents(context, target, free, erasures);
  for (const [i, { place }] of free.entries()) fates[place] = taken[i] ?? 'left';
  return fates;
}

/**
 * Stores events, and then the members that only events name. If storing the members fails, the events count as failed
 * too, so that they are delivered again.
 */
async function takeEvents(
  context: ImportContext,
  target: SiteTable,
  events: readonly At<HistoryEvent>[],
  erasures: Promise<Erasures | undefined>,
): Promise<readonly MessageFate[]> {
  const outcomes = await ingest(
    context,
    events.map(({ record }) => record),
  );
  const mentions = newMentions();
  const fates = events.map(({ record }, i): MessageFate => {
    const outcome = outcomes[i];
    if (outcome === undefined) return 'left';
    if (outcome.outcome === 'failed') return { error: outcome.error };
    if (outcome.outcome === 'refused') return { reason: outcome.reason };
    if (outcome.outcome === 'conflict') return { reason: conflict(record) };
    if (outcome.outcome !== 'erased') mentions.see(record);
    return 'taken';
  });
  const noted = await fateOf(async () => mentions.write(target, await erasures).then(() => undefined));
  return fates.map((fate) => (fate === 'taken' ? noted : fate));
}

/** Turns work into a fate; the work returns a reason if it refuses the record. */
const fateOf = (work: () => Promise<string | undefined>): Promise<MessageFate> =>
  work().then(
    (reason) => (reason === undefined ? 'taken' : { reason }),
    (error: unknown) => ({ error }),
  );
