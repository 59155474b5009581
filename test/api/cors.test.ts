import { routes } from '../../lib/routes.ts';
import { basic, PASSWORD } from '../support/service/credentials.ts';
import { itInProcess, startService } from '../support/service/service.ts';

const ORIGIN = 'https://help.example.com';
const { ask } = await startService(routes, { site: { allowOrigins: [ORIGIN] } });
const closed = await startService(routes, { site: { name: 'closed' } });
const preflight = (origin: string) => ({
  as: null,
  headers: { Origin: origin, 'Access-Control-Request-Method': 'PATCH', 'Access-Control-Request-Headers': 'if-match' },
});
const granted = (headers: Readonly<Record<string, string>>): string[] =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'));

describe('CORS', () => {
  itInProcess(
    'answers a preflight of an origin that the site names, without credentials, on any path alike',
    async () => {
      for (const path of ['/api/v2/topics', '/api/v2/topics/987654321', '/nowhere']) {
        const { status, headers, text } = await ask('OPTIONS', path, preflight(ORIGIN));
        expect([status, text]).toEqual([204, '']);
        expect(headers).toMatchObject({
          'access-control-allow-origin': ORIGIN,
          'access-control-allow-methods': 'GET, HEAD, POST, PATCH, DELETE',
          'access-control-allow-headers': expect.stringMatching(/Authorization.*Idempotency-Key.*If-Match/),
          'access-control-max-age': '600',
          vary: 'Accept-Encoding, Origin',
        });
        expect(headers).not.toHaveProperty('access-control-allow-credentials');
      }
    },
  );

  itInProcess('gives a preflight from elsewhere no more than any request without credentials', async () => {
    for (const path of ['/api/v2/topics', '/nowhere']) {
      for (const origin of ['https://evil.example', 'null', `${ORIGIN}.evil.example`, 'nonsense', `${ORIGIN}:8443`]) {
        const reply = await ask('OPTIONS', path, preflight(origin));
        expect([reply.status, reply.body, granted(reply.headers)]).toEqual([401, { message: 'Unauthorized' }, []]);
      }
      const reply = await closed.ask('OPTIONS', path, preflight(ORIGIN));
      expect([reply.status, granted(reply.headers), reply.headers.vary]).toEqual([401, [], 'Accept-Encoding']);
    }
    const { status } = await ask('OPTIONS', '/api/v2/topics', { ...preflight(ORIGIN), host: 'unknown.example' });
    expect([204, 404]).toContain(status);
  });

  itInProcess('lets the page read every reply, errors too, and write', async () => {
    const headers = { Origin: ORIGIN };
    const replies = [
      await ask('GET', '/api/v2/topics', { headers }),
      await ask('GET', '/api/v2/topics/987654321', { headers }),
      await ask('GET', '/api/v2/topics', { headers, as: null }),
      await ask('POST', '/api/v2/macros', { headers, body: { name: 'from a page' } }),
      await ask('POST', '/api/v2/macros', { headers, body: {} }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 404, 401, 201, 422]);
    for (const reply of replies)
      expect(reply.headers).toMatchObject({
        'access-control-allow-origin': ORIGIN,
        'access-control-expose-headers': expect.stringContaining('ETag'),
        vary: expect.stringContaining('Origin'),
      });
  });

  itInProcess('gives other origins nothing, and refuses their writes', async () => {
    const headers = { Origin: 'https://evil.example' };
    const read = await ask('GET', '/api/v2/topics', { headers });
    expect([read.status, granted(read.headers), read.headers.vary]).toEqual([
      200,
      [],
      expect.stringContaining('Origin'), // a cache must not give this reply to the named origin
    ]);
    const write = await ask('POST', '/api/v2/macros', { headers, body: { name: 'x' } });
    expect([write.status, granted(write.headers)]).toEqual([403, []]);
  });

  itInProcess('refuses reports of other origins, too, save by a token, which no browser adds by itself', async () => {
    const headers = { Origin: 'https://evil.example' };
    const Authorization = basic('administrator@test.example', PASSWORD);
    const report = async (sent: object) =>
      (await ask('POST', '/api/v2/insights3/reports', { body: {}, ...sent })).status;
    expect(await report({ headers })).toBe(422);
    expect(await report({ headers: { ...headers, Authorization }, as: null })).toBe(403);
  });

  itInProcess('take for its own only pages of the same scheme, host and port', async () => {
    const write = async (headers: Record<string, string>) =>
      (await ask('POST', '/api/v2/macros', { headers, body: { name: 'x' } })).status;
    for (const own of ['https://test.localhost', 'https://TEST.localhost:443'])
      expect(await write({ Origin: own })).toBe(201);
    for (const foreign of ['http://test.localhost', 'https://test.localhost:8443', 'https://other.localhost', 'null'])
      expect(await write({ Origin: foreign })).toBe(403);
    for (const site of ['cross-site', 'same-site']) expect(await write({ 'Sec-Fetch-Site': site })).toBe(403);
    for (const site of ['same-origin', 'none']) expect(await write({ 'Sec-Fetch-Site': site })).toBe(201);
  });
});
