import type { APIGatewayEventRequestContext, APIGatewayProxyEvent } from 'aws-lambda';

/**
 * The fields read from an event of API Gateway (payload 1.0). The local server makes the same event, without the body.
 */
export type GatewayEvent = Pick<APIGatewayProxyEvent, 'httpMethod' | 'path' | 'headers' | 'body' | 'isBase64Encoded'> &
  Partial<Pick<APIGatewayProxyEvent, 'queryStringParameters' | 'multiValueQueryStringParameters'>> & {
    readonly requestContext: Pick<APIGatewayEventRequestContext, 'requestId' | 'path' | 'domainName'> & {
      readonly identity?: { readonly sourceIp: string };
    };
  };

/** A request as the rest of this folder sees it. */
export interface Request {
  readonly id: string;
  readonly method: string; // upper case, as sent
  readonly path: string; // still percent-encoded, without the stage
  readonly query: ReadonlyMap<string, string>; // a repeated parameter has its last value
  readonly headers: Readonly<Record<string, string>>; // names in lower case
  readonly host: string;
  readonly address: string; // the client's address, from the gateway or the local server; empty if neither gives it
  readonly origin: string; // `<scheme>://<host><stage>`
  readonly secure: boolean;
  readonly readBody: () => Promise<Buffer>;
  readonly readStream: () => AsyncIterable<Uint8Array>; // the body as it arrives, for a route that `streams`
}

/** Makes a request of an event. */
export function toRequest(event: GatewayEvent, body: Partial<Pick<Request, 'readBody' | 'readStream'>> = {}): Request {
  const readBody =
    body.readBody ?? (async () => Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8'));
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
    readBody,
    readStream: body.readStream ?? (() => inOnePart(readBody)),
  };
}

async function* inOnePart(readBody: Request['readBody']): AsyncGenerator<Uint8Array> {
  yield await readBody();
}

function lastValues({ multiValueQueryStringParameters, queryStringParameters }: GatewayEvent): Map<string, string> {
  const query = new Map<string, string>();
  for (const [name, value] of Object.entries(queryStringParameters ?? {})) query.set(name, value ?? '');
  for (const [name, values] of Object.entries(multiValueQueryStringParameters ?? {}))
    query.set(name, values?.at(-1) ?? '');
  return query;
}

/** The prefix that clients must put before a path: the stage, which is in `requestContext.path` but not in `path`. */
function stagePrefix({ requestContext, path }: GatewayEvent): string {
  const whole = requestContext.path ?? path;
  return whole.endsWith(path) ? whole.slice(0, whole.length - path.length) : '';
}
