import { addTo } from '../group-by.ts';
import type { HistoryEvent } from '../history/cases/event.ts';
import { TooManyEvents } from '../history/cases/most-events.ts';
import { parseSubject, subjectOf } from '../history/cases/subject.ts';
import { readErasures } from '../history/erasures.ts';
import type { Incoming } from '../history/incoming.ts';
import { countFate, type MergeOutcome, mergeEvents } from '../history/merge.ts';
import { openSource } from '../history/sources.ts';
import { withOrigin } from '../history/storage/serial-events.ts';
import { type ImportContext, targetOf } from '../import/import-rows.ts';
import { newMentions } from '../import/mentions.ts';
import { type HistoryRecord, isEvent } from '../import/records/records.ts';
import { type AccessGuard, freeGuard } from '../import/reference/access.ts';
import { importReferences } from '../import/reference/take-reference.ts';
import type { Write } from '../store/table.ts';
import { ALL_TELLINGS, type Telling } from '../vocabulary.ts';
import { DeskTrouble, tooManyEvents } from './trouble.ts';

/** How many events of a page were new, and how many were stored before. */
export interface Taken {
  readonly added: number;
  readonly unchanged: number;
}

/** Where records of a help desk go. */
export interface Taking {
  readonly context: ImportContext;
  readonly source: string;
  readonly lacks?: readonly Telling[] | undefined; // what the help desk's records cannot tell
  /** The writes that are done in the same transaction as the last events; it may throw. */
  readonly beside: (taken: Taken) => Promise<readonly Write[]>;
}

/**
 * Stores records of a help desk: members first, then the events in one commit, and with it what belongs beside. After a
 * crash all of it may be stored again. Throws `DeskTrouble` that names the case if it would have too many events.
 */
export async function storeRecords(
  records: readonly HistoryRecord[],
  { context, source, lacks, beside }: Taking,
): Promise<Taken> {
  const erasures = await readErasures(context);
  const target = targetOf(context);
  /** A help desk changes no login, role or user of a site. */
  const access: AccessGuard = {
    ...freeGuard('service', context),
    decide: async () => 'a connection changes nobody who signs in',
    isFree: false,
  };
  const references = importReferences({ ...target, access }, () => undefined, erasures);
  const mentions = newMentions();
  const cases = new Map<string, Incoming[]>();
  for (const record of records) {
    if (isEvent(record)) {
      mentions.see(record);
      addTo(cases, subjectOf(record), { event: withOrigin(record, source, undefined) });
    } else await references.add(record, 1);
  }
  await references.flush();
  await mentions.write(target, erasures);
  if (cases.size > 0) {
    const tells = ALL_TELLINGS.filter((each) => !lacks?.includes(each));
    const opened = await openSource(context, source, 'log', { tells });
    if ('reason' in opened) throw new DeskTrouble('case', `The facts cannot be stored. ${opened.reason}.`);
  }
  const merged = await mergeEvents(context, cases, {
    replacesStored: isMessage,
    beside: (tally) => beside(takenOf(tally)),
  }).catch((error: unknown) => {
    if (!(error instanceof TooManyEvents)) throw error;
    const subject = parseSubject(error.subject);
    throw 'case' in subject ? tooManyEvents(subject.case) : error;
  });
  return takenOf(merged);
}

/** Whether an event may be read otherwise later: its author becomes known, it becomes private. */
const isMessage = ({ type }: HistoryEvent): boolean => type === 'interaction' || type === 'note';

const takenOf = ({ fates }: Pick<MergeOutcome, 'fates'>): Taken => ({
  added: countFate(fates, 'added') + countFate(fates, 'replaced'),
  unchanged: countFate(fates, 'unchanged') + countFate(fates, 'conflict'),
});
