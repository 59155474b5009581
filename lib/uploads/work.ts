import * as z from 'zod';
import { readSite, type Site } from '../access/sites.ts';
import { writersAtWork } from '../history/commits/draft.ts';
import type { CompactOptions } from '../history/compact.ts';
import { listSources } from '../history/sources.ts';
import { removeSource } from '../history/take-back.ts';
import { openImportRejects } from '../import/file-rejects.ts';
import { ImportFault } from '../import/formats/import-fault.ts';
import { type Batch, rowsIn } from '../import/formats/row.ts';
import { noteSummary } from '../import/import-notes.ts';
import { importRows } from '../import/import-rows.ts';
import type { LoadProgress } from '../import/load.ts';
import { type ImportOrigin, OriginRefused } from '../import/origin.ts';
import type { SpillBounds } from '../import/spill/spill.ts';
import { newStories } from '../import/story.ts';
import { createCollections } from '../store/collection.ts';
import type { Table } from '../store/table.ts';
import { type Opened, type Opening, openUpload } from './opened.ts';
import { newReporter } from './reporter.ts';
import { beginStep, type Step, type StepLimit, StepOver } from './step.ts';
import { endTurn, handOver, keepTurn, type UploadTurn } from './turn.ts';
import {
  type FoundFile,
  type ImportOutcome,
  type ImportProgress,
  ownSource,
  readUpload,
  type Upload,
  type Work,
} from './upload.ts';

/** Everything that the work on an import needs. */
export interface WorkTools extends Pick<Opening, 'folder' | 'findPack' | 'readElsewhere'> {
  readonly table: Table;
  readonly clock: () => number; // epoch ms
  readonly newId: () => string;
  readonly pathOf: (upload: Pick<Upload, 'id' | 'name'>) => string;
  readonly drop: (upload: Pick<Upload, 'id' | 'name'>) => Promise<void>; // deletes the file
  readonly dropRejected: (upload: Pick<Upload, 'id' | 'name'>) => Promise<void>; // deletes its rejected lines
  readonly fetch?: (upload: Upload) => Promise<void>; // downloads the file to `pathOf`; absent: it is there
  readonly keepRejected?: (upload: Upload) => Promise<void>; // uploads its rejected lines
  readonly limit?: StepLimit; // absent: the whole work is one step
  readonly compaction?: CompactOptions;
  readonly spillBounds?: SpillBounds;
  readonly ending: AbortSignal; // aborted when the process is about to end; the work stops at a safe point
  readonly onError: (error: unknown) => void; // receives unexpected errors
}

/** A running work. */
interface Job extends WorkTools {
  readonly site: Site;
  readonly upload: Upload;
  readonly report: (progress: ImportProgress) => void;
  /** Writes fields at once, so that a crash does not lose them. */
  readonly note: (fields: Partial<Upload>) => Promise<void>;
  readonly stopped: () => boolean;
}

/** The work must stop, or has lost its turn. */
class Stopped extends Error {}

/**
 * Does a work on an import that holds the turn, and releases the turn. Writes its result to the table, failures as
 * sentences for people. A stopped work leaves the import interrupted; it can be started again. True if only a step is
 * done: then the turn is handed over for the next step.
 */
export async function workOn(tools: WorkTools, turn: UploadTurn, work: Work): Promise<boolean> {
  const { table, clock, ending } = tools;
  let isLost = false;
  let isHanded = false;
  const release = keepTurn(tools, turn, () => {
    isLost = true;
  });
  try {
    const [site, upload] = await Promise.all([readSite(table, turn.site), readUpload(table, turn.site, turn.id)]);
    if (site === undefined || upload === undefined) return false;
    const reporter = newReporter({ table, turn, clock, upload });
    const job: Job = { ...tools, site, upload, ...reporter, stopped: () => isLost || ending.aborted };
    try {
      const fields = await WORK[work](job);
      await reporter.end({ ...fields, status: 'done', problem: null, progress: null, merged: null });
    } catch (error) {
      if (job.stopped() || error instanceof Stopped) return false;
      if (error instanceof StepOver) {
        release();
        return (isHanded = await handOver(tools, turn));
      }
      if (!isForPeople(error)) tools.onError(error);
      await reporter.end({ status: 'failed', problem: problemOf(error, tools.pathOf(upload), upload), progress: null });
    }
  } finally {
    release();
    if (!isHanded) await endTurn(tools, turn);
  }
  return false;
}

