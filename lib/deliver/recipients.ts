import * as z from 'zod';
import { normalizeLogin, parseUser, type User } from '../access/users.ts';
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

/** The users with these logins who are not removed, by login in lower case. */
export async function readUsers(
  table: Table,
  site: string,
  logins: readonly string[],
): Promise<ReadonlyMap<string, User>> {
  const items = await table.batchGet([...new Set(logins)].map((login) => keys.user(site, login)));
  const users = items.flatMap((item) => (item === undefined ? [] : [parseUser(item)]));
  return new Map(users.filter(({ deleted }) => !deleted).map((user) => [normalizeLogin(user.login), user]));
}
