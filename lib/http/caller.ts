import type { PasswordCheck } from '../access/passwords.ts';
import { normalizeHost, parseSite, type Site } from '../access/sites.ts';
import { normalizeLogin, parseUser, type User } from '../access/users.ts';
import { Failure } from '../errors.ts';
import { unavailable } from '../store/faults.ts';
import { type Key, keys, type Partition } from '../store/keys.ts';
import type { Item, Table } from '../store/table.ts';
import { type Credentials, parseBasicAuth } from './basic-auth.ts';
import type { Request } from './request.ts';

/** Who calls which site, and what was read along with that. */
export interface Caller {
  readonly site: Site;
  readonly user: User;
  readonly heads: ReadonlyMap<string, Item | undefined>; // by partition key
  readonly lock: Item | undefined; // the insights lock, for a route that takes it
}

/** What a request reads along with its caller. */
export interface ReadAlong {
  readonly partitions: readonly Partition[]; // their heads
  readonly lock: boolean;
}

export type Identify = (
  table: Table,
  request: Request,
  reads: (site: string) => ReadAlong,
  now: number,
) => Promise<Caller>;

const HOSTS = 1000; // hosts a process remembers the site of
const LONGEST_HOST = 253; // RFC 1035
const LONGEST_LOGIN = 255; // code units; longer ones belong to nobody
const NOTHING: ReadAlong = { partitions: [], lock: false };
const TRIES = 4; // a host may move to another site between two reads

/**
 * Finds site and user of a request in one read when the host was seen before: the remembered site is only a guess at the
 * keys, and what the read brings decides. Throws `not_found` for a host without a site, `unauthorized` for bad credentials.
 */
export function createIdentify(checkPassword: PasswordCheck): Identify {
  const guesses = new Map<string, string>();

  function remember(host: string, site: string): void {
    if (guesses.size >= HOSTS) guesses.clear();
    guesses.set(host, site);
  }

  return async (table, request, reads, now) => {
    const host = normalizeHost(request.host).slice(0, LONGEST_HOST);
    const credentials = parseBasicAuth(request.headers.authorization);
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const guess = guesses.get(host);
      const along = guess === undefined ? NOTHING : reads(guess);
      const asked = guess === undefined ? [] : wanted(guess, credentials, along);
      const items = await getKnown(table, [keys.host(host), keys.defaultSite(), ...asked]);
      const named = items[0]?.site ?? items[1]?.site;
      if (typeof named !== 'string') throw new Failure('not_found');
      if (named !== guess) {
        remember(host, named);
        continue;
      }
      const [, , siteItem, lock, userItem, ...rest] = items;
      if (siteItem === undefined) throw new Failure('not_found');
      const heads = new Map(along.partitions.map(({ pk }, place) => [pk, rest[place]]));
      const user = await authenticate(credentials, userItem, checkPassword, now);
      return { site: parseSite(siteItem), user, heads, lock };
    }
    throw unavailable();
  };
}

/** The keys of site, lock, user and heads, in this order; undefined where it is not wanted. */
function wanted(
  site: string,
  credentials: Credentials | undefined,
  { partitions, lock }: ReadAlong,
): (Key | undefined)[] {
  const login = normalizeLogin(credentials?.login ?? '');
  const isLogin = login !== '' && login.length <= LONGEST_LOGIN;
  return [
    keys.site(site),
    lock ? keys.lock(site) : undefined,
    isLogin ? keys.user(site, login) : undefined,
    ...partitions.map(keys.head),
  ];
}

/** The items in the order of the keys, in one read; none where there is no key. */
async function getKnown(table: Table, asked: readonly (Key | undefined)[]): Promise<(Item | undefined)[]> {
  const items = (await table.batchGet(asked.filter((key) => key !== undefined))).values();
  return asked.map((key) => (key === undefined ? undefined : items.next().value));
}

async function authenticate(
  credentials: Credentials | undefined,
  item: Item | undefined,
  checkPassword: PasswordCheck,
  now: number,
): Promise<User> {
  if (credentials === undefined) throw unauthorized();
  const user = item && parseUser(item);
  const known = user?.deleted ? undefined : user?.password;
  const right = await checkPassword(credentials.password, known, now);
  if (!right || user === undefined) throw unauthorized();
  return user;
}

const unauthorized = (): Failure =>
  new Failure('unauthorized', { headers: { 'WWW-Authenticate': 'Basic realm="support"' } });
