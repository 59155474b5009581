import type { Site } from '../access/site-fields.ts';
import { isAhead } from '../ahead.ts';
import { eventsOf } from '../history/rewrite.ts';
import { targetOf } from '../import/import-rows.ts';
import { agentIds } from '../import/reference/agents.ts';
import { describeError } from '../log.ts';
import { createCollections } from '../store/collection.ts';
import { ConditionFailed } from '../store/faults.ts';
import { keys } from '../store/keys.ts';
import { checkLease, keepLease, type Lease, withLease } from '../store/lease.ts';
import { openLine } from './call.ts';
import { look, takeCases, takeRings } from './cases.ts';
import { checkIn, isChecking } from './check/check-state.ts';
import { takeCheck } from './check/take-check.ts';
import { connectionIn, type DeskConnection, forgetConnection, openConnection } from './connection.ts';
import type { DeskSetting } from './desk.ts';
import {
  FIRST_COME,
  isDue,
  newProgress,
  type PullProgress,
  progressIn,
  progressItem,
  pullLease,
  REFUSED_STEP,
  windowAt,
} from './progress.ts';
import { listRings } from './rings.ts';
import { changedPage, Interrupted, type PullRun, type PullTools } from './run.ts';
import { storeRecords } from './take.ts';
import { DeskTrouble } from './trouble.ts';
import { ownNetworkOf, vendorOf } from './vendors/vendors.ts';

/** How a pull ended. `more`: there is more to do now; `idle`: nothing was due; `busy`: another process pulls. */
export type PullEnd = 'done' | 'more' | 'idle' | 'busy' | 'failed';

const MEMBERS = 3_600_000; // ms between two looks at all members
const EARLIER = 120_000; // ms before the connection from which changes are listed
const LONGEST_STEP = 300_000; // ms between two tries

/** Does what is due of a site's connection, until a time (epoch ms). `isWished`: as if somebody had asked for it. */
export async function pullSite(
  tools: PullTools,
  site: Site,
  { until, isWished = false }: { readonly until: number; readonly isWished?: boolean },
): Promise<PullEnd> {
  const { table, clock, log } = tools;
  const parts = ['settings', 'progress', 'wish', 'check'] as const;
  const [settings, item, wish, check] = await table.batchGet(parts.map((part) => keys.connection(site.name, part)));
  const connection = connectionIn(settings);
  if (connection === undefined) return 'idle';
  if (connection.removing) return endRemoval(tools, site, connection);
  const isAsked = isWished || wish !== undefined;
  const hasMore = isChecking(checkIn(check)) || (!isAsked && (await listRings(table, site.name, 1)).length > 0);
  if (!isDue(connection, item && progressIn(item), { now: clock(), isAsked: isAsked || hasMore })) return 'idle';
  const lease = pullLease(tools, site.name);
  const outcome = await withLease(lease, FIRST_COME, async (): Promise<PullEnd> => {
    let isLost = false;
    const kept = keepLease(lease, FIRST_COME, { onTaken: () => void (isLost = true), progress: clock });
    try {
      const running = { ...tools, table: kept.table, isEnding: () => isLost || tools.isEnding() };
      return await pull(running, { site, connection, lease, until, isAsked });
    } catch (error) {
      if (error instanceof Interrupted) return 'more';
      if (error instanceof ConditionFailed) return 'busy'; // the lease is another's, or the connection is gone
      log('warn', 'pull put off', { site: site.name, connection: connection.id, ...describeError(error) });
      return 'failed';
    } finally {
      kept.stop();
    }
  });
  return 'wait' in outcome ? 'busy' : outcome.done;
}

/** Forgets a connection whose facts are removed. */
async function endRemoval({ table }: PullTools, site: Site, connection: DeskConnection): Promise<'idle'> {
  const source = await table.get(keys.source(site.name, connection.source));
  if (source === undefined) await forgetConnection(table, site.name, connection);
  return 'idle';
}

interface Pulling {
  readonly site: Site;
  readonly connection: DeskConnection;
  readonly lease: Lease;
  readonly until: number;
  readonly isAsked: boolean;
}

const NOT_READY = { read: async () => undefined };

