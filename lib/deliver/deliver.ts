import { listSites, type Site } from '../access/sites.ts';
import type { User } from '../access/users.ts';
import { Failure } from '../errors.ts';
import type { DoTask, Task } from '../http/task.ts';
import { describeError, type Log } from '../log.ts';
import { ownJson } from '../own-json.ts';
import { fairTurns } from '../store/fair-turns.ts';
import { keys, members } from '../store/keys.ts';
import { FIRST_COME, type Lease, readLease, releaseLease, renewLease, takeLease, withLease } from '../store/lease.ts';
import type { Item, Table } from '../store/table.ts';
import type { Alert } from './alert.ts';
import type { Checked } from './check.ts';
import { DELIVERY, type Delivered, deliveryIn, deliveryLease, leaveKey, type PendingMail } from './delivery.ts';
import { endAddress, endedOf, hasEnded } from './ended.ts';
import { LEAVE_PATH, leaveQuery } from './leave.ts';
import { alertMail } from './mail/alert-mail.ts';
import type { Mail } from './mail/compose.ts';
import { messageOf, type Send } from './mail/message.ts';
import { commonOf, type Mailing, parseMailing, readMailing, scheduleOf } from './mailing.ts';
import { hasReports, isAddress, readUsers, withoutReports } from './recipients.ts';
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
 * Sends all mails that are due (docs/design/deliver.md): claims each due time, sends, and marks it. Safe beside other
 * runs and after a death at any point.
 */
export async function deliverDue(tools: Deliverer): Promise<DeliveryCounts> {
  let sent = 0;
  let failed = 0;
  for (const { site } of await listSites(tools.table)) {
    for (const member of await dueMailings(tools, site)) {
      try {
        sent += await deliver(tools, site, member);
      } catch (error) {
        failed += 1;
        tools.log('warn', 'mail put off', { site: site.name, of: member, ...describeError(error) });
      }
    }
  }
  return { sent, failed };
}

/** The subscriptions and alerts of a site that something is due of, as sort keys. Deletes what is kept of removed ones. */
async function dueMailings({ table, clock }: Deliverer, site: Site): Promise<readonly string[]> {
  const [subscriptions, alerts, deliveries] = await Promise.all([
    table.query(keys.subscriptions(site.name).pk, { prefix: members.subscription(0).slice(0, -1) }),
    table.query(keys.alerts(site.name).pk, { prefix: members.alert(0).slice(0, -1) }),
    table.query(keys.deliveries(site.name).pk),
  ]);
  const kept = new Map(deliveries.map((item) => [item.sk, item]));
  const all = [...subscriptions, ...alerts];
  const there = new Set(all.map(({ sk }) => sk));
  for (const item of deliveries) {
    const { owner, expiresAt } = deliveryIn(item);
    const isFree = owner === undefined || expiresAt <= clock();
    if (!there.has(item.sk) && isFree) await table.delete(item);
  }
  const due = all.filter((item) => isDue(item, deliveryIn(kept.get(item.sk)).kept, site, clock()));
  return due.map(({ sk }) => sk);
}

const dueOf = (mailing: Mailing, { done }: Delivered, site: Site, now: number): Due | undefined =>
  commonOf(mailing).enabled
    ? dueNow(scheduleOf(mailing), site.timeZone, { since: commonOf(mailing).since, done }, now)
    : undefined;

/** Whether something is due of a stored subscription or alert. One that cannot be read is due: its delivery says why. */
function isDue(item: Item, kept: Delivered, site: Site, now: number): boolean {
  try {
    const mailing = parseMailing(item);
    const isPending = commonOf(mailing).enabled && pendingOf(mailing, kept) !== undefined;
    return isPending || dueOf(mailing, kept, site, now) !== undefined;
  } catch {
    return true;
  }
}

/** The mail that was decided and perhaps not sent; none if the mailing was changed since, as it would speak of another bound. */
const pendingOf = (mailing: Mailing, { pending, since }: Delivered): PendingMail | undefined =>
  since === commonOf(mailing).since ? pending : undefined;

