import * as z from 'zod';
import type { Condition } from '../store/condition.ts';
import { keys } from '../store/keys.ts';
import type { Item, Table } from '../store/table.ts';
import { passwordSchema } from './passwords.ts';
import { ROLES } from './roles.ts';

const schema = z.object({
  login: z.string(), // as given; compared without case
  role: z.enum(ROLES),
  deleted: z.boolean(),
  password: passwordSchema.optional(), // absent: the user cannot sign in
  agent: z.number().optional(), // id of the agent record that created the user
  generation: z.number().optional(), // raised when the user is removed, which ends their tokens; absent: 0
  version: z.number().or(z.undefined()).optional(), // raised by every write; absent in users written before versions
});

/** A user, who may sign in to one site. */
export type User = Readonly<z.infer<typeof schema>>;

export const parseUser = (item: Item): User => schema.parse(item);

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

/** A site's users in the order of their logins, deleted ones included. */
export async function listUsers(table: Table, site: string): Promise<User[]> {
  return (await table.query(keys.users(site).pk)).map(parseUser);
}

/**
 * Writes a user: a new one with `isNew`, else one that was read. Throws `ConditionFailed` if the new login exists or
 * the user has changed since it was read.
 */
export async function putUser(table: Table, site: string, user: User, isNew: boolean): Promise<User> {
  const { put, when } = userWrite(site, user, isNew);
  await table.put(put, when);
  return { ...user, version: (user.version ?? 0) + 1 };
}

/** The write of `putUser`, for a transaction. */
export function userWrite(site: string, user: User, isNew: boolean): { readonly put: Item; readonly when: Condition } {
  const { version } = user;
  const unchanged: Condition = version === undefined ? { present: true } : { attribute: 'version', equals: version };
  const after: User = { ...user, version: (version ?? 0) + 1 };
  return {
    put: { ...keys.user(site, normalizeLogin(user.login)), ...after },
    when: isNew ? { absent: true } : unchanged,
  };
}

/**
 * A deleted user. The password goes too, so that a later record does not bring it back, and no token of theirs is good
 * any more, even if somebody gets the login again.
 */
export function removed({ password: _password, ...rest }: User): User {
  return { ...rest, deleted: true, generation: (rest.generation ?? 0) + 1 };
}
