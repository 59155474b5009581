import { readFileSync } from 'node:fs';
import { groups } from '../../lib/routes.ts';
import { sharedData } from '../support/service/data-file.ts';
import { type Received, startService } from '../support/service/service.ts';
import { describeWithData } from '../support/service/shared-data.ts';

/** Recorded traffic of the original service, replayed in form: status, keys and their order, errors, headers, links. */
interface Exchange {
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers: Headers;
    readonly body: unknown;
  };
  readonly response: { readonly status: number; readonly headers: Headers; readonly body: unknown };
}
type Headers = Readonly<Record<string, string>>;

/** What is not answered as it was, and why. */
const DIFFERENT: readonly {
  readonly where: RegExp;
  readonly why: string;
  readonly status: (method: string) => number;
}[] = [
  {
    where: /^\/api\/v2\/users(\/\d+)?$/,
    why: 'its rate limit, which is none of ours; the original wrote no users (405), which Administrators do here',
    status: (method) => ({ GET: 200, POST: 422 })[method] ?? 404,
  },
  { where: /^\/api\/v2\/brands$/, why: 'a brand had no link but its own then', status: () => 200 },
  { where: /^\/api\/v2\/testing$/, why: 'a path of its rate limit, which is none of ours', status: () => 404 },
];

/** Keys that the original had not yet when it was recorded. */
const LATER = new Set(['id', 'page', 'count', 'details']);

const file = sharedData('recorded-exchanges.json');
const exchanges: Exchange[] = file === null ? [] : JSON.parse(readFileSync(file, 'utf8'));
const { ask, origin } = await startService([...groups.topics, ...groups.macros]);
await ask('POST', '/api/v2/topics', { body: { name: 'There when the recording began' } });

describeWithData('recorded-exchanges.json', 'recorded traffic', () => {
  it('is on endpoints of ours, or differs for a reason that is named', () => {
    expect(exchanges).toHaveLength(55);
    expect(exchanges.filter(isOurs)).toHaveLength(49);
  });

  for (const [place, exchange] of exchanges.filter(isOurs).entries()) {
    it(`${place + 1}: ${titleOf(exchange)}`, async () => {
      const { request, response } = exchange;
      const headers = {
        'Content-Type': 'application/json',
        ...pick(request.headers, ['accept', 'x-http-method-override']),
      };
      const target = await prepared(request.path, response.status);
      const body = request.body ?? bodyBehind(request.method, response.body);
      const reply = await ask(request.method, target, { headers, ...(body === undefined ? {} : { body }) });
      expect(reply.status).toBe(response.status);
      expect(shapeOf(reply.body ?? '')).toEqual(shapeOf(response.body));
      expectHeaders(reply, response.headers, response.status);
    });
  }

  for (const exchange of exchanges.filter((one) => !isOurs(one))) {
    it(`answers ${titleOf(exchange)} as decided`, async () => {
      const { request } = exchange;
      const reply = await ask(request.method, request.path, request.body === null ? {} : { body: request.body });
      const decided = DIFFERENT.find(({ where }) => where.test(request.path))?.status(request.method);
      expect(reply.status).toBe(decided);
    });
  }
});

function isOurs({ request }: Exchange): boolean {
  return !DIFFERENT.some(({ where }) => where.test(request.path));
}

function titleOf({ request, response }: Exchange): string {
  return `${request.method} ${request.path} → ${response.status}`;
}

/** The path with the id of a resource that was made for it; of none where the recorded one was unknown. */
async function prepared(path: string, status: number): Promise<string> {
  const [, group, id] = /^\/api\/v2\/(topics|macros)\/(\d+)$/.exec(path) ?? [];
  if (id === undefined) return path;
  if (status === 404) return `/api/v2/${group}/999999999`;
  const made = await ask('POST', `/api/v2/${group}`, { body: { name: 'Recorded', description: null } });
  return `/api/v2/${group}/${made.body.id}`;
}

/** Two fixtures lack the body that was sent: what the reply shows was in it. */
function bodyBehind(method: string, shown: unknown): Record<string, unknown> | undefined {
  if (method !== 'POST' && method !== 'PATCH') return undefined;
  return pick(shown as Record<string, unknown>, ['name', 'description', 'enabled']);
}

function pick<T>(from: Readonly<Record<string, T>>, names: readonly string[]): Record<string, T> {
  return Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name] as T]])));
}

/** A body's keys in their order with the kinds of their values; hrefs without ids; of a list its first member. */
function shapeOf(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : ['list of', shapeOf(value[0])];
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .filter(([name]) => !LATER.has(name))
      .map(([name, inner]) => [name, shapeOf(inner, name)]);
  }
  if (key === 'href') return String(value).replace(/\d{1,9}(?=$|\/)/g, 'N');
  if (key === 'class' || key === 'message' || key === '') return value;
  if (key === 'description') return 'text or null';
  if (key === 'in_support_center') return 'boolean'; // null in old recordings, where it had never been set
  return typeof value;
}

function expectHeaders(reply: Received, recorded: Headers, status: number): void {
  expect(reply.headers['x-frame-options']).toBe(recorded['x-frame-options']);
  // The gateway gives a 204 a Content-Type, where the original had none.
  if (status !== 204) expect(reply.headers['content-type']).toBe(recorded['content-type']);
  for (const name of ['x-request-id', 'x-rate-limit-limit', 'x-rate-limit-remaining', 'x-rate-limit-reset']) {
    expect(reply.headers[name]).toMatch(/./);
  }
  if (recorded.etag) expect(reply.headers.etag).toMatch(/^"[0-9a-f]{32}"$/);
  if (recorded.location)
    expect(reply.headers.location?.replace(origin, '')).toMatch(/^\/api\/v2\/(topics|macros)\/\d+$/);
}
