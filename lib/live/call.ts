import type { lookup } from 'node:dns';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { createGunzip } from 'node:zlib';
import { isJsonObject, parsedJson } from '../json.ts';
import type { JsonFields } from '../json-readers.ts';
import { AddressForbidden, isAllowedAddress, judgedLookup, type OwnNetwork } from './hosts.ts';
import { cleanWords, DeskTrouble } from './trouble.ts';

const LARGEST = 32 * 1024 * 1024; // bytes of an answer, unpacked
export const SILENCE = 30_000; // ms without a byte
export const LONGEST = 120_000; // ms of a call in all
const REDIRECTS = 3;
const LONGEST_WAIT = 3_600_000; // ms that a help desk can make us wait
const TRIES = 3; // of a call in one pull
const SHARE = 10; // at less than this part of its limit left, calls wait for the reset

/** What a call needs beside the address. */
export interface Calling {
  readonly url: string; // of the help desk
  readonly headers: Readonly<Record<string, string>>; // credentials
  readonly secrets: readonly string[]; // never shown
  readonly own: OwnNetwork;
  readonly clock: () => number; // epoch ms
  readonly pause: (ms: number) => Promise<void>;
  readonly silence?: number; // ms without a byte that end a call; absent: 30 s
  readonly resolve?: typeof lookup; // absent: the machine's
  readonly longest?: number; // ms of all calls in all; absent: as in pulls
  readonly longestPause?: number; // ms that a call waits for the help desk's limit; beyond it throws; absent: any
  readonly onRequest?: () => void; // called before each request is sent
}

/** An answer of a help desk. */
interface DeskAnswer {
  readonly value: unknown; // the JSON
}

/** A line to a help desk: one call after the other, over one connection. */
export interface Line {
  /** What a path says; undefined if it is not there. Throws `DeskTrouble`. */
  get(path: string, query?: Readonly<Record<string, string | number>>): Promise<DeskAnswer | undefined>;
  /** What a search says that changes nothing, and so may be sent again. Throws as `get` does. */
  post(path: string, body: object): Promise<DeskAnswer | undefined>;
  /** When the last answer was made, in epoch ms by the help desk's clock; undefined: it tells no time. */
  time(): number | undefined;
  close(): void;
}

interface Came {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** Opens a line; nothing is sent before the first call. */
export function openLine(calling: Calling): Line {
  const { url: base, clock, pause, longest, longestPause = Number.POSITIVE_INFINITY } = calling;
  const isHttp = base.startsWith('http:');
  const keepAlive = { keepAlive: true, maxSockets: 1 };
  const agent = isHttp ? new HttpAgent(keepAlive) : new HttpsAgent(keepAlive);
  const end = longest === undefined ? undefined : clock() + longest;
  const tries = longest === undefined ? TRIES : 1;
  let date = Number.NaN; // epoch ms
  let free = 0; // epoch ms; nothing is sent before it

  async function ask(url: URL, body?: string): Promise<DeskAnswer | undefined> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await spare(url);
        const left = Math.min(LONGEST, (end ?? Number.POSITIVE_INFINITY) - clock());
        const came = await follow(url, { left, body });
        const answer = answerOf(came, url, calling);
        date = Date.parse(came.headers.date ?? '');
        free = clock() + waitOf(came.headers, clock());
        return answer;
      } catch (error) {
        const trouble = asTrouble(error, calling);
        if (trouble.code !== 'unreachable' || attempt >= tries) throw trouble;
        await pause(1000 * 2 ** (attempt - 1));
      }
    }
  }

  /** Follows redirects of GET within the same origin. */
  async function follow(first: URL, { left, body }: Pick<Sending, 'left' | 'body'>): Promise<Came> {
    let next = first;
    for (let hops = 0; ; hops += 1) {
      const came = await send(next, { calling, agent, left, body });
      if (came.status < 300 || came.status > 399 || came.status === 304) return came;
      const target = String(came.headers.location ?? '');
      const url = URL.canParse(target, next.href) ? new URL(target, next) : undefined;
      if (url?.origin !== next.origin || hops === REDIRECTS || body !== undefined)
        throw new DeskTrouble(
          'redirected',
          `${next.host} sends calls elsewhere (${came.status}); that is not followed.`,
        );
      next = url;
    }
  }

  /** Waits for the reset of the help desk's limit if little is left: others use the account, too. */
  async function spare({ host }: URL): Promise<void> {
    const wait = free - clock();
    free = 0; // a clock that jumps is waited for once
    if (longest !== undefined || wait <= 0) return;
    if (wait > longestPause)
      throw new DeskTrouble('limited', `${host} has few calls left for ${Math.ceil(wait / 1000)} s.`, { wait });
    await pause(wait);
  }

  const urlOf = (path: string): URL => new URL(`${base}/${path}`);
  return {
    get: (path, query = {}) => {
      const url = urlOf(path);
      for (const [name, value] of Object.entries(query)) url.searchParams.append(name, String(value));
      return ask(url);
    },
    post: (path, body) => ask(urlOf(path), JSON.stringify(body)),
    time: () => (Number.isFinite(date) ? date : undefined),
    close: () => agent.destroy(),
  };
}

