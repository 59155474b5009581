import type { APIGatewayProxyEvent } from 'aws-lambda';

/** A request as the rest of this folder sees it. */
export interface Request {
  readonly id: string;
  readonly method: string; // upper case, as sent
  readonly path: string; // still percent-encoded, without the stage
  readonly query: ReadonlyMap<string, string>; // of a repeated parameter the last
  readonly headers: Readonly<Record<string, string>>; // names in lower case
  readonly host: string;
  readonly address: string; // where it came from, as the gateway or the local server saw it; empty where neither says
  readonly origin: string; // `<scheme>://<host><stage>`
  readonly secure: boolean;
  readonly readBody: () => Promise<Buffer>;
}

/** Reads an event of API Gateway (payload 1.0), or of the local server, which makes the same but for the body. */
export function toRequest(event: APIGatewayProxyEvent, readBody?: Request['readBody']): Request {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(event.headers ?? {})) {
    if (value !== undefined) headers[name.toLowerCase()] = value;
  }
  const { requestContext } = event;
  const host = requestContext.domainName ?? headers.host ?? '';
  const secure = headers['x-forwarded-proto'] === 'https';
  return {
    id: requestContext.requestId,
    method: event.httpMethod.toUpperCase(),
    path: event.path,
    query: lastValues(event),
    headers,
    host,
    address: requestContext.identity?.sourceIp ?? '',
    origin: `${secure ? 'https' : 'http'}://${host}${stagePrefix(event)}`,
    secure,
    readBody: readBody ?? (async () => Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8')),
  };
}

function lastValues({
  multiValueQueryStringParameters,
  queryStringParameters,
}: APIGatewayProxyEvent): Map<string, string> {
  const query = new Map<string, string>();
  for (const [name, value] of Object.entries(queryStringParameters ?? {})) query.set(name, value ?? '');
  for (const [name, values] of Object.entries(multiValueQueryStringParameters ?? {}))
    query.set(name, values?.at(-1) ?? '');
  return query;
}

/** The stage stands in `requestContext.path` but not in `path`: what a client must put before a path. */
function stagePrefix({ requestContext, path }: APIGatewayProxyEvent): string {
  const whole = requestContext.path ?? path;
  return whole.endsWith(path) ? whole.slice(0, whole.length - path.length) : '';
}
