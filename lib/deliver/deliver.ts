import type { Site } from '../access/site-fields.ts';
import { listSites, readSite } from '../access/sites.ts';
import type { User } from '../access/users.ts';
import { Failure } from '../errors.ts';
import type { DoTask, Task } from '../http/task.ts';
import { describeError, type Log } from '../log.ts';
import { ownJson } from '../own-json.ts';
import { mapInChunks } from '../store/batches.ts';
import { machineTurns } from '../store/fair-turns.ts';
import { keys, members } from '../store/keys.ts';
import {
  FIRST_COME,
  isLeaseOver,
  type Lease,
  readLease,
  releaseLease,
  renewLease,
  STILL_MS,
  takeLease,
  withLease,
} from '../store/lease.ts';
import type { Item, Table } from '../store/table.ts';
import { plainLine } from '../text.ts';
import type { Alert } from './alert.ts';
import type { Checked } from './check.ts';
import type { ComposedMails } from './composed.ts';
import {
  DELIVERY,
  DELIVERY_MS,
  type Delivered,
  deliveryIn,
  deliveryLease,
  failedTry,
  leaveKey,
  type PendingMail,
  waitsForRetry,
} from './delivery.ts';
import { endAddress, endedOf, hasEnded } from './ended.ts';
import { LEAVE_PATH, leaveQuery } from './leave.ts';
import { alertMail } from './mail/alert-mail.ts';
import type { Mail } from './mail/compose.ts';
import { type MailMessage, MailServerDown, messageOf, type Send } from './mail/message.ts';
import { commonOf, type Mailing, parseMailing, readMailing, scheduleOf } from './mailing.ts';
import { isRecipient, ownerIn, recipientsOf, withoutReports } from './owned.ts';
import { isAddress, readUsers } from './recipients.ts';
import { CHECK_ROUTE, MAIL_ROUTE } from './routes.ts';
import { type Due, dueNow } from './schedule.ts';
import type { Subscription } from './subscription.ts';

/** What deliveries are made with. */
export interface Deliverer {
  readonly table: Table;
  readonly clock: () => number; // epoch ms
  readonly newId: () => string;
  readonly log: Log;
  readonly pause: (ms: number) => Promise<void>;
  readonly doTask: DoTask; // computes reports, by the routes that show a mail and check an alert
  readonly composed: ComposedMails;
  readonly send: Send;
  readonly from: string; // the sender
  readonly linkOriginOf: (site: Site) => string; // what links begin with
  readonly answerWithin: number; // ms that computing a mail may take
  readonly lease: number; // ms; the longest hold of the insights lock
}

/** What a run did. */
export interface DeliveryCounts {
  readonly sent: number; // mails
  readonly failed: number; // subscriptions and alerts that the next run tries again
}

/**
 * Sends all mails that are due (docs/design/deliver.md), of all sites or of those named: claims each due time, sends, and
 * marks it. Safe beside other runs and after a death at any point.
 */
export async function deliverDue(tools: Deliverer, names?: readonly string[]): Promise<DeliveryCounts> {
  let sent = 0;
  let failed = 0;
  const run: Run = { tools, down: undefined };
  for (const site of await sitesNamed(tools.table, names)) {
    for (const member of await dueMailings(tools, site)) {
      try {
        sent += await deliver(run, site, member);
      } catch (error) {
        failed += 1;
        if (error instanceof MailServerDown) run.down = error;
        tools.log('warn', 'mail put off', { site: site.name, of: member, ...describeError(error) });
      }
    }
  }
  return { sent, failed };
}

/** The sites of these names that are there; without names every site. */
async function sitesNamed(table: Table, names: readonly string[] | undefined): Promise<Site[]> {
  if (names === undefined) return (await listSites(table)).map(({ site }) => site);
  return (await Promise.all(names.map((name) => readSite(table, name)))).filter((site) => site !== undefined);
}

const LOOKS = 16; // sites at once

/** The names of the sites that something is due of. */
export async function sitesWithDue(tools: Pick<Deliverer, 'table' | 'clock'>): Promise<string[]> {
  const due = await mapInChunks(await listSites(tools.table), LOOKS, async ({ site }) =>
    (await dueMailings(tools, site)).length > 0 ? [site.name] : [],
  );
  return due.flat();
}

/** A look at all that is due. */
interface Run {
  readonly tools: Deliverer;
  down: MailServerDown | undefined; // once the mail server was out of reach: nothing more is computed for it
}

