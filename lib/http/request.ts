import type { APIGatewayEventRequestContext, APIGatewayProxyEvent } from 'aws-lambda';
import { withPlainLetters } from '../text.ts';

/**
 * The fields read from an event of API Gateway (payload 1.0). The local server makes the same event, without the body.
 */
export type GatewayEvent = Pick<APIGatewayProxyEvent, 'httpMethod' | 'path' | 'headers' | 'body' | 'isBase64Encoded'> &
  Partial<Pick<APIGatewayProxyEvent, 'queryStringParameters' | 'multiValueQueryStringParameters'>> & {
    readonly requestContext: Pick<APIGatewayEventRequestContext, 'requestId' | 'path' | 'domainName'> & {
      readonly identity?: { readonly sourceIp: string };
    };
  };

/** Whose request a body belongs to. */
export interface Sender {
  readonly site: string;
  readonly login: string; // as users are stored
}

/** A request as the rest of this folder sees it. */
export interface Request {
  readonly id: string;
  readonly method: string; // upper case, as sent
  readonly path: string; // without the stage; only what needs it is percent-encoded: `%74opics` is `topics`
  readonly sentPath: string; // as sent, for signatures
  readonly query: ReadonlyMap<string, string>; // a repeated parameter has its last value
  readonly pairs: readonly (readonly [name: string, value: string])[]; // the whole query, repetitions included
  readonly sentQuery: Request['pairs']; // the same with the `oauth_*` parameters of a signature in the query
  readonly headers: Readonly<Record<string, string>>; // names in lower case
  readonly host: string;
  readonly address: string; // the client's address, from the gateway or the local server; empty if neither gives it
  readonly origin: string; // `<scheme>://<host><stage>`
  readonly secure: boolean;
  readonly readBody: (sender: Sender) => Promise<Buffer>;
  readonly readStream: () => AsyncIterable<Uint8Array>; // the body as it arrives, for a route that `streams`
}

/** How the body is read, where the event does not have it. */
interface BodyReaders {
  readonly readBody?: Request['readBody'] | undefined;
  readonly readStream?: Request['readStream'] | undefined;
}

/** Makes a request of an event. */
export function toRequest(event: GatewayEvent, body: BodyReaders = {}): Request {
  const bodyOfEvent = async () => Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(event.headers ?? {})) {
    if (value !== undefined) headers[name.toLowerCase()] = value;
  }
  if (body.readBody === undefined) delete headers['content-encoding']; // the gateway has unpacked the event's body
  const { requestContext } = event;
  const sentQuery = pairsOf(event);
  const isSigned = sentQuery.some(([name]) => name === 'oauth_signature');
  const pairs = isSigned ? sentQuery.filter(([name]) => !name.startsWith('oauth_')) : sentQuery;
  const host = requestContext.domainName ?? headers.host ?? '';
  const secure = headers['x-forwarded-proto'] === 'https';
  return {
    id: requestContext.requestId,
    method: event.httpMethod.toUpperCase(),
    path: withPlainLetters(event.path),
    sentPath: event.path,
    query: new Map(pairs),
    pairs,
    sentQuery,
    headers,
    host,
    address: requestContext.identity?.sourceIp ?? '',
    origin: `${secure ? 'https' : 'http'}://${host}${stagePrefix(event)}`,
    secure,
    readBody: onceRead(body.readBody ?? bodyOfEvent),
    readStream: body.readStream ?? (() => inOnePart(bodyOfEvent)),
  };
}

/** A body is read once, also if both the check of a signature and the route need it. */
function onceRead(read: Request['readBody']): Request['readBody'] {
  let bytes: Promise<Buffer> | undefined;
  return (sender) => (bytes ??= read(sender));
}

async function* inOnePart(readBody: () => Promise<Buffer>): AsyncGenerator<Uint8Array> {
  yield await readBody();
}

function pairsOf({ multiValueQueryStringParameters, queryStringParameters }: GatewayEvent): [string, string][] {
  const repeated = Object.entries(multiValueQueryStringParameters ?? {});
  const names = new Set(repeated.map(([name]) => name));
  const single = Object.entries(queryStringParameters ?? {}).filter(([name]) => !names.has(name));
  return [
    ...single.map(([name, value]): [string, string] => [name, value ?? '']),
    ...repeated.flatMap(([name, values]) => (values ?? ['']).map((value): [string, string] => [name, value ?? ''])),
  ];
}

/** The prefix that clients must put before a path: the stage, which is in `requestContext.path` but not in `path`. */
function stagePrefix({ requestContext, path }: GatewayEvent): string {
  const whole = requestContext.path ?? path;
  return whole.endsWith(path) ? whole.slice(0, whole.length - path.length) : '';
}
