import * as z from 'zod';
import { type AuditEntry, auditActor, auditItem } from '../access/audit.ts';
import type { Answer, Context } from '../context.ts';
import { Failure, Faults, refusal, tooLargeBody } from '../errors.ts';
import { memoize } from '../memo.ts';
import type { Change } from '../store/collection.ts';
import { type Key, keys } from '../store/keys.ts';
import { type ItemLookup, readItems } from '../store/read-items.ts';
import { replan } from '../store/replan.ts';
import type { Write } from '../store/table.ts';
import { unpacked } from './content-encoding.ts';
import { parseBody, parseFields } from './fields.ts';
import { checkRepeatKey, isKept, readThrough, repeatDigest, repeatWrite, replay, streamed } from './repeats.ts';
import { etagOf, ifMatch, type Reply } from './reply.ts';
import type { Request } from './request.ts';
import { type Call, type Route, takesBody } from './route.ts';

const LARGEST_BODY = 1024 * 1024; // bytes, also after it was unpacked

/**
 * Answers a request whose route, site, user and role are settled: size, resource, body, `If-Match`, fields, work, in
 * this order. If another write came first, it reads the heads again and starts over.
 */
export async function dispatch(asked: RoutedRequest, base: UnopenedContext, itemOf: ItemLookup): Promise<Reply> {
  const { route, params, repeat } = asked;
  const { body, request } = takesBody(asked.route) ? unpacked(asked, LARGEST_BODY) : asked;
  if (body.length > LARGEST_BODY) throw tooLargeBody('The body', LARGEST_BODY);
  const attempt = { ...asked, request, id: base.newId(), parse: once(() => parseBody(body)) };
  const readAgain = () => {
    const heads = route.reads(base.site.name, params).map(keys.head);
    return readItems(base.table, [...heads, repeat]);
  };
  const work = (lookup: ItemLookup) => attemptOnce(attempt, withHeads(base, lookup), lookup);
  return replan(async (count) => {
    try {
      return await work(count === 1 ? itemOf : await readAgain());
    } catch (error) {
      // The items are read together, but not at one moment: what refuses a repetition may be what the first request made.
      if (repeat === undefined || route.streams || !(error instanceof Failure)) throw error;
      const again = await readAgain();
      if (again(repeat) === undefined) throw error;
      return work(again);
    }
  });
}

/** A request with its route. */
export interface RoutedRequest {
  readonly route: Route;
  readonly request: Pick<Request, 'headers' | 'query' | 'pairs' | 'readStream'>;
  readonly params: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly repeat?: Key | undefined; // where the answer is kept, for a request with an `Idempotency-Key`
}

interface RequestAttempt extends RoutedRequest {
  readonly id: string; // id of the request's writes
  readonly parse: () => Readonly<Record<string, unknown>>; // parses the body
}

/** A context without its collections and its way to write. */
type UnopenedContext = Omit<ReadContext, 'open' | 'version'>;

async function attemptOnce(asked: RequestAttempt, opened: ReadContext, itemOf: ItemLookup): Promise<Reply> {
  const { route, request, params, repeat, id, parse } = asked;
  const { headers } = request;
  const content =
    repeat && route.streams ? streamed(request) : { stream: request.readStream, text: () => JSON.stringify(parse()) };
  const digest = () => repeatDigest(pathOf(route, params), content.text());
  const keptAnswer = itemOf(repeat);
  const generation = typeof opened.actor === 'string' ? 0 : opened.actor.generation;
  if (isKept(keptAnswer, opened.now, generation)) {
    if (route.streams) await readThrough(content.stream());
    return replay(keptAnswer, digest());
  }
  const repeatable = repeat && (() => ({ key: repeat, digest: digest(), generation, before: keptAnswer }));
  const fieldNames = (): string[] => Object.keys(parse()).filter((name) => knownFields(route).has(name));
  const context = Object.assign(opened, writing({ route, params, id, fieldNames, repeatable }, opened));
  const resource = await route.find({ context, params, headers });
  const body = takesBody(route) ? parse() : {};
  const faults = new Faults();
  checkRepeatKey(route, headers, faults);
  const fields = parseFields(route.body, body, route.required, faults);
  const parameters = route.lists.length === 0 ? request.query : withLists(request.pairs, route.lists);
  const query = parseFields(route.query, Object.fromEntries(parameters), [], faults);
  const { stream } = content;
  const call: Call = { context, params, resource, query, fields, body, faults, parameters, headers, stream };
  const isConditional = headers['if-match'] !== undefined && (route.method === 'PATCH' || route.method === 'DELETE');
  if (route.current && isConditional) {
    const etag = etagOf(JSON.stringify(await route.current(call)));
    if (!ifMatch(headers['if-match'], etag)) {
      const what = `${pathOf(route, params)} has the tag ${etag}, which If-Match does not name`;
      throw refusal('precondition_failed', `${what}: it was changed since it was read. Nothing is changed now.`);
    }
  }
  const ignored = ignoredFields(route, body);
  try {
    const reply = await route.handle(call);
    return ignored ? { ...reply, headers: { ...reply.headers, ...ignored } } : reply;
  } catch (error) {
    throw ignored && error instanceof Failure && error.kind === 'invalid' ? error.withHeaders(ignored) : error;
  }
}