/** The subscriptions and alerts of a site that something is due of, as sort keys. Deletes what is kept of removed ones. */
async function dueMailings(
  { table, clock }: Pick<Deliverer, 'table' | 'clock'>,
  site: Site,
): Promise<readonly string[]> {
  const [subscriptions, alerts, deliveries] = await Promise.all([
    table.query(keys.subscriptions(site.name).pk, { prefix: members.subscription(0).slice(0, -1) }),
    table.query(keys.alerts(site.name).pk, { prefix: members.alert(0).slice(0, -1) }),
    table.query(keys.deliveries(site.name).pk),
  ]);
  const byMember = new Map(deliveries.map((item) => [item.sk, item]));
  const all = [...subscriptions, ...alerts];
  const there = new Set(all.map(({ sk }) => sk));
  for (const item of deliveries) {
    const { expiresAt } = deliveryIn(item);
    if (!there.has(item.sk) && isLeaseOver(expiresAt, clock(), DELIVERY_MS)) await table.delete(item);
  }
  const due = all.filter((item) => isDue(item, deliveryIn(byMember.get(item.sk)).kept, site, clock()));
  return due.map(({ sk }) => sk);
}

const dueOf = (mailing: Mailing, { done }: Delivered, site: Site, now: number): Due | undefined =>
  commonOf(mailing).enabled
    ? dueNow(scheduleOf(mailing), site.timeZone, { since: commonOf(mailing).since, done }, now)
    : undefined;

/** Whether something is due of a stored subscription or alert. One that cannot be read is due: its delivery says why. */
function isDue(item: Item, delivered: Delivered, site: Site, now: number): boolean {
  try {
    const mailing = parseMailing(item);
    if (waitsForRetry(delivered, commonOf(mailing).updated_at, now)) return false;
    const isPending = commonOf(mailing).enabled && pendingOf(mailing, delivered) !== undefined;
    return isPending || dueOf(mailing, delivered, site, now) !== undefined;
  } catch {
    return true;
  }
}

/** The mail that was decided and perhaps not sent; none if the mailing was changed since, as it would speak of another bound. */
const pendingOf = (mailing: Mailing, { pending, since }: Delivered): PendingMail | undefined =>
  since === commonOf(mailing).since ? pending : undefined;

/** A delivery that is being worked on. */
interface Work {
  readonly run: Run;
  readonly tools: Deliverer;
  readonly site: Site;
  readonly member: string;
  readonly lease: Lease;
  /** What was done up to now. */
  kept(): Delivered;
  /** Writes what was done. Throws if another run has taken over. */
  note(to: Partial<Delivered>): Promise<void>;
}

/** Claims a delivery and does what is due of it; returns the number of mails sent. */
async function deliver(run: Run, site: Site, member: string): Promise<number> {
  const { tools } = run;
  const { table, clock } = tools;
  const lease = deliveryLease(tools, site.name, member);
  const taken = await takeLease(lease, DELIVERY);
  if ('wait' in taken) return 0; // another run works on it
  try {
    const mailing = await readMailing(table, site.name, member); // it may have changed since the run began
    if (mailing === undefined) return 0;
    let delivered = taken.held.kept;
    const work: Work = {
      run,
      tools,
      site,
      member,
      lease,
      kept: () => delivered,
      note: async (fields) => {
        const to = fields.problem === undefined ? fields : { ...fields, problem_at: clock() };
        if (!(await renewLease(lease, DELIVERY, lease.length, to))) throw new Error('another run has taken over');
        delivered = { ...delivered, ...to };
      },
    };
    const due = dueOf(mailing, delivered, site, clock());
    try {
      if ('alert' in mailing) return await deliverAlert(work, mailing.alert, due);
      return due === undefined ? 0 : await deliverSubscription(work, mailing.subscription, due);
    } catch (error) {
      const problem = error instanceof MailServerDown ? { problem: downText(error) } : {};
      const failure = { ...failedTry(delivered, clock()), problem: delivered.problem, ...problem };
      await work.note(failure).catch(() => undefined); // else the next run tries again at once
      throw error;
    }
  } finally {
    await releaseLease(lease, DELIVERY);
  }
}

const downText = ({ message }: MailServerDown): string => `The mail server takes no mails: ${message}`;

async function deliverSubscription(work: Work, subscription: Subscription, due: Due): Promise<number> {
  const { run, tools, site, member } = work;
  if (run.down) throw run.down;
  const importing = await importAtWork(work, due);
  if (importing === 'waits') return 0;
  const name = [site.name, member, due.key, subscription.updated_at, await erasedIn(tools.table, site.name)].join('\n');
  const made =
    tools.composed.get(name) ??
    (await compute<Mail>(work, subscription, due, {
      route: MAIL_ROUTE,
      params: { subscription_id: String(subscription.id) },
    }));
  if (made === undefined) return 0;
  tools.composed.keep(name, made);
  const count = await sendAll(work, subscription, { key: due.key, mail: made, note: importing });
  tools.composed.drop(name);
  return count;
}