const WORK: Readonly<Record<Work, (job: Job) => Promise<Partial<Upload>>>> = { check, load, undo };

const noRoom = z.object({ code: z.literal('ENOSPC') });
const NO_ROOM =
  'The disk is too full for the file and its sorted parts: import it by the command line, or in parts that hold whole cases.';

const isForPeople = (error: unknown): error is Error => error instanceof ImportFault || error instanceof OriginRefused;

/** Why a work failed, in a sentence without paths of this machine. */
function problemOf(error: unknown, path: string, { id, name }: Upload): string {
  if (noRoom.safeParse(error).success) return NO_ROOM;
  if (!isForPeople(error)) return 'An unexpected error occurred; the log of the service has the details.';
  if (!(error instanceof OriginRefused && error.isHeld)) return error.message.replaceAll(path, name);
  return `${error.reason}. Choose that source to replace it, or ${ownSource(id)} to keep both.`;
}

/** Reads the whole file without writing, and returns what loading would change. */
async function check(job: Job): Promise<Partial<Upload>> {
  const { upload } = job;
  await job.fetch?.(upload);
  const opened = await openUpload(openingOf(job), upload.given);
  const stories = newStories();
  const seen = new Set<string>();
  const batches = stories.watch(watchSources(opened.source.batches, seen));
  const origin = originOf(upload, opened);
  const { outcome } = await runImport(job, opened, { origin, batches, dryRun: true });
  const found: FoundFile = { ...opened.found, source: origin.source, sources: [...new Set([origin.source, ...seen])] };
  return { found, checked: { ...outcome, story: [...stories.tell()] }, loaded: null };
}

/** Loads the file as it was checked. Sources that the site does not know yet count as created by this import. */
async function load(job: Job): Promise<Partial<Upload>> {
  const { table, site, clock, newId, note } = job;
  const known = (await listSources({ table, site, clock, newId })).filter(({ isTried }) => !isTried);
  const upload = withoutRemoved(job.upload, known);
  const names = upload.found?.sources ?? [];
  const fresh = names.filter((name) => !known.some((source) => source.name === name));
  const brought = [...new Set([...upload.brought, ...fresh])];
  await note({ touched: true, brought });
  await job.dropRejected(upload);
  await job.fetch?.(upload);
  const opened = await openUpload(openingOf(job), upload.given);
  const run = { origin: originOf(upload, opened), batches: opened.source.batches, dryRun: false };
  const { outcome } = await runImport({ ...job, upload }, opened, run);
  if (outcome.rejected > 0) await job.keepRejected?.(upload);
  return { loaded: outcome, touched: true, brought };
}

/** Forgets what earlier steps have merged if the import's source was removed meanwhile. */
const withoutRemoved = (upload: Upload, known: readonly { readonly name: string }[]): Upload =>
  known.some(({ name }) => name === upload.found?.source) ? upload : { ...upload, merged: null };

/** Removes the sources that the import created, with their events, and its file. */
async function undo({ table, site, upload, clock, newId, drop }: Job): Promise<Partial<Upload>> {
  const context = { table, site, clock, newId };
  if (upload.brought.length > 0 && (await writersAtWork(context))) {
    throw new ImportFault(
      'An import is writing to this site, or died within the last 15 minutes: undo this one later.',
    );
  }
  for (const source of upload.brought) await removeSource(context, source);
  await drop(upload);
  return {};
}

const openingOf = (job: Job): Opening => {
  const { table, site, clock, newId, upload } = job;
  const context = { table, site, clock, newId, collections: createCollections() };
  return { ...job, context, path: job.pathOf(upload), name: upload.name };
};

