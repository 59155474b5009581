import * as z from 'zod';
import { maySettle } from '../access/authority.ts';
import type { Site } from '../access/site-fields.ts';
import { readSite } from '../access/sites.ts';
import { certain } from '../certain.ts';
import { Failure } from '../errors.ts';
import { formatInstant } from '../history/cases/instant.ts';
import type { CompactOptions } from '../history/compact.ts';
import { listSources, noteForm, SourceClosed } from '../history/sources.ts';
import { undoImport } from '../history/undo.ts';
import { ImportFault } from '../import/formats/import-fault.ts';
import { type Batch, rowsIn } from '../import/formats/row.ts';
import type { ImportFiles } from '../import/import-files.ts';
import type { ImportProgress } from '../import/import-progress.ts';
import { answeredCopy, type CopyNumbers, earlierCopies, NEWER_COPY, newerCopyQuestion } from '../import/newer-copy.ts';
import type { Opening } from '../import/open.ts';
import { type ImportOrigin, importOrigin, OriginRefused } from '../import/origin.ts';
import type { AccessGuard } from '../import/reference/access.ts';
import { takeBackAccess } from '../import/reference/take-back-access.ts';
import { type ImportResult, runImport } from '../import/run-import.ts';
import type { SpillBounds } from '../import/spill/spill.ts';
import { createCollections } from '../store/collection.ts';
import { StoodStill } from '../store/lease.ts';
import type { Table } from '../store/table.ts';
import { checkingGuard, loadingGuard, withGoodConsents } from './access.ts';
import { type OpenedUpload, openUpload } from './opened.ts';
import { newReporter } from './reporter.ts';
import { type ImportOutcome, shownQuestions, type Understanding, type UploadProgress } from './shapes.ts';
import { beginStep, type Step, type StepLimit, StepOver } from './step.ts';
import { endTurn, handOver, keepTurn, type UploadTurn } from './turn.ts';
import { importIdOf, ownSource, readUpload, TurnLost, type Upload, type Work } from './upload.ts';
import { whyNotUndone } from './why-not-undone.ts';

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
  readonly compaction?: CompactOptions | undefined;
  readonly spillBounds?: SpillBounds | undefined;
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
  let reports = 0;
  let isLost = false;
  let isHanded = false;
  const { stop, still, ...kept } = keepTurn(tools, turn, {
    progress: () => reports,
    onTaken: () => {
      isLost = true;
    },
  });
  try {
    const [site, upload] = await Promise.all([readSite(table, turn.site), readUpload(table, turn.site, turn.id)]);
    if (site === undefined || upload === undefined) return false;
    const reporter = newReporter({ table, turn, clock, upload });
    const report = (progress: ImportProgress): void => {
      reports += 1;
      const shown = shownProgress(progress);
      if (!isBehind(shown, upload)) reporter.report(shown);
    };
    const stopped = (): boolean => isLost || ending.aborted;
    const job: Job = { ...tools, ...kept, site, upload, note: reporter.note, report, stopped };
    try {
      const fields = await Promise.race([WORK[work](job), still]);
      await reporter.end({ status: 'done', problem: null, ...fields, progress: null, merged: null });
    } catch (error) {
      if (job.stopped() || error instanceof Stopped || error instanceof TurnLost) return false;
      if (error instanceof StepOver) {
        stop();
        return (isHanded = await handOver(tools, turn));
      }
      if (!isForPeople(error) && !(error instanceof SourceClosed)) tools.onError(error);
      await reporter.end({ status: 'failed', problem: problemOf(error, tools.pathOf(upload), upload), progress: null });
    }
  } catch (error) {
    if (!(error instanceof TurnLost)) throw error; // another process goes on
  } finally {
    isLost = true; // work that stood still changes nothing once it wakes up
    stop();
    if (!isHanded) await endTurn(tools, turn);
  }
  return false;
}

const WORK: Readonly<Record<Work, (job: Job) => Promise<Partial<Upload>>>> = { check, load, undo };

const noRoom = z.object({ code: z.literal('ENOSPC') });
const NO_ROOM =
  'The disk is too full for the file and its sorted parts: import it by the command line, or in parts that hold whole cases.';

const SOURCE_GONE =
  'The source of its events was removed, or is being removed, while the import ran: load it again, once the removal is done.';
const STILL =
  'The work on the file stood still for half an hour and was ended: start it again. If it stands still again, import the file by the command line.';
const NO_WRITES =
  'The store took no further writes, because its disk is full or too many write at once: load it again later. Nothing is added twice.';

const isForPeople = (error: unknown): error is Error => error instanceof ImportFault || error instanceof OriginRefused;

/** The sentence for what stops an import from outside; undefined for an error that nobody expects. */
function outerCause(error: unknown): string | undefined {
  if (noRoom.safeParse(error).success) return NO_ROOM;
  if (error instanceof SourceClosed) return SOURCE_GONE;
  if (error instanceof StoodStill) return STILL;
  return error instanceof Failure && error.kind === 'unavailable' ? NO_WRITES : undefined;
}