/** How many names were erased from a site: a mail that was computed before may have them. */
const erasedIn = async (table: Table, site: string): Promise<number> =>
  (await table.query(keys.history(site).pk, { prefix: keys.erasures(site).sk, attributes: [] })).length;

export const LONGEST_WAIT = 3_600_000; // ms that a mail or an alert waits for an import
const IMPORTING = 'An import was at work when this mail was made: its numbers may still change.';
const WAITS = 'An import of the site is at work: this waits for it, an hour at most.';

/** `waits` while an import of the site is at work, for an hour at most; then what to say of it, nothing if there is none. */
async function importAtWork({ tools: { table, clock }, site, kept, note }: Work, due: Due): Promise<'waits' | string> {
  const { expiresAt } = readLease(FIRST_COME, await table.get(keys.uploadTurn(site.name)));
  if (isLeaseOver(expiresAt, clock(), STILL_MS)) return '';
  const { problem, problem_at } = kept();
  const since = problem === WAITS ? Math.min(problem_at, due.at) : due.at; // hourly due times come while it waits
  if (clock() >= since + LONGEST_WAIT) return IMPORTING;
  if (problem !== WAITS) await note({ problem: WAITS });
  return 'waits';
}

/** Sends the mail of an alert that was decided before, or checks the number and decides. */
async function deliverAlert(work: Work, alert: Alert, due: Due | undefined): Promise<number> {
  if (!alert.enabled) return 0;
  if (work.run.down) throw work.run.down;
  let pending = pendingOf({ alert }, work.kept());
  if (pending === undefined) {
    if (due === undefined) return 0;
    const note = await importAtWork(work, due);
    if (note === 'waits') return 0;
    const checked = await compute<Checked>(work, alert, due, {
      route: CHECK_ROUTE,
      params: { alert_id: String(alert.id) },
    });
    if (checked === undefined) return 0;
    const { crossed, value: _, before: _before, ...shown } = checked;
    const isOn = work.kept().since === alert.since && work.kept().on;
    if (crossed === null || crossed === isOn) {
      const problem = crossed === null ? 'The number is empty, so nothing can be said.' : undefined;
      await work.note({ done: due.key, since: alert.since, on: isOn, pending: undefined, problem });
      return 0;
    }
    pending = { key: due.key, begins: crossed, ...shown, note };
    await work.note({ since: alert.since, on: crossed, pending, key: '' });
  }
  const { tools, site } = work;
  return sendAll(work, alert, {
    key: pending.key,
    mail: alertMail(site, tools.linkOriginOf(site), alert, pending),
    note: pending.note,
  });
}

const LOCK_TRIES = 5;
const LONGEST_REST = 5_000; // ms; after a mail's report nothing is computed for as long as it took

/**
 * Computes something by a route as the mailing's owner, as of the due time, under the site's insights lock. Returns
 * undefined if there is nothing to send: then the due time is done, with the reason noted, or it is left to the next run.
 */
async function compute<T>(
  work: Work,
  mailing: Owned,
  due: Due,
  what: Pick<Task, 'route' | 'params'>,
): Promise<T | undefined> {
  const { tools, site, note } = work;
  const { table, clock, newId, pause } = tools;
  const user = ownerIn(await readUsers(table, site.name, [mailing.owner]), mailing);
  if (user === undefined) {
    await noteNoOwner(work, mailing, due.key);
    return undefined;
  }
  for (let attempt = 1; ; attempt += 1) {
    const lock = { table, key: keys.lock(site.name), owner: newId(), now: clock, length: tools.lease };
    const begun = clock();
    const outcome = await withLease(lock, machineTurns, () => taskDone(work, user, due, what));
    if ('done' in outcome) {
      await pause(Math.min(clock() - begun, LONGEST_REST)); // people's reports share the core with mails
      if (!('problem' in outcome.done)) return ownJson<T>(outcome.done.body);
      await note({ done: due.key, problem: outcome.done.problem });
      return undefined;
    }
    if (attempt === LOCK_TRIES) return undefined;
    await pause(outcome.wait * 1000);
  }
}

/** What of a mailing decides who gets its mails. */
type Owned = Parameters<typeof ownerIn>[1] & Parameters<typeof isRecipient>[1] & Pick<Alert, 'updated_at'>;

