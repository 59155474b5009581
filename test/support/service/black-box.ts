import type { Site } from '../../../lib/access/site-fields.ts';
import type { Table } from '../../../lib/store/table.ts';
import { empty, type Send, sender } from './account-site.ts';
import type { Ask, TestService } from './asking.ts';
import { PASSWORD } from './credentials.ts';
import type { Account } from './deployed.ts';
import { overlayClock } from './http-ask.ts';

/**
 * A test asked for what credentials alone do not give: the table, other users, settings of the site.
 * `black-box-runner.ts` reports it as skipped.
 */
class NeedsMore extends Error {
  constructor(what: string) {
    super(`needs more than credentials: ${what}`);
    this.name = 'NeedsMore';
  }
}

const hasTestPassword = ({ Authorization = '' }: Readonly<Record<string, string>>): boolean =>
  Buffer.from(Authorization.replace(/^Basic /, ''), 'base64')
    .toString()
    .endsWith(`:${PASSWORD}`);

/** What a test file asks for beside an Administrator of an empty site. */
export interface Wishes {
  readonly isUsual: boolean; // whether it asks for no settings of its own
}

/**
 * A deployed service as a client sees it, by its own host and with the credentials of one user. Its site is emptied
 * before: it was empty when the run began (`refuseFullSite`).
 */
export async function blackBox(url: string, account: Account, { isUsual }: Wishes): Promise<TestService> {
  const { host, protocol, pathname } = new URL(url);
  const stage = pathname.replace(/\/$/, '').split('/').at(-1);
  const send = sender(url, account);
  const now = { at: Date.parse('2026-03-01T12:00:00Z') };
  const clock = overlayClock(now);
  let lacked: NeedsMore | undefined;
  const lack = (what: string): never => {
    lacked ??= new NeedsMore(what); // what follows may build on what could not be done
    throw lacked;
  };
  const made = madeInTests(send);
  const ask: Ask = async (method, target, { body, headers = {}, as = 'Administrator', host: other } = {}) => {
    if (lacked) throw lacked;
    if (!isUsual) throw new NeedsMore('settings of the site');
    if (other !== undefined) throw await made.taken('another host');
    if (hasTestPassword(headers)) throw await made.taken('a user of the tests');
    if (as !== null && as !== 'Administrator') throw await made.taken(`a user of the role ${as}`);
    const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
    await clock.settle();
    const reply = await send(method, target, { text, headers, isSignedIn: as !== null });
    const told = clock.translate(reply.text);
    if (method === 'POST' && reply.status === 201) made.note(`${target}/${reply.body?.id}`);
    return { ...reply, text: told, body: reply.body === undefined ? undefined : JSON.parse(told) };
  };
  await empty(send, account.login);
  return {
    ask,
    again: () => async () => {
      throw new NeedsMore('a second process');
    },
    table: outOfReach<Table>(() => lack('the table')),
    site: outOfReach<Site>(() => lack('the site')),
    origin: `${protocol}//${host}${stage ? `/${stage}` : ''}`,
    ...{ now, clock: Date.now, logged: [] },
  };
}

/** What the running test has made: one that ends half way, since it needs more, would leave it to the tests after it. */
function madeInTests(send: Send) {
  let test: string | undefined;
  let paths: string[] = [];
  const ofThisTest = (): string[] => {
    const { currentTestName } = expect.getState(); // undefined while a file loads
    if (currentTestName !== test) paths = [];
    test = currentTestName;
    return test === undefined ? [] : paths;
  };
  return {
    note: (path: string) => ofThisTest().push(path),
    async taken(lacked: string): Promise<NeedsMore> {
      for (const path of ofThisTest().splice(0).reverse()) await send('DELETE', path);
      return new NeedsMore(lacked);
    },
  };
}

/** Stands for what is out of reach: whoever looks into it needs more. */
function outOfReach<T extends object>(lack: () => never): T {
  return new Proxy({} as T, { get: lack }); // never looked into
}
