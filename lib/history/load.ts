import { readManifest } from './commit.ts';
import { type CompactOptions, type CompactProgress, compact, compactIfNeeded, fillsPass } from './compact.ts';
import { announceWriter } from './draft.ts';
import type { HistoryEvent } from './event.ts';
import type { RejectedRow, Row } from './formats/row.ts';
import type { HistoryContext } from './history-context.ts';
import { mergeEvents } from './merge.ts';
import { isEvent } from './records.ts';
import type { ReferenceRecord } from './reference-record.ts';
import { openSpill, type Spill, type SpillBounds } from './spill.ts';

/** How a load goes about it. */
export interface LoadOptions {
  readonly spillFolder: string; // for one temporary file that nobody sees
  readonly spillBounds?: SpillBounds;
  readonly compaction?: CompactOptions;
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
  readonly took: Took;
}

/** How long each part of a load took, in ms. */
export interface Took {
  readonly reading: number; // the file read, checked and spread by case
  readonly storing: number; // merged with the ledger, and committed
  readonly folding: number; // segments compacted
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
  const spill = openSpill(options.spillFolder, options.spillBounds);
  const watch = startWatch(context.clock);
  try {
    await readRows(batches, spill, options);
    watch.lap('reading');
    const tally = { added: 0, repeated: 0, conflicts: 0 };
    if (options.dryRun) await mergeGroups(context, spill, options, tally);
    else if (spill.size > 0) await storeGroups(context, spill, options, tally, watch);
    watch.lap('storing');
    if (tally.added > 0 && !options.dryRun) await fold(context, spill.size, options);
    watch.lap('folding');
    return { read: spill.size, ...tally, took: watch.took };
  } finally {
    await spill.close();
  }
}

/** Spreads the events of all rows; what is no event goes elsewhere. */
async function readRows(batches: AsyncIterable<readonly Row[]>, spill: Spill, options: LoadOptions): Promise<void> {
  for await (const rows of batches) {
    for (const row of rows) {
      const reference = takeRow(row, options, spill);
      if (reference) await reference;
    }
    await spill.rest();
    options.onProgress?.({ read: spill.size, merged: 0 });
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

interface Tally {
  added: number;
  repeated: number;
  conflicts: number;
}

/** Merges all groups while compactors wait, and folds in between as often as a pass is full: so segments stay bounded. */
async function storeGroups(
  context: HistoryContext,
  spill: Spill,
  options: LoadOptions,
  tally: Tally,
  watch: Watch,
): Promise<void> {
  const presence = await announceWriter(context);
  try {
    await mergeGroups(context, spill, options, tally, async () => {
      await presence.renew();
      if (!fillsPass(await readManifest(context.table, context.site.name), options.compaction)) return;
      watch.lap('storing');
      await compact(context, options.compaction);
      watch.lap('folding');
    });
  } finally {
    await presence.end();
  }
}

async function mergeGroups(
  context: HistoryContext,
  spill: Spill,
  { dryRun = false, onConflict, onProgress }: LoadOptions,
  tally: Tally,
  between: () => Promise<void> = async () => undefined,
): Promise<void> {
  for await (const group of spill.groups()) {
    const { added, repeated, conflicts } = await mergeEvents(context, group, { dryRun });
    tally.added += added;
    tally.repeated += repeated;
    tally.conflicts += conflicts.length;
    for (const { line, event } of conflicts) onConflict(line, event);
    onProgress?.({ read: spill.size, merged: tally.added + tally.repeated + tally.conflicts });
    await between();
  }
}

async function fold(context: HistoryContext, merged: number, { onProgress, compaction }: LoadOptions): Promise<void> {
  await compactIfNeeded(context, {
    ...compaction,
    onProgress: (folding: CompactProgress) => onProgress?.({ read: merged, merged, folding }),
  });
}

/** Adds up how long the parts of a load take. */
interface Watch {
  readonly took: Took;
  /** Counts the time since the last lap to a part. */
  lap(part: keyof Took): void;
}

function startWatch(clock: () => number): Watch {
  const took = { reading: 0, storing: 0, folding: 0 };
  let since = clock();
  return {
    took,
    lap(part) {
      const now = clock();
      took[part] += now - since;
      since = now;
    },
  };
}
