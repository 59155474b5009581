import { basic } from '../support/service/credentials.ts';
import type { Incoming } from '../support/service/edge.ts';
import { overHttp } from '../support/service/http-ask.ts';

/** Asks the deployed service as one of a site's users. */
export interface Client {
  get(target: string): Promise<unknown>;
  /** The cells of a report: one row of values an entry. */
  report(body: Readonly<Record<string, unknown>>): Promise<readonly (readonly unknown[])[]>;
}

export function createClient(base: string, host: string, login: string, password: string): Client {
  async function ask(method: string, target: string, body?: unknown): Promise<{ data?: unknown }> {
    const request: Incoming = {
      method,
      target,
      host,
      headers: { Authorization: basic(login, password), 'Content-Type': 'application/json' },
      body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
    };
    const { status, text } = await overHttp(base, request);
    if (status !== 200) throw new Error(`${method} ${target}: ${status} ${text}`);
    return JSON.parse(text);
  }
  return {
    get: (target) => ask('GET', target),
    async report(body) {
      const { data } = await ask('POST', '/api/v2/insights3/reports', body);
      if (!Array.isArray(data)) throw new Error('a report without rows');
      return data.map((row: unknown[]) => row.slice(3));
    },
  };
}