/** How a request is sent. */
interface Sending {
  readonly calling: Calling;
  readonly agent: HttpAgent;
  readonly left: number; // ms
  readonly body?: string | undefined; // JSON; absent: GET
}

/** Sends one request. Rejects with `DeskTrouble` or the error of the connection. */
function send(url: URL, { calling, agent, left, body }: Sending): Promise<Came> {
  const literal = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(literal) !== 0 && !isAllowedAddress(literal, calling.own)) throw new AddressForbidden(url.host);
  if (left <= 0) throw new DeskTrouble('unreachable', `${url.host} did not answer in time.`);
  calling.onRequest?.();
  const { silence = SILENCE } = calling;
  const start = url.protocol === 'http:' ? httpRequest : httpsRequest;
  return new Promise((resolve, reject) => {
    const sent = start(url, {
      agent,
      method: body === undefined ? 'GET' : 'POST',
      lookup: judgedLookup(calling.own, calling.resolve),
      timeout: silence,
      signal: AbortSignal.timeout(Math.ceil(left)),
      headers: {
        accept: 'application/json',
        'accept-encoding': 'gzip',
        'user-agent': 'support-service',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...calling.headers,
      },
    });
    sent.on('timeout', () => sent.destroy(new Error(`no byte for ${silence / 1000} seconds`)));
    sent.on('error', reject);
    sent.on('response', (response) => {
      const { statusCode: status = 0, headers } = response;
      textOf(response, url).then((text) => resolve({ status, headers, text }), reject);
    });
    sent.end(body);
  });
}

/** The text of an answer; throws `DeskTrouble` past the largest size, also of one that was packed. */
async function textOf(response: IncomingMessage, url: URL): Promise<string> {
  const isPacked = response.headers['content-encoding'] === 'gzip';
  const bytes = isPacked ? response.pipe(createGunzip()) : response;
  if (isPacked) response.on('error', (error) => bytes.destroy(error));
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of bytes) {
    size += part.length;
    if (size > LARGEST) {
      response.destroy();
      throw new DeskTrouble('too_large', `The answer of ${url.pathname} is larger than 32 MiB.`);
    }
    parts.push(part);
  }
  if (!response.complete) throw new Error('the connection was cut');
  return Buffer.concat(parts).toString();
}

/** The JSON of an answer; undefined if there is nothing. Throws `DeskTrouble`. */
function answerOf({ status, headers, text }: Came, url: URL, { clock, secrets }: Calling): DeskAnswer | undefined {
  const said = (): string => cleanWords(wordsOf(text), secrets);
  if (status === 404 || status === 410) return undefined;
  if (status === 429) {
    const wait = Math.min(LONGEST_WAIT, Math.max(1000, retryAfter(headers['retry-after'], clock()) ?? 60_000));
    throw new DeskTrouble('limited', `${url.host} takes no calls for ${Math.ceil(wait / 1000)} s (429).`, {
      wait,
      status,
    });
  }
  if (status === 401 || status === 403)
    throw new DeskTrouble('refused', `${url.host} refuses the credentials: ${status} ${said()}`.trim(), { status });
  if (status >= 500)
    throw new DeskTrouble('unreachable', `${url.host} answered ${status} ${said()}`.trim(), { status });
  if (status !== 200)
    throw new DeskTrouble('changed', `${url.pathname} answered ${status} ${said()}`.trim(), { status });
  const value = parsedJson(text);
  if (value === undefined) throw new DeskTrouble('changed', `${url.pathname} answered no JSON: ${said()}`, { status });
  return { value };
}

