import { randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Handler } from '../../../lib/http/serve.ts';

/**
 * Imitates how API Gateway changes requests and replies (REST API, payload 1.0), and what it refuses. Results that it
 * would answer with a 502 throw here.
 */

export const STAGE = 'test';

/** A request as it reaches the gateway. */
export interface Incoming {
  readonly method: string;
  readonly target: string; // path and query, percent-encoded
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly host: string;
}

/** A reply as it leaves the gateway; names of headers in lower case. */
export interface Outgoing {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

const LARGEST_REQUEST = 10 * 1024 * 1024; // bytes of a body that the gateway accepts
const LARGEST_CALL = 6 * 1024 * 1024; // bytes of the event or the result of a function
const LONGEST = 29_000; // ms that the gateway waits
const COMPRESSED_FROM = 1024; // bytes: `minCompressionSize` of the stack
const KNOWN = new Set(['statusCode', 'headers', 'multiValueHeaders', 'body', 'isBase64Encoded']);
const REMAPPED = new Set([
  'www-authenticate',
  'authorization',
  'connection',
  'content-length',
  'date',
  'host',
  'server',
]);
const DROPPED = new Set(['transfer-encoding', 'upgrade', 'te', 'keep-alive']);

/** Calls a handler through the imitated gateway. */
export async function throughEdge(handler: Handler, request: Incoming): Promise<Outgoing> {
  const event = toEvent(unpacked(request));
  if (request.body.length > LARGEST_REQUEST || sizeOf(event) > LARGEST_CALL) return TOO_LARGE;
  const begun = performance.now();
  const result = await handler(event, {} as Context);
  if (performance.now() - begun > LONGEST) throw new Error('504: the gateway has given up');
  return outgoing(request, result);
}

/** The gateway unpacks bodies, and leaves it open whether their header goes on. */
function unpacked(request: Incoming): Incoming {
  const coding = Object.entries(request.headers).find(([name]) => name.toLowerCase() === 'content-encoding');
  return coding?.[1] === 'gzip' ? { ...request, body: gunzipSync(request.body) } : request;
}

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** The gateway's reply for REQUEST_TOO_LARGE (infra/stack/gateway-responses.ts). */
const TOO_LARGE: Outgoing = {
  status: 413,
  headers: { 'content-type': 'application/json' },
  text: JSON.stringify({ message: 'Payload Too Large' }),
};

/** The event that the gateway makes of a request: the body as text, the query decoded, path parts still encoded. */
export function toEvent({ method, target, headers, body, host }: Incoming): APIGatewayProxyEvent {
  const [path = '', search = ''] = target.split('?');
  const query: Record<string, string[]> = {};
  for (const [name, value] of new URLSearchParams(search)) (query[name] ??= []).push(value);
  const sent = { Host: host, 'X-Forwarded-Proto': 'https', 'X-Forwarded-Port': '443', ...headers };
  const event = {
    resource: '/{proxy+}',
    httpMethod: method,
    path,
    headers: sent,
    multiValueHeaders: Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, [value]])),
    queryStringParameters: search === '' ? null : lastOf(query),
    multiValueQueryStringParameters: search === '' ? null : query,
    pathParameters: null,
    stageVariables: null,
    body: body.length === 0 ? null : body.toString('utf8'), // no binary types: bytes that are no text are lost
    isBase64Encoded: false,
    requestContext: {
      requestId: randomUUID(),
      domainName: host.replace(/:\d+$/, ''),
      path: `/${STAGE}${path}`,
      stage: STAGE,
      httpMethod: method,
    },
  };
  return event as unknown as APIGatewayProxyEvent; // the service reads no other properties
}

const lastOf = (query: Readonly<Record<string, string[]>>): Record<string, string> =>
  Object.fromEntries(Object.entries(query).map(([name, values]) => [name, values.at(-1) ?? '']));

function outgoing({ method, headers: asked }: Incoming, result: APIGatewayProxyResult): Outgoing {
  const unknown = Object.keys(result).filter((key) => !KNOWN.has(key));
  if (unknown.length > 0) throw new Error(`502: the reply has unknown keys: ${unknown.join(', ')}`);
  if (!Number.isInteger(result.statusCode)) throw new Error(`502: no status: ${String(result.statusCode)}`);
  const body: unknown = result.body;
  if (typeof body !== 'string') throw new Error(`502: the body is no text: ${typeof body}`);
  if (sizeOf(result) > LARGEST_CALL) throw new Error('502: the reply is over 6 MB');
  const headers = edgeHeaders(result);
  if (headers['content-encoding'] !== undefined) throw new Error('the gateway compresses, not the function');
  const wantsGzip = Object.entries(asked).some(
    ([name, value]) => /^accept-encoding$/i.test(name) && /gzip/.test(value),
  );
  if (wantsGzip && Buffer.byteLength(body) >= COMPRESSED_FROM) headers['content-encoding'] = 'gzip';
  return { status: result.statusCode, headers, text: method === 'HEAD' ? '' : body };
}

function edgeHeaders(result: APIGatewayProxyResult): Record<string, string> {
  const headers: Record<string, string> = { 'x-amzn-requestid': randomUUID(), date: new Date(0).toUTCString() };
  const add = (name: string, value: unknown): void => {
    if (!['string', 'number', 'boolean'].includes(typeof value)) throw new Error(`502: ${name} is no plain value`);
    const lower = name.toLowerCase();
    if (DROPPED.has(lower)) return;
    const known = REMAPPED.has(lower) ? `x-amzn-remapped-${lower}` : lower;
    headers[known] = headers[known] === undefined ? String(value) : `${headers[known]}, ${String(value)}`;
  };
  for (const [name, value] of Object.entries(result.headers ?? {})) add(name, value);
  for (const [name, values] of Object.entries(result.multiValueHeaders ?? {}))
    for (const value of values) add(name, value);
  headers['content-type'] ??= 'application/json';
  return headers;
}
