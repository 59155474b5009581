import * as z from 'zod';
import { R_INSIGHTS } from '../access/roles.ts';
import { isStill, normalizeLogin, type User } from '../access/users.ts';
import type { Context } from '../context.ts';
import type { Faults } from '../errors.ts';
import { flag, times } from '../resource/field.ts';
import type { Item } from '../store/table.ts';
import { readUsers, recipientsField } from './recipients.ts';

/** What subscriptions and alerts have in common. */
export const ownedFields = () => ({
  owner: {
    stored: z.string(), // login in lower case; its rights are those of the reports
    shown: () =>
      z.string().meta({ description: 'Login of the user who made it, with whose rights reports are computed' }),
  },
  generation: { stored: z.number().optional() }, // of the owner; absent in those of earlier versions
  at: {
    stored: z.string(), // `07:30` on the site's clock
    usual: '07:00',
    body: z
      .string('invalid')
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'invalid')
      .meta({ description: 'Hour and minute on the clock of the site', examples: ['07:30'] }),
    shown: () => z.string(),
  },
  recipients: {
    stored: z.array(z.string()).readonly(), // logins in lower case
    body: recipientsField(),
    required: true as const,
    shown: () => z.array(z.string()),
  },
  recipient_generations: { stored: z.record(z.string(), z.number()).readonly(), usual: {} }, // by login
  // Epoch ms; when those without a generation were recipients already.
  recipients_at: { stored: z.number(), usual: ({ updated_at }: Item) => updated_at },
  enabled: flag({ usual: true }, 'false: nothing is sent'),
  since: { stored: z.number() }, // epoch ms; due times up to then do not count
  ...times(),
});

/** What says whose a mailing is, and who gets it. */
interface Owned {
  readonly owner: string;
  readonly generation?: number | undefined;
  readonly recipients: readonly string[];
  readonly recipient_generations: Readonly<Record<string, number>>;
  readonly recipients_at: number;
  readonly since: number;
  readonly created_at: number;
}
type Ownership = Pick<Owned, 'owner' | 'generation' | 'created_at'>;
type Receiving = Pick<Owned, 'recipients' | 'recipient_generations' | 'recipients_at'>;

/** Whether a user made a mailing: not who got the login after its owner. */
const isOwner = (user: User, { owner, generation, created_at }: Ownership): boolean =>
  normalizeLogin(user.login) === owner && isStill(user, { generation, at: created_at });

/** Users find what is their own, Administrators everything. */
export const isOwn = (user: User, mailing: Ownership): boolean =>
  user.role === 'Administrator' || isOwner(user, mailing);

/** The owner of a mailing among users, who may see reports; undefined: nothing of it is sent. */
export function ownerIn(users: ReadonlyMap<string, User>, mailing: Ownership): User | undefined {
  const user = users.get(mailing.owner);
  return user !== undefined && R_INSIGHTS.includes(user.role) && isOwner(user, mailing) ? user : undefined;
}

/** Why nothing is sent of what an owner without reports owns. */
export const withoutReports = (owner: string): string => `${owner} is no user with reports any more.`;

/** Whom a mailing names. */
export interface Recipient {
  readonly login: string;
  readonly generation?: number; // absent: named by an earlier version
}

/** The recipients of a mailing, whether they are users still or not. */
export const recipientsOf = ({ recipients, recipient_generations }: Receiving): readonly Recipient[] =>
  recipients.map((login) => {
    const generation = recipient_generations[login];
    return { login, ...(generation !== undefined && { generation }) };
  });

/** Whether a user is the recipient that a mailing names: not who got the login after them. */
export function isRecipient(user: User, { recipients, recipient_generations, recipients_at }: Receiving): boolean {
  const login = normalizeLogin(user.login);
  const named = { generation: recipient_generations[login], at: recipients_at };
  return recipients.includes(login) && isStill(user, named);
}

/** A mailing that is made or changed. */
interface OwnedWish<T extends Owned> {
  readonly context: Context;
  readonly before: T | undefined;
  readonly after: Partial<T>;
  readonly sent: { readonly recipients?: readonly string[] | undefined };
  readonly faults: Faults;
}

/**
 * Who owns a mailing, who its recipients are, and from when its due times count: from the last write that changed one of
 * the fields `whenDue`. Adds a fault for each recipient who is no user of the site.
 */
export async function ownedBy<T extends Owned>(asked: OwnedWish<T>, whenDue: readonly (keyof T)[]) {
  const { context, before, after, sent } = asked;
  const { user, now } = context;
  const isSame = before !== undefined && whenDue.every((name) => after[name] === before[name]);
  return {
    ...(before === undefined && { owner: normalizeLogin(user.login), generation: user.generation ?? 0 }),
    ...(sent.recipients && { recipient_generations: await generationsOf(asked, sent.recipients) }),
    recipients_at: before?.recipients_at ?? now,
    since: isSame ? before.since : now,
  };
}

/**
 * The generations of recipients: of those who are new as they are now. Who is a recipient already keeps theirs, and may
 * have been removed since.
 */
async function generationsOf<T extends Owned>(
  { context, before, faults }: OwnedWish<T>,
  recipients: readonly string[],
) {
  const users = await readUsers(context.table, context.site.name, recipients);
  const generations: Record<string, number> = {};
  for (const [index, login] of recipients.entries()) {
    const user = users.get(login);
    const isNamed = before?.recipients.includes(login) === true;
    if (user === undefined && !isNamed) {
      const message = `The site has no user ${login}: mails go to users of the site alone.`;
      faults.explain('not_found', ['recipients'], { field: `recipients.${index}`, message });
    }
    const stays = isNamed && (user === undefined || isRecipient(user, before));
    const generation = stays ? before.recipient_generations[login] : (user?.generation ?? 0);
    if (generation !== undefined) generations[login] = generation;
  }
  return generations;
}
