import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { certain } from '../../lib/certain.ts';
import type { Route } from '../../lib/http/route.ts';
import { routes } from '../../lib/routes.ts';
import { ROOT } from '../cloud/command.ts';
import { startZendesk } from '../support/desks/zendesk-desk.ts';
import type { Ask, Received } from '../support/service/asking.ts';
import { basic } from '../support/service/credentials.ts';
import { eventually } from '../support/service/eventually.ts';
import { createRequests } from '../support/service/every-route.ts';
import { overHttp } from '../support/service/http-ask.ts';
import { startProgram } from '../support/service/program.ts';

const [HOST, LOGIN] = ['demo.localhost', 'administrator@demo.example'];
const PASSWORD = 'demo-password';
const NEXT_PASSWORD = 'nobody guesses this one';
const DAY = 86_400_000; // ms
const FILE = 'case,created,owner\n1,2026-03-01 09:00,Ann\n2,2026-03-01 10:30,Bob\n';

/** What a reply shows that is not for a document, and what stands there instead. */
const DISCREET: readonly (readonly [RegExp, string])[] = [
  [/^http:\/\/127\.0\.0\.1:\d+/, 'https://acme.zendesk.com'],
  [/^127\.0\.0\.1(:\d+)?$/, 'acme.zendesk.com'],
  [/^\d+-(?=\w+@)|(?<=[A-Za-z])-\d+$/g, ''], // numbers that make the names of a tour differ
  [/(?<=shared(_boards\/|#))\d+-[\w-]{43}$/, '7-shown-only-now'],
  [/(?<=doorbells\/)\w+$/, '4f1c9a2e7b3d5860a1c2e3f405162738'],
];
const SHOWN_ONCE = 'shown-only-now'; // not of the form of a token, which scanners for leaked secrets would report
const LONGEST = 200; // characters of a text
const SHORTER: Readonly<Record<string, number>> = {
  entries: 1,
  cases: 1,
  data: 2,
  events: 2,
  facts: 2,
  attachments: 1,
};
const MANY = 40; // members of an object: two of more than that tell enough

/**
 * `npm run examples`: records a reply of each operation for the API document, on a tour of every route on the demo site. Run
 * it where the shape of a reply has changed; the test of the document tells.
 */
async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'examples-'));
  const service = await startProgram(join(folder, 'data'), { DEMO: '1' });
  const desk = await startZendesk({ now: Date.now() });
  try {
    const replies = await tour(asking(service.url), desk.url);
    const lines = [...replies].map(([name, reply]) => `  ${JSON.stringify(name)}: ${JSON.stringify(reply)}`);
    await writeFile(join(ROOT, 'infra/openapi/examples.json'), `{\n${lines.sort().join(',\n')}\n}\n`);
    console.log(`Recorded ${replies.size} replies.`);
  } finally {
    await desk.close();
    await service.end('SIGTERM');
    await rm(folder, { recursive: true, force: true });
  }
}

/** The replies by the names of their routes. */
async function tour(ask: Ask, desk: string): Promise<Map<string, unknown>> {
  const signIn = { headers: { Authorization: basic(LOGIN, PASSWORD) }, body: {} };
  const { token } = (await ask('POST', '/api/v2/session', signIn)).body;
  const headers = { Authorization: `Bearer ${token}` };
  const bySession: Ask = (method, target, sent) => ask(method, target, { headers, ...sent });
  const requestOf = createRequests({ ask, sent: { headers }, login: LOGIN, password: PASSWORD, ids: {} });
  const requests: Readonly<Record<string, Sent>> = {
    ...(await requestsOfDemo(bySession)),
    createSession: signIn,
    createConnection: {
      body: { system: 'zendesk', url: desk, credentials: { login: 'ann@acme.example', token: 'right-token' } },
    },
    updateImport: { body: { answers: { zone: 'UTC' } } },
    updateConnection: { body: { interval: 600 } },
    updateMe: { body: { password: NEXT_PASSWORD, current_password: PASSWORD } },
    updateCurrent: {
      headers: { Authorization: basic(LOGIN, NEXT_PASSWORD) },
      body: { password: `${NEXT_PASSWORD}, either`, current_password: NEXT_PASSWORD },
    },
  };
  const replies = new Map<string, unknown>();
  for (const route of inOrder(routes.filter(({ name, reply }) => reply !== undefined && !(name in ALIKE)))) {
    const isMade = /\/(imports|connections)/.test(route.path); // by the tour itself: of these there is one at a time
    const made = { target: route.path.replace(/\{\w+\}/, '1'), body: route.example };
    const { target, body } = isMade ? made : await requestOf(route);
    const own = requests[route.name];
    await eventually(
      () => bySession(route.method, own?.target ?? target, { body: body || undefined, ...own }),
      (reply) => replies.set(route.name, replyOf(route, reply)),
    );
  }
  for (const [name, other] of Object.entries(ALIKE)) replies.set(name, replies.get(other));
  return replies;
}

