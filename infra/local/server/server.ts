import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { Failure } from '../../../lib/errors.ts';
import { replyHeaders } from '../../../lib/http/headers.ts';
import { failed } from '../../../lib/http/reply.ts';
import type { Handler, LocalContext } from '../../../lib/http/serve.ts';
import { describeError, type Log } from '../../../lib/log.ts';
import { type Bodies, createBodies, drain, readStream } from './body.ts';
import { answerBrokenHttp, hasOneHost } from './broken-http.ts';
import { compress } from './compression.ts';
import { toEvent } from './event.ts';

/** Limits on clients. */
interface Limits {
  readonly connections: number; // open connections at most; more are closed at once
  readonly wholeWithin: number; // ms for a request with its body, unless it streams
}

interface Wiring {
  readonly bodies: Bodies;
  readonly handler: Handler;
  readonly log: Log;
  readonly newId: () => string;
  readonly limits: Limits;
}

export interface Listening {
  readonly port: number;
  /** The ms since the last request ended; 0 while one is running. */
  quietFor(): number;
  /** Stops accepting requests, gives running ones a moment to end, then closes all connections. */
  close(): Promise<void>;
}

const KEEP_ALIVE = 65_000; // ms; longer than that of clients and balancers, so that they close idle connections first
const NOTHING = { body: '', headers: {} } as const;
const PATIENCE = { requestTimeout: 0, headersTimeout: 15_000, connectionsCheckingInterval: 5_000 } as const; // ms
const LIMITS: Limits = { connections: 1_000, wholeWithin: 30_000 };
const SILENCE = 60_000; // ms without a byte after which a stream is broken
const LAST_MOMENT = 1_000; // ms for running requests when the service ends; the whole clean stop takes at most 2 s

/**
 * The error for a request that has not arrived in time. Node's own time limit is not used, as it would also apply to
 * uploads.
 */
class TooSlow extends Error {
  readonly code = 'ERR_HTTP_REQUEST_TIMEOUT';
}

/** Serves a handler over HTTP/1.1, in place of API Gateway. Rejects if the port is not available. */
export function listen(
  given: Omit<Wiring, 'bodies' | 'limits'> & Partial<Pick<Wiring, 'limits'>>,
  port: number,
  host: string,
): Promise<Listening> {
  const wiring: Wiring = { limits: LIMITS, ...given, bodies: createBodies() };
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE, requireHostHeader: false, ...PATIENCE });
  server.maxConnections = wiring.limits.connections;
  let underWay = 0;
  let quietSince = performance.now();
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    underWay += 1;
    try {
      await answer(wiring, server, request, response);
    } catch (error) {
      wiring.log('warn', 'reply not sent', describeError(error));
      response.destroy();
    } finally {
      underWay -= 1;
      quietSince = performance.now();
    }
  };
  const latest = new WeakMap<Socket, Promise<void>>(); // of each connection
  /** Takes the requests of a connection one by one: a client that pipelines relies on their order (RFC 9112, 9.3.2). */
  const takeInTurn = (request: IncomingMessage, response: ServerResponse): void => {
    const before = latest.get(request.socket);
    const work = async (): Promise<void> => {
      await before;
      if (!request.socket.destroyed) await take(request, response);
    };
    latest.set(request.socket, work());
  };
  server.on('request', takeInTurn).on('checkExpectation', takeInTurn); // an unknown `Expect` header is not refused
  answerBrokenHttp(server, wiring.newId);
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      resolve({
        port: typeof address === 'object' && address ? address.port : port,
        quietFor: () => (underWay > 0 ? 0 : performance.now() - quietSince),
        close: () => close(server),
      });
    });
  });
}

async function answer(wiring: Wiring, server: Server, request: IncomingMessage, response: ServerResponse) {
  const isLate = limitTime(server, request, wiring.limits.wholeWithin);
  const local = {
    onHangUp: (listener: () => void) =>
      response.on('close', () => {
        if (!response.writableFinished) listener();
      }),
    readBody: () => wiring.bodies.read(request),
    readStream: () => {
      clearTimeout(isLate);
      return readStream(request, SILENCE);
    },
  };
  const result = hasOneHost(request) ? await handle(wiring, request, local) : failure('bad_request', wiring.newId);
  if (response.destroyed) return; // the client has left
  const bodiless = result.statusCode === 204 || result.statusCode === 304;
  const { body: packed, headers } = bodiless
    ? NOTHING
    : await compress(result.body, request.headers['accept-encoding']);
  const sent = bodiless || request.method === 'HEAD' ? undefined : packed;
  const head: OutgoingHttpHeaders = {};
  for (const name in result.headers) head[name] = String(result.headers[name]);
  Object.assign(head, headers);
  if (sent === undefined) delete head['Content-Length']; // old clients would wait for a body after HEAD
  if (!request.complete || !server.listening) head.Connection = 'close';
  response.writeHead(result.statusCode, head);
  if (sent === undefined) response.flushHeaders();
  else if (request.complete)
    return void response.end(sent); // sends headers and body together
  else response.write(sent);
  if (!request.complete) await drain(request);
  response.end(); // closes the connection if the body was not read to its end
}

/**
 * Ends a request whose body does not arrive within `within` ms; returns the timer, or undefined for a request without a
 * body.
 */
function limitTime(server: Server, request: IncomingMessage, within: number): NodeJS.Timeout | undefined {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers;
  if (length === '0' && coding === undefined) return undefined;
  const timer = setTimeout(() => {
    if (!request.complete) server.emit('clientError', new TooSlow(), request.socket);
  }, within);
  request.on('close', () => clearTimeout(timer));
  return timer;
}

async function handle({ handler, log, newId }: Wiring, request: IncomingMessage, local: LocalContext) {
  try {
    return await handler(toEvent(request, newId()), local);
  } catch (error) {
    log('error', 'request failed', describeError(error));
    return failure('internal', newId);
  }
}

/** The reply to a failure outside of the handler, with the headers of every response. */
function failure(kind: 'bad_request' | 'internal', newId: () => string): APIGatewayProxyResult {
  const reply = failed(new Failure(kind));
  const headers = { ...replyHeaders(reply, undefined, undefined), 'X-Request-Id': newId() };
  return { statusCode: reply.status, headers, body: reply.body ?? '' };
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(() => server.closeAllConnections(), LAST_MOMENT);
    server.close(() => {
      clearTimeout(late);
      resolve();
    });
    server.closeIdleConnections();
  });
}