/** Why a work failed, in a sentence without paths of this machine. */
function problemOf(error: unknown, path: string, { id, name }: Upload): string {
  if (!isForPeople(error))
    return outerCause(error) ?? 'An unexpected error occurred; the log of the service has the details.';
  if (!(error instanceof OriginRefused)) return error.message.replaceAll(path, name);
  if (!error.isHeld) return `${error.reason}. Choose another source.`;
  return `${error.reason}. Choose that source to replace it, or ${ownSource(id)} to keep both.`;
}

/**
 * Reads the whole file without writing, and returns what loading would change. What the import loaded before it was
 * corrected is taken back first.
 */
async function check(loaded: Job): Promise<Partial<Upload>> {
  if (!loaded.upload.touched) return checkUntouched(loaded);
  const back = await takeBack(loaded);
  if ('refused' in back) return back.refused;
  const untouched = { touched: false, loaded: null, changes: [], merged: null };
  await loaded.note(untouched);
  await loaded.dropRejected(loaded.upload);
  const checked = await checkUntouched({ ...loaded, upload: { ...loaded.upload, ...untouched } });
  return { ...checked, ...untouched, ...problemIn(back.told) };
}

async function checkUntouched(job: Job): Promise<Partial<Upload>> {
  const { upload } = job;
  await job.fetch?.(upload);
  const opened = await openUpload(openingOf(job), upload.given);
  if (opened.files === undefined) {
    const source = upload.given.source ?? ownSource(upload.id);
    return { found: { ...opened.found, source, sources: [source] }, checked: null, loaded: null };
  }
  const seen = new Set<string>();
  const copies = await copiesOf(job, opened);
  const answered = answeredCopy(copies, upload.given.answers ?? {});
  const origin = originOf(upload, opened.files, answered === undefined ? copies[0]?.name : (answered ?? undefined));
  const watch = (batches: AsyncIterable<Batch>) => watchSources(batches, seen);
  const access = checkingGuard((await withGoodConsents(job, upload.given)).given, job);
  const checked = await run(job, opened.files, { origin, watch, access, dryRun: true });
  const newer = answered !== undefined ? [] : newerCopyQuestion(copies, job.site.timeZone, numbersOf(checked));
  const found: Understanding = {
    ...opened.found,
    questions: shownQuestions([...newer, ...access.questions()]),
    source: origin.source,
    sources: [...new Set([origin.source, ...seen])],
  };
  return { found, checked, loaded: null };
}

const LAPSED = 'Who agreed to these changes is no Administrator any more: an Administrator is asked again.';

/** Loads the file as it was checked; where a consent lapsed meanwhile, it is checked again, so that it is asked for. */
async function load(job: Job): Promise<Partial<Upload>> {
  const { note } = job;
  const consents = await withGoodConsents(job, job.upload.given);
  if (consents.lapsed.length > 0) {
    const { given } = consents;
    const checked = await checkUntouched({ ...job, upload: { ...job.upload, given } });
    return { ...checked, work: 'check', given, loaded: job.upload.loaded, problem: LAPSED };
  }
  const known = (await listSources(job)).filter(({ isTried }) => !isTried);
  const upload = withoutRemoved(job.upload, known);
  await note({ touched: true });
  await job.dropRejected(upload);
  await job.fetch?.(upload);
  const { files, found } = await openUpload(openingOf(job), upload.given);
  if (files === undefined) throw new ImportFault('A question about the file is open: answer it first.');
  const checked = upload.found?.source;
  const origin = originOf(upload, files, checked === ownSource(upload.id) ? undefined : checked);
  const changes = new Map(upload.changes.map((change) => [change.text, change]));
  const access = loadingGuard(upload.given, job, async (change) => {
    if (changes.has(change.text)) return;
    changes.set(change.text, change);
    await note({ changes: [...changes.values()] });
  });
  const loaded = await run({ ...job, upload }, files, { origin, access, dryRun: false });
  if (found.form !== null) await noteForm(job, origin.source, found.form);
  if (loaded.rejected > 0) await job.keepRejected?.(upload);
  return { loaded, touched: true };
}

/** Forgets what earlier steps have merged if the import's source was removed meanwhile. */
const withoutRemoved = (upload: Upload, known: readonly { readonly name: string }[]): Upload =>
  known.some(({ name }) => name === upload.found?.source) ? upload : { ...upload, merged: null };

/** Takes back what the import added and changed, and deletes its file; or says why it cannot, and changes nothing. */
async function undo(job: Job): Promise<Partial<Upload>> {
  const back = await takeBack(job);
  if ('refused' in back) return back.refused;
  await job.drop(job.upload);
  return problemIn(back.told);
}

const problemIn = (told: readonly string[]): Partial<Upload> => (told.length > 0 ? { problem: told.join(' ') } : {});

