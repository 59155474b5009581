import type { Guesser } from '../access/passwords/guesses.ts';
import type { SignedIn } from '../access/principal.ts';
import { parseSite, type Site } from '../access/site-fields.ts';
import { isLocal, normalizeHost, readSite } from '../access/sites.ts';
import { normalizeLogin, type User } from '../access/users.ts';
import { asSent, notFound } from '../errors.ts';
import { unavailable } from '../store/faults.ts';
import { type Key, keys, type Partition } from '../store/keys.ts';
import { type ItemLookup, readItems } from '../store/read-items.ts';
import type { Table } from '../store/table.ts';
import { createAuthenticate, signInKeys } from './authenticate.ts';
import { type Credentials, parseCredentials, unauthorized, unsigned } from './credentials.ts';
import type { Ending } from './ending.ts';
import type { Request } from './request.ts';
import type { Service } from './service.ts';
import type { SignIns } from './sign-ins.ts';

/** The caller and the site of a request, with the items read together with them. */
export interface Caller {
  readonly site: Site;
  readonly user: User; // with the token's role, if a token was sent
  readonly actor: SignedIn;
  readonly login: string; // as users are stored
  readonly reads: RequestReads;
  readonly itemOf: ItemLookup; // the items of `reads`
  /** Checks a password of the caller, counted like a sign-in. Throws `too_many_requests` and `unavailable`. */
  readonly checkPassword: (password: string) => Promise<boolean>;
}

/** What a request reads in one trip with its caller; a key is undefined if its item is not needed. */
export interface RequestReads {
  readonly partitions: readonly Partition[]; // the collections whose heads are read
  readonly lock: Key | undefined; // the insights lock
  readonly repeat: Key | undefined; // the answer to an earlier request with the same `Idempotency-Key`
  readonly userRate: Key | undefined; // the counter of the user's requests
  readonly siteRate: Key | undefined; // the counter of the site's requests
}

/** A request to identify the caller of. */
interface IdentifyRequest {
  readonly request: Request;
  readonly reads: (site: string, login: string) => RequestReads;
  readonly now: number; // epoch ms
  readonly ending: Ending;
  readonly onSite: (site: Site) => void; // called with the site before the caller is known
}

export type Identify = (table: Table, arrival: IdentifyRequest) => Promise<Caller>;

/** What of a service `createIdentify` is given. */
export type IdentifyOptions = Pick<Service, 'isGuarded' | 'renewsHashes' | 'oauthKeys'>;

/**
 * The site that answered a host last. A host of its own needs no look at the default site: that item is one for the
 * whole deployment, whose requests would all read it, and DynamoDB gives one item 3,000 reads a second.
 */
interface HostSite {
  readonly name: string;
  readonly isOwn: boolean; // whether the host is the site's own; else the site is the default one
}

const HOSTS = 1000; // hosts whose site a process remembers
const LONGEST_HOST = 253; // RFC 1035
const LONGEST_LOGIN = 255; // code units; no user has a longer one
const TRIES = 4; // a host may move to another site between two reads

/**
 * Finds a request's site and user. Takes one read if the host was seen before or begins with the site's name: the
 * remembered or guessed site only chooses the keys, the items read decide. `isGuarded` names users that sign in through
 * this machine's own hosts alone. Throws `not_found` for a host without a site, `unauthorized` for bad credentials,
 * `too_many_requests` after too many of these.
 */
export function createIdentify(
  { isGuarded = () => false, renewsHashes = true, oauthKeys = async () => [] }: IdentifyOptions,
  signIns: SignIns,
): Identify {
  const remembered = new Map<string, HostSite>();
  const { authenticate, check } = createAuthenticate(signIns, renewsHashes, oauthKeys);

  function remember(host: string, site: HostSite): void {
    if (remembered.size >= HOSTS) remembered.clear();
    remembered.set(host, site);
  }

  return async (table, { request, reads: readsOf, now, ending, onSite }) => {
    const host = hostOf(request.host);
    const parsed = parseCredentials(request);
    const [problem, credentials] = typeof parsed === 'string' ? [parsed] : [undefined, parsed];
    const login = loginOf(credentials);
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const { name, isOwn } = remembered.get(host) ?? guessOf(host);
      const guesser: Guesser = { site: name, login, address: request.address };
      const reads = readsOf(name, login);
      const itemOf = await readItems(table, [
        ...(isOwn ? [keys.host(host)] : siteNameKeys(host)),
        keys.site(name),
        ...signInKeys(guesser, credentials),
        ...keysIn(reads),
      ]);
      const actual = siteNameIn(itemOf, host);
      if (isOwn && actual !== name) {
        remembered.delete(host); // the default site was not read
        continue;
      }
      if (actual === undefined) throw notFound(`site at the host ${asSent(host)}`);
      if (remembered.get(host)?.name !== actual)
        remember(host, { name: actual, isOwn: itemOf(keys.host(host)) !== undefined });
      if (actual !== name) continue;
      const siteItem = itemOf(keys.site(name));
      if (siteItem === undefined) throw notFound(`site at the host ${asSent(host)}`);
      const site = parseSite(siteItem);
      onSite(site);
      if (problem !== undefined) throw unsigned(problem);
      const { user, actor } = await authenticate(table, { request, credentials, guesser, itemOf, now, ending });
      if (!isLocal(host) && isGuarded(user)) throw unauthorized();
      const checkPassword = (password: string) => check(table, { guesser, now, ending, user, password });
      return { site, user, actor, login, reads, itemOf, checkPassword };
    }
    throw unavailable();
  };
}

const keysIn = ({ partitions, lock, repeat, userRate, siteRate }: RequestReads): (Key | undefined)[] => [
  ...partitions.map(keys.head),
  lock,
  repeat,
  userRate,
  siteRate,
];

/** The site of a host that was not seen yet, by its first label: most hosts are `<site>.…`. */
const guessOf = (host: string): HostSite => ({ name: host.split('.', 1)[0] ?? '', isOwn: false });

/** The site of a host, without a caller; undefined if the host has none. */
export async function siteOfHost(table: Table, sent: string): Promise<Site | undefined> {
  const host = hostOf(sent);
  const name = siteNameIn(await readItems(table, siteNameKeys(host)), host);
  return name === undefined ? undefined : readSite(table, name);
}

const hostOf = (host: string): string => normalizeHost(host).slice(0, LONGEST_HOST);

const siteNameKeys = (host: string): Key[] => [keys.host(host), keys.defaultSite()];

/** The name of the site of a host, or of the default site; undefined if there is neither. */
function siteNameIn(itemOf: ItemLookup, host: string): string | undefined {
  const name = itemOf(keys.host(host))?.site ?? itemOf(keys.defaultSite())?.site;
  return typeof name === 'string' ? name : undefined;
}

/** The login in the form in which users are stored; empty if there is none or it is too long. */
function loginOf(credentials: Credentials | undefined): string {
  const login = normalizeLogin(credentials?.login ?? '');
  return login.length <= LONGEST_LOGIN ? login : '';
}
