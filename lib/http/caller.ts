import { countFailure, createGuessGuard, type Guesser, guessKeys } from '../access/guesses.ts';
import { type Attempt, createPasswordCheck, type PasswordCheck } from '../access/password-check.ts';
import { hashPassword, isOutdated } from '../access/passwords.ts';
import { normalizeHost, parseSite, readSite, type Site } from '../access/sites.ts';
import { noteUse, parseToken, roleOf } from '../access/tokens.ts';
import { normalizeLogin, parseUser, putUser, type User } from '../access/users.ts';
import { Failure } from '../errors.ts';
import { ConditionFailed, unavailable } from '../store/faults.ts';
import { type Key, keys, type Partition } from '../store/keys.ts';
import type { Item, Table } from '../store/table.ts';
import { type Credentials, parseCredentials } from './credentials.ts';
import type { Ending } from './ending.ts';
import type { Request } from './request.ts';
import type { SignIns } from './sign-ins.ts';

/** The caller and the site of a request, with everything read together with them. */
export interface Caller {
  readonly site: Site;
  readonly user: User; // with the token's role, if a token was sent
  readonly heads: ReadonlyMap<string, Item | undefined>; // by partition key
  readonly lock: Item | undefined; // the insights lock, for a route that takes it
  readonly login: string; // as users are stored
  readonly others: Others<ReadItem | undefined>; // the items read for this request alone
  readonly read: TableRead; // the whole read
  /**
   * Returns the time (epoch ms, exclusive) until which the credentials stay valid if all items that were read stay the
   * same.
   */
  readonly knownUntil: () => number;
  /** Checks a password of the caller, counted like a sign-in. Throws `too_many_requests` and `unavailable`. */
  readonly checkPassword: (password: string) => Promise<boolean>;
}

/** One read of the table: keys, and the items found under them. */
export interface TableRead {
  readonly keys: readonly Key[];
  readonly items: readonly (Item | undefined)[];
}

/** The items that a request reads in one read with its caller. */
export interface ExtraReads {
  readonly partitions: readonly Partition[]; // the partitions whose heads are read
  readonly lock: boolean;
  readonly others: Others<Key | undefined>;
}

/**
 * Items that only some requests read: the answer to an earlier request with the same key, and the counter of the user's
 * requests.
 */
type Others<T> = { readonly [name in 'repeat' | 'rate']: T };

/** A key that was read, and the item under it. */
export interface ReadItem {
  readonly key: Key;
  readonly item: Item | undefined;
}

/** A request to identify the caller of. */
export interface Arrival {
  readonly request: Request;
  readonly reads: (site: string, login: string) => ExtraReads;
  readonly before: TableRead | undefined; // a read already made for this request, with the keys of an earlier equal one
  readonly now: number; // epoch ms
  readonly ending: Ending;
  readonly onSite: (site: Site) => void; // called with the site before the caller is known
}

export type Identify = (table: Table, arrival: Arrival) => Promise<Caller>;

const HOSTS = 1000; // hosts whose site a process remembers
const LONGEST_HOST = 253; // RFC 1035
const LONGEST_LOGIN = 255; // code units; no user has a longer one
const NOTHING: ExtraReads = { partitions: [], lock: false, others: { repeat: undefined, rate: undefined } };
const TRIES = 4; // a host may move to another site between two reads

/**
 * Finds a request's site and user. Takes one read if the host was seen before: the remembered site only chooses the
 * keys, the items read decide. `isGuarded` names users that cannot sign in through unknown hosts. Throws `not_found`
 * for a host without a site, `unauthorized` for bad credentials, `too_many_requests` after too many of these.
 */