/** Opens the line to the help desk, with the progress so far. Throws `DeskTrouble` without the key of the token. */
async function openRun(tools: PullTools, { site, connection, lease, until }: Pulling): Promise<PullRun> {
  const { table, clock, newId } = tools;
  const vendor = vendorOf(connection.system);
  const context = { table, site, clock, newId, collections: createCollections() };
  const item = await table.get(keys.connection(site.name, 'progress'));
  const stored = item && progressIn(item);
  // One that begins ahead is void, as the clock was wrong: changes would be missed until then.
  const isVoid = stored === undefined || isAhead(stored.began, clock());
  const before = isVoid ? newProgress(clock() - EARLIER, connection.since) : stored;
  const isSame = before.backfill.since === connection.since;
  const progress = isSame ? before : { ...before, backfill: newProgress(before.began, connection.since).backfill };
  const secrets = await openConnection(tools.keyStore, site.name, connection);
  const calling = { url: connection.url, own: ownNetworkOf(vendor, tools.own), clock, pause: tools.pause };
  const { longestPause = Number.POSITIVE_INFINITY } = tools;
  const run: PullRun = {
    tools,
    site,
    connection,
    lease,
    until,
    vendor,
    context,
    progress,
    reader: NOT_READY,
    requests: 0,
    looked: clock(),
    succeeded: 0,
    line: openLine({
      ...{ ...calling, longestPause },
      headers: vendor.headers({ token: secrets?.token ?? '', login: connection.login ?? undefined }),
      secrets: [secrets?.token ?? '', secrets?.webhook ?? ''],
      onRequest: () => {
        if (secrets === undefined)
          throw new DeskTrouble('refused', 'The key of the token is not here: give the token again.');
        run.requests += 1;
      },
    }),
  };
  return run;
}

/** Writes the progress, while the lease is held. */
async function save(run: PullRun, next: PullProgress): Promise<void> {
  const { tools, site, lease } = run;
  await tools.table.transact([{ put: progressItem(site.name, next) }, checkLease(lease)]);
  run.progress = next;
}

async function pull(tools: PullTools, pulling: Pulling): Promise<PullEnd> {
  const { clock, table } = tools;
  const { site, connection, isAsked, until } = pulling;
  const run = await openRun(tools, pulling);
  await table.delete(keys.connection(site.name, 'wish'));
  const { error, next } = run.progress;
  const isLive = isAsked || error !== null || clock() >= next || next > clock() + connection.interval * 1000;
  try {
    if (isLive) await begin(run);
    await openReader(run);
    await takeRings(run);
    if (isLive) await takeLive(run);
    while (!run.progress.backfill.done && clock() < Math.min(until, run.progress.next)) await takeWindow(run);
    if (!run.progress.backfill.done) return 'more';
    await takeCheck(run);
    return 'done';
  } catch (failure) {
    const { progress } = run;
    const ended = { ...progress, lastPull: endedPull(run) };
    if (failure instanceof Interrupted && progress.lastPull?.ended === null) await save(run, ended);
    if (!(failure instanceof DeskTrouble)) throw failure;
    await save(run, { ...ended, error: errorOf(run, failure) });
    return 'failed';
  } finally {
    run.line.close();
  }
}

/** The last pull, ended now if it is at work. */
function endedPull({ progress: { lastPull }, requests, tools }: PullRun): PullProgress['lastPull'] {
  return lastPull?.ended === null ? { ...lastPull, ended: tools.clock(), requests } : lastPull;
}

/** Notes that a pull begins, and looks at all members if it is time. */
async function begin(run: PullRun): Promise<void> {
  const { clock } = run.tools;
  const { vendor, line, connection, context, lease } = run;
  const started = clock();
  const lastPull = { started, ended: null, cases: 0, added: 0, unchanged: 0, requests: 0 };
  await save(run, { ...run.progress, lastPull });
  const { membersAt } = run.progress;
  if (started - membersAt < MEMBERS && membersAt <= started) return;
  for await (const records of vendor.members(line, connection.account ?? undefined, settingOf(run, []))) {
    await look(run);
    await storeRecords(records, {
      context,
      source: connection.source,
      lacks: vendor.lacks,
      beside: async () => [checkLease(lease)],
    });
  }
  run.progress = { ...run.progress, membersAt: started };
}

