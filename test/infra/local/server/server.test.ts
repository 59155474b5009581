import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { createBodies } from '../../../../infra/local/server/body.ts';
import { toEvent } from '../../../../infra/local/server/event.ts';
import { listen } from '../../../../infra/local/server/server.ts';
import type { GatewayEvent } from '../../../../lib/http/request.ts';
import type { Handler } from '../../../../lib/http/serve.ts';

const PATIENT = { silence: 600_000, whole: 600_000 }; // ms; longer than a busy machine takes
const SENDER = { site: 'acme', login: 'ann@acme.example' };

const seen: GatewayEvent[] = [];
const service = await listen(
  {
    handler: async (given, { readBody }) => {
      const body64 = (await readBody?.(SENDER))?.toString('base64');
      const event = { ...given, ...(body64 ? { body: body64, isBase64Encoded: true } : {}) };
      seen.push(event);
      const size = Number(event.multiValueQueryStringParameters?.size?.at(-1) ?? 10);
      const status = Number(event.multiValueQueryStringParameters?.status?.at(-1) ?? 200);
      if (event.path === '/broken') throw new Error('secret');
      const body = status === 204 ? '' : JSON.stringify('x'.repeat(size - 2));
      return { statusCode: status, headers: { ETag: '"tag"' }, body };
    },
    log: () => undefined,
    newId: randomUUID,
  },
  0,
  '127.0.0.1',
);
afterAll(() => service.close());

/** All that comes on a connection until the server hangs up. */
async function text(socket: Socket): Promise<string> {
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  await once(socket, 'close');
  return Buffer.concat(parts).toString();
}

/** Sends bytes as they are, and gives back all that comes until the server hangs up. */
function raw(...parts: readonly (string | Buffer)[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(service.port, '127.0.0.1', () => {
      for (const part of parts) socket.write(part);
    });
    let text = '';
    socket.setEncoding('utf8').on('data', (more) => {
      text += more;
    });
    socket.on('close', () => resolve(text)).on('error', reject);
  });
}

interface Answer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly bytes: Buffer;
}

function ask(method: string, path: string, headers: Record<string, string> = {}, body?: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: service.port, method, path, headers }, (reply) => {
      const parts: Buffer[] = [];
      reply
        .on('data', (part: Buffer) => parts.push(part))
        .on('end', () => resolve({ status: reply.statusCode, headers: reply.headers, bytes: Buffer.concat(parts) }));
    });
    sent.on('error', reject).end(body);
  });
}

