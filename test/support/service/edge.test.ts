import type { GatewayEvent } from '../../../lib/http/request.ts';
import type { Result } from '../../../lib/http/serve.ts';
import { type Incoming, throughEdge } from './edge.ts';

const request: Incoming = {
  method: 'GET',
  target: '/api/v2/topics/a%2Fb?page=1&page=2&text=a+b%20c',
  headers: { 'X-Custom': 'kept', 'accept-encoding': 'gzip' },
  body: Buffer.from(''),
  host: 'acme.example:8443',
};

/** The gateway's reply for the result of a function. */
const answered = (result: Record<string, unknown>, asked: Partial<Incoming> = {}) =>
  throughEdge(async () => ({ statusCode: 200, headers: {}, body: '', ...result }) as Result, {
    ...request,
    ...asked,
  });

describe('the edge hands a function', () => {
  it('the host, the stage, an encoded path, a decoded query, and header names as they came', async () => {
    let seen: Partial<GatewayEvent> = {};
    await throughEdge(async (event) => {
      seen = event;
      return { statusCode: 200, headers: {}, body: '' };
    }, request);
    expect(seen).toMatchObject({
      path: '/api/v2/topics/a%2Fb',
      headers: { 'X-Custom': 'kept', 'accept-encoding': 'gzip' },
      queryStringParameters: { page: '2', text: 'a b c' },
      multiValueQueryStringParameters: { page: ['1', '2'] },
      body: null,
      requestContext: { domainName: 'acme.example', path: '/test/api/v2/topics/a%2Fb' },
    });
  });
});

describe('the edge answers 502 where a function', () => {
  it.each([
    ['adds a key', { cookies: [] }, 'unknown keys: cookies'],
    ['has no status', { statusCode: undefined }, 'no status'],
    ['has a body that is no text', { body: { a: 1 } }, 'the body is no text'],
    ['has a header that is no plain value', { headers: { Link: ['a'] } }, 'Link is no plain value'],
    ['answers over 6 MB', { body: 'x'.repeat(6 * 1024 * 1024) }, 'over 6 MB'],
  ])('%s', async (_, result, reason) => {
    await expect(answered(result)).rejects.toThrow(reason);
  });
});

describe('the edge', () => {
  it('takes no compressed reply, and compresses by itself from 1 KiB', async () => {
    await expect(answered({ headers: { 'Content-Encoding': 'gzip' } })).rejects.toThrow('the gateway compresses');
    expect((await answered({ body: 'x'.repeat(1023) })).headers['content-encoding']).toBeUndefined();
    expect((await answered({ body: 'x'.repeat(1024) })).headers['content-encoding']).toBe('gzip');
  });

  it('renames headers that are its own, drops those of the connection, and gives every reply a type', async () => {
    const headers = { 'WWW-Authenticate': 'Basic', Date: 'never', Server: 'mine', Connection: 'close', TE: 'x' };
    const reply = await answered({ statusCode: 204, headers });
    expect(reply.headers).toMatchObject({
      'x-amzn-remapped-www-authenticate': 'Basic',
      'x-amzn-remapped-date': 'never',
      'x-amzn-remapped-server': 'mine',
      'x-amzn-remapped-connection': 'close',
      'content-type': 'application/json',
    });
    expect(reply.headers).not.toHaveProperty('te');
    expect(reply.headers).not.toHaveProperty('www-authenticate');
  });

  it('doubles a header that is given both ways', async () => {
    const both = { headers: { ETag: '"a"' }, multiValueHeaders: { ETag: ['"a"'] } };
    expect((await answered(both)).headers.etag).toBe('"a", "a"');
  });

  it('lets a request that is too large for it reach no function', async () => {
    const large = Buffer.alloc(7 * 1024 * 1024, 'x');
    const reply = await answered({ body: 'reached' }, { method: 'POST', body: large });
    expect([reply.status, reply.text]).toEqual([413, '{"message":"Payload Too Large"}']);
  });
});
