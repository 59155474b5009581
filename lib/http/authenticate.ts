import { planAuthority } from '../access/authority.ts';
import type { ReadOAuthKeys } from '../access/oauth/oauth-secrets.ts';
import { beginGuess, type Guesser } from '../access/passwords/guesses.ts';
import { type Attempt, createPasswordCheck } from '../access/passwords/password-check.ts';
import { hashPassword, isOutdated } from '../access/passwords/passwords.ts';
import { credentialOf, type SignedIn, signedInAs } from '../access/principal.ts';
import { belongsTo, noteUse, parseToken, roleOf } from '../access/tokens.ts';
import { parseUser, type User } from '../access/users.ts';
import { tooManyRequests } from '../errors.ts';
import { ConditionFailed } from '../store/faults.ts';
import { type Key, keys } from '../store/keys.ts';
import type { ItemLookup } from '../store/read-items.ts';
import type { Table } from '../store/table.ts';
import type { Credentials } from './credentials.ts';
import { unauthorized, unsigned } from './credentials.ts';
import type { Ending } from './ending.ts';
import type { Request } from './request.ts';
import type { SignIns } from './sign-ins.ts';
import { checkSignature } from './signature.ts';

/** The credentials of a request, and what was read to check them. */
interface SignIn {
  readonly request: Request;
  readonly credentials: Credentials | undefined;
  readonly guesser: Guesser;
  readonly itemOf: ItemLookup; // the items of `signInKeys`
  readonly now: number; // epoch ms
  readonly ending: Ending;
}

type ByToken = Extract<Credentials, { readonly token: string }>;

/** A password that is tried for a user; `user` is undefined if the login has none. */
interface PasswordTry {
  readonly guesser: Guesser;
  readonly user: User | undefined;
  readonly password: string;
  readonly now: number; // epoch ms
  readonly ending: Ending;
}

/** A user whose credentials are good. */
interface AuthenticatedUser {
  readonly user: User;
  readonly actor: SignedIn;
}

export interface Authenticate {
  /**
   * Returns the user, with the token's role if a token was sent, and who acts. Throws `unauthorized` and what `check`
   * throws.
   */
  readonly authenticate: (table: Table, signIn: SignIn) => Promise<AuthenticatedUser>;
  /** Whether the password is the user's. Throws `too_many_requests` and `unavailable`. */
  readonly check: (table: Table, tried: PasswordTry) => Promise<boolean>;
}

/** The keys of the items that credentials are checked by: the user, and the token if one was sent. */
export function signInKeys(guesser: Guesser, credentials: Credentials | undefined): Key[] {
  const { site, login } = guesser;
  if (credentials === undefined) return [];
  const user = login === '' ? [] : [keys.user(site, login)];
  return 'token' in credentials ? [...user, keys.token(site, credentials.token)] : user;
}

/** `renewsHashes`: whether a password that was hashed at a lower cost is hashed again, which writes its user. */
export function createAuthenticate(signIns: SignIns, renewsHashes: boolean, oauthKeys: ReadOAuthKeys): Authenticate {
  const check = createGuardedCheck(signIns);

  async function byPassword(table: Table, signIn: SignIn, password: string): Promise<AuthenticatedUser> {
    const { guesser, now, ending } = signIn;
    const read = userIn(signIn);
    if (!(await check(table, { guesser, user: read, password, now, ending })) || read === undefined)
      throw unauthorized();
    const isOld = renewsHashes && read.password !== undefined && isOutdated(read.password);
    const user = isOld ? await withNewHash(table, guesser.site, read, password) : read;
    return { user, actor: signedInAs(user, credentialOf(undefined)) };
  }

  async function byToken(table: Table, signIn: SignIn, { token: name, oauth }: ByToken): Promise<AuthenticatedUser> {
    const { guesser, itemOf, now } = signIn;
    const item = itemOf(keys.token(guesser.site, name));
    const token = item && parseToken(item);
    const user = userIn(signIn);
    const isOver = token?.expires !== undefined && token.expires <= now;
    const isGood = token && user && belongsTo(token, user) && !user.deleted && !isOver && token.login === guesser.login;
    if (!isGood || (oauth === undefined) !== (token.oauth === undefined))
      throw oauth ? unsigned('signature_invalid') : unauthorized();
    if (oauth) await checkSignature(signIn, { token, oauth, keys: oauthKeys });
    await noteUse(table, guesser.site, token, now);
    return { user: { ...user, role: roleOf(token, user.role) }, actor: signedInAs(user, credentialOf(token)) };
  }

  return {
    check,
    authenticate: async (table, signIn) => {
      const { credentials } = signIn;
      if (credentials === undefined) throw unauthorized();
      return 'token' in credentials
        ? byToken(table, signIn, credentials)
        : byPassword(table, signIn, credentials.password);
    },
  };
}

function userIn({ guesser: { site, login }, itemOf }: SignIn): User | undefined {
  const item = itemOf(keys.user(site, login));
  return item && parseUser(item);
}

/** Checks passwords, each counted before it is checked; once a limit is reached, none is checked. */
function createGuardedCheck(signIns: SignIns): Authenticate['check'] {
  const checks = createPasswordCheck();
  return async (table, { guesser, user, password, now, ending }) => {
    const attempt: Attempt = { login: guesser.login, password, stored: user?.deleted ? undefined : user?.password };
    if (user && checks.rememberedUntil(attempt) > now) return true;
    // An equal attempt that is being checked was counted; this one shares its result.
    const turn = checks.isRunning(attempt) ? undefined : await beginGuess(table, guesser, now);
    if (turn && 'wait' in turn)
      throw tooManyRequests(
        'Too many wrong passwords came from this address, or for this login.',
        Math.ceil(turn.wait / 1000),
      );
    if ((await unlessUnchecked(checks.check(attempt, now, ending.signal()), turn)) && user !== undefined) {
      await turn?.giveBack();
      if (turn) signIns.succeeded(guesser.site);
      return true;
    }
    await signIns.refused(guesser.site);
    return false;
  };
}

/** The outcome of a check. One that never began, as the queue was full or its client left it, gives its count back. */
async function unlessUnchecked(
  check: Promise<boolean>,
  turn: { readonly giveBack: () => Promise<void> } | undefined,
): Promise<boolean> {
  try {
    return await check;
  } catch (error) {
    await turn?.giveBack();
    throw error;
  }
}

/**
 * Returns the user with the password hashed again at today's cost. If the user was changed meanwhile, that change
 * stays.
 */
async function withNewHash(table: Table, site: string, user: User, password: string): Promise<User> {
  const after = { ...user, password: await hashPassword(password) };
  try {
    const door = { table, site: { name: site }, now: 0, actor: 'service' } as const; // the password stays: no entry in the audit
    await table.transact(await planAuthority(door, { users: [{ before: user, after }] }));
    return { ...after, version: (user.version ?? 0) + 1 };
  } catch (error) {
    if (error instanceof ConditionFailed) return user;
    throw error;
  }
}
