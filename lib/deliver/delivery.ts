import { hash } from 'node:crypto';
import * as z from 'zod';
import { normalizeLogin } from '../access/users.ts';
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

const LEASE = 120_000; // ms; renewed after every mail, longer than making one and sending it may take

/** The lease of a delivery; `member` is the sort key of the subscription or alert. */
export const deliveryLease = (
  { table, clock, newId }: { readonly table: Table; readonly clock: () => number; readonly newId: () => string },
  site: string,
  member: string,
): Lease => ({ table, key: keys.delivery(site, member), owner: newId(), now: clock, length: LEASE });

export const deliveryIn = (item: Item | undefined): LeaseState<Delivered> => readLease(DELIVERY, item);

/** What a recipient shows to leave: only who got the mail knows it. */
export const leaveKey = (secret: string, login: string): string =>
  hash('sha256', `${secret}\n${normalizeLogin(login)}`, 'hex').slice(0, 32);
