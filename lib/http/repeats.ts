import { createHash, hash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import * as z from 'zod';
import type { Answer } from '../context.ts';
import { Failure, Faults } from '../errors.ts';
import { type Key, keys } from '../store/keys.ts';
import type { Item, Write } from '../store/table.ts';
import type { Reply } from './reply.ts';
import type { Request } from './request.ts';
import type { Route } from './route.ts';

/** Requests that say by `Idempotency-Key` which of them are one: the answer to the first is kept with what it created. */

const HEADER = 'idempotency-key';
const FIELD = 'idempotency_key';
const LONGEST = 255; // characters
const KEPT = 24 * 60 * 60_000; // ms
const FORGOTTEN = 2 * KEPT; // ms until the item goes

/** Whether a route creates something: only then a key means anything. */
export const creates = ({ method, success }: Pick<Route, 'method' | 'success'>): boolean =>
  method === 'POST' && success === 201;

type Headers = Readonly<Record<string, string>>;

/** What is wrong with a request's key; undefined where it has none or a good one. */
function keyFault(headers: Headers): 'blank' | 'too_long' | undefined {
  const key = headers[HEADER];
  if (key === undefined) return undefined;
  if (key.trim() === '') return 'blank';
  return key.length > LONGEST ? 'too_long' : undefined;
}

/** Where the answer to a request is kept; undefined for a request without a key, with a bad one, or that creates nothing. */
export function repeatKey(
  route: Pick<Route, 'method' | 'success'>,
  headers: Headers,
  site: string,
  login: string,
): Key | undefined {
  const key = headers[HEADER];
  if (key === undefined || !creates(route) || keyFault(headers)) return undefined;
  return keys.repeats(site, hash('sha256', `${login}\n${key}`, 'hex'));
}

/** Adds what is wrong with the key of a request that creates. */
export function checkRepeatKey(route: Route, headers: Headers, faults: Faults): void {
  const code = creates(route) ? keyFault(headers) : undefined;
  if (code) faults.explain(code, [FIELD], { message: `Idempotency-Key has 1 to ${LONGEST} characters.` });
}

/** A kept answer: its place, what lay there, and what tells the request from others. */
export interface Repeat {
  readonly key: Key;
  readonly item: Item | undefined;
}

const kept = z.object({
  digest: z.string(),
  until: z.number(), // epoch ms, exclusive
  status: z.int(),
  headers: z.record(z.string(), z.string()),
  body: z.custom<Uint8Array>((value) => value instanceof Uint8Array), // gzip
});

/** What tells a request from others with the same key: what it asks for, whatever blanks its JSON has. */
export const repeatDigest = (path: string, content: string): string => hash('sha256', `${path}\n${content}`, 'hex');

/** The body of a route that `streams`, and the text that tells it from others once it was read: of its query and its bytes. */
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

/** Reads a body to its end and keeps nothing of it. */
export async function readThrough(stream: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of stream);
}

/** Whether the answer to an earlier request lies under a key, and counts still; `now` in epoch ms. */
export const isKept = (item: Item | undefined, now: number): item is Item =>
  item !== undefined && kept.parse(item).until > now;

/** The first answer, to a repetition of the request. Throws `invalid` where another request had the key. */
export function replay(item: Item, digest: string): Reply {
  const first = kept.parse(item);
  if (first.digest !== digest) {
    const faults = new Faults();
    faults.explain('taken', [FIELD], { message: 'Another request had this Idempotency-Key within 24 hours.' });
    faults.check();
  }
  const { status, headers } = first;
  return { status, body: gunzipSync(first.body).toString(), headers: { ...headers, 'Idempotent-Replayed': 'true' } };
}

/** Keeps the answer of a request that creates; fails where another request with this key was faster. */
export function repeatWrite(key: Key, digest: string, { status, headers = {}, body = '' }: Answer, now: number): Write {
  const item = { ...key, digest, until: now + KEPT, status, headers, body: gzipSync(body) };
  return {
    put: { ...item, ttl: Math.ceil((now + FORGOTTEN) / 1000) },
    when: { anyOf: [{ absent: true }, { attribute: 'until', atMost: now }] },
  };
}

/** Lets one request with a key at a time through; throws `conflict` for another while the first is under way. */
export function createUnderWay(): <T>(key: Key | undefined, work: () => Promise<T>) => Promise<T> {
  const underWay = new Set<string>();
  return async (key, work) => {
    if (key === undefined) return work();
    const name = `${key.pk}\n${key.sk}`;
    if (underWay.has(name)) throw new Failure('conflict', { headers: { 'Retry-After': '1' } });
    underWay.add(name);
    try {
      return await work();
    } finally {
      underWay.delete(name);
    }
  };
}
