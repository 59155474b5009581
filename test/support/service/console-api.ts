import { demoLogin } from '../../../infra/demo/users.ts';
import { served } from './console-service.ts';
import { basic } from './credentials.ts';

/** Asks the API of the served demo site as a program would; waits while a page holds the site's lock. */
export async function api(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { Authorization: basic(demoLogin('Administrator'), served.password()), ...init.headers };
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

/** Imports a new case for each key, as one source; `more` is told of each of them. */
export async function loadCases(
  source: string,
  cases: readonly string[],
  more: object = { channel: 1 },
): Promise<void> {
  const lines = cases.map((key) =>
    JSON.stringify({ type: 'case.created', case: key, id: key, at: '2026-02-02T09:00:00Z', ...more }),
  );
  await loadFile(`cases.ndjson&source=${source}`, lines.join('\n'));
}

/** Imports a file; `read` says how, where the file does not. */
export async function loadFile(name: string, content: string, read?: object): Promise<void> {
  const sent = await api(`/api/v2/imports?name=${name}`, { method: 'POST', body: content });
  const { id } = Object(await sent.json());
  const reach = async (state: string): Promise<void> => {
    while (Object(await (await api(`/api/v2/imports/${id}`)).json()).state !== state)
      await new Promise((resolve) => setTimeout(resolve, 100));
  };
  await reach('checked');
  if (read) {
    await api(`/api/v2/imports/${id}`, { method: 'PATCH', body: JSON.stringify(read) });
    await reach('checked');
  }
  await api(`/api/v2/imports/${id}/load`, { method: 'POST', body: '{}' });
  await reach('loaded');
}
