import type { Site } from '../access/sites.ts';
import type { HistoryEvent } from '../history/cases/event.ts';
import type { Rereads } from '../history/cases/versions.ts';
import type { HistoryContext } from '../history/commits/history-context.ts';
import type { CompactOptions } from '../history/compact.ts';
import { readErasures } from '../history/erasures.ts';
import type { FateCounts } from '../history/merge.ts';
import { type Collections, createCollections } from '../store/collection.ts';
import { rehearse } from '../store/rehearsal.ts';
import type { Missing } from './complete.ts';
import type { KnownCasesSlot } from './formats/mapped.ts';
import type { Batch, Raw } from './formats/row.ts';
import type { KnownCounts } from './known/digest-recorder.ts';
import { type LoadProgress, type LoadTimes, loadHistory } from './load.ts';
import type { LoadSteps } from './load-steps.ts';
import { newMentions } from './mentions.ts';
import type { ImportOrigin } from './origin.ts';
import type { ReferenceRecord } from './records/reference-record.ts';
import { importReferences } from './reference/reference.ts';
import { conflict, newRatingCheck } from './refusals.ts';
import type { SpillBounds } from './spill/spill.ts';

/** The dependencies of an import. */
export interface ImportContext extends HistoryContext {
  readonly site: Site;
  readonly collections: Collections;
}

/** A line of which something was not loaded. */
export interface Rejected {
  readonly line: number; // a line with several wrong records is rejected several times
  readonly reason: string;
  readonly raw?: Raw; // its text; absent if it is refused only because of stored data
}

export interface ImportOptions {
  readonly spillFolder: string; // for temporary files
  readonly dryRun?: boolean; // writes nothing, and refuses what a real run would
  readonly origin?: ImportOrigin; // absent: the sources that the records name
  readonly known?: KnownCasesSlot; // of the reader: it skips cases with the same rows as in the last import
  readonly rereads?: Rereads; // events of a log whose new content replaces the stored one
  readonly onRejected: (rejected: Rejected) => void;
  readonly onProgress?: (progress: LoadProgress) => void;
  /** Called for an event whose id a stored event with other content has; absent: the line is rejected. */
  readonly onConflict?: (line: number, event: HistoryEvent) => void;
  readonly steps?: LoadSteps; // absent: all in one step
  readonly compaction?: CompactOptions;
  readonly spillBounds?: SpillBounds; // for events that do not come case by case
}

/** The result of an import. */
export interface ImportSummary {
  readonly records: Readonly<Record<string, number>>; // number of well-formed records by type, in order of appearance
  readonly messages: { readonly inbound: number; readonly outbound: number };
  readonly events: number;
  readonly added: number; // new events
  readonly replaced: number; // events that replaced one with their id and other content
  readonly unchanged: number; // events that were stored before
  readonly superseded: number; // events of an older version than the stored one
  readonly removed: number; // stored events that newer versions removed
  readonly erased: number; // events that were not stored, because they were erased
  readonly fates: FateCounts; // the same counts by event type
  readonly known: KnownCounts; // cases with the same rows as in the last import, which were not read again
  readonly took: LoadTimes;
  readonly missing?: Missing; // only of a dry run of a complete file: what it would remove
  readonly completed?: boolean; // only of a complete file: whether the other cases of its source were removed
}

/** Imports rows of a file into a site: events into its history, reference records into its collections. */
export async function importRows(
  context: ImportContext,
  batches: AsyncIterable<Batch>,
  { spillFolder, dryRun = false, origin, known, onRejected, onProgress, onConflict, ...others }: ImportOptions,
): Promise<ImportSummary> {
  const { site } = context;
  const { table, collections } = dryRun
    ? { table: rehearse(context.table), collections: createCollections() }
    : context;
  const target = { site: site.name, table, collections, now: context.clock() };
  const erasures = await readErasures(context);
  const references = importReferences(target, onRejected, erasures);
  const mentions = newMentions();
  const records: Record<string, number> = {};
  const rating = newRatingCheck(site.rating);
  const messages = { inbound: 0, outbound: 0 };

  function onReference(record: ReferenceRecord, line: number): void | Promise<void> {
    records[record.type] = (records[record.type] ?? 0) + 1;
    rating.follow(record);
    return references.add(record, line);
  }

  const {
    read,
    conflicts: _,
    ...loaded
  } = await loadHistory(context, batches, {
    ...others,
    spillFolder,
    dryRun,
    ...(origin === undefined ? {} : { origin }),
    ...(known === undefined ? {} : { known: { holder: known, salt: site.rating } }),
    onReference,
    onRejected,
    onConflict: onConflict ?? ((line, event) => onRejected({ line, reason: conflict(event) })),
    ...(onProgress === undefined ? {} : { onProgress }),
    refuse: (event) => {
      records[event.type] = (records[event.type] ?? 0) + 1;
      const reason = rating.refuse(event);
      if (event.type === 'interaction') messages[event.direction] += 1;
      if (reason === undefined) mentions.see(event);
      return reason;
    },
  });
  for (const [type, count] of Object.entries(loaded.known.types)) records[type] = (records[type] ?? 0) + count;
  await references.flush();
  await mentions.write(target, erasures);
  return { records, messages, events: read, ...loaded };
}
