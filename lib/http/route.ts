import type * as z from 'zod';
import type { Role } from '../access/roles.ts';
import type { Context } from '../context.ts';
import type { Faults } from '../errors.ts';
import type { Partition } from '../store/keys.ts';
import type { Reply } from './reply.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** The fields of a body or query: schemas whose issue messages are codes of docs/interface.md. */
export type Fields = Readonly<Record<string, z.ZodType>>;
export type Values<F extends Fields> = { -readonly [K in keyof F]?: z.output<NonNullable<F[K]>> };

/**
 * The argument of a handler. Fields that failed their schema are missing in `query` and `fields` and listed in
 * `faults`.
 */
export interface Call<R = unknown, Q extends Fields = Fields, B extends Fields = Fields> {
  readonly context: Context;
  readonly params: Readonly<Record<string, string>>; // percent-decoded
  readonly resource: R; // the result of `find`
  readonly query: Values<Q>;
  readonly fields: Values<B>;
  readonly body: Readonly<Record<string, unknown>>; // the parsed JSON object
  readonly faults: Faults; // the handler adds its own, and calls `check()` before it acts
  readonly parameters: ReadonlyMap<string, string>; // the raw query
  readonly headers: Readonly<Record<string, string>>; // names in lower case
  readonly stream: () => AsyncIterable<Uint8Array>; // the body of a route that `streams`
}

/** The complete declaration of an endpoint. Router, OpenAPI, CDK and the derived tests read it. */
export interface Route {
  readonly name: string;
  readonly summary: string;
  readonly method: Method;
  readonly path: string; // `/api/v2/topics/{topic_id}`
  readonly roles: readonly Role[];
  readonly exclusive: boolean; // runs under the insights lock
  readonly list: boolean; // one of the paginated lists
  readonly inTurn: boolean; // a write that takes the site's turn in this process; not if it works long before it writes
  readonly streams: boolean; // takes a body of any type and size; the handler reads it as it arrives
  readonly secret: boolean; // its answer has a secret: it is kept for no repetition
  readonly csv: boolean; // also answers `Accept: text/csv`
  readonly extension: boolean; // not in docs/interface.md
  readonly success: 200 | 201 | 202 | 204;
  readonly query: Fields;
  readonly lists: readonly string[]; // query parameters that may be repeated, as `name`, `name[]` or `name[0]`
  readonly body: Fields;
  readonly required: readonly string[]; // required body fields
  // The next two are for documents and tests only; they are functions so that no start has to build them.
  readonly sent?: () => z.ZodType; // the whole body, if the handler parses it itself instead of `body`
  readonly reply?: () => z.ZodType; // the body of a successful reply
  readonly example?: unknown; // an example body of the request
  readonly vary: readonly string[]; // request headers that the reply depends on, besides Accept-Encoding
  readonly requestHeaders: Readonly<Record<string, string>>; // name → meaning, besides the common ones
  /** Collections whose heads are read together with the caller. */
  readonly reads: (site: string, params: Readonly<Record<string, string>>) => readonly Partition[];
  /** Finds the resource or throws `not_found`, before the body is read. */
  readonly find: (call: Pick<Call, 'context' | 'params' | 'headers'>) => unknown;
  /** The resource as GET shows it, for `If-Match`. */
  readonly current?: (call: Call) => unknown;
  readonly handle: (call: Call) => Reply | Promise<Reply>;
}

/** A route as declared; omitted properties get their defaults. */
export type Declaration<R, Q extends Fields, B extends Fields> = Pick<
  Route,
  'name' | 'summary' | 'method' | 'path' | 'roles' | 'reads'
> &
  Partial<
    Pick<
      Route,
      | 'exclusive'
      | 'list'
      | 'lists'
      | 'inTurn'
      | 'streams'
      | 'secret'
      | 'csv'
      | 'extension'
      | 'sent'
      | 'reply'
      | 'example'
      | 'vary'
      | 'requestHeaders'
    >
  > & {
    readonly success?: Route['success'];
    readonly query?: Q;
    readonly body?: B;
    readonly required?: readonly (keyof B & string)[];
    readonly find?: (call: Pick<Call, 'context' | 'params' | 'headers'>) => R | Promise<R>;
    readonly current?: (call: Call<R, Q, B>) => unknown;
    readonly handle: (call: Call<R, Q, B>) => Reply | Promise<Reply>;
  };

const USUAL_STATUS = { GET: 200, POST: 201, PATCH: 200, DELETE: 204 } as const;

/** Declares an endpoint. The cast lets each route have typed fields while one list holds all routes. */
export function route<R = undefined, Q extends Fields = Record<never, never>, B extends Fields = Record<never, never>>(
  declaration: Declaration<R, Q, B>,
): Route {
  return {
    exclusive: false,
    list: false,
    inTurn: true,
    streams: false,
    secret: false,
    csv: false,
    extension: false,
    success: USUAL_STATUS[declaration.method],
    query: {},
    body: {},
    required: [],
    lists: [],
    vary: [],
    requestHeaders: {},
    find: () => undefined,
    ...declaration,
  } as Route;
}

/** Whether a route reads a body: the body of a GET or DELETE has no meaning (RFC 9110, 9.3.1 and 9.3.5). */
export const takesBody = ({ method }: Pick<Route, 'method'>): boolean => method === 'POST' || method === 'PATCH';

/** A thing with its article, for summaries: `a user`, `an SLA policy`. */
export const withArticle = (noun: string): string => `${/^(?:[aeio]|SLA)/.test(noun) ? 'an' : 'a'} ${noun}`;
