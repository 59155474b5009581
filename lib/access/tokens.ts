import { hash, randomBytes } from 'node:crypto';
import * as z from 'zod';
import { ConditionFailed } from '../store/faults.ts';
import { keys } from '../store/keys.ts';
import type { Item, Table, Write } from '../store/table.ts';
import { isWithin, ROLES, type Role } from './roles.ts';

const schema = z.object({
  hash: z.string(), // SHA-256 of the token, in hex: the token itself is stored nowhere
  login: z.string(), // as users are stored
  name: z.string(), // the name its user gave it
  role: z.enum(ROLES).optional(), // absent: the role of its user
  created: z.number(), // epoch ms
  expires: z.number().optional(), // epoch ms, exclusive
  used: z.string().optional(), // the day of the last use, as in 2026-01-31
});

/** The stored part of a token. */
export type Token = Readonly<z.infer<typeof schema>>;

export const parseToken = (item: Item): Token => schema.parse(item);

const FORM = /^([A-Za-z0-9_-]{1,1400})\.([A-Za-z0-9_-]{43})$/;

/** A new token's text, to be shown once: the login and 32 random bytes. */
export function newTokenText(login: string): string {
  return `${Buffer.from(login).toString('base64url')}.${randomBytes(32).toString('base64url')}`;
}

/** The login in a token's text, and the hash it is stored under; undefined if the text is not a token. */
export function readTokenText(text: string): { readonly login: string; readonly hash: string } | undefined {
  const [, login] = FORM.exec(text) ?? [];
  if (login === undefined) return undefined;
  return { login: Buffer.from(login, 'base64url').toString('utf8'), hash: tokenHash(text) };
}

export const tokenHash = (text: string): string => hash('sha256', text, 'hex');

/** The role of a caller with a token: the token's own if the user's role has all its rights, else the user's. */
export const roleOf = ({ role }: Token, own: Role): Role => (role !== undefined && isWithin(role, own) ? role : own);

/** The write of a new token, for a transaction. */
export const tokenWrite = (site: string, token: Token): Write => ({
  put: { ...keys.token(site, token.hash), ...token },
  when: { absent: true },
});

/** A site's tokens, oldest first; only those of `login` if given. */
export async function listTokens(table: Table, site: string, login?: string): Promise<Token[]> {
  const all = (await table.query(keys.tokens(site).pk)).map(parseToken);
  return all.filter((token) => login === undefined || token.login === login).sort((a, b) => a.created - b.created);
}

export const removeToken = (table: Table, site: string, { hash: name }: Token): Promise<void> =>
  table.delete(keys.token(site, name));

/** Records the day of a token's use, once a day. `now` in epoch ms. */
export async function noteUse(table: Table, site: string, token: Token, now: number): Promise<void> {
  const used = new Date(now).toISOString().slice(0, 10);
  if (token.used === used) return;
  try {
    await table.put({ ...keys.token(site, token.hash), ...token, used }, { present: true });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error; // removed meanwhile
  }
}
