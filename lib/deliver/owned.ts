import * as z from 'zod';
import { normalizeLogin, type User } from '../access/users.ts';
import type { Context } from '../context.ts';
import type { Faults } from '../errors.ts';
import { booleanField } from '../http/fields.ts';
import { keys, members } from '../store/keys.ts';
import { timestamp } from '../text.ts';
import { checkRecipients, recipientsField } from './recipients.ts';

/** What subscriptions and alerts have in common, as stored. */
export const ownedParts = {
  id: z.int(),
  owner: z.string(), // login in lower case; its rights are those of the reports
  at: z.string(), // `07:30` on the site's clock
  recipients: z.array(z.string()).readonly(), // logins in lower case
  enabled: z.boolean(),
  since: z.number(), // epoch ms; due times up to then do not count
  created_at: z.number(), // epoch ms
  updated_at: z.number(),
};

const parts = z.object(ownedParts);
type Owned = Readonly<z.infer<typeof parts>>;

export const ownedFields = () => ({
  at: z
    .string('invalid')
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'invalid')
    .meta({ description: 'Hour and minute on the clock of the site', examples: ['07:30'] }),
  recipients: recipientsField(),
  enabled: booleanField().meta({ description: 'false: nothing is sent' }),
});

/** The parts as replies show them. */
export const ownedShape = () => ({
  owner: z.string().meta({ description: 'Login of the user who made it, with whose rights reports are computed' }),
  at: z.string(),
  recipients: z.array(z.string()),
  enabled: z.boolean(),
});

/** What a reply shows of a mailing; `since` is not for clients. */
export const shownOwned = <T extends Owned>({ since: _, created_at, updated_at, recipients, ...rest }: T) => ({
  ...rest,
  recipients: [...recipients],
  created_at: timestamp(created_at),
  updated_at: timestamp(updated_at),
});

/** Users find what is their own, Administrators everything. */
export const isOwn = ({ login, role }: User, { owner }: Pick<Owned, 'owner'>): boolean =>
  role === 'Administrator' || normalizeLogin(login) === owner;

/** The fields of a write, each undefined if it is not sent. */
interface OwnedWrite {
  readonly at?: string;
  readonly recipients?: readonly string[];
  readonly enabled?: boolean;
}

/** The common parts after a write; adds faults. `since` is set apart, by `sinceOf`. */
export async function planOwned(
  { context, before, faults }: { context: Context; before: Owned | undefined; faults: Faults },
  { at, recipients, enabled }: OwnedWrite,
): Promise<Pick<Owned, 'owner' | 'at' | 'recipients' | 'enabled'>> {
  if (recipients) await checkRecipients(context, recipients, before?.recipients ?? [], faults);
  return {
    owner: before?.owner ?? normalizeLogin(context.user.login),
    at: at ?? before?.at ?? '07:00',
    recipients: recipients ?? before?.recipients ?? [],
    enabled: enabled ?? before?.enabled ?? true,
  };
}

/** From when due times count: from the last write that changed when something is due. */
export function sinceOf<T extends object>(
  before: (T & Pick<Owned, 'since'>) | undefined,
  after: T,
  now: number,
): number {
  const isSame = Object.entries(after).every(([name, value]) => Reflect.get(before ?? {}, name) === value);
  return before !== undefined && isSame ? before.since : now;
}

/** Adds a fault if there is no saved report of this id. */
export async function checkReport({ open, site }: Context, id: number, faults: Faults): Promise<void> {
  const { items } = await open(keys.savedReports(site.name));
  if (!items.has(members.savedReport(id)))
    faults.explain('not_found', ['saved_report'], { message: `There is no saved report ${id}.` });
}
