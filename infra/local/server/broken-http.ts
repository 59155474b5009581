import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { replyHeaders } from '../../../lib/http/headers.ts';

/** The replies to broken HTTP and exceeded limits, by the error's code; any other error gets 400. */
const ANSWERS: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'], // the head of a request
};

const LAST_MOMENT = 1_000; // ms for a client to read why its connection is closed

/** Answers broken HTTP with JSON if the connection can still be written. */
export function answerBrokenHttp(server: Server, newId: () => string): void {
  server.on('clientError', (error: Error & { code?: string }, socket: Duplex) => {
    const [status, message] = ANSWERS[error.code ?? ''] ?? [400, 'Bad Request'];
    if (error.code === 'ECONNRESET') socket.destroy();
    else answerAndClose(socket, status, message, newId());
  });
  server.on('connect', (_request: IncomingMessage, socket: Duplex) =>
    answerAndClose(socket, 400, 'Bad Request', newId()),
  );
}

function answerAndClose(socket: Duplex, status: number, message: string, id: string): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify({ message });
  const headers = {
    ...replyHeaders({ status, body }, undefined, undefined),
    'X-Request-Id': id,
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.on('error', () => undefined).resume();
  setTimeout(() => socket.destroy(), LAST_MOMENT).unref(); // a client may never close its side
  socket.end(`HTTP/1.1 ${status} ${message}\r\n${lines.join('')}\r\n${body}`);
}

/** Whether a parsed request has exactly one `Host` (RFC 9112, 3.2); HTTP/1.0 may have none. */
export function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}