/**
 * The origin of an import's events. Unless a person names a source, the import has its own, so that it can be undone. A
 * file that replaces whole cases is refused if another source holds them: then a person has to choose one of the two.
 */
function originOf({ id, given }: Upload, { source }: Opened): ImportOrigin {
  const { replaces, parts } = source.origin;
  const isChosen = given.source !== undefined || !replaces;
  return { source: given.source ?? ownSource(id), isChosen, replaces, ...(parts === undefined ? {} : { parts }) };
}

interface Run {
  readonly origin: ImportOrigin;
  readonly batches: AsyncIterable<Batch>;
  readonly dryRun: boolean;
}

async function runImport(job: Job, { source }: Opened, { origin, batches, dryRun }: Run) {
  const { context, folder } = openingOf(job);
  const { upload, limit, note, compaction, spillBounds } = job;
  const step = limit && beginStep(upload, limit, (merged) => note({ merged }));
  const rejects = openImportRejects(source, dryRun, () => undefined);
  try {
    const summary = await importRows(context, untilStopped(job, batches, step), {
      ...(step ? { steps: step.steps } : {}),
      ...(compaction ? { compaction } : {}),
      ...(spillBounds ? { spillBounds } : {}),
      spillFolder: folder,
      dryRun,
      origin,
      onRejected: rejects.add,
      onProgress: (loaded) => {
        const progress = progressOf(source, loaded);
        if (!isBehind(progress, upload)) job.report(progress);
      },
      ...(source.rereads === undefined ? {} : { rereads: source.rereads, onConflict: () => undefined }),
    });
    await rejects.close();
    noteSummary(summary, source.findings);
    const { ignored, warnings } = source.findings.summary();
    const { records, events, added, replaced, unchanged, superseded, removed } = summary;
    const outcome: ImportOutcome = {
      ...{ records: { ...records }, events, added, replaced, unchanged, superseded, removed },
      rejected: rejects.count(),
      rejections: rejects
        .groups()
        .slice(0, MOST)
        .map(({ reason, count, first }) => ({
          ...{ reason, count },
          first: first.map((place) => place.split(':').at(-1) ?? place),
        })),
      ignored: Object.fromEntries(Object.entries(ignored).slice(0, MOST)),
      warnings: warnings.slice(0, MOST),
      story: [],
    };
    return { outcome };
  } finally {
    await source.close();
  }
}

const MOST = 50; // reasons, ignored things and warnings in a result

async function* untilStopped({ stopped }: Job, batches: AsyncIterable<Batch>, step?: Step): AsyncGenerator<Batch> {
  for await (const batch of batches) {
    if (stopped()) throw new Stopped();
    step?.watch();
    yield batch;
  }
}

/** Collects the sources that records name. */
async function* watchSources(batches: AsyncIterable<Batch>, seen: Set<string>): AsyncGenerator<Batch> {
  for await (const batch of batches) {
    for (const row of rowsIn(batch)) {
      if (!('records' in row)) continue;
      for (const record of row.records)
        if ('source' in record && typeof record.source === 'string') seen.add(record.source);
    }
    yield batch;
  }
}

/** Whether an earlier step got further: a step reads again what earlier ones have read. */
const isBehind = ({ step, events }: ImportProgress, { merged, progress }: Upload): boolean =>
  merged !== null && progress !== null && (step === 'reading' || (step === 'storing' && events < progress.events));

function progressOf(source: Opened['source'], { read, merged, folding }: LoadProgress): ImportProgress {
  const share = (done: number, total: number | undefined): number | null =>
    total === undefined || total === 0 ? null : Math.min(1, done / total);
  if (folding) return { step: 'folding', share: share(folding.done, folding.total), events: read };
  const rows = source.rows();
  if (merged === 0) return { step: 'reading', share: share(source.position(), source.size), events: read };
  const stored = rows ? share(rows.given, rows.read) : share(merged, read);
  return { step: 'storing', share: stored, events: merged };
}
