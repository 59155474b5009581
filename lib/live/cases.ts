import { formatInstant } from '../history/cases/instant.ts';
import { caseSubject } from '../history/cases/subject.ts';
import { eventsOf } from '../history/rewrite.ts';
import type { HistoryRecord } from '../import/records/records.ts';
import { checkLease } from '../store/lease.ts';
import { readConnection } from './connection.ts';
import type { ListedCase } from './desk.ts';
import { type PullProgress, progressItem } from './progress.ts';
import { deskRecords } from './records.ts';
import { endRings, listRings } from './rings.ts';
import { Interrupted, type PullRun } from './run.ts';
import { storeRecords, type Taken } from './take.ts';
import { DeskTrouble, type DeskTroubleCode } from './trouble.ts';

const LOOK = 2_000; // ms between two looks for rings and changes of the settings
const TRUST = 30_000; // ms after a change from which a reading has all that happened in the same second
const TOGETHER = 5_000; // records in a commit
const MOST_WAITING = 1_000; // cases that fail alone
const MOST_SEEN = 500;
const FAILURES = 3; // cases in a row, and none that succeeds: then the help desk is at fault

/** Failures that may be of one case alone. */
const ALONE: ReadonlySet<DeskTroubleCode> = new Set(['unreachable', 'changed', 'too_large', 'redirected']);

/** Ends the pull if it may not go on; true if it is time to look for rings. */
export async function look(run: PullRun): Promise<boolean> {
  const { tools, site, connection, until } = run;
  const now = tools.clock();
  if (tools.isEnding() || now >= until) throw new Interrupted();
  if (now - run.looked < LOOK && run.looked <= now) return false;
  run.looked = now;
  const present = await readConnection(tools.table, site.name);
  if (present?.change !== connection.change) throw new Interrupted();
  return true;
}

/** Stores the cases that the help desk rang for. */
export async function takeRings(run: PullRun): Promise<void> {
  const { table, clock } = run.tools;
  const rings = await listRings(table, run.site.name);
  if (rings.length === 0) return;
  const listed = rings.map(({ id }) => ({ id, changed: clock() }));
  await takeCases(run, listed, { isListed: false, moved: (next) => next });
  await endRings(table, run.site.name, rings);
}

/** A page of cases. */
interface Page {
  readonly isListed: boolean; // it comes from a list of changes
  readonly records?: readonly HistoryRecord[] | undefined; // what the list itself tells
  readonly moved: (next: PullProgress) => PullProgress; // what the last commit makes of the progress
}

interface CaseFailure {
  readonly listed: ListedCase;
  readonly error: DeskTrouble;
}

/** What was read of a page and is not stored yet. */
interface Batch {
  readonly seen: Map<string, number>;
  readonly failures: CaseFailure[];
  readonly missing: ListedCase[];
  records: HistoryRecord[];
  count: number;
}

/** Reads cases and stores them. A case that fails waits, if others do not fail. */
export async function takeCases(run: PullRun, listed: readonly ListedCase[], page: Page): Promise<void> {
  const latest = new Map(listed.map((one) => [one.id, one])); // a page may repeat a case
  const batch: Batch = { seen: new Map(run.progress.seen), failures: [], missing: [], records: [], count: 0 };
  const { failures } = batch;
  for (const one of latest.values()) {
    if (page.isListed && one.changed === batch.seen.get(one.id)) continue;
    try {
      await readCase(run, one, batch, page);
    } catch (error) {
      const isAlone = error instanceof DeskTrouble && ALONE.has(error.code);
      if (isAlone) failures.push({ listed: one, error });
      if (isAlone && !(run.succeeded === 0 && failures.length >= FAILURES)) continue;
      if (batch.records.length > 0) await store(run, batch); // what was read need not be read again
      throw error;
    }
    if (batch.records.length >= TOGETHER) await store(run, batch);
  }
  const [first] = failures;
  if (first !== undefined && page.isListed && run.succeeded === 0) throw first.error;
  for (const record of page.records ?? []) batch.records.push(record);
  for (const record of await deletions(run, batch.missing)) batch.records.push(record);
  await store(run, batch, page);
}

