import { DEMO_PASSWORD, demoLogin } from '../../../infra/demo/users.ts';
import { served } from './console-service.ts';
import { basic } from './credentials.ts';

/** Asks the API of the served demo site as a program would; waits while a page holds the site's lock. */
export async function api(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { Authorization: basic(demoLogin('Administrator'), DEMO_PASSWORD), ...init.headers };
  for (;;) {
    const reply = await fetch(`${served.service().url}${path}`, { ...init, headers });
    if (reply.status !== 429) return reply;
    await new Promise((resolve) => setTimeout(resolve, 1000)); // a page of an earlier test still asks
  }
}

/** Creates a resource; returns its id. */
export async function create(path: string, body: unknown): Promise<number> {
  const reply = await api(path, { method: 'POST', body: JSON.stringify(body) });
  if (reply.status !== 201) throw new Error(`${path}: ${await reply.text()}`);
  return Object(await reply.json()).id;
}
