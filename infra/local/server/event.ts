import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEvent } from 'aws-lambda';

/** What API Gateway would make of a request (payload 1.0): the part of it that the handlers read. */
export function toEvent(request: IncomingMessage, body: Buffer, requestId: string): APIGatewayProxyEvent {
  const { path, search, authority } = splitTarget(request.url ?? '/');
  const host = authority ?? request.headers.host ?? 'localhost';
  const event = {
    httpMethod: request.method ?? 'GET',
    path,
    headers: singleHeaders(request),
    multiValueQueryStringParameters: queryOf(search),
    body: body.length === 0 ? null : body.toString('base64'), // so that any bytes arrive as they were sent
    isBase64Encoded: body.length > 0,
    requestContext: { requestId, domainName: host, path, identity: { sourceIp: request.socket.remoteAddress ?? '' } },
  };
  return event as unknown as APIGatewayProxyEvent; // the rest is the gateway's own
}

interface Target {
  readonly path: string; // still percent-encoded
  readonly search: string;
  readonly authority?: string; // of the absolute form, which wins over `Host` (RFC 9112, 3.2.2)
}

function splitTarget(target: string): Target {
  const [, authority, rest = target] = /^https?:\/\/([^/?#]*)([^#]*)/i.exec(target) ?? [];
  const [, path = '/', search = ''] = /^([^?#]*)\??([^#]*)/.exec(rest) ?? [];
  return { path: path || '/', search, ...(authority ? { authority } : {}) };
}

function queryOf(search: string): Record<string, string[]> | null {
  if (search === '') return null;
  const query = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(search)) {
    const values = query.get(name);
    if (values) values.push(value);
    else query.set(name, [value]);
  }
  return Object.fromEntries(query);
}

function singleHeaders({ headers }: IncomingMessage): Record<string, string> {
  const single: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) single[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return single;
}
