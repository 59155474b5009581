import type { FindingsSummary } from './formats/findings.ts';
import { placedFault } from './formats/line-numbers.ts';
import type { Batch } from './formats/row.ts';
import type { ImportFiles } from './import-files.ts';
import { noteSummary } from './import-notes.ts';
import { type ImportProgress, importProgress } from './import-progress.ts';
import { type ImportContext, type ImportOptions, type ImportSummary, importRows } from './import-rows.ts';
import type { ImportOrigin } from './origin.ts';
import { openImportRejects } from './rejects/file-rejects.ts';
import type { RejectionGroup } from './rejects/rejections.ts';
import { type CaseStory, newStories } from './story.ts';

/** How an import runs. */
export interface RunOptions extends Pick<ImportOptions, 'steps' | 'compaction' | 'spillBounds'> {
  readonly folder: string; // for temporary files
  readonly dryRun: boolean; // writes nothing, and tells the first cases
  readonly origin: ImportOrigin | undefined; // undefined: the sources that the records name
  readonly skipsKnown?: boolean | undefined; // leaves out cases with the same rows as in the source's last import
  readonly say: (line: string) => void; // takes the first rejected lines of each reason
  readonly onProgress: (progress: ImportProgress) => void;
  /** Sees all batches before they are loaded. */
  readonly watch?: ((batches: AsyncIterable<Batch>) => AsyncIterable<Batch>) | undefined;
}

/** What came of an import or of its dry run. */
export interface ImportResult {
  readonly summary: ImportSummary;
  readonly rejected: number; // lines
  readonly rejectedFiles: readonly string[]; // paths of the files that were written
  readonly rejections: readonly RejectionGroup[];
  readonly findings: FindingsSummary;
  readonly readOtherwise: number; // events that differ from the stored ones, which stay
  readonly stories: readonly CaseStory[]; // the first cases in words, of a dry run
}

/** Loads opened files into a site, or finds out what loading them would change. The caller closes the files. */
export async function runImport(
  context: ImportContext,
  files: ImportFiles,
  { folder, dryRun, origin, skipsKnown, say, onProgress, watch = (batches) => batches, ...others }: RunOptions,
): Promise<ImportResult> {
  const rejects = openImportRejects(files, dryRun, say);
  const stories = newStories();
  const { replacesStored, findings } = files;
  let readOtherwise = 0;
  const batches = watch(files.batches);
  const summary = await importRows(context, dryRun ? stories.watch(batches) : batches, {
    ...others,
    spillFolder: folder,
    dryRun,
    origin,
    tells: files.origin.tells,
    known: skipsKnown && !dryRun ? files.known : undefined, // a dry run reads every row
    replacesStored,
    onRejected: rejects.add,
    onConflict: replacesStored && (() => void (readOtherwise += 1)),
    onProgress: (loaded) => onProgress(importProgress(files, loaded)),
  }).catch((error: unknown) => {
    throw placedFault(error, files.placeOf);
  });
  const rejectedFiles = await rejects.close();
  noteSummary(summary, rejects.count(), findings);
  return {
    summary,
    rejected: rejects.count(),
    rejectedFiles,
    rejections: rejects.groups(),
    findings: findings.summary(),
    readOtherwise,
    stories: stories.tell(),
  };
}