/** Takes back what the import added and changed; or says why it cannot, and changes nothing. */
async function takeBack(
  job: Job,
): Promise<{ readonly told: readonly string[] } | { readonly refused: Partial<Upload> }> {
  const { table, site, upload, clock, newId } = job;
  const { asked: actor = 'service', changes } = upload;
  if (upload.touched) {
    if (changes.length > 0 && !(await maySettle(table, site.name, upload.asked)))
      return refusedBack(upload, NOT_SETTLED);
    const reason = await whyNotUndone(job, upload);
    if (reason !== undefined) return refusedBack(upload, reason);
    await undoImport(job, importIdOf(upload.id));
  }
  const target = { site: site.name, table, collections: createCollections(), now: clock() };
  return { told: await takeBackAccess({ ...target, actor, newId }, changes) };
}

const NOT_SETTLED =
  'It changed users or settings: only an Administrator, who signed in as a person and still is one, takes that back.';

/** An import that stays loaded, and why. */
const refusedBack = ({ loaded }: Upload, problem: string) => ({
  refused: { work: 'load', status: loaded ? 'done' : 'failed', problem } as const,
});

const openingOf = (job: Job): Opening => {
  const { table, site, clock, newId, upload } = job;
  const importId = importIdOf(upload.id);
  const context = { table, site, clock, newId, importId, collections: createCollections() };
  return { ...job, context, path: job.pathOf(upload), name: upload.name };
};

/** The sources of which the file may be a newer copy, unless a person chose one or described the file. */
async function copiesOf(job: Job, { found, ids }: OpenedUpload) {
  const { source, mapping } = job.upload.given;
  if (found.form === null || source !== undefined || mapping !== undefined) return [];
  return earlierCopies(job, { form: found.form, ids });
}

/** Unless a person names a source, or the file is a newer copy, an import has a source of its own. */
function originOf({ id, given }: Upload, files: ImportFiles, copied: string | undefined): ImportOrigin {
  const own = ownSource(id);
  const isNew = given.answers?.[NEWER_COPY] === null; // a person said so: it may hold cases that another source has
  const isComplete = files.origin.replaces ? given.complete : undefined;
  return certain(
    importOrigin(files.origin, { source: given.source ?? copied ?? (isNew ? own : undefined), own, isComplete }),
  );
}

const numbersOf = ({ cases }: ImportOutcome): CopyNumbers | undefined =>
  cases === null ? undefined : { changed: cases.changed, added: cases.added, gone: cases.gone ?? undefined };

interface RunOptions {
  readonly origin: ImportOrigin;
  readonly access: AccessGuard;
  readonly watch?: (batches: AsyncIterable<Batch>) => AsyncIterable<Batch>;
  readonly dryRun: boolean;
}

const MOST = 50; // reasons, ignored things and warnings in a result

async function run(job: Job, files: ImportFiles, { origin, access, watch = (all) => all, dryRun }: RunOptions) {
  const { context, folder } = openingOf(job);
  const { upload, limit, note, compaction, spillBounds } = job;
  const step = limit && beginStep(upload, limit, (merged) => note({ merged }));
  try {
    return outcomeOf(
      await runImport({ ...context, access }, files, {
        folder,
        dryRun,
        origin,
        watch: (batches) => watch(untilStopped(job, batches, step)),
        say: () => undefined,
        onProgress: job.report,
        steps: step?.steps,
        compaction,
        spillBounds,
      }),
    );
  } finally {
    await files.close();
  }
}

function outcomeOf({ summary, rejected, rejections, findings, stories }: ImportResult): ImportOutcome {
  const { records, events, added, replaced, unchanged, superseded, removed, cases, missing, period } = summary;
  const at = (instant: number | undefined): string | null => (instant === undefined ? null : formatInstant(instant));
  return {
    records: { ...records },
    events,
    added,
    replaced,
    unchanged,
    superseded,
    removed,
    left_out: Math.max(0, events - added - replaced - unchanged - superseded),
    cases: { added: cases.added, changed: cases.changed, gone: missing?.cases ?? null },
    first_at: at(period?.first),
    last_at: at(period?.last),
    rejected,
    rejections: rejections.slice(0, MOST).map(({ reason, count, first }) => ({
      reason,
      count,
      first: first.map((place) => place.split(':').at(-1) ?? place),
    })),
    ignored: Object.fromEntries(Object.entries(findings.ignored).slice(0, MOST)),
    warnings: findings.warnings.slice(0, MOST),
    stories: stories.map(({ case: key, events }) => ({ case: key, events: [...events] })),
  };
}

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
const isBehind = ({ step, events }: UploadProgress, { merged, progress }: Upload): boolean =>
  merged !== null && progress !== null && (step === 'reading' || (step === 'storing' && events < progress.events));

function shownProgress({ step, done, total, events }: ImportProgress): UploadProgress {
  return { step, share: total === undefined || total === 0 ? null : Math.min(1, done / total), events };
}