export function createIdentify(isGuarded: (user: User) => boolean, signIns: SignIns): Identify {
  const guesses = new Map<string, string>();
  const { authenticate, check } = createAuthenticate(signIns);

  function remember(host: string, site: string): void {
    if (guesses.size >= HOSTS) guesses.clear();
    guesses.set(host, site);
  }

  return async (table, { request, reads, before, now, ending, onSite }) => {
    const host = normalizeHost(request.host).slice(0, LONGEST_HOST);
    const credentials = parseCredentials(request.headers.authorization);
    const login = loginOf(credentials) ?? '';
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const guess = guesses.get(host);
      const extra = guess === undefined ? NOTHING : reads(guess, login);
      const guesser = { site: guess ?? '', login, address: request.address };
      const asked = guess === undefined ? [] : wanted(guesser, credentials, extra);
      const { read, items } = await getKnown(table, [keys.host(host), keys.defaultSite(), ...asked], before);
      const named = items[0]?.site ?? items[1]?.site;
      if (typeof named !== 'string') throw new Failure('not_found');
      if (named !== guess) {
        remember(host, named);
        continue;
      }
      const [, , siteItem, lock, userItem, tokenItem, ...rest] = items;
      if (siteItem === undefined) throw new Failure('not_found');
      const site = parseSite(siteItem);
      onSite(site);
      const counters = rest.splice(0, COUNTED);
      const heads = new Map(extra.partitions.map(({ pk }, index) => [pk, rest[index]]));
      const found = { userItem, tokenItem, counters };
      const { user, knownUntil } = await authenticate(table, { credentials, guesser, found, now, ending });
      if (items[0] === undefined && !isLocal(host) && isGuarded(user)) throw unauthorized();
      const [repeat, rate] = rest.slice(extra.partitions.length);
      const others = { repeat: readUnder(extra.others.repeat, repeat), rate: readUnder(extra.others.rate, rate) };
      const checkPassword = (password: string) => check(table, { guesser, now, ending, user, password });
      return { site, user, heads, lock, login, others, read, knownUntil, checkPassword };
    }
    throw unavailable();
  };
}

/** The site of a host, without a caller; undefined if the host has none. */
export async function siteOfHost(table: Table, host: string): Promise<Site | undefined> {
  const [named, usual] = await table.batchGet([
    keys.host(normalizeHost(host).slice(0, LONGEST_HOST)),
    keys.defaultSite(),
  ]);
  const name = named?.site ?? usual?.site;
  return typeof name === 'string' ? readSite(table, name) : undefined;
}

const LOCAL: readonly string[] = ['localhost', '127.0.0.1', '[::1]', ''];
const isLocal = (host: string): boolean => LOCAL.includes(host) || host.endsWith('.localhost');

/** The login in the form in which users are stored; undefined if there is none or it is too long. */
function loginOf(credentials: Credentials | undefined): string | undefined {
  const login = normalizeLogin(credentials?.login ?? '');
  return login !== '' && login.length <= LONGEST_LOGIN ? login : undefined;
}

const COUNTED = guessKeys({ site: '', login: '', address: '' }).length;

/** The keys of site, lock, user, token, counters, heads and others, in this order; undefined for those not needed. */
function wanted(
  guesser: Guesser,
  credentials: Credentials | undefined,
  { partitions, lock, others }: ExtraReads,
): (Key | undefined)[] {
  const { site, login } = guesser;
  const isToken = credentials !== undefined && 'token' in credentials;
  return [
    keys.site(site),
    lock ? keys.lock(site) : undefined,
    login === '' ? undefined : keys.user(site, login),
    isToken ? keys.token(site, credentials.token) : undefined,
    ...guessKeys(guesser).map((key) => (credentials === undefined || isToken ? undefined : key)),
    ...partitions.map(keys.head),
    others.repeat,
    others.rate,
  ];
}

const readUnder = (key: Key | undefined, item: Item | undefined): ReadItem | undefined => key && { key, item };

/** Reads items in the order of the keys; an undefined key gives undefined. Reuses `before` if it read the same keys. */
async function getKnown(table: Table, asked: readonly (Key | undefined)[], before: TableRead | undefined) {
  const keys = asked.filter((key) => key !== undefined);
  const read: TableRead = before && areSame(before.keys, keys) ? before : { keys, items: await table.batchGet(keys) };
  const items = read.items.values();
  return { read, items: asked.map((key) => (key === undefined ? undefined : items.next().value)) };
}

const areSame = (some: readonly Key[], others: readonly Key[]): boolean =>
  some.length === others.length &&
  some.every(({ pk, sk }, index) => pk === others[index]?.pk && sk === others[index].sk);

/** The items read to identify the caller. */
interface Found {
  readonly userItem: Item | undefined;
  readonly tokenItem: Item | undefined;
  readonly counters: readonly (Item | undefined)[];
}

interface SignIn {
  readonly credentials: Credentials | undefined;
  readonly guesser: Guesser;
  readonly found: Found;
  readonly now: number; // epoch ms
  readonly ending: Ending;
}