const settingOf = ({ site, connection, context }: PullRun, agents: readonly number[]): DeskSetting => ({
  agents,
  rating: site.rating,
  options: connection.options,
  eventsOf: (subjects) => eventsOf(context, subjects),
});

async function openReader(run: PullRun): Promise<void> {
  const { vendor, line, connection, context } = run;
  const agents = await agentIds(targetOf(context));
  run.reader = await vendor.reader(line, settingOf(run, agents), connection.account ?? undefined);
}

/** Takes what waits and what changed, to the end. */
async function takeLive(run: PullRun): Promise<void> {
  const { connection, tools } = run;
  const started = run.progress.lastPull?.started ?? tools.clock();
  await takeWaiting(run);
  for (let begins = true, isLast = false; !isLast; begins = false) {
    await look(run);
    const { began: since, cursor } = run.progress;
    const page = await changedPage(run, { since, cursor, begins });
    const { cases, records } = page;
    await takeCases(run, cases, { isListed: true, records, moved: (next) => ({ ...next, cursor: page.cursor }) });
    isLast = page.isLast;
  }
  const { waiting } = run.progress;
  const now = tools.clock();
  await save(run, {
    ...run.progress,
    asOf: Math.min(started - run.vendor.delay, ...waiting.map(({ changed }) => changed - 1)),
    next: now + connection.interval * 1000,
    error: waiting.length > 0 ? caseError(run.progress, now) : null,
    lastPull: endedPull(run),
  });
}

/** Tries again the cases that failed alone, and those that were not there. */
async function takeWaiting(run: PullRun): Promise<void> {
  const { waiting, gone } = run.progress;
  const again = [...waiting, ...gone.map(({ id, at }) => ({ id, changed: at }))];
  if (again.length === 0) return;
  const ids = new Set(waiting.map(({ id }) => id));
  const moved = (next: PullProgress) => ({ ...next, waiting: next.waiting.filter(({ id }) => !ids.has(id)) });
  await takeCases(run, again, { isListed: false, moved });
}

/** Takes a page of the present window of the backfill; the newest window comes first. */
async function takeWindow(run: PullRun): Promise<void> {
  const { progress, tools } = run;
  const window = windowAt(progress);
  if (window === undefined) return save(run, { ...progress, backfill: { ...progress.backfill, done: true } });
  const { from, to } = window;
  const { cursor } = progress.backfill;
  const began = tools.clock();
  await look(run);
  const page = await changedPage(run, { since: from, until: to, cursor, begins: cursor === null });
  const inside = page.cases.filter(({ changed }) => changed >= from && changed < to);
  const moved = (next: PullProgress): PullProgress => {
    const { backfill } = next;
    const work = backfill.work + Math.max(0, tools.clock() - began);
    const step = page.isLast ? { window: backfill.window + 1, cursor: null } : { cursor: page.cursor };
    return { ...next, backfill: { ...backfill, cases: backfill.cases + inside.length, work, ...step } };
  };
  await takeCases(run, inside, { isListed: true, records: page.records, moved });
}

/** What is known of a failure: when it began, and when the next try is. */
function errorOf(
  { progress, tools }: PullRun,
  { code, message, wait }: DeskTrouble,
): NonNullable<PullProgress['error']> {
  const now = tools.clock();
  const times = (progress.error?.times ?? 0) + 1;
  const step = code === 'refused' ? REFUSED_STEP : Math.min(LONGEST_STEP, 1000 * 2 ** Math.min(times - 1, 20));
  const jitter = 0.8 + 0.4 * tools.random();
  const next = now + (wait > 0 ? wait : Math.round(step * jitter));
  return { code, message, since: progress.error?.since ?? now, next, times, isHeld: wait > 0 };
}

/** The error of cases that wait, while all others are in. */
function caseError({ waiting, error }: PullProgress, now: number): NonNullable<PullProgress['error']> {
  const [first] = waiting;
  const count = waiting.length === 1 ? 'One case waits' : `${waiting.length} cases wait`;
  const since = error?.code === 'case' ? error.since : now;
  const message = `${count}; case ${first?.id}: ${first?.why}`;
  return { code: 'case', message, since, next: now, times: 0, isHeld: false };
}
