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
import type { KnownHolder } from './formats/mapped.ts';
import type { Batch, Raw } from './formats/row.ts';
import type { KnownCounts } from './known/remember.ts';
import { type LoadProgress, loadHistory, type Took } from './load.ts';
import type { LoadSteps } from './load-steps.ts';
import { newMentions } from './mentions.ts';
import type { ImportOrigin } from './origin.ts';
import type { ReferenceRecord } from './records/reference-record.ts';
import { importReferences } from './reference/reference.ts';
import { conflict, newRatingCheck } from './refusals.ts';
import type { SpillBounds } from './spill/spill.ts';

/** What an import stands on. */
export interface ImportContext extends HistoryContext {
  readonly site: Site;
  readonly collections: Collections;
}

/** A line that is not loaded, or not wholly. */
export interface Rejected {
  readonly line: number; // a line whose rows hold several wrong records comes several times
  readonly reason: string;
  readonly raw?: Raw; // as it came; absent where what was stored before speaks against it
}

export interface ImportOptions {
  readonly spillFolder: string; // for temporary files
  readonly dryRun?: boolean; // writes nothing, and refuses what a real run would
  readonly origin?: ImportOrigin; // absent: that of the records themselves
  readonly known?: KnownHolder; // the source's: cases that came so in the last import are not read again
  readonly rereads?: Rereads; // events of a log whose new content replaces what was stored
  readonly onRejected: (rejected: Rejected) => void;
  readonly onProgress?: (progress: LoadProgress) => void;
  /** Another event has the same id, and stays; absent: the line is rejected. */
  readonly onConflict?: (line: number, event: HistoryEvent) => void;
  readonly steps?: LoadSteps; // absent: all in one go
  readonly compaction?: CompactOptions;
  readonly spillBounds?: SpillBounds; // of events that do not come case by case
}

/** What an import did. */
export interface ImportSummary {
  readonly records: Readonly<Record<string, number>>; // well-formed ones by type, in the order they came
  readonly messages: { readonly inbound: number; readonly outbound: number };
  readonly events: number;
  readonly added: number; // events that were not there before
  readonly replaced: number; // that replaced an event with their id and other content
  readonly unchanged: number; // that were there before
  readonly superseded: number; // of an older version than the stored one
  readonly removed: number; // events that newer versions removed
  readonly erased: number; // events that were not stored, because their case was erased
  readonly fates: FateCounts; // those counts by type
  readonly known: KnownCounts; // cases whose rows are those of the last import: they were not read again
  readonly took: Took;
  readonly missing?: Missing; // of a dry run of a complete file: what would be removed
  readonly completed?: boolean; // of a complete file: whether the other cases of its source were removed
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