/** A delivery that is being worked on. */
interface Work {
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
async function deliver(tools: Deliverer, site: Site, member: string): Promise<number> {
  const { table, clock } = tools;
  const lease = deliveryLease(tools, site.name, member);
  const taken = await takeLease(lease, DELIVERY);
  if ('wait' in taken) return 0; // another run works on it
  try {
    const mailing = await readMailing(table, site.name, member); // it may have changed since the run began
    if (mailing === undefined) return 0;
    let kept = taken.held.kept;
    const work: Work = {
      ...{ tools, site, member, lease },
      kept: () => kept,
      note: async (fields) => {
        const to = fields.problem === undefined ? fields : { ...fields, problem_at: clock() };
        if (!(await renewLease(lease, DELIVERY, lease.length, to))) throw new Error('another run has taken over');
        kept = { ...kept, ...to };
      },
    };
    const due = dueOf(mailing, kept, site, clock());
    if ('alert' in mailing) return await deliverAlert(work, mailing.alert, due);
    return due === undefined ? 0 : await deliverSubscription(work, mailing.subscription, due);
  } finally {
    await releaseLease(lease, DELIVERY);
  }
}

async function deliverSubscription(work: Work, subscription: Subscription, due: Due): Promise<number> {
  const importing = await isImporting(work);
  if (importing && work.tools.clock() < due.at + LONGEST_WAIT) return 0;
  const made = await compute<Mail>(work, subscription, due, {
    route: MAIL_ROUTE,
    params: { subscription_id: String(subscription.id) },
  });
  if (made === undefined) return 0;
  return sendAll(work, subscription, { key: due.key, mail: made, note: importing ? IMPORTING : '' });
}

const LONGEST_WAIT = 3_600_000; // ms that a mail waits for an import
const IMPORTING = 'An import was at work when this mail was made: its numbers may still change.';

/** Whether an import of the site is at work. */
async function isImporting({ tools: { table, clock }, site }: Work): Promise<boolean> {
  const { owner, expiresAt } = readLease(FIRST_COME, await table.get(keys.uploadTurn(site.name)));
  return owner !== undefined && expiresAt > clock();
}

/** Sends the mail of an alert that was decided before, or checks the number and decides. */
async function deliverAlert(work: Work, alert: Alert, due: Due | undefined): Promise<number> {
  if (!alert.enabled) return 0;
  let pending = pendingOf({ alert }, work.kept());
  if (pending === undefined) {
    if (due === undefined || (await isImporting(work))) return 0;
    const checked = await compute<Checked>(work, alert, due, {
      route: CHECK_ROUTE,
      params: { alert_id: String(alert.id) },
    });
    if (checked === undefined) return 0;
    const { crossed, shown, shown_before, shown_bound } = checked;
    const isOn = work.kept().since === alert.since && work.kept().on;
    if (crossed === null || crossed === isOn) {
      const problem = crossed === null ? 'The number is empty, so nothing can be said.' : undefined;
      await work.note({ done: due.key, since: alert.since, on: isOn, pending: undefined, problem });
      return 0;
    }
    pending = { key: due.key, begins: crossed, shown, shown_before, shown_bound };
    await work.note({ since: alert.since, on: crossed, pending, key: '' });
  }
  const { tools, site } = work;
  return sendAll(work, alert, {
    key: pending.key,
    mail: alertMail(site, tools.linkOriginOf(site), alert, pending),
    note: '',
  });
}

const LOCK_TRIES = 5;

/**
 * Computes something by a route as the mailing's owner, as of the due time, under the site's insights lock. Returns
 * undefined if there is nothing to send: then the due time is done, with the reason noted, or it is left to the next run.
 */
async function compute<T>(
  work: Work,
  { owner }: Pick<Alert, 'owner'>,
  due: Due,
  what: Pick<Task, 'route' | 'params'>,
): Promise<T | undefined> {
  const { tools, site, note } = work;
  const { table, clock, newId, pause } = tools;
  const user = (await readUsers(table, site.name, [owner])).get(owner);
  if (!hasReports(user)) {
    await note({ done: due.key, problem: withoutReports(owner) });
    return undefined;
  }
  for (let attempt = 1; ; attempt += 1) {
    const lock = { table, key: keys.lock(site.name), owner: newId(), now: clock, length: tools.lease };
    const outcome = await withLease(lock, fairTurns('deliver'), () => taskDone(work, user, due, what));
    if ('done' in outcome) {
      if (!('problem' in outcome.done)) return ownJson<T>(outcome.done.body);
      await note({ done: due.key, problem: outcome.done.problem });
      return undefined;
    }
    if (attempt === LOCK_TRIES) return undefined;
    await pause(outcome.wait * 1000);
  }
}

/** The reply of a route, or why there is none and will be none. Throws if another try may succeed. */
async function taskDone(
  { tools, site }: Work,
  { password: _, ...user }: User,
  due: Due,
  { route, params }: Pick<Task, 'route' | 'params'>,
): Promise<{ readonly body: string } | { readonly problem: string }> {
  const { clock, linkOriginOf, answerWithin } = tools;
  const outcome = await tools.doTask({
    ...{ site, user, now: due.at, deadline: clock() + answerWithin, origin: linkOriginOf(site) },
    ...{ route, params, query: new Map(), pairs: [], headers: {}, body: new Uint8Array() },
  });
  if ('reply' in outcome) return { body: outcome.reply.body ?? '' };
  if ('error' in outcome) throw new Error(outcome.error);
  const { kind, details = [], message } = outcome.failure;
  if (kind !== 'not_found' && kind !== 'invalid') throw new Failure(kind, outcome.failure);
  return { problem: details.map((detail) => detail.message).join(' ') || (message ?? kind) };
}

/** Sends a mail to every recipient who does not have it, and marks the due time once all have it. */
async function sendAll(
  work: Work,
  mailing: Pick<Alert, 'recipients' | 'updated_at' | 'id'>,
  { key, mail, note }: { readonly key: string; readonly mail: Mail; readonly note: string },
): Promise<number> {
  const { tools, site, member } = work;
  const { table, clock, newId, from, linkOriginOf, send } = tools;
  if (work.kept().key !== key || work.kept().secret === '') {
    const { secret, key: before, sent } = work.kept();
    await work.note({ key, sent: before === key ? sent : [], secret: secret === '' ? newId() : secret });
  }
  const users = await readUsers(table, site.name, mailing.recipients);
  const closed = await endedOf(table, site.name);
  const problems: string[] = [];
  let count = 0;
  for (const to of mailing.recipients) {
    const { sent, ended, secret } = work.kept();
    if (sent.includes(to) || !users.has(to) || !isAddress(to)) continue;
    if (hasEnded([...ended, ...closed], to, mailing.updated_at)) continue;
    const wayOut = `${linkOriginOf(site)}${LEAVE_PATH}?${leaveQuery(site.name, member, leaveKey(secret, to))}`;
    const identity = [String(site.added ?? ''), member, key];
    let outcome: Awaited<ReturnType<Send>>;
    try {
      outcome = await send(messageOf(mail, { from, to, site: site.name, identity, wayOut, note }));
    } catch (error) {
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
    await work.note({ problem: problems.join(' ').slice(0, LONGEST_PROBLEM) });
    throw new Error(`${problems.length} addresses could not be reached`); // the log names nobody
  }
  const { ended } = work.kept();
  const left = ended.filter(({ login }) => mailing.recipients.includes(login));
  const fewer = left.length < ended.length ? { ended: left } : {}; // else not written: an erasure may have come meanwhile
  await work.note({ done: key, sent: [], key: '', ...fewer, pending: undefined, problem: undefined });
  return count;
}

const LONGEST_PROBLEM = 500; // characters
