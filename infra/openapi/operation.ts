import { creates } from '../../lib/http/repeats.ts';
import type { Route } from '../../lib/http/route.ts';
import examples from './examples.json' with { type: 'json' };
import { failuresOf } from './failures.ts';
import { bodySchema, type NamedSchemas, toSchema } from './schemas.ts';

/** An object of the document. */
type Node = Readonly<Record<string, unknown>>;

/** Replies by the names of their operations, as `npm run examples` recorded them. */
const EXAMPLES: Readonly<Record<string, unknown>> = examples;

/** Headers of every response; some responses have more. */
const COMMON_HEADERS = ['X-Request-Id', 'X-Rate-Limit-Limit', 'X-Rate-Limit-Remaining', 'X-Rate-Limit-Reset'];

export const headersOf = (...names: readonly string[]): Node =>
  Object.fromEntries([...COMMON_HEADERS, ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const TAGS: Readonly<Record<string, string>> = {
  topics: 'Topics',
  macros: 'Macros',
  insights3: 'Insights',
  report_definitions: 'Insights',
  saved_reports: 'Insights',
  boards: 'Insights',
  subscriptions: 'Insights',
  alerts: 'Insights',
  imports: 'Imports',
};

/** One route as an OpenAPI operation. */
export function operationOf(route: Route, schemas: NamedSchemas): Node {
  const { name, summary, roles, extension, exclusive } = route;
  const [, , , group = ''] = route.path.split('/');
  return {
    operationId: name,
    summary,
    description: `Roles: ${roles.join(', ')}.${exclusive ? ' One outstanding request a site over all insights endpoints.' : ''}`,
    tags: [TAGS[group] ?? 'Records'],
    security: [{ basic: [] }, { token: [] }],
    ...(extension && { 'x-extension': true }),
    ...withParameters(route),
    ...withBody(route, schemas),
    responses: { [route.success]: success(route, schemas), ...notModified(route), ...failuresOf(route) },
  };
}

const ID = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
const PATH_PARAMETERS: Readonly<Record<string, Node>> = {
  locale: { schema: { type: 'string', pattern: '^[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*$' }, example: 'de' },
  case_key: { schema: { type: 'string' }, example: '1001' },
  channel_id: { schema: { ...ID, minimum: 0 }, example: 1 },
};

const parameter = (name: string): Node => ({ $ref: `#/components/parameters/${name}` });

function withParameters(route: Route): Node {
  const { path, method, query, list, current, requestHeaders } = route;
  const inPath = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...(PATH_PARAMETERS[name] ?? { schema: ID, example: 1 }),
  }));
  const inQuery = Object.entries(query).map(([name, shape]) => ({
    name,
    in: 'query',
    schema: toSchema(shape, 'input'),
  }));
  const inHeader = Object.entries(requestHeaders).map(([name, description]) => ({
    name,
    in: 'header',
    description,
    schema: { type: 'string' },
  }));
  const parameters = [
    ...inPath,
    ...inQuery,
    ...(list ? ['page', 'per_page'].map(parameter) : []),
    ...inHeader,
    ...(method === 'GET' ? [parameter('If-None-Match')] : []),
    ...(current ? [parameter('If-Match')] : []),
    ...(creates(route) ? [parameter('Idempotency-Key')] : []),
  ];
  return parameters.length === 0 ? {} : { parameters };
}

function withBody(route: Route, { refer }: NamedSchemas): Node {
  const { method, required, sent, example, streams } = route;
  if (method !== 'POST' && method !== 'PATCH') return {};
  if (streams)
    return {
      requestBody: { content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } },
    };
  return {
    requestBody: {
      required: sent !== undefined || required.length > 0,
      content: { 'application/json': { schema: refer(bodySchema(route)), example } },
    },
  };
}

function success(route: Route, { refer }: NamedSchemas): Node {
  const { name, method, success: status, reply, list, csv, vary } = route;
  if (reply === undefined) return { description: 'Done', headers: headersOf(), ...(csv && { content: LINES }) };
  const ignored = method === 'POST' || method === 'PATCH' ? ['X-Ignored-Fields'] : [];
  return {
    description: list ? 'A page' : status === 201 ? 'Created' : 'The resource',
    headers: headersOf(
      'ETag',
      ...(status === 201 ? ['Location', 'Idempotent-Replayed'] : []),
      ...languageOf(vary),
      ...ignored,
    ),
    content: {
      'application/json': { schema: refer(toSchema(reply(), 'output')), example: EXAMPLES[name] },
      ...(csv && { 'text/csv': { schema: { type: 'string' } } }),
    },
  };
}

/** The content of a reply with lines of a file. */
const LINES = { 'text/csv': { schema: { type: 'string' } }, 'application/x-ndjson': { schema: { type: 'string' } } };

const notModified = ({ method, vary }: Route): Node => (method === 'GET' ? unchanged(...languageOf(vary)) : {});

/** The response 304, with these headers besides the tag. */
export const unchanged = (...more: readonly string[]): Node => ({
  304: { description: '`If-None-Match` names the current tag', headers: headersOf('ETag', ...more) },
});

const languageOf = (vary: Route['vary']): string[] => (vary.includes('Accept-Language') ? ['Content-Language'] : []);
