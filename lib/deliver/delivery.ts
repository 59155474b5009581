import { hash } from 'node:crypto';
import * as z from 'zod';
import { normalizeLogin } from '../access/users.ts';
import { isAhead } from '../ahead.ts';
import { keys } from '../store/keys.ts';
import { type Lease, type LeaseRule, type LeaseState, readLease } from '../store/lease.ts';
import type { Item, Table } from '../store/table.ts';
import { endedShape } from './ended.ts';

/** A mail of an alert that is decided and perhaps not sent yet. */
const pending = z.object({
  key: z.string(), // of the due time
  begins: z.boolean(), // false: the number is back
  shown: z.string(), // the number for people
  shown_before: z.string(),
  shown_bound: z.string(),
  shown_range: z.string().default(''), // empty: it was decided by an earlier version
  shown_period: z.string().default(''), // the counted one alone
  why: z.array(z.string()).readonly().default([]), // what adds most to the change
  note: z.string().default(''), // a sentence at the end of the mail
});
export type PendingMail = Readonly<z.infer<typeof pending>>;

const schema = z.object({
  done: z.string().default(''), // key of the last due time that is done
  key: z.string().default(''), // of the due time that `sent` is of
  sent: z.array(z.string()).readonly().default([]), // logins that have this one's mail
  ended: z.array(endedShape).readonly().default([]), // who left; those whose address takes no mail are of the site
  secret: z.string().default(''), // of the links by which recipients leave; empty: none was sent
  since: z.number().default(0), // `since` of the alert that `on` is of
  on: z.boolean().default(false), // the alert's number is beyond the bound
  pending: pending.optional(),
  problem: z.string().optional(), // why the last due time brought no mail, or not to everybody
  problem_at: z.number().default(0), // epoch ms; when that was noted
  tries: z.int().default(0), // in a row that failed
  retry_at: z.number().default(0), // epoch ms; before it nothing is tried again
  sent_at: z.number().optional(), // epoch ms; when the last mail went out
});

/** What was done of a subscription or an alert. */
export type Delivered = Readonly<z.infer<typeof schema>>;

/** Whoever asks works on a delivery once nobody does; what was done stays. */
export const DELIVERY: LeaseRule<Delivered> = {
  kept: schema,
  mayTake: (_state, _now, isOver) => isOver,
  taken: (kept) => kept,
  released: (kept) => kept,
};

/**
 * How long a delivery is held without being renewed, in ms; it is renewed once its numbers are there, which takes five
 * minutes at most, and after every mail, which takes one.
 */
export const DELIVERY_MS = 420_000;

/** The lease of a delivery; `member` is the sort key of the subscription or alert. */
export const deliveryLease = (
  { table, clock, newId }: { readonly table: Table; readonly clock: () => number; readonly newId: () => string },
  site: string,
  member: string,
): Lease => ({ table, key: keys.delivery(site, member), owner: newId(), now: clock, length: DELIVERY_MS });

export const deliveryIn = (item: Item | undefined): LeaseState<Delivered> => readLease(DELIVERY, item);

const FIRST_RETRY = 60_000; // ms after the second try in a row that failed, doubled with each further one
export const LAST_RETRY = 3_600_000; // ms

/** What is noted of a try that failed: the first one is repeated by the next run, further ones wait longer and longer. */
export const failedTry = ({ tries }: Pick<Delivered, 'tries'>, now: number) => ({
  tries: tries + 1,
  problem_at: now,
  retry_at: tries === 0 ? now : now + Math.min(LAST_RETRY, FIRST_RETRY * 2 ** (tries - 1)),
});

/** Whether a try that failed is to be repeated only later; not once the mailing was changed (epoch ms). */
export const waitsForRetry = ({ retry_at, problem_at }: Delivered, changed: number, now: number): boolean =>
  retry_at > now && !isAhead(retry_at, now, LAST_RETRY) && changed < problem_at;

/**
 * What a recipient shows to leave: only who got the mail knows it, and not who gets the login later. Those whom an
 * earlier version named have no generation, nor have the links that they were sent.
 */
export function leaveKey(secret: string, login: string, generation: number | undefined): string {
  const whose = [secret, normalizeLogin(login), ...(generation === undefined ? [] : [generation])].join('\n');
  return hash('sha256', whose, 'hex').slice(0, 32);
}
