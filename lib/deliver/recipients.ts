import * as z from 'zod';
import { R_INSIGHTS } from '../access/roles.ts';
import { normalizeLogin, parseUser, type User } from '../access/users.ts';
import type { Context } from '../context.ts';
import type { Faults } from '../errors.ts';
import { keys } from '../store/keys.ts';
import type { Table } from '../store/table.ts';

const MOST = 20; // recipients of one subscription or alert
const LONGEST = 254; // characters of an address (RFC 5321, 4.5.3.1.3)
const ADDRESS = /^[\p{L}\p{N}.!#$%&'*+/=?^_{|}~-]+@[\p{L}\p{N}]([\p{L}\p{N}.-]*[\p{L}\p{N}])?$/u;

/** Whether mail can be sent to a text: no quoted local parts, no comments, no address literals. */
export const isAddress = (text: string): boolean => text.length <= LONGEST && ADDRESS.test(text);

/** The logins of users who get mails: 1 to 20 addresses. */
export const recipientsField = () =>
  z
    .array(
      z
        .string('invalid')
        .meta({ examples: ['ann@example.com'] })
        .transform(normalizeLogin)
        .refine(isAddress, 'invalid'),
      'invalid',
    )
    .min(1, 'blank')
    .max(MOST, 'too_long')
    .transform((all) => [...new Set(all)])
    .meta({ description: 'Logins of users of the site, which must be e-mail addresses' });

/** Adds a fault for each recipient who is no user of the site. Those whom the mailing has already may have been removed since. */
export async function checkRecipients(
  { table, site }: Pick<Context, 'table' | 'site'>,
  sent: readonly string[],
  before: readonly string[],
  faults: Faults,
): Promise<void> {
  const users = await readUsers(table, site.name, sent);
  for (const [index, login] of sent.entries()) {
    if (users.has(login) || before.includes(login)) continue;
    const message = `The site has no user ${login}: mails go to users of the site alone.`;
    faults.explain('not_found', ['recipients'], { field: `recipients.${index}`, message });
  }
}

/** The users with these logins who are not removed, by login in lower case. */
export async function readUsers(
  table: Table,
  site: string,
  logins: readonly string[],
): Promise<ReadonlyMap<string, User>> {
  const items = await table.batchGet(logins.map((login) => keys.user(site, login)));
  const users = items.flatMap((item) => (item === undefined ? [] : [parseUser(item)]));
  return new Map(users.filter(({ deleted }) => !deleted).map((user) => [normalizeLogin(user.login), user]));
}

/** Whether a user may see reports, so that what the user owns is sent. */
export const hasReports = (user: User | undefined): user is User =>
  user !== undefined && R_INSIGHTS.includes(user.role);

/** Why nothing is sent of what an owner without reports owns. */
export const withoutReports = (owner: string): string => `${owner} is no user with reports any more.`;
