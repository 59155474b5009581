import { randomUUID } from 'node:crypto';
import { Agent, type RequestOptions, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export const PASSWORD = 'a password for the soak';
export const CASES = 2_000; // that a site has at the start
const PAUSE = 250; // ms between two requests of a client, on average
const STRANGER = 500; // one in so many requests of a client has a wrong password
const IMPORTED_EVERY = 30_000; // ms
const BROUGHT = 200; // cases in an import

/** A user of a site who is a client of the service. */
export interface User {
  readonly site: string;
  readonly number: number;
  readonly login: string;
  readonly token: string | undefined; // used instead of the password
  readonly password?: string; // default: the right one
}

/** The load that all clients share. */
export interface Load {
  readonly url: string;
  readonly until: number; // epoch ms
  readonly answers: Map<string, number>; // counts by status of a reply, and by outcome of an import
}

/** Cases that were created, answered and resolved, as NDJSON. */
export function history(cases: number, first: number): string {
  const at = (number: number, second: number) => new Date(1_760_000_000_000 + (number * 997 + second) * 1000);
  return Array.from({ length: cases }, (_, place) => first + place)
    .map((number) =>
      [
        { type: 'case.created', id: `${number}.1`, at: at(number, 0), case: number, channel: number % 5 },
        { type: 'interaction', id: `${number}.2`, at: at(number, 1), case: number, direction: 'inbound' },
        { type: 'interaction', id: `${number}.3`, at: at(number, 600), case: number, direction: 'outbound', agent: 7 },
        { type: 'case.status', id: `${number}.4`, at: at(number, 900), case: number, to: 'resolved', agent: 7 },
      ]
        .map((record) => `${JSON.stringify(record)}\n`)
        .join(''),
    )
    .join('');
}

export const REPORT = {
  fields: ['case_creates', 'time_to_first_response', 'first_contact_resolution_rate'],
  time: { min: '2025-09-01T00:00:00Z', max: '2025-12-01T00:00:00Z', window_size: 'day' },
  dimension1: 'channel',
};

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly etag: string | undefined;
}

/** Sends a request to the service. The site is named by the header `Host`, as not every machine resolves the name. */
function send({ hostname, port, pathname, search }: URL, options: RequestOptions, body?: unknown): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ ...options, hostname, port, path: pathname + search, agent: AGENT }, async (reply) => {
      let text = '';
      for await (const part of reply.setEncoding('utf8')) text += part;
      resolve({ status: reply.statusCode ?? 0, text, etag: reply.headers.etag });
    });
    sent.on('error', reject).end(typeof body === 'object' ? JSON.stringify(body) : body);
  });
}

const UNANSWERED: Answer = { status: 599, text: '', etag: undefined }; // the connection broke
const AGENT = new Agent({ keepAlive: true });

export const credentialsOf = ({ login, token, password = PASSWORD }: User): string =>
  token === undefined ? `Basic ${btoa(`${login}:${password}`)}` : `Bearer ${token}`;

/** Returns a function that sends requests of a user and counts the replies. */
function asking({ url, answers }: Load, user: User) {
  const { site } = user;
  const own = credentialsOf(user);
  return async (method: string, path: string, body?: unknown, more: Readonly<Record<string, string>> = {}) => {
    const headers = { Host: `${site}.localhost`, Authorization: own, ...more };
    const answer = await send(new URL(path, url), { method, headers }, body).catch(() => UNANSWERED);
    count(answers, String(answer.status));
    return answer;
  };
}

export const count = (answers: Map<string, number>, what: string): void =>
  void answers.set(what, (answers.get(what) ?? 0) + 1);

/** Acts as a client of a site: sends one request after another until the time is up. */
export async function act(load: Load, user: User): Promise<void> {
  const ask = asking(load, user);
  const own: string[] = []; // paths of the topics that this client created
  let tag: string | undefined; // the ETag of the last list of macros
  const list = () => ask('GET', '/api/v2/topics?per_page=20');
  const create = async () => {
    const key = Math.random() < 0.5 ? { 'Idempotency-Key': randomUUID() } : undefined;
    const { status, text } = await ask('POST', '/api/v2/topics', { name: `By ${user.login}` }, key);
    if (status === 201) own.push(String(JSON.parse(text)._links.self.href));
  };
  const change = async () => {
    const [path] = own;
    if (path) await ask('PATCH', path, { description: String(Math.random()) });
  };
  const remove = async () => {
    const path = own.length > 3 ? own.shift() : undefined;
    if (path) await ask('DELETE', path);
  };
  const report = () => ask('POST', '/api/v2/insights3/reports', REPORT);
  const stranger = () => ask('GET', '/api/v2/macros', undefined, { Authorization: `Basic ${btoa('nobody:wrong')}` });
  const macros = async () => {
    tag = (await ask('GET', '/api/v2/macros', undefined, tag === undefined ? {} : { 'If-None-Match': tag })).etag;
  };
  const things = [list, list, list, macros, macros, macros, create, change, remove, report];
  for (let turn = user.number; Date.now() < load.until; turn += 1) {
    await (turn % STRANGER === STRANGER - 1 ? stranger : (things[Math.floor(Math.random() * things.length)] ?? list))();
    await sleep(2 * PAUSE * Math.random());
  }
}

/** Acts as an administrator who imports a file now and then and undoes the import. */
export async function bringAndTakeBack(load: Load, user: User): Promise<void> {
  const ask = asking(load, user);
  const settled = async (path: string): Promise<string> => {
    for (;;) {
      const { status, text } = await ask('GET', path);
      const state = status === 200 ? JSON.parse(text).state : 'waiting';
      if (!String(state).endsWith('ing')) return state;
      await sleep(PAUSE);
    }
  };
  while (Date.now() < load.until) {
    const { status, text } = await ask('POST', '/api/v2/imports?name=more.ndjson&source=soak', history(BROUGHT, CASES));
    if (status !== 201) {
      await sleep(IMPORTED_EVERY); // the refusal is counted: another import is in progress, or the machine is busy
      continue;
    }
    const path = String(JSON.parse(text)._links.self.href);
    for (const step of ['load', 'undo']) {
      await settled(path);
      await ask('POST', `${path}/${step}`);
    }
    count(load.answers, `imports ${await settled(path)}`);
    await sleep(IMPORTED_EVERY);
  }
}
