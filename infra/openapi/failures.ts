import { FAILURES, type FailureKind } from '../../lib/errors.ts';
import { REFUSAL_CODES, type RefusalCode } from '../../lib/fault-details.ts';
import { creates } from '../../lib/http/repeats.ts';
import { type Route, takesBody } from '../../lib/http/route.ts';
import { keysOf } from '../../lib/typed-object.ts';

type Failing = Pick<
  Route,
  'method' | 'path' | 'list' | 'exclusive' | 'query' | 'current' | 'success' | 'secret' | 'streams'
>;

const asks = ({ query }: Failing): boolean => Object.keys(query).length > 0;

const isOfImports = (route: Failing): boolean => takesBody(route) && route.path.startsWith('/api/v2/imports');

const isDelete = ({ method, path }: Failing, what: string): boolean => method === 'DELETE' && path.includes(what);

/** GETs of one thing that may not fit a reply. */
const growsLarge = ({ path }: Failing): boolean => /\/(\{case_key\}|meta)$/.test(path);

/**
 * The operations that each failure can answer, and when (docs/interface.md). `method_not_allowed` is missing, as a
 * wrong method has no operation.
 */
const WHEN: Readonly<
  Record<
    Exclude<FailureKind, 'method_not_allowed'>,
    { readonly what: string; readonly of: (route: Failing) => boolean }
  >
> = {
  bad_request: { what: 'The body is not JSON, or not an object', of: takesBody },
  unauthorized: { what: 'No credentials, or wrong ones', of: () => true },
  forbidden: { what: 'The role of the user does not allow it', of: () => true },
  not_found: { what: 'There is no such site or resource', of: () => true },
  gone: {
    what: 'The history has changed since the first page',
    of: ({ path }) => path.endsWith('/cases'),
  },
  request_timeout: { what: 'The body stopped arriving, or took longer than 30 s', of: takesBody },
  conflict: {
    what: 'The first request with this `Idempotency-Key`, or another import of the site, is still under way',
    of: (route) => creates(route) || isOfImports(route),
  },
  precondition_failed: {
    what: '`If-Match` names another tag than the current one; nothing changed',
    of: ({ current }) => !!current,
  },
  payload_too_large: { what: 'The body is over 1 MiB', of: takesBody },
  unsupported_media_type: { what: 'The body has a `Content-Encoding` other than `gzip`', of: takesBody },
  invalid: {
    what: 'Fields or parameters are at fault, all of them named; or what was asked for fits no reply',
    of: (route) =>
      takesBody(route) ||
      route.list ||
      asks(route) ||
      growsLarge(route) ||
      isDelete(route, 'locale') || // the default translation stays
      isDelete(route, 'user_id'), // the last Administrator stays
  },
  too_many_requests: {
    what: 'Too many wrong passwords or requests, or another insights request of the site is outstanding',
    of: () => true,
  },
  internal: { what: 'An unexpected error; the log has it under the request id', of: () => true },
  unavailable: { what: 'The table does not answer at the moment', of: () => true },
};

const MORE_HEADERS: Readonly<Partial<Record<FailureKind, readonly string[]>>> = {
  unauthorized: ['WWW-Authenticate'],
  conflict: ['Retry-After'],
  too_many_requests: ['Retry-After'],
  unavailable: ['Retry-After'],
};

const shapeOf = (kind: FailureKind): string => {
  if (kind === 'invalid') return 'ValidationFailed';
  return kind === 'bad_request' || isRefusal(kind) ? 'Refusal' : 'Error';
};

const isRefusal = (kind: FailureKind): boolean => REFUSAL_CODES.some((code) => code === kind);

/** What the detail of a refusal says, for example. */
const SENTENCES: Readonly<Record<Exclude<RefusalCode, 'method_not_allowed'>, string>> = {
  forbidden: 'DELETE "/api/v2/topics/7" is for Administrator or Content Manager; this user is Agent.',
  not_found: 'There is no topic 7.',
  request_timeout: 'The body stopped arriving, or took too long in all.',
  conflict: 'The first request with this Idempotency-Key is still under way.',
  gone: 'The history has changed since the first page. Ask for the first page again, without a cursor.',
  precondition_failed:
    '/api/v2/topics/7 has the tag "5d41402abc4b2a76b9719d911017c592", which If-Match does not name: it was changed since it was read. Nothing is changed now.',
  payload_too_large: 'The body has more than 1,048,576 bytes.',
  unsupported_media_type: 'The body has the Content-Encoding "br"; gzip is read, or none.',
  too_many_requests: 'Another report of the site is being computed. Try again in 2 s.',
};

const EXAMPLES: Readonly<Partial<Record<FailureKind, object>>> = {
  ...Object.fromEntries(
    keysOf(SENTENCES).map((code) => [code, { details: [{ field: '', code, message: SENTENCES[code] }] }]),
  ),
  bad_request: {
    details: [
      { field: '', code: 'invalid', message: 'The body is not valid JSON: expected value or ] at line 3, column 5.' },
    ],
  },
  invalid: {
    errors: { name: ['blank'] },
    details: [
      { field: 'name', code: 'blank', message: 'name is missing or blank; it takes a text of 1 to 255 characters.' },
    ],
  },
};

/** References to the failures an operation can answer with, by status. */
export function failuresOf(route: Failing): Record<string, unknown> {
  const kinds = keysOf(WHEN).filter((kind) => WHEN[kind].of(route));
  return Object.fromEntries(kinds.map((kind) => [FAILURES[kind].status, { $ref: `#/components/responses/${kind}` }]));
}

/** Every failure as a response that operations refer to; `headers` are those of every response. */
export function failureResponses(headers: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    keysOf(WHEN).map((kind) => {
      const { message } = FAILURES[kind];
      const example = { message, ...EXAMPLES[kind] };
      const more = MORE_HEADERS[kind] ?? [];
      return [
        kind,
        {
          description: WHEN[kind].what,
          headers: {
            ...headers,
            ...Object.fromEntries(more.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
          },
          content: {
            'application/json': {
              schema: { $ref: `#/components/schemas/${shapeOf(kind)}` },
              example,
            },
          },
        },
      ];
    }),
  );
}
