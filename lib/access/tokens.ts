import { hash, randomBytes } from 'node:crypto';
import * as z from 'zod';
import { Failure } from '../errors.ts';
import { memoize } from '../memo.ts';
import type { Condition } from '../store/condition.ts';
import { ConditionFailed } from '../store/faults.ts';
import { keys } from '../store/keys.ts';
import type { Item, Table, Write } from '../store/table.ts';
import { sealedShape } from './oauth/oauth-secrets.ts';
import { isWithin, ROLES, type Role } from './roles.ts';
import { normalizeLogin, type User } from './users.ts';

const schema = z.object({
  hash: z.string(), // SHA-256 of the token, in hex: the token itself is stored nowhere
  login: z.string(), // as users are stored
  name: z.string(), // the name its user gave it
  generation: z.number().optional(), // of the user when the token was made; absent: 0
  role: z.enum(ROLES).optional(), // absent: the role of its user
  created: z.number(), // epoch ms
  expires: z.number().optional(), // epoch ms, exclusive
  oauth: z.object({ consumer: z.string(), sealed: sealedShape }).optional(), // consumer key and secrets; absent: bearer
  used: z.string().optional(), // the day of the last use, as in 2026-01-31
  version: z.number().optional(), // raised by every write; absent in those of earlier versions that nothing has written since
  session: z // a session of the console or of another browser page; absent: a token of a program
    .object({
      idle: z.number(), // ms without use after which it ends
      password: z.string(), // `passwordMark` of its user when it began
    })
    .optional(),
});

/** The stored part of a token. */
export type Token = Readonly<z.infer<typeof schema>>;

/** A stored token, checked once, as a site is. */
export const parseToken = memoize((item: Item): Token => schema.parse(item), new WeakMap());

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

/** How programs and people use a token. */
export const TOKEN_KINDS = ['bearer', 'oauth', 'session'] as const;

export function tokenKind({ oauth, session }: Token): (typeof TOKEN_KINDS)[number] {
  if (session !== undefined) return 'session';
  return oauth === undefined ? 'bearer' : 'oauth';
}

/** The id of a token in replies, which does not lead to the token itself. */
export const tokenId = ({ hash: name }: Pick<Token, 'hash'>): number => Number.parseInt(name.slice(0, 12), 16);

/** Where a token's secrets belong: they can be read nowhere else. */
export const secretsPlace = (site: string, { hash: name }: Pick<Token, 'hash'>): string => `${site}\n${name}`;

/** The role of a caller with a token: the token's own if the user's role has all its rights, else the user's. */
export const roleOf = ({ role }: Token, own: Role): Role => (role !== undefined && isWithin(role, own) ? role : own);

/** Changes with the user's password; tells nothing about it. */
const passwordMark = ({ password }: Pick<User, 'password'>): string =>
  hash('sha256', `${password?.salt} ${password?.hash}`, 'hex').slice(0, 32);

/**
 * Whether a token was made for the user as the user is now, and not before a removal. A session also ends with the
 * password that it began with.
 */
export const belongsTo = (token: Token, user: Pick<User, 'generation' | 'password'>): boolean =>
  (token.generation ?? 0) === (user.generation ?? 0) &&
  (token.session === undefined || token.session.password === passwordMark(user));

/** What of a new token its user decides. */
interface NewToken extends Pick<Token, 'name'> {
  readonly role?: Token['role'];
  readonly expires?: number | undefined; // epoch ms, exclusive
}

/** A new token of a user, and its text, which is to be shown once. `now` in epoch ms. */
export function newToken(user: User, { name, role, expires }: NewToken, now: number): { text: string; token: Token } {
  const login = normalizeLogin(user.login);
  const text = newTokenText(login);
  const token = {
    hash: tokenHash(text),
    login,
    name,
    created: now,
    generation: user.generation,
    role,
    expires,
  };
  return { text, token };
}

const HOUR = 3_600_000; // ms
const SESSION = 12 * HOUR; // a session without use
const KEPT_SESSION = 30 * 24 * HOUR; // one that a browser keeps
const SLACK = 1 / 72; // of a session's length: its end moves in such steps, which saves a write with each request

/** The end of a session that is used now: never before its length is over. */
const sessionEnd = (idle: number, now: number): number => now + Math.ceil(idle * (1 + SLACK));

/** A new session of a user, as a token. `keeps`: for 30 days instead of 12 hours without use. */
export function newSession(user: User, { name, keeps }: { name: string; keeps: boolean }, now: number) {
  const idle = keeps ? KEPT_SESSION : SESSION;
  const { text, token } = newToken(user, { name, expires: sessionEnd(idle, now) }, now);
  return { text, token: { ...token, session: { idle, password: passwordMark(user) } } };
}

/** A session is no longer listed once it is over, and leaves the table. */
const tokenItem = (site: string, token: Token): Item => ({
  ...keys.token(site, token.hash),
  ...token,
  version: (token.version ?? 0) + 1,
  ...(token.session && token.expires && { ttl: Math.ceil(token.expires / 1000) }),
});

/** The write of a token that is new, or that has not changed since it was read; or the one that ends it. */
export function tokenWrites(
  site: string,
  { before, after }: { readonly before: Token | undefined; readonly after: Token | undefined },
): readonly Write[] {
  if (after !== undefined)
    return [{ put: tokenItem(site, after), when: before === undefined ? { absent: true } : unchangedToken(before) }];
  return before === undefined ? [] : [{ delete: keys.token(site, before.hash) }];
}

const unchangedToken = ({ version }: Token): Condition =>
  version === undefined ? { lacks: 'version' } : { attribute: 'version', equals: version };

/** A site's tokens, oldest first; only those of `login` if given. */
export async function listTokens(table: Table, site: string, login?: string): Promise<Token[]> {
  const all = (await table.query(keys.tokens(site).pk)).map(parseToken);
  return all.filter((token) => login === undefined || token.login === login).sort((a, b) => a.created - b.created);
}

/**
 * Deletes the tokens and sessions of a login that somebody loses. A removal ends them by itself (`belongsTo`), so a
 * crash between the two leaves none that is good.
 */
export async function deleteTokensOf(table: Table, site: string, { login }: Pick<User, 'login'>): Promise<void> {
  const tokens = await listTokens(table, site, normalizeLogin(login));
  await table.batchWrite(tokens.map(({ hash: name }) => ({ delete: keys.token(site, name) })));
}

/** Records the day of a token's use, once a day, and moves the end of a session, if the table takes writes. `now` in epoch ms. */
export async function noteUse(table: Table, site: string, token: Token, now: number): Promise<void> {
  const used = new Date(now).toISOString().slice(0, 10);
  const { session, expires = 0 } = token;
  const isLate = session !== undefined && expires < now + session.idle;
  if (token.used === used && !isLate) return;
  const after = { ...token, used, ...(isLate && { expires: sessionEnd(session.idle, now) }) };
  try {
    await table.put(tokenItem(site, after), unchangedToken(token));
  } catch (error) {
    const isRefused = error instanceof Failure && error.kind === 'unavailable'; // by a full disk, for example
    if (!isRefused && !(error instanceof ConditionFailed)) throw error; // it ended or was encrypted anew meanwhile
  }
}
