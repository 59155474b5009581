import type { Site } from '../access/site-fields.ts';
import { type HistoryEvent, type Instant, isMark } from '../history/cases/event.ts';
import type { CompactOptions } from '../history/compact.ts';
import { readErasures } from '../history/erasures.ts';
import type { HistoryContext } from '../history/storage/history-context.ts';
import { type Collections, createCollections } from '../store/collection.ts';
import { rehearse } from '../store/rehearsal.ts';
import type { SiteTable } from '../store/site-table.ts';
import type { Batch, Raw } from './formats/row.ts';
import type { LastCasesSlot } from './known/known-cases.ts';
import { type LoadOptions, type LoadSummary, loadHistory } from './load.ts';
import { REHEARSING, storing } from './load-mode.ts';
import { newMentions } from './mentions.ts';
import type { ReferenceRecord, SiteRecord } from './records/reference-record.ts';
import { type AccessGuard, freeGuard } from './reference/access.ts';
import type { Refusal } from './reference/record-line.ts';
import { importReferences } from './reference/take-reference.ts';
import { conflict, newRatingCheck } from './rejects/refusals.ts';

/** The dependencies of an import. */
export interface ImportContext extends HistoryContext {
  readonly site: Site;
  readonly collections: Collections;
  readonly access?: AccessGuard | undefined; // absent: that of the operator
}

/** Where an import writes reference records. */
export const targetOf = ({ site, table, collections, clock }: ImportContext): SiteTable => ({
  site: site.name,
  table,
  collections,
  now: clock(),
});

/** A line of which something was not loaded. */
export interface Rejected {
  readonly line: number; // a line with several wrong records is rejected several times
  readonly reason: string;
  readonly raw?: Raw | undefined; // its text; absent if it is refused only because of stored data
}

export interface ImportOptions
  extends Pick<
    LoadOptions,
    'spillFolder' | 'spillBounds' | 'origin' | 'tells' | 'replacesStored' | 'onProgress' | 'steps'
  > {
  readonly dryRun?: boolean | undefined; // writes nothing, and refuses what a real run would
  readonly known?: LastCasesSlot | undefined; // of the reader: it skips cases with the same rows as in the last import
  readonly onRejected: (rejected: Rejected) => void;
  /** Called for an event whose id a stored event with other content has; absent: the line is rejected. */
  readonly onConflict?: ((line: number, event: HistoryEvent) => void) | undefined;
  readonly compaction?: CompactOptions | undefined;
}

/** The result of an import. */
export interface ImportSummary extends Omit<LoadSummary, 'read' | 'conflicts'> {
  readonly period: { readonly first: Instant; readonly last: Instant } | undefined; // of the events that were read; undefined: none
  readonly records: Readonly<Record<string, number>>; // number of well-formed records by type, in order of appearance
  readonly messages: { readonly inbound: number; readonly outbound: number };
  readonly events: number; // well-formed ones; the counts of what became of them add up to it, with `leftOut`
  readonly leftOut: number; // refused, or of a case with a rejected row
}

/** Imports rows of a file into a site: events into its history, reference records into its collections. */
export async function importRows(
  real: ImportContext,
  batches: AsyncIterable<Batch>,
  { dryRun = false, compaction, known: lastCases, onRejected, onConflict, ...others }: ImportOptions,
): Promise<ImportSummary> {
  const context = dryRun ? { ...real, table: rehearse(real.table), collections: createCollections() } : real;
  const { site } = context;
  const target = { ...targetOf(context), access: context.access ?? freeGuard('operator', context) };
  const erasures = await readErasures(context);
  let refused = 0; // reference records
  const refuse = (refusal: Refusal): void => {
    refused += 1;
    onRejected(refusal);
  };
  const references = importReferences(target, refuse, erasures);
  const mentions = newMentions();
  const records: Record<string, number> = {};
  const rating = newRatingCheck(site.rating);
  const messages = { inbound: 0, outbound: 0 };
  let period: ImportSummary['period'];
  let events = 0;

  function onReference(record: ReferenceRecord, line: number): void | Promise<void> {
    records[record.type] = (records[record.type] ?? 0) + 1;
    return record.type === 'site' ? onSite(record, line) : references.add(record, line);
  }

  async function onSite(record: SiteRecord, line: number): Promise<void> {
    const before = refused;
    await references.add(record, line);
    if (refused === before) rating.follow(record);
  }

  const {
    read: _,
    conflicts,
    ...loaded
  } = await loadHistory(context, batches, {
    ...others,
    mode: dryRun ? REHEARSING : storing(compaction),
    known: lastCases && { holder: lastCases, salt: site.rating },
    onReference,
    onRejected,
    onConflict: onConflict ?? ((line, event) => onRejected({ line, reason: conflict(event) })),
    refuse: (event) => {
      records[event.type] = (records[event.type] ?? 0) + 1;
      if (!isMark(event)) {
        period = during(period, event.at);
        events += 1;
      }
      const reason = rating.refuse(event);
      if (event.type === 'interaction') messages[event.direction] += 1;
      if (reason === undefined) mentions.see(event);
      return reason;
    },
  });
  for (const [type, count] of Object.entries(loaded.known.types)) {
    records[type] = (records[type] ?? 0) + count;
    events += count;
  }
  await references.flush();
  await mentions.write(target, erasures);
  const { added, replaced, unchanged, superseded, erased } = loaded;
  const leftOut = Math.max(0, events - added - replaced - unchanged - superseded - erased - conflicts);
  return { records, messages, period, events, leftOut, ...loaded };
}

function during(period: ImportSummary['period'], at: Instant): NonNullable<ImportSummary['period']> {
  if (period === undefined) return { first: at, last: at };
  if (at >= period.first && at <= period.last) return period;
  return { first: Math.min(at, period.first), last: Math.max(at, period.last) };
}