/** A password given for a user; `user` is undefined if the login has none. */
interface Given {
  readonly guesser: Guesser;
  readonly user: User | undefined;
  readonly password: string;
  readonly counters?: readonly (Item | undefined)[]; // if they were read with the caller
  readonly now: number; // epoch ms
  readonly ending: Ending;
}

/** A caller with valid credentials. */
type SignedIn = Pick<Caller, 'user' | 'knownUntil'>;

interface Authenticate {
  readonly authenticate: (table: Table, signIn: SignIn) => Promise<SignedIn>;
  readonly check: (table: Table, given: Given) => Promise<boolean>;
}

const DAY = 24 * 60 * 60_000; // ms

function createAuthenticate(signIns: SignIns): Authenticate {
  const checks = createPasswordCheck();
  const check = createGuardedCheck(checks, signIns);

  async function byPassword(table: Table, signIn: SignIn, password: string): Promise<SignedIn> {
    const { guesser, found, now, ending } = signIn;
    const user = found.userItem && parseUser(found.userItem);
    const given = { guesser, user, password, counters: found.counters, now, ending };
    if (!(await check(table, given)) || user === undefined) throw unauthorized();
    const isOld = user.password !== undefined && isOutdated(user.password);
    const known = isOld ? await withNewHash(table, guesser.site, user, password) : user;
    return { user: known, knownUntil: () => checks.rememberedUntil(attemptOf(given)) };
  }

  async function byToken(table: Table, { guesser, found, now }: SignIn): Promise<SignedIn> {
    const token = found.tokenItem && parseToken(found.tokenItem);
    const user = found.userItem && parseUser(found.userItem);
    const isOver = token?.expires !== undefined && token.expires <= now;
    if (token === undefined || user === undefined || user.deleted || isOver || token.login !== guesser.login)
      throw unauthorized();
    await noteUse(table, guesser.site, token, now);
    const nextUse = (Math.floor(now / DAY) + 1) * DAY; // the next day of use, which must be recorded
    const knownUntil = () => Math.min(token.expires ?? Number.POSITIVE_INFINITY, nextUse);
    return { user: { ...user, role: roleOf(token, user.role) }, knownUntil };
  }

  return {
    check,
    authenticate: async (table, signIn) => {
      const { credentials } = signIn;
      if (credentials === undefined) throw unauthorized();
      return 'token' in credentials ? byToken(table, signIn) : byPassword(table, signIn, credentials.password);
    },
  };
}

const attemptOf = ({ guesser, user, password }: Pick<Given, 'guesser' | 'user' | 'password'>): Attempt => ({
  login: guesser.login,
  password,
  known: user?.deleted ? undefined : user?.password,
});

/** Checks passwords and counts wrong ones; once a limit is reached, none is checked. */
function createGuardedCheck(checks: PasswordCheck, signIns: SignIns): Authenticate['check'] {
  const guard = createGuessGuard();
  return async (table, given) => {
    const { guesser, user, now, ending } = given;
    const attempt = attemptOf(given);
    if (user && checks.rememberedUntil(attempt) > now) return true;
    const counters = given.counters ?? (await table.batchGet(guessKeys(guesser)));
    const joins = checks.isRunning(attempt);
    const wait = joins ? 0 : guard.enter(guesser, counters, now);
    if (wait > 0) throw tooManyGuesses(wait);
    try {
      if ((await checks.check(attempt, now, ending.signal())) && user !== undefined) {
        if (!joins) signIns.succeeded(guesser.site);
        return true;
      }
      if (!joins) await countFailure(table, guesser, counters, now);
    } finally {
      if (!joins) guard.leave(guesser);
    }
    await signIns.refused(guesser.site);
    return false;
  };
}

/**
 * Returns the user with the password hashed again at today's cost. If the user was changed meanwhile, that change
 * stays.
 */
async function withNewHash(table: Table, site: string, user: User, password: string): Promise<User> {
  try {
    return await putUser(table, site, { ...user, password: await hashPassword(password) }, false);
  } catch (error) {
    if (error instanceof ConditionFailed) return user;
    throw error;
  }
}

function tooManyGuesses(wait: number): Failure {
  const seconds = String(Math.ceil(wait / 1000));
  return new Failure('too_many_requests', {
    headers: { 'X-Rate-Limit-Remaining': '0', 'X-Rate-Limit-Reset': seconds, 'Retry-After': seconds },
  });
}

const unauthorized = (): Failure =>
  new Failure('unauthorized', { headers: { 'WWW-Authenticate': 'Basic realm="support"' } });
