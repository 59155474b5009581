import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { badRequest, Failure } from '../../../lib/errors.ts';
import { replyHeaders } from '../../../lib/http/headers.ts';
import { failed } from '../../../lib/http/reply.ts';
import type { Handler, LocalContext, Result } from '../../../lib/http/serve.ts';
import { describeError, type Log } from '../../../lib/log.ts';
import { type Bodies, createBodies, drain, readStream } from './body.ts';
import { answerBrokenHttp, hasOneHost } from './broken-http.ts';
import { compress } from './compression.ts';
import { limitConnections } from './connections.ts';
import { toEvent } from './event.ts';

interface Wiring {
  readonly bodies: Bodies;
  readonly handler: Handler;
  readonly log: Log;
  readonly newId: () => string;
}

export interface Listening {
  readonly port: number;
  /** What the server holds for its clients: requests being answered, and bytes of bodies. */
  held(): { readonly requests: number; readonly bytes: number };
  /** Stops accepting requests, gives running ones a moment to end, then closes all connections. */
  close(): Promise<void>;
}

const KEEP_ALIVE = 65_000; // ms; longer than that of clients and balancers, so that they close idle connections first
const NOTHING = { body: '', headers: {} } as const;
const PATIENCE = { requestTimeout: 0, headersTimeout: 15_000, connectionsCheckingInterval: 5_000 } as const; // ms
export const MOST_CONNECTIONS = 1_000; // open connections
const LAST_MOMENT = 1_000; // ms for running requests when the service ends; the whole clean stop takes at most 2 s

/** Serves a handler over HTTP/1.1, in place of API Gateway. Rejects if the port is not available. */
export function listen(
  parts: Omit<Wiring, 'bodies'> & { readonly bodies?: Bodies; readonly connections?: number },
  port: number,
  host: string,
): Promise<Listening> {
  const wiring: Wiring = { bodies: createBodies(), ...parts };
  const { bodies } = wiring;
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE, requireHostHeader: false, ...PATIENCE });
  const connections = limitConnections(server, parts.connections ?? MOST_CONNECTIONS);
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const end = connections.begin(request.socket);
    try {
      await answer(wiring, server, request, response);
    } catch (error) {
      if (!request.socket.destroyed) wiring.log('warn', 'reply not sent', describeError(error));
      response.destroy();
    } finally {
      end();
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
        held: () => ({ requests: connections.busy(), bytes: bodies.held() }),
        close: () => close(server),
      });
    });
  });
}

async function answer(wiring: Wiring, server: Server, request: IncomingMessage, response: ServerResponse) {
  const body = wiring.bodies.of(request);
  const local: LocalContext = {
    onHangUp: (listener) =>
      response.on('close', () => {
        if (!response.writableFinished) listener();
      }),
    readBody: body.read,
    readStream: () => readStream(request),
  };
  try {
    const result = hasOneHost(request)
      ? await handle(wiring, request, local)
      : failure(badRequest('A request names one host.'), wiring.newId);
    await send(server, request, response, result);
  } finally {
    body.release();
  }
}

async function send(server: Server, request: IncomingMessage, response: ServerResponse, result: Result) {
  if (response.destroyed) return; // the client has left
  const bodiless = result.statusCode === 204 || result.statusCode === 304;
  const { body: packed, headers } = bodiless
    ? NOTHING
    : await compress(result.body, request.headers['accept-encoding']);
  const sent = bodiless || request.method === 'HEAD' ? undefined : packed;
  const head: OutgoingHttpHeaders = Object.assign({}, result.headers, headers);
  if (sent === undefined) delete head['Content-Length']; // old clients would wait for a body after HEAD
  if (!request.complete || !server.listening) head.Connection = 'close';
  response.writeHead(result.statusCode, head);
  if (sent === undefined) response.flushHeaders();
  else if (request.complete)
    return void response.end(sent); // sends headers and body together
  else response.write(sent);
  if (result.statusCode !== 408) await drain(request);
  response.end(); // closes the connection if the body was not read to its end
}

async function handle({ handler, log, newId }: Wiring, request: IncomingMessage, local: LocalContext) {
  try {
    return await handler(toEvent(request, newId()), local);
  } catch (error) {
    if (error instanceof Failure) return failure(error, newId);
    log('error', 'request failed', describeError(error));
    return failure(new Failure('internal'), newId);
  }
}

/** The reply to a failure outside of the handler, with the headers of every response. */
function failure(why: Failure, newId: () => string): Result {
  const reply = failed(why);
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
