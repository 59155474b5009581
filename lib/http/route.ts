import type * as z from 'zod';
import type { Role } from '../access/roles.ts';
import type { Context } from '../context.ts';
import type { Faults } from '../errors.ts';
import type { Partition } from '../store/keys.ts';
import type { Reply } from './reply.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** A body's or query's fields: each a schema whose issues bear a code of docs/interface.md as their message. */
export type Fields = Readonly<Record<string, z.ZodType>>;
export type Values<F extends Fields> = { -readonly [K in keyof F]?: z.output<F[K]> };

/** What a handler is given. Fields that failed their schema are absent from `query` and `fields` and stand in `faults`. */
export interface Call<R = unknown, Q extends Fields = Fields, B extends Fields = Fields> {
  readonly context: Context;
  readonly params: Readonly<Record<string, string>>; // percent-decoded
  readonly resource: R; // what `find` found
  readonly query: Values<Q>;
  readonly fields: Values<B>;
  readonly body: Readonly<Record<string, unknown>>; // the parsed JSON object
  readonly faults: Faults; // the handler adds its own and calls `check()` before it acts
  readonly parameters: ReadonlyMap<string, string>; // the query as it came
  readonly headers: Readonly<Record<string, string>>; // names in lower case
  readonly stream: () => AsyncIterable<Uint8Array>; // the body of a route that `streams`
}

/** One endpoint: all there is to say of it. Router, OpenAPI, CDK and the derived tests read it. */
export interface Route {
  readonly name: string;
  readonly summary: string;
  readonly method: Method;
  readonly path: string; // `/api/v2/topics/{topic_id}`
  readonly roles: readonly Role[];
  readonly exclusive: boolean; // under the insights lock
  readonly list: boolean; // one of the paginated lists
  readonly steady: boolean; // a GET: nothing decides the reply but the request, site, user and the collections that it `reads`
  readonly streams: boolean; // takes a body of any type and size, which the handler reads as it comes
  readonly csv: boolean; // answers `Accept: text/csv` too
  readonly extension: boolean; // not in docs/interface.md
  readonly success: 200 | 201 | 204;
  readonly query: Fields;
  readonly body: Fields;
  readonly required: readonly string[]; // body fields that must be there
  // The next two are for documents and tests alone; functions, so that no start waits for them to be made.
  readonly sent?: () => z.ZodType; // the whole body, where the handler parses it instead of `body`
  readonly reply?: () => z.ZodType; // the body of a success
  readonly example?: unknown; // of the request's body
  readonly vary: readonly string[]; // request headers that the reply depends on beside Accept-Encoding
  readonly requestHeaders: Readonly<Record<string, string>>; // name → meaning, beside the common ones
  /** Collections whose heads are read together with the caller. */
  readonly reads: (site: string, params: Readonly<Record<string, string>>) => readonly Partition[];
  /** Finds the resource, or throws `not_found`; before the body is looked at. */
  readonly find: (call: Pick<Call, 'context' | 'params' | 'headers'>) => unknown;
  /** The resource as GET shows it: what `If-Match` compares with. */
  readonly current?: (call: Call) => unknown;
  readonly handle: (call: Call) => Reply | Promise<Reply>;
}

/** A route as it is declared: what is left out has the usual value. */
export type Declaration<R, Q extends Fields, B extends Fields> = Pick<
  Route,
  'name' | 'summary' | 'method' | 'path' | 'roles' | 'reads'
> &
  Partial<
    Pick<
      Route,
      | 'exclusive'
      | 'list'
      | 'steady'
      | 'streams'
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

/** Declares an endpoint. The one cast here lets each route know its own fields while the list holds them all. */
export function route<R = undefined, Q extends Fields = Record<never, never>, B extends Fields = Record<never, never>>(
  declaration: Declaration<R, Q, B>,
): Route {
  return {
    exclusive: false,
    list: false,
    steady: false,
    streams: false,
    csv: false,
    extension: false,
    success: USUAL_STATUS[declaration.method],
    query: {},
    body: {},
    required: [],
    vary: [],
    requestHeaders: {},
    find: () => undefined,
    ...declaration,
  } as Route;
}
