import { type CompactProgress, compactIfNeeded } from './compact.ts';
import type { HistoryEvent } from './event.ts';
import type { RejectedRow, Row } from './formats/row.ts';
import type { HistoryContext } from './history-context.ts';
import { mergeEvents } from './merge.ts';
import { isEvent } from './records.ts';
import type { ReferenceRecord } from './reference-record.ts';
import { openSpill, type Spill } from './spill.ts';

/** How a load goes about it. */
export interface LoadOptions {
  readonly spillFolder: string; // for one temporary file that nobody sees
  readonly dryRun?: boolean; // writes nothing to the table
  /** Why an event that is well formed is not for this site; undefined: it is. */
  readonly refuse?: (event: HistoryEvent) => string | undefined;
  readonly onReference: (record: ReferenceRecord, line: number) => void | Promise<void>;
  readonly onRejected: (row: RejectedRow) => void;
  /** Another event has the same id, and stays (events.md). Lines come in no order. */
  readonly onConflict: (line: number, event: HistoryEvent) => void;
  readonly onProgress?: (progress: LoadProgress) => void;
}

export interface LoadProgress {
  readonly read: number; // events so far
  readonly merged: number; // of them, so far
  readonly folding?: CompactProgress; // once all are merged
}

/** What a load did. */
export interface LoadSummary {
  readonly read: number; // events
  readonly added: number;
  readonly repeated: number; // were there before, word for word
  readonly conflicts: number;
}

/**
 * Loads rows of a file into a site's history in bounded memory: events are spread by case, then merged with the ledger
 * group by group, and segments are folded where it is worth it. Each group is one commit, so a load that dies has done
 * some groups wholly, and the rest by running again.
 */
export async function loadHistory(
  context: HistoryContext,
  batches: AsyncIterable<readonly Row[]>,
  options: LoadOptions,
): Promise<LoadSummary> {
  const spill = openSpill(options.spillFolder, context.newId());
  try {
    for await (const rows of batches) {
      for (const row of rows) {
        const reference = takeRow(row, options, spill);
        if (reference) await reference;
      }
      await spill.rest();
      options.onProgress?.({ read: spill.size, merged: 0 });
    }
    const summary = { read: spill.size, added: 0, repeated: 0, conflicts: 0 };
    for await (const group of spill.groups()) {
      const { added, repeated, conflicts } = await mergeEvents(context, group, { dryRun: options.dryRun ?? false });
      summary.added += added;
      summary.repeated += repeated;
      summary.conflicts += conflicts.length;
      for (const { line, event } of conflicts) options.onConflict(line, event);
      options.onProgress?.({ read: spill.size, merged: summary.added + summary.repeated + summary.conflicts });
    }
    const merged = spill.size;
    const onProgress = (folding: CompactProgress): void => options.onProgress?.({ read: merged, merged, folding });
    if (summary.added > 0 && !options.dryRun) await compactIfNeeded(context, { onProgress });
    return summary;
  } finally {
    await spill.close();
  }
}

/** Spreads a row's events; a promise only where the row brings reference records, since most bring none. */
function takeRow(row: Row, options: LoadOptions, spill: Spill): Promise<unknown> | undefined {
  if ('reason' in row) {
    options.onRejected(row);
    return undefined;
  }
  const { line, raw, records } = row;
  let references: Promise<unknown> | undefined;
  for (const record of records) {
    if (!isEvent(record)) {
      references = (references ?? Promise.resolve()).then(() => options.onReference(record, line));
      continue;
    }
    const reason = options.refuse?.(record);
    if (reason === undefined) spill.add({ event: record, line });
    else options.onRejected({ line, raw, reason });
  }
  return references;
}
