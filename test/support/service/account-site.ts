import { basic } from './credentials.ts';
import type { Account } from './deployed.ts';
import { overHttp } from './http-ask.ts';

const COLLECTIONS = [
  ...['topics', 'macros', 'subscriptions', 'alerts', 'boards', 'saved_reports', 'calendars', 'sla_policies'],
].map((name) => `/api/v2/${name}`);

/** Throws if the account's site has entries of any kind that tests make. */
export async function refuseFullSite(url: string, account: Account): Promise<void> {
  const send = sender(url, account);
  for (const path of COLLECTIONS) {
    const { status, body } = await send('GET', path);
    if (status !== 200) throw new Error(`GET ${path} as ${account.login}: ${status}`);
    if (body.total_entries > 0)
      throw new Error(`The site has entries at ${path}: give these tests a site of their own.`);
  }
}

export type Send = ReturnType<typeof sender>;

/** Sends requests as an account does, by the service's own host. */
export function sender(url: string, { login, password }: Account) {
  const { host, protocol } = new URL(url);
  const credentials = { Authorization: basic(login, password) };
  const forwarded = { 'X-Forwarded-Proto': protocol.slice(0, -1) }; // set by the real gateway, but not by emulators
  return async (
    method: string,
    target: string,
    { text = '', headers = {} as Readonly<Record<string, string>>, isSignedIn = true } = {},
  ) => {
    const sent = { ...forwarded, ...(isSignedIn ? credentials : {}), ...headers };
    const reply = await overHttp(url, { method, target, headers: sent, body: Buffer.from(text), host });
    const isJson = reply.headers['content-type']?.startsWith('application/json') ?? true;
    return { ...reply, body: reply.text === '' || !isJson ? undefined : JSON.parse(reply.text) };
  };
}

/** Deletes all entries of a site. */
export async function empty(send: Send): Promise<void> {
  for (const path of COLLECTIONS) {
    const { body } = await send('GET', `${path}?per_page=1000`);
    for (const { id } of body?._embedded?.entries ?? []) await send('DELETE', `${path}/${id}`);
  }
}
