import * as z from 'zod';
import type { Context } from '../context.ts';
import { Failure, Faults } from '../errors.ts';
import { keys, type Partition } from '../store/keys.ts';
import { replan } from '../store/replan.ts';
import { ifMatch } from './conditional.ts';
import { parseBody, parseFields } from './fields.ts';
import { etagOf, type Reply } from './reply.ts';
import type { Request } from './request.ts';
import type { Call, Route } from './route.ts';

const LARGEST_BODY = 1024 * 1024; // bytes

type Heads = ReadonlyMap<string, Parameters<Context['collections']['version']>[0]>;

/**
 * Answers a request whose route, site, user and role are settled: size, resource, body, `If-Match`, fields, work, in
 * this order. A write that another overtook is planned again from fresh heads.
 */
export async function dispatch(asked: Asked, base: Omit<Context, 'open' | 'version'>, first: Heads): Promise<Reply> {
  if (asked.body.length > LARGEST_BODY) throw new Failure('payload_too_large');
  const partitions = asked.route.reads(base.site.name, asked.params);
  return replan(async (attempt) => {
    const heads = attempt === 1 ? first : await readHeads(base, partitions);
    return attemptOnce(asked, withHeads(base, heads));
  });
}

/** A request with its route. */
export interface Asked {
  readonly route: Route;
  readonly request: Pick<Request, 'headers' | 'query'>;
  readonly params: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

async function attemptOnce({ route, request, params, body: bytes }: Asked, context: Context): Promise<Reply> {
  const { headers } = request;
  const resource = await route.find({ context, params, headers });
  // What a DELETE carries means nothing (RFC 9110, 9.3.5): odd clients send `null` or a form there.
  const body = route.method === 'POST' || route.method === 'PATCH' ? parseBody(bytes) : {};
  const faults = new Faults();
  const fields = parseFields(route.body, body, route.required, faults);
  const query = parseFields(route.query, Object.fromEntries(request.query), [], faults);
  const call: Call = { context, params, resource, query, fields, body, faults, parameters: request.query, headers };
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

const NAMED = 20; // ignored fields that a header names
const LONGEST_NAMED = 60; // characters of one

/** The header that names fields of a body which nobody knows; none where all are known. */
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

/** One attempt's context: what it opened stays what it was, so that it never writes on newer state than it looked at. */
function withHeads(base: Omit<Context, 'open' | 'version'>, heads: Heads): Context {
  const { collections, table } = base;
  const opened = new Map<string, ReturnType<Context['open']>>();
  return {
    ...base,
    version: ({ pk }) => collections.version(heads.get(pk)),
    open: (partition) => {
      const { pk } = partition;
      const collection = opened.get(pk) ?? collections.open(table, partition, heads.get(pk));
      opened.set(pk, collection);
      return collection;
    },
  };
}

async function readHeads({ table }: Pick<Context, 'table'>, partitions: readonly Partition[]): Promise<Heads> {
  const items = await table.batchGet(partitions.map(keys.head));
  return new Map(partitions.map(({ pk }, place) => [pk, items[place]]));
}