/** The reply of a route, or why there is none and will be none. Throws if another try may succeed. */
async function taskDone(
  { tools, site }: Work,
  { password: _, ...user }: User,
  due: Due,
  { route, params }: Pick<Task, 'route' | 'params'>,
): Promise<{ readonly body: string } | { readonly problem: string }> {
  const { clock, linkOriginOf, answerWithin } = tools;
  const outcome = await tools.doTask({
    site,
    user,
    actor: 'service' as const,
    now: due.at,
    deadline: clock() + answerWithin,
    origin: linkOriginOf(site),
    route,
    params,
    query: new Map(),
    pairs: [],
    headers: {},
    body: new Uint8Array(),
  });
  if ('reply' in outcome) return { body: outcome.reply.body ?? '' };
  if ('error' in outcome) throw new Error(outcome.error);
  const { kind, details = [], message } = outcome.failure;
  if (kind !== 'not_found' && kind !== 'invalid') throw new Failure(kind, outcome.failure);
  return { problem: details.map((detail) => detail.message).join(' ') || (message ?? kind) };
}

/** Marks a due time as done of a mailing whose owner is gone: nothing of it is sent, nor what was made before. */
const noteNoOwner = ({ note }: Work, { owner }: Owned, key: string): Promise<void> =>
  note({ done: key, sent: [], key: '', pending: undefined, problem: withoutReports(owner), ...NO_FAILURE });

/**
 * Sends a mail to every recipient who does not have it, and marks the due time once all have it. Owner and recipient are
 * read before each mail: the mail may have been made long ago, and the one before it may have taken a minute.
 */
async function sendAll(
  work: Work,
  mailing: Owned,
  { key, mail, note }: { readonly key: string; readonly mail: Mail; readonly note: string },
): Promise<number> {
  const { tools, site, member } = work;
  const { table, clock, newId, from, linkOriginOf, send } = tools;
  if (work.kept().key !== key || work.kept().secret === '') {
    const { secret, key: before, sent } = work.kept();
    await work.note({ key, sent: before === key ? sent : [], secret: secret === '' ? newId() : secret });
  }
  const closed = await endedOf(table, site.name);
  const problems: string[] = [];
  let count = 0;
  for (const recipient of recipientsOf(mailing)) {
    const { login: to, generation } = recipient;
    const { sent, ended, secret } = work.kept();
    if (sent.includes(to)) continue;
    const users = await readUsers(table, site.name, [mailing.owner, to]);
    if (ownerIn(users, mailing) === undefined) {
      await noteNoOwner(work, mailing, key);
      return count;
    }
    const user = users.get(to);
    if (user === undefined || !isRecipient(user, mailing) || !isAddress(to)) continue;
    if (hasEnded([...ended, ...closed], recipient, mailing.updated_at, clock())) continue;
    const wayOut = `${linkOriginOf(site)}${LEAVE_PATH}?${leaveQuery(site.name, member, leaveKey(secret, to, generation))}`;
    const identity = [String(site.added ?? ''), member, key];
    let outcome: Awaited<ReturnType<Send>>;
    try {
      outcome = await sendInTime(send, messageOf(mail, { from, to, site: site.name, identity, wayOut, note }));
    } catch (error) {
      if (error instanceof MailServerDown) throw error;
      problems.push(`${to}: ${error instanceof Error ? error.message : String(error)}`);
      continue; // the others may be reached
    }
    if (outcome === 'sent') {
      count += 1;
      await work.note({ sent: [...sent, to], sent_at: clock() });
    } else {
      await endAddress(tools, site.name, { login: to, at: clock(), why: 'refused' });
      await work.note({ sent: [...sent, to] });
    }
  }
  if (problems.length > 0) {
    await work.note({ problem: plainLine(problems.join(' ')).slice(0, LONGEST_PROBLEM) });
    throw new Error(`${problems.length} addresses could not be reached`); // the log names nobody
  }
  const { ended } = work.kept();
  const left = ended.filter(({ login }) => mailing.recipients.includes(login));
  const fewer = left.length < ended.length ? { ended: left } : {}; // else not written: an erasure may have come meanwhile
  await work.note({ done: key, sent: [], key: '', ...fewer, pending: undefined, problem: undefined, ...NO_FAILURE });
  return count;
}

const LONGEST_PROBLEM = 500; // characters
const NO_FAILURE = { tries: 0, retry_at: 0 } as const;
export const MAIL_MS = 60_000; // ms in which the server takes a mail, in all: one that drips stops nobody else's

/** Sends a mail; one that the server does not take in time counts as a server that is down. */
async function sendInTime(send: Send, message: MailMessage): Promise<'sent' | 'refused'> {
  const ending = AbortSignal.timeout(MAIL_MS);
  try {
    return await send(message, ending);
  } catch (error) {
    if (ending.aborted) throw new MailServerDown(`It took a mail for longer than ${MAIL_MS / 1000} s.`);
    throw error;
  }
}
