import { basic } from '../support/service/credentials.ts';
import type { Incoming, Outgoing } from '../support/service/edge.ts';
import { overHttp } from '../support/service/http-ask.ts';

/** Asks the deployed service as one of a site's users. */
export interface Client {
  get(target: string): Promise<unknown>;
  /** A request that must succeed. */
  ask(method: string, target: string, body?: unknown): Promise<Outgoing>;
  /** The cells of a report: one row of values an entry. */
  report(body: Readonly<Record<string, unknown>>): Promise<readonly (readonly unknown[])[]>;
}

export function createClient(base: string, host: string, login: string, password: string): Client {
  async function ask(method: string, target: string, body?: unknown): Promise<Outgoing> {
    const request: Incoming = {
      method,
      target,
      host,
      headers: { Authorization: basic(login, password), 'Content-Type': 'application/json' },
      body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
    };
    const answer = await overHttp(base, request);
    if (answer.status >= 300) throw new Error(`${method} ${target}: ${answer.status} ${answer.text}`);
    return answer;
  }
  return {
    ask,
    get: async (target) => JSON.parse((await ask('GET', target)).text),
    async report(body) {
      const { data } = JSON.parse((await ask('POST', '/api/v2/insights3/reports', body)).text);
      if (!Array.isArray(data)) throw new Error('a report without rows');
      return data.map((row: unknown[]) => row.slice(3));
    },
  };
}
