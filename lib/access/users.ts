import * as z from 'zod';
import { memoize } from '../memo.ts';
import type { Condition } from '../store/condition.ts';
import { keys } from '../store/keys.ts';
import type { Item, Table } from '../store/table.ts';
import { passwordSchema } from './passwords/passwords.ts';
import { ROLES } from './roles.ts';

const schema = z.object({
  login: z.string(), // as given; compared without case
  role: z.enum(ROLES),
  deleted: z.boolean(),
  password: passwordSchema.optional(), // absent: the user cannot sign in
  agent: z.number().optional(), // id of the agent record that created the user
  generation: z.number().optional(), // raised by a removal, which ends tokens, and when the login is given; absent: 0
  version: z.number().or(z.undefined()).optional(), // raised by every write; absent in users written before versions
});

/** A user, who may sign in to one site. */
export type User = Readonly<z.infer<typeof schema>>;

/** A stored user, checked once, as a site is. */
export const parseUser = memoize((item: Item): User => schema.parse(item), new WeakMap());

/** The form in which a login is stored and compared: without case. */
export const normalizeLogin = (login: string): string => login.normalize('NFC').trim().toLowerCase();

const LONGEST_LOGIN = 255; // UTF-16 units

/**
 * Why nobody can get a login, as a sentence; undefined if it can be given. Those given before stay, whatever they are.
 * `:` ends a login in Basic credentials (RFC 7617); signs of markup and invisible characters deceive who reads a list.
 */
export function loginFault(login: string): string | undefined {
  if (login === '' || login.length > LONGEST_LOGIN) return `A login has 1 to ${LONGEST_LOGIN} characters.`;
  if (/[\s:]/u.test(login)) return 'A login has neither blanks nor colons.';
  if (/[\p{C}\p{Default_Ignorable_Code_Point}]/u.test(login)) return 'A login has no invisible characters.';
  if (/[<>"`\\]/u.test(login)) return 'A login has none of the signs < > " ` \\, which are of markup and quotes.';
  return undefined;
}

export async function readUser(table: Table, site: string, login: string): Promise<User | undefined> {
  const item = await table.get(keys.user(site, normalizeLogin(login)));
  return item && parseUser(item);
}

/**
 * Whether a user is still who a stored thing names, and not somebody who got the login later. What earlier versions stored has
 * no generation: of that the time counts at which it named the login (epoch ms).
 */
export const isStill = ({ generation = 0 }: User, named: { generation: number | undefined; at: number }): boolean =>
  named.generation === undefined ? generation <= named.at : generation === named.generation;

/** A site's users in the order of their logins, deleted ones included. */
export async function listUsers(table: Table, site: string): Promise<User[]> {
  return (await table.query(keys.users(site).pk)).map(parseUser);
}

/** The write of a user: a new one with `isNew`, else one that has not changed since it was read. */
export function userWrite(site: string, user: User, isNew: boolean): { readonly put: Item; readonly when: Condition } {
  const after: User = { ...user, version: (user.version ?? 0) + 1 };
  return {
    put: { ...keys.user(site, normalizeLogin(user.login)), ...after },
    when: isNew ? { absent: true } : unchangedUser(user),
  };
}

/** The condition that a user is as read. */
export const unchangedUser = ({ version }: Pick<User, 'version'>): Condition =>
  version === undefined ? { lacks: 'version' } : { attribute: 'version', equals: version };

/**
 * A deleted user. The password goes too, so that a later record does not bring it back, and no token of theirs is good
 * any more, even if somebody gets the login again.
 */
export function removed({ password: _password, ...rest }: User): User {
  return { ...rest, deleted: true, generation: (rest.generation ?? 0) + 1 };
}
