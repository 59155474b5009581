import { createHash, hash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import * as z from 'zod';
import type { Answer } from '../context.ts';
import { Faults, refusal } from '../errors.ts';
import { type Key, keys } from '../store/keys.ts';
import type { Item, Table, Write } from '../store/table.ts';
import type { Reply } from './reply.ts';
import type { Request } from './request.ts';
import type { Route } from './route.ts';

/** Repeated requests (`Idempotency-Key`): the answer to the first request is kept together with what it created. */

const HEADER = 'idempotency-key';
const FIELD = 'idempotency_key';
const LONGEST = 255; // characters
export const REPEATS_MS = 24 * 60 * 60_000; // ms in which a repetition gets the first answer
const FORGOTTEN = 2 * REPEATS_MS; // ms until the item expires

/** What of a route says whether it uses a key. */
type CreatingRoute = Pick<Route, 'method' | 'success' | 'secret'>;

/** Whether a route creates something: only such routes use a key. An answer with a secret must not lie in the table. */
export const creates = ({ method, success, secret }: CreatingRoute): boolean =>
  method === 'POST' && success === 201 && !secret;

type Headers = Readonly<Record<string, string>>;

/** The fault of a request's key; undefined if it is good or absent. */
function keyFault(headers: Headers): 'blank' | 'too_long' | undefined {
  const key = headers[HEADER];
  if (key === undefined) return undefined;
  if (key.trim() === '') return 'blank';
  return key.length > LONGEST ? 'too_long' : undefined;
}

/** The key under which the answer is kept; undefined if the request has no valid key or its route creates nothing. */
export function repeatKey(route: CreatingRoute, headers: Headers, site: string, login: string): Key | undefined {
  const key = headers[HEADER];
  if (key === undefined || !creates(route) || keyFault(headers)) return undefined;
  return keys.repeats(site, hash('sha256', `${login}\n${key}`, 'hex'));
}

/** Adds the fault of the key, if the route creates something. */
export function checkRepeatKey(route: Route, headers: Headers, faults: Faults): void {
  const code = creates(route) ? keyFault(headers) : undefined;
  if (code) faults.explain(code, [FIELD], { message: `Idempotency-Key has 1 to ${LONGEST} characters.` });
}

const answerShape = z.object({
  generation: z.number().default(0), // of the login: who gets a removed one's login gets none of its answers
  digest: z.string(),
  until: z.number(), // epoch ms, exclusive
  status: z.int(),
  headers: z.record(z.string(), z.string()),
  body: z.custom<Uint8Array>((value) => value instanceof Uint8Array), // gzip
});

/**
 * A hash of a request's path and content, to detect another request with the same key. Whitespace in its JSON does not
 * matter.
 */
export const repeatDigest = (path: string, content: string): string => hash('sha256', `${path}\n${content}`, 'hex');

/**
 * The body of a route that `streams`; once it is read, `text` gives the query and a hash of the bytes, for the digest.
 */
export function streamed({ query, readStream }: Pick<Request, 'query' | 'readStream'>) {
  const bytes = createHash('sha256');
  return {
    async *stream() {
      for await (const part of readStream()) {
        bytes.update(part);
        yield part;
      }
    },
    text: (): string => `${JSON.stringify([...query].sort())}\n${bytes.copy().digest('hex')}`,
  };
}

/** Reads a body to its end and discards it. */
export async function readThrough(stream: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of stream);
}

/** Whether an item holds an answer of this generation of the login that has not expired; `now` in epoch ms. */
export function isKept(item: Item | undefined, now: number, generation: number): item is Item {
  if (item === undefined) return false;
  const answer = answerShape.parse(item);
  return answer.until > now && answer.generation === generation;
}

/** A request whose answer is kept. */
interface RepeatableRequest {
  readonly key: Key;
  readonly digest: string;
  readonly generation: number; // of the login
  readonly before: Item | undefined; // under this key, of an earlier generation or expired
}

/** Replays the first answer. Throws `invalid` if the key belonged to a different request. */
export function replay(item: Item, digest: string): Reply {
  const first = answerShape.parse(item);
  if (first.digest !== digest) {
    const faults = new Faults();
    faults.explain('taken', [FIELD], { message: 'Another request had this Idempotency-Key within 24 hours.' });
    faults.check();
  }
  const { status, headers } = first;
  return { status, body: gunzipSync(first.body).toString(), headers: { ...headers, 'Idempotent-Replayed': 'true' } };
}

/** The write that keeps an answer; its condition fails if another request with this key was faster. */
export function repeatWrite(
  { key, digest, generation, before }: RepeatableRequest,
  { status, headers = {}, body = '' }: Answer,
  now: number,
): Write {
  const item = { ...key, digest, generation, until: now + REPEATS_MS, status, headers, body: gzipSync(body) };
  const asRead = before === undefined ? [] : [{ attribute: 'until', equals: answerShape.parse(before).until }];
  return {
    put: { ...item, ttl: Math.ceil((now + FORGOTTEN) / 1000) },
    when: { anyOf: [{ absent: true }, { attribute: 'until', atMost: now }, ...asRead] },
  };
}

/** Deletes the kept answers of a site in which a pattern finds something. Repeated, such a request is done again. */
export async function forgetAnswers(table: Table, site: string, pattern: RegExp): Promise<void> {
  const items = await table.query(keys.repeats(site, '').pk);
  const isFound = (item: Item): boolean => {
    const { headers, body } = answerShape.parse(item);
    return `${JSON.stringify(headers)}\n${gunzipSync(body)}`.search(pattern) !== -1;
  };
  await table.batchWrite(items.filter(isFound).map(({ pk, sk }) => ({ delete: { pk, sk } })));
}

/** Runs one request per key at a time; throws `conflict` for a second one while the first is running. */
export function createInFlight(): <T>(key: Key | undefined, work: () => Promise<T>) => Promise<T> {
  const inFlight = new Set<string>();
  return async (key, work) => {
    if (key === undefined) return work();
    const name = `${key.pk}\n${key.sk}`;
    if (inFlight.has(name))
      throw refusal('conflict', 'The first request with this Idempotency-Key is still under way.', {
        'Retry-After': '1',
      });
    inFlight.add(name);
    try {
      return await work();
    } finally {
      inFlight.delete(name);
    }
  };
}
