import { setTimeout as sleep } from 'node:timers/promises';
import { basic } from '../support/service/credentials.ts';
import type { Incoming, Outgoing } from '../support/service/edge.ts';
import { overHttp } from '../support/service/http-ask.ts';

const PATIENCE = 60_000; // ms
const BUSY: readonly number[] = [409, 429, 503]; // another work of the site is not quite over; they say when to come back

/** Asks the deployed service as one of a site's users. */
export interface Client {
  get(target: string): Promise<unknown>;
  /** A request that must succeed, if need be after the time that a reply names; `headers` take the place of credentials. */
  ask(method: string, target: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Outgoing>;
  /** A request as it is answered at once, whatever that says. */
  once(method: string, target: string, body?: unknown): Promise<Outgoing>;
  /** The cells of a report: one row of values an entry. */
  report(body: Readonly<Record<string, unknown>>): Promise<readonly (readonly unknown[])[]>;
}

export function createClient(base: string, host: string, login: string, password: string): Client {
  const credentials = { Authorization: basic(login, password) };

  const once = (method: string, target: string, body?: unknown): Promise<Outgoing> =>
    overHttp(base, {
      ...{ method, target, host, headers: { ...credentials, 'Content-Type': 'application/json' } },
      body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
    });

  async function ask(
    method: string,
    target: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = credentials,
  ): Promise<Outgoing> {
    const request: Incoming = {
      method,
      target,
      host,
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
    };
    let answer = await overHttp(base, request);
    for (const until = Date.now() + PATIENCE; BUSY.includes(answer.status) && Date.now() < until; ) {
      const wait = Number(answer.headers['retry-after']);
      if (!(wait > 0)) break;
      await sleep(wait * 1_000);
      answer = await overHttp(base, request);
    }
    if (answer.status >= 300) throw new Error(`${method} ${target}: ${answer.status} ${answer.text}`);
    return answer;
  }
  return {
    ask,
    once,
    get: async (target) => JSON.parse((await ask('GET', target)).text),
    async report(body) {
      const { data } = JSON.parse((await ask('POST', '/api/v2/insights3/reports', body)).text);
      if (!Array.isArray(data)) throw new Error('a report without rows');
      return data.map((row: unknown[]) => row.slice(3));
    },
  };
}