/** The parameters of a query; all values of a list under its name, separated by commas. */
function withLists(pairs: Request['pairs'], lists: readonly string[]): Map<string, string> {
  const parameters = new Map<string, string>();
  for (const [sent, value] of pairs) {
    const name = lists.find((list) => sent === list || (sent.startsWith(`${list}[`) && /\[\d*\]$/.test(sent)));
    const before = name === undefined ? undefined : parameters.get(name);
    parameters.set(name ?? sent, before === undefined ? value : `${before},${value}`);
  }
  return parameters;
}

const NAMED = 20; // ignored fields listed in the header
const LONGEST_NAMED = 60; // characters of a listed field

/** The header that lists the body's unknown fields; undefined if all are known. */
function ignoredFields(route: Route, body: Readonly<Record<string, unknown>>): Record<string, string> | undefined {
  const fields = knownFields(route);
  const ignored = Object.keys(body).filter((name) => !fields.has(name));
  if (ignored.length === 0) return undefined;
  const names = ignored
    .slice(0, NAMED)
    .map((name) => encodeURIComponent(Buffer.from(name.slice(0, LONGEST_NAMED)).toString()));
  return { 'X-Ignored-Fields': names.join(', ') };
}

const knownFields = memoize((route: Route): ReadonlySet<string> => {
  const sent = route.sent?.();
  return new Set(Object.keys(sent instanceof z.ZodObject ? sent.shape : route.body));
}, new WeakMap());

/**
 * The context of one attempt. A collection that it opened stays the same, so that it writes only on the state it has
 * read.
 */
function withHeads(base: UnopenedContext, itemOf: ItemLookup): ReadContext {
  const { collections, table, site } = base;
  const opened = new Map<string, ReturnType<Context['open']>>();
  return {
    ...base,
    version: (partition) => collections.version(itemOf(keys.head(partition))),
    open: (partition) => {
      const { pk } = partition;
      const collection = opened.get(pk) ?? collections.open(table, partition, itemOf(keys.head(partition)), site.added);
      opened.set(pk, collection);
      return collection;
    },
  };
}

/** A request that may write. */
interface WritingRequest {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
  readonly id: string; // unique id of its writes, equal in all attempts
  readonly fieldNames: () => readonly string[]; // names of the fields that the body sets
  readonly repeatable: (() => Parameters<typeof repeatWrite>[0]) | undefined; // if it has an `Idempotency-Key`
}

const actionOf = ({ method, success }: Route): AuditEntry['action'] => {
  if (method === 'DELETE') return 'delete';
  return method === 'POST' && success === 201 ? 'create' : 'update';
};
const PREFIX = '/api/v2/';

/** A context without its ways to write. */
type ReadContext = Omit<Context, 'commit' | 'beside'>;

/**
 * How a request writes: its changes, the audit's entry and, if it has a key, the kept answer, all in one transaction.
 */
function writing(writer: WritingRequest, context: ReadContext): Pick<Context, 'commit' | 'beside'> {
  const { collections, table, site, now } = context;
  const { repeatable } = writer;
  const proofOf = (answer?: Answer) => auditItem(site.name, entryOf(writer, context, answer));
  const keptOf = (answer?: Answer) => (repeatable && answer ? [repeatWrite(repeatable(), answer, now)] : []);
  return {
    commit: async (changes: readonly Change[], answer?: Answer, others: readonly Write[] = []) => {
      const writes = [...others, ...keptOf(answer)];
      await collections.commit(table, changes, { proof: proofOf(answer), writes });
    },
    beside: (answer) => [{ put: proofOf(answer) }, ...keptOf(answer)],
  };
}

function entryOf(
  { route, params, id, fieldNames }: WritingRequest,
  { actor, now, origin }: ReadContext,
  answer: Answer | undefined,
): AuditEntry {
  const made = answer?.headers?.Location?.slice(origin.length);
  const resource = (made ?? pathOf(route, params)).slice(PREFIX.length);
  const fields = route.method === 'DELETE' ? [] : fieldNames();
  return { id, at: now, ...auditActor(actor), action: actionOf(route), resource, fields };
}

/** A route's path with the request's parameters filled in. */
const pathOf = ({ path }: Pick<Route, 'path'>, params: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');

/** Returns a function that calls `make` once and keeps its result. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
