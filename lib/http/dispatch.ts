import * as z from 'zod';
import type { Context } from '../context.ts';
import { Failure, Faults } from '../errors.ts';
import { type Key, keys, type Partition } from '../store/keys.ts';
import { replan } from '../store/replan.ts';
import { ifMatch } from './conditional.ts';
import { parseBody, parseFields } from './fields.ts';
import { checkRepeatKey, isKept, type Repeat, readThrough, repeatDigest, replay, streamed } from './repeats.ts';
import { etagOf, type Reply } from './reply.ts';
import type { Request } from './request.ts';
import type { Call, Route } from './route.ts';
import { pathOf, type Unwritten, writing } from './writing.ts';

const LARGEST_BODY = 1024 * 1024; // bytes

type Heads = ReadonlyMap<string, Parameters<Context['collections']['version']>[0]>;

/**
 * Answers a request whose route, site, user and role are settled: size, resource, body, `If-Match`, fields, work, in
 * this order. If another write came first, it reads the heads again and starts over.
 */
export async function dispatch(asked: RoutedRequest, base: Base, first: Heads): Promise<Reply> {
  const { route, params, repeat } = asked;
  if (asked.body.length > LARGEST_BODY) throw new Failure('payload_too_large');
  const partitions = route.reads(base.site.name, params);
  const attempt = { ...asked, id: base.newId(), parse: once(() => parseBody(asked.body)) };
  return replan(async (count) => {
    if (count === 1) return attemptOnce(attempt, withHeads(base, first));
    const { heads, item } = await readAgain(base, partitions, repeat?.key);
    return attemptOnce({ ...attempt, ...(repeat && { repeat: { ...repeat, item } }) }, withHeads(base, heads));
  });
}

/** A request with its route. */
export interface RoutedRequest {
  readonly route: Route;
  readonly request: Pick<Request, 'headers' | 'query' | 'readStream'>;
  readonly params: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly repeat?: Repeat; // for a request that creates something and has an `Idempotency-Key`
}

interface Attempt extends RoutedRequest {
  readonly id: string; // id of the request's writes
  readonly parse: () => Readonly<Record<string, unknown>>; // parses the body
}

/** A context without its collections and its way to write. */
type Base = Omit<Unwritten, 'open' | 'version'>;

async function attemptOnce(asked: Attempt, opened: Unwritten): Promise<Reply> {
  const { route, request, params, repeat, id, parse } = asked;
  const { headers } = request;
  const content =
    repeat && route.streams ? streamed(request) : { stream: request.readStream, text: () => JSON.stringify(parse()) };
  const digest = () => repeatDigest(pathOf(route, params), content.text());
  if (repeat && isKept(repeat.item, opened.now)) {
    if (route.streams) await readThrough(content.stream());
    return replay(repeat.item, digest());
  }
  const fieldNames = (): string[] => Object.keys(parse()).filter((name) => knownFields(route).has(name));
  const context: Context = { ...opened, ...writing({ route, params, id, digest, repeat, fieldNames }, opened) };
  const resource = await route.find({ context, params, headers });
  // A DELETE's body has no meaning (RFC 9110, 9.3.5): odd clients send `null` or a form there.
  const body = takesBody(route) ? parse() : {};
  const faults = new Faults();
  checkRepeatKey(route, headers, faults);
  const fields = parseFields(route.body, body, route.required, faults);
  const query = parseFields(route.query, Object.fromEntries(request.query), [], faults);
  const { query: parameters } = request;
  const { stream } = content;
  const call: Call = { context, params, resource, query, fields, body, faults, parameters, headers, stream };
  if (route.current && (route.method === 'PATCH' || route.method === 'DELETE')) {
    const etag = etagOf(JSON.stringify(await route.current(call)));
    if (!ifMatch(headers['if-match'], etag)) throw new Failure('precondition_failed');
  }
  const ignored = ignoredFields(route, body);
  try {
    const reply = await route.handle(call);
    return { ...reply, headers: { ...reply.headers, ...ignored } };
  } catch (error) {
    throw error instanceof Failure && error.kind === 'invalid' ? error.withHeaders(ignored) : error;
  }
}

const takesBody = ({ method }: Route): boolean => method === 'POST' || method === 'PATCH';

const NAMED = 20; // ignored fields listed in the header
const LONGEST_NAMED = 60; // characters of a listed field

/** The header that lists the body's unknown fields; no header if all are known. */
function ignoredFields(route: Route, body: Readonly<Record<string, unknown>>): Record<string, string> {
  const known = knownFields(route);
  const ignored = Object.keys(body).filter((name) => !known.has(name));
  if (ignored.length === 0) return {};
  const names = ignored
    .slice(0, NAMED)
    .map((name) => encodeURIComponent(Buffer.from(name.slice(0, LONGEST_NAMED)).toString()));
  return { 'X-Ignored-Fields': names.join(', ') };
}

const knownByRoute = new WeakMap<Route, ReadonlySet<string>>();

function knownFields(route: Route): ReadonlySet<string> {
  const before = knownByRoute.get(route);
  if (before) return before;
  const sent = route.sent?.();
  const known = new Set(Object.keys(sent instanceof z.ZodObject ? sent.shape : route.body));
  knownByRoute.set(route, known);
  return known;
}

/**
 * The context of one attempt. A collection that it opened stays the same, so that it writes only on the state it has
 * read.
 */
function withHeads(base: Base, heads: Heads): Unwritten {
  const { collections, table, site } = base;
  const opened = new Map<string, ReturnType<Context['open']>>();
  return {
    ...base,
    version: ({ pk }) => collections.version(heads.get(pk)),
    open: (partition) => {
      const { pk } = partition;
      const collection = opened.get(pk) ?? collections.open(table, partition, heads.get(pk), site.added);
      opened.set(pk, collection);
      return collection;
    },
  };
}

async function readAgain({ table }: Pick<Context, 'table'>, partitions: readonly Partition[], key: Key | undefined) {
  const items = await table.batchGet([...partitions.map(keys.head), ...(key ? [key] : [])]);
  const heads: Heads = new Map(partitions.map(({ pk }, index) => [pk, items[index]]));
  return { heads, item: items[partitions.length] };
}

/** Returns a function that calls `make` once and keeps its result. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
