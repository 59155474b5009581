import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { replyHeaders } from '../../../lib/http/headers.ts';

/** What is no HTTP, or more than the server takes, by the error's code; all else is a bad request. */
const ANSWERS: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
};

/** Answers broken HTTP as JSON, as far as there is somebody to answer. */
export function answerBrokenHttp(server: Server, newId: () => string): void {
  server.on('clientError', (error: Error & { code?: string }, socket: Duplex) => {
    const [status, message] = ANSWERS[error.code ?? ''] ?? [400, 'Bad Request'];
    if (error.code === 'ECONNRESET') socket.destroy();
    else lastWords(socket, status, message, newId());
  });
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => lastWords(socket, 400, 'Bad Request', newId()));
}

function lastWords(socket: Duplex, status: number, message: string, id: string): void {
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
  socket.on('error', () => undefined);
  socket.end(`HTTP/1.1 ${status} ${message}\r\n${lines.join('')}\r\n${body}`);
}

/** Whether a request that parsed is broken still: RFC 9112, 3.2 asks for exactly one `Host` in HTTP/1.1. */
export function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  const hosts = rawHeaders.filter((name, place) => place % 2 === 0 && name.toLowerCase() === 'host').length;
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}
