import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** What a desk answers to a request: JSON, or undefined for 404. */
export type Serve = (url: URL, request: IncomingMessage, body: string) => unknown;

/** What a request meets instead of its answer; undefined: its answer. */
type DeskFault = (
  url: URL,
  count: number,
) =>
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly text?: string | Buffer;
      readonly drips?: true; // a byte every 20 ms, without an end
      readonly cut?: boolean;
      readonly hangs?: boolean;
    }
  | undefined;

/** A fake help desk on this machine. */
export interface FakeDesk {
  readonly url: string;
  readonly requests: string[]; // `GET /path?query`
  fault: DeskFault | undefined;
  token: string; // the one that is right
  headers: Record<string, string>; // of every answer
  delay: number; // ms before each answer
  busy: number; // ms from each request to the end of its answer, in all
  close(): Promise<void>;
}

/** Starts a desk; `isRight` says whether a request has its credentials. */
export async function startDesk(
  serve: Serve,
  isRight: (request: IncomingMessage, token: string) => boolean,
): Promise<FakeDesk> {
  const requests: string[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://desk');
    requests.push(`${request.method} ${request.url}`);
    const fault = desk.fault?.(url, requests.length);
    if (fault?.hangs) return;
    if (fault?.drips) {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
      return;
    }
    if (fault?.cut) {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"tickets":[');
      setTimeout(() => response.destroy(), 5);
      return;
    }
    if (fault !== undefined) {
      response.writeHead(fault.status ?? 200, { ...fault.headers });
      response.end(fault.text ?? '');
      return;
    }
    if (!isRight(request, desk.token)) {
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: `Couldn't authenticate you with ${request.headers.authorization}` }));
      return;
    }
    const value = serve(url, request, request.method === 'POST' ? await text(request) : '');
    response.writeHead(value === undefined ? 404 : 200, { 'content-type': 'application/json', ...desk.headers });
    response.end(JSON.stringify(value ?? { error: 'RecordNotFound' }));
  };
  const server = createServer((request, response) => {
    const begun = performance.now();
    response.on('close', () => void (desk.busy += performance.now() - begun));
    if (desk.delay === 0) void answer(request, response);
    else setTimeout(() => void answer(request, response), desk.delay);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const desk: FakeDesk = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    fault: undefined,
    token: 'right-token',
    headers: {},
    delay: 0,
    busy: 0,
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return desk;
}

/** A generator of numbers from 0 to 1 with a seed. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}