async function readCase(run: PullRun, one: ListedCase, batch: Batch, { isListed }: Page): Promise<void> {
  if ((await look(run)) && isListed) await takeRings(run);
  const deskTime = run.line.time();
  const read = await run.reader.read(one);
  if (read === undefined) return void batch.missing.push(one);
  for (const record of read) batch.records.push(record);
  run.progress = { ...run.progress, gone: run.progress.gone.filter(({ id }) => id !== one.id) };
  batch.count += 1;
  run.succeeded += 1;
  batch.seen.delete(one.id);
  if (isListed && deskTime !== undefined && deskTime - TRUST >= one.changed) batch.seen.set(one.id, one.changed);
}

/** Stores what was read. A case that cannot be stored as it has too many events fails alone. */
async function store(run: PullRun, batch: Batch, page?: Page): Promise<void> {
  for (;;) {
    const { records, count } = batch;
    try {
      return await storeBatch(run, batch, page);
    } catch (error) {
      if (!(error instanceof DeskTrouble) || error.case === undefined) throw error;
      const left = records.filter((record) => !('case' in record) || record.case !== error.case);
      if (left.length === records.length) throw error;
      [batch.records, batch.count] = [left, count - 1];
      batch.seen.delete(error.case);
      batch.failures.push({ listed: { id: error.case, changed: run.tools.clock() }, error });
    }
  }
}

/** At the end of a `page` the cursor moves in the same transaction. */
async function storeBatch(run: PullRun, batch: Batch, page?: Page): Promise<void> {
  const { context, connection, site, lease } = run;
  const { records, count: cases, seen, failures, missing } = batch;
  [batch.records, batch.count] = [[], 0];
  let next = run.progress;
  const beside = async ({ added, unchanged }: Taken) => {
    const { lastPull } = run.progress;
    const running = lastPull?.ended === null && {
      lastPull: {
        ...lastPull,
        requests: run.requests,
        cases: lastPull.cases + cases,
        added: lastPull.added + added,
        unchanged: lastPull.unchanged + unchanged,
      },
    };
    const progress = { ...run.progress, ...running, seen: [...seen].slice(-MOST_SEEN) };
    next = page === undefined ? progress : withMissing(run, withFailures(page.moved(progress), failures), missing);
    return [{ put: progressItem(site.name, next) }, checkLease(lease)];
  };
  await storeRecords(records, { context, source: connection.source, lacks: run.vendor.lacks, beside });
  run.progress = next;
}

/** Notes the cases that failed alone. */
function withFailures(next: PullProgress, failures: readonly CaseFailure[]): PullProgress {
  if (failures.length === 0) return next;
  const added = failures.map(({ listed: { id, changed }, error }) => ({ id, changed, why: error.message }));
  const ids = new Set(added.map(({ id }) => id));
  return { ...next, waiting: [...next.waiting.filter(({ id }) => !ids.has(id)), ...added].slice(-MOST_WAITING) };
}

/** Notes the cases that were not there for the first time. */
function withMissing({ progress, tools }: PullRun, next: PullProgress, missing: readonly ListedCase[]): PullProgress {
  if (missing.length === 0 && next.gone.length === 0) return next;
  const earlier = new Set(progress.gone.map(({ id }) => id));
  const still = next.gone.filter(({ id }) => !missing.some((one) => one.id === id));
  const fresh = missing.filter(({ id }) => !earlier.has(id)).map(({ id }) => ({ id, at: tools.clock() }));
  return { ...next, gone: [...still, ...fresh].slice(-MOST_WAITING) };
}

/** The deletions of cases that were not there at the look before either, unless nothing of them is stored. */
async function deletions(
  { progress, context, vendor }: PullRun,
  missing: readonly ListedCase[],
): Promise<HistoryRecord[]> {
  const twice = progress.gone.filter(({ id }) => missing.some((one) => one.id === id));
  if (twice.length === 0) return [];
  const subjects = twice.map(({ id }) => caseSubject(id));
  const stored = await eventsOf(context, subjects);
  return twice.flatMap(({ id, at }) => {
    if ((stored.get(caseSubject(id)) ?? []).length === 0) return [];
    const event = { id: `${vendor.prefix}:${id}:gone`, at: formatInstant(at * 1000), case: id };
    return deskRecords('', [{ type: 'case.deleted', ...event }]);
  });
}