describe('the local server', () => {
  it('hears a client out that sends far more than a body may have, before it hangs up', async () => {
    const head = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 20000000\r\n\r\n';
    expect(await raw(head, Buffer.alloc(20_000_000, 'x'))).toContain('HTTP/1.1 200');
  });

  it('hands requests on as API Gateway would', async () => {
    await ask('PATCH', '/a%2Fb//c/?x=1&x=%C3%A4+b&y', { 'X-Thing': 'A' }, Buffer.from([0xff, 0x00]));
    const event = seen.at(-1);
    expect(event).toMatchObject({
      httpMethod: 'PATCH',
      path: '/a%2Fb//c/',
      multiValueQueryStringParameters: { x: ['1', 'ä b'], y: [''] },
      isBase64Encoded: true,
      body: '/wA=',
      requestContext: { domainName: `127.0.0.1:${service.port}`, path: '/a%2Fb//c/' },
    });
    expect(event?.headers['x-thing']).toBe('A');
  });

  it('takes host and path from the absolute form of a target', async () => {
    await raw('GET http://acme.example:80/a?b=c HTTP/1.1\r\nHost: other\r\nConnection: close\r\n\r\n');
    expect(seen.at(-1)).toMatchObject({ path: '/a', requestContext: { domainName: 'acme.example:80' } });
    await raw('OPTIONS * HTTP/1.1\r\nHost: other\r\nConnection: close\r\n\r\n');
    expect(seen.at(-1)).toMatchObject({ httpMethod: 'OPTIONS', path: '*' });
  });

  it.each([
    ['gzip', 2000, 'gzip'],
    ['gzip', 1024, undefined],
    ['GZIP;q=0.5, br', 1025, 'gzip'],
    ['gzip;q=0, *', 2000, undefined],
    ['*', 2000, 'gzip'],
    ['br', 2000, undefined],
  ])('with Accept-Encoding %s sends %i bytes as %s', async (encoding, size, expected) => {
    const { headers, bytes } = await ask('GET', `/?size=${size}`, { 'Accept-Encoding': encoding });
    expect([headers['content-encoding'], headers.etag]).toEqual([expected, '"tag"']);
    expect((expected ? gunzipSync(bytes) : bytes).length).toBe(size);
    expect(headers['content-length']).toBe(String(bytes.length));
  });

  it('answers HEAD with the headers of GET save its length, and no body', async () => {
    for (const encoding of ['gzip', 'identity']) {
      const get = await ask('GET', '/?size=5000', { 'Accept-Encoding': encoding });
      const head = await ask('HEAD', '/?size=5000', { 'Accept-Encoding': encoding });
      const { date: _, 'content-length': length, ...same } = get.headers;
      expect([head.headers, head.bytes.length]).toEqual([expect.objectContaining(same), 0]);
      expect([length !== undefined, 'content-length' in head.headers, 'transfer-encoding' in head.headers]).toEqual([
        true,
        false,
        false,
      ]);
    }
  });

  it('sends neither body nor length with 204 and 304', async () => {
    for (const status of [204, 304]) {
      const { headers, bytes } = await ask('DELETE', `/?status=${status}`);
      expect([headers['content-length'], headers['transfer-encoding'], bytes.length]).toEqual([
        undefined,
        undefined,
        0,
      ]);
    }
  });

  it('reads one byte more than a body may have, and still answers who sends more', async () => {
    const reply = await ask('POST', '/', {}, Buffer.alloc(3_000_000, 'x'));
    expect([reply.status, reply.headers.connection]).toEqual([200, 'close']);
    expect(Buffer.from(seen.at(-1)?.body ?? '', 'base64').length).toBe(1024 * 1024 + 1);
  });

  it('goes on where the client waits to be told so, and takes no offence at other expectations', async () => {
    const expecting = (what: string) =>
      raw(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nConnection: close\r\nExpect: ${what}\r\n\r\n`, '{}');
    expect(await expecting('100-continue')).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200/);
    expect(await expecting('wonders')).toMatch(/^HTTP\/1.1 200/);
  });

  it.each([
    ['no HTTP at all', 'hello\r\n\r\n', 400, 'Bad Request'],
    ['no host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'Bad Request'],
    ['two hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n', 400, 'Bad Request'],
    ['a bad length', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n', 400, 'Bad Request'],
    [
      'headers without end',
      `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'Request Header Fields Too Large',
    ],
    ['a tunnel', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'Bad Request'],
  ])('answers %s as JSON', async (_, bytes, status, message) => {
    const text = await raw(bytes);
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(text).toMatch(/content-type: application\/json; charset=utf-8/i);
    expect(text).toMatch(/x-request-id: [0-9a-f-]{36}\r\n/i);
    expect(text).toMatch(/x-rate-limit-limit: \d+\r\n/i);
    expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n')))).toMatchObject({ message });
  });

  it('takes the requests of one connection one by one, as the second may rely on the first', async () => {
    const steps: string[] = [];
    const handler: Handler = async ({ path }) => {
      steps.push(`${path} begins`);
      await sleep(20);
      steps.push(`${path} ends`);
      return { statusCode: 200, headers: {}, body: '{}' };
    };
    const own = await listen({ handler, log: () => undefined, newId: randomUUID }, 0, '127.0.0.1');
    const socket = connect(own.port, '127.0.0.1');
    const create = 'POST /create HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n';
    socket.write(`${create}GET /show HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect((await text(socket)).match(/HTTP\/1.1 200/g)).toHaveLength(2);
    expect(steps).toEqual(['/create begins', '/create ends', '/show begins', '/show ends']);
    await own.close();
  });

  it('keeps to itself what broke', async () => {
    const { status, bytes } = await ask('GET', '/broken');
    expect([status, JSON.parse(String(bytes))]).toEqual([500, { message: 'Internal Server Error' }]);
  });
});

describe('limits of the server', () => {
  const handler: Handler = async (_, { readBody }) => {
    await readBody?.(SENDER);
    return { statusCode: 200, headers: {}, body: '""' };
  };
  const HALF = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nfive.';
  const open = (port: number): Socket => connect(port, '127.0.0.1').on('error', () => undefined);

  it('hang up on a request that does not come in time', async () => {
    const bodies = createBodies({ whole: 200 });
    const hasty = await listen({ handler, log: () => undefined, newId: randomUUID, bodies }, 0, '127.0.0.1');
    const slow = open(hasty.port);
    slow.write(HALF);
    const told = await text(slow);
    expect(told).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(told).toMatch(/\{"message":"Request Timeout","details":\[.*The body stopped arriving[^{]*\}\]\}$/);
    await hasty.close();
  });

  it('hang up on connections past the most', async () => {
    const wiring = { connections: 3, bodies: createBodies(PATIENT) };
    const small = await listen({ handler, log: () => undefined, newId: randomUUID, ...wiring }, 0, '127.0.0.1');
    const busy = Array.from({ length: 3 }, () => open(small.port));
    for (const socket of busy) socket.write(HALF);
    while (small.held().requests < 3) await sleep(5);
    expect(await text(open(small.port))).toBe('');
    busy.pop()?.destroy();
    while (small.held().requests === 3) await sleep(5);
    const next = open(small.port);
    next.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    expect(await text(next)).toMatch(/^HTTP\/1\.1 200 OK/);
    for (const socket of busy) socket.destroy();
    await small.close();
  });

  it('let a new connection take the place of an idle one, of the address that has most', async () => {
    const handler: Handler = async () => ({ statusCode: 200, headers: {}, body: '""' });
    const small = await listen({ handler, log: () => undefined, newId: randomUUID, connections: 4 }, 0, '0.0.0.0');
    const from = async (localAddress: string): Promise<Socket> => {
      const socket = connect({ port: small.port, host: '127.0.0.1', localAddress }).on('error', () => undefined);
      await once(socket, 'connect');
      return socket;
    };
    const other = await from('127.0.0.3');
    const many: Socket[] = [];
    for (let count = 0; count < 3; count += 1) many.push(await from('127.0.0.2'));
    const closed = many.map((socket) => once(socket.resume(), 'close'));
    const next = await from('127.0.0.4');
    next.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    expect(await text(next)).toMatch(/^HTTP\/1\.1 200 OK/);
    await closed[0];
    expect([other, ...many].map((socket) => socket?.destroyed)).toEqual([false, true, false, false]);
    for (const socket of [other, ...many]) socket?.destroy();
    await small.close();
  });

  it('believe a proxy on this machine, who names the client last', () => {
    const from = (remoteAddress: string) => {
      const headers = { host: 'a', 'x-forwarded-proto': 'https', 'x-forwarded-for': '6.6.6.6, 203.0.113.9' };
      const request = { method: 'GET', url: '/', headers, socket: { remoteAddress } } as unknown as IncomingMessage;
      const event = toEvent(request, 'id');
      return [event.requestContext.identity?.sourceIp, event.headers['x-forwarded-proto']];
    };
    expect(from('127.0.0.1')).toEqual(['203.0.113.9', 'https']);
    expect(from('::1')).toEqual(['203.0.113.9', 'https']);
    expect(from('::ffff:198.51.100.7')).toEqual(['198.51.100.7', undefined]);
  });
});