/** What an answer says for people: the words of an error, else its text. */
function wordsOf(text: string): string {
  const value = parsedJson(text);
  if (!isJsonObject(value)) return text.replaceAll(/<[^<>]*>/g, ' ').trim();
  const { error, message, description, errors } = value;
  const words = [error, description, message, errors].flatMap((one) => (one === undefined ? [] : [asText(one)]));
  return words.join(' ');
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

function asTrouble(error: unknown, { url }: Calling): DeskTrouble {
  if (error instanceof DeskTrouble) return error;
  const { host } = new URL(url);
  if (error instanceof AddressForbidden)
    return new DeskTrouble('forbidden', `${host} has no address that this service may call.`);
  const isLate = error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError');
  const why = isLate ? 'it took too long' : error instanceof Error ? error.message : String(error);
  return new DeskTrouble('unreachable', `${host} does not answer: ${cleanWords(why, [])}.`);
}

/** ms from now on, of seconds or a date; undefined for anything else. */
function retryAfter(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}(\.\d+)?$/.test(text.trim())) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isFinite(at) ? at - now : undefined;
}

const LIMIT = ['x-rate-limit', 'x-ratelimit-limit', 'x-ratelimit-total', 'ratelimit-limit'];
const LEFT = ['x-rate-limit-remaining', 'x-ratelimit-remaining', 'ratelimit-remaining'];
const RESET = ['x-rate-limit-reset', 'x-ratelimit-reset', 'ratelimit-reset'];

/** ms to wait by a help desk's headers; 0 if enough is left. */
function waitOf(headers: Came['headers'], now: number): number {
  const numberIn = (names: readonly string[]): number =>
    Number(names.map((name) => headers[name]).find((value) => value !== undefined) ?? Number.NaN);
  const [limit, left, reset] = [numberIn(LIMIT), numberIn(LEFT), numberIn(RESET)];
  if (!(limit > 0) || !(left < limit / SHARE)) return 0;
  const wait = Number.isNaN(reset) ? 60_000 : reset > 1e9 ? reset * 1000 - now : reset * 1000;
  return Math.min(LONGEST_WAIT, Math.max(0, wait));
}

/** An object of an answer. Throws `DeskTrouble` that names the path. */
export function objectIn(value: unknown, path: string): JsonFields {
  if (isJsonObject(value)) return value;
  throw new DeskTrouble('changed', `${path} is no object.`);
}

/** A list in an answer: the answer itself, or its field of this name. Throws `DeskTrouble` that names path and field. */
export function listIn(value: unknown, path: string, ...fields: readonly string[]): readonly JsonFields[] {
  const list = fields.reduce<unknown>((whole, field) => (isJsonObject(whole) ? whole[field] : undefined), value);
  if (!Array.isArray(list))
    throw new DeskTrouble('changed', `${path}: ${fields.join('.') || 'the answer'} is no list.`);
  return list.map((entry, index) => objectIn(entry, `${path}: ${fields.join('.')}[${index}]`));
}

/** A time in an answer, in epoch ms: a text of ISO 8601, or epoch seconds. Throws `DeskTrouble`. */
export function timeIn(fields: JsonFields, field: string, path: string): number {
  const value = fields[field];
  const at = typeof value === 'number' ? value * 1000 : typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (Number.isFinite(at) && at >= 0 && at < 7_258_118_400_000) return at;
  throw new DeskTrouble('changed', `${path}: ${field} is no time.`);
}

/** An id in an answer, as a text of digits. Throws `DeskTrouble`. */
export function idIn(fields: JsonFields, field: string, path: string): string {
  const text = String(fields[field] ?? '');
  if (/^[1-9]\d{0,15}$/.test(text)) return text;
  throw new DeskTrouble('changed', `${path}: ${field} is no id.`);
}