/** What a tour on this machine cannot ask for, with the operation that has the same reply. */
const ALIKE: Readonly<Record<string, string>> = { checkImport: 'showImport' }; // of a file that comes by a link

/** What is sent for a route instead of the example of its declaration. */
type Sent = Parameters<Ask>[2] & { readonly target?: string };

/** What creates comes first, what deletes last; but passwords end sessions. */
const inOrder = (all: readonly Route[]): readonly Route[] => [...all].sort((a, b) => rankOf(a) - rankOf(b));

function rankOf({ name, method, success }: Route): number {
  if (name === 'updateMe') return 3;
  if (name === 'updateCurrent') return 4;
  return method === 'DELETE' ? 2 : Number(success !== 201);
}

/** Requests for what the demo site has: a tour makes none of them. */
async function requestsOfDemo(ask: Ask): Promise<Readonly<Record<string, Sent>>> {
  const [min, max] = [60, 1].map((ago) => new Date(Date.now() - ago * DAY).toISOString());
  const time = { min, max, window_size: 'none' };
  const first = async (path: string): Promise<string> =>
    String(certain((await ask('GET', path)).body._embedded.entries[0]).id);
  const cases = await ask('POST', '/api/v2/insights3/cases', { body: { fields: ['case_creates'], time } });
  const [topic, article] = [await first('/api/v2/topics?sort_field=id'), await first('/api/v2/articles')];
  const [group, channel] = [await first('/api/v2/groups'), await first('/api/v2/channels')];
  const brand = await first(`/api/v2/topics/${topic}/brands`);
  const report = { fields: ['case_creates', 'resolved_cases'], dimension1: 'channel' };
  return {
    createReport: { body: { ...report, time: { min, max, window_size: 'week' } } },
    listReportCases: { body: { fields: ['time_to_first_response'], time } },
    createImport: { target: '/api/v2/imports?name=tickets.csv', body: FILE },
    showTopicBrand: { target: `/api/v2/topics/${topic}/brands/${brand}` },
    showBrand: { target: `/api/v2/brands/${brand}` },
    showArticle: { target: `/api/v2/articles/${article}` },
    showGroup: { target: `/api/v2/groups/${group}` },
    listGroupUsers: { target: `/api/v2/groups/${group}/users` },
    showChannel: { target: `/api/v2/channels/${channel}` },
    showCaseStory: { target: `/api/v2/insights3/cases/${cases.body.cases[0].case}` },
  };
}

/** Sends requests over HTTP. */
const asking =
  (url: string): Ask =>
  async (method, target, { headers = {}, body } = {}) => {
    const text = typeof body === 'object' ? JSON.stringify(body) : String(body ?? '');
    const reply = await overHttp(url, { method, target, headers, body: Buffer.from(text), host: HOST });
    const isJson = reply.headers['content-type']?.includes('json');
    return { ...reply, body: isJson ? JSON.parse(reply.text) : undefined };
  };

/** The body of a successful reply without secrets and, if its shape allows, without most of its many parts. */
function replyOf(route: Route, { status, body, text }: Received): unknown {
  if (status !== route.success) throw new Error(`${route.name}: ${status} ${text}`);
  const discreet = shown(body, (part) => part);
  const short = shown(discreet, shorter);
  return route.reply?.().safeParse(short).success ? short : discreet;
}

/** JSON with each of its parts as `change` makes it. */
function shown(value: unknown, change: (value: object, key: string) => object, key = ''): unknown {
  if (typeof value === 'string') return shownText(value, key);
  if (typeof value !== 'object' || value === null) return value;
  const part = change(value, key);
  if (Array.isArray(part)) return part.map((one) => shown(one, change));
  return Object.fromEntries(Object.entries(part).map(([name, one]) => [name, shown(one, change, name)]));
}

function shownText(text: string, key: string): string {
  if (key === 'token' || key === 'password') return SHOWN_ONCE;
  const discreet = DISCREET.reduce((so, [pattern, instead]) => so.replace(pattern, instead), text);
  return discreet.length > LONGEST ? `${discreet.slice(0, LONGEST)}…` : discreet;
}

function shorter(value: object, key: string): object {
  if (Array.isArray(value)) return value.slice(0, SHORTER[key]);
  const entries = Object.entries(value);
  const isById = entries.every(([name]) => /^\d/.test(name));
  return isById || entries.length > MANY ? Object.fromEntries(entries.slice(0, 2)) : value;
}

await main();
