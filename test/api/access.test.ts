import { ROLES } from '../../lib/access/roles.ts';
import type { Route } from '../../lib/http/route.ts';
import { routes } from '../../lib/routes.ts';
import { saysOf } from '../support/service/says.ts';
import { challengeOf, startService } from '../support/service/service.ts';

const { ask } = await startService(routes, { roles: ROLES });
const METHODS = ['GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS'];

/** A path of the route with an id in every place; what is found there does not matter here. */
const pathOf = ({ path }: Route): string => path.replace('{locale}', 'en_us').replace(/\{[^}]+\}/g, '987654321');
const declared = (path: string): string[] =>
  routes.filter((route) => pathOf(route) === path).map(({ method }) => method);

describe.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (_, route) => {
  const path = pathOf(route);

  it('asks for credentials', async () => {
    const reply = await ask(route.method, path, { as: null });
    expect([reply.status, reply.body]).toEqual([401, { message: 'Unauthorized' }]);
    expect(challengeOf(reply)).toBe('Basic realm="support", charset="UTF-8"');
  });

  it('lets in its roles and no other', async () => {
    for (const role of ROLES) {
      const { status, body } = await ask(route.method, path, { as: role });
      if (route.roles.includes(role)) expect([200, 201, 204, 404, 422]).toContain(status);
      else
        expect([status, body]).toEqual([
          403,
          {
            message: 'Forbidden',
            details: [saysOf('forbidden', new RegExp(`${route.roles[0]}.*this user is ${role}`))],
          },
        ]);
    }
  });

  it('refuses other methods and names the allowed ones', async () => {
    for (const method of METHODS.filter((one) => !declared(path).includes(one))) {
      const reply = await ask(method, path);
      expect([reply.status, reply.body]).toEqual([
        405,
        { message: 'Method Not Allowed', details: [saysOf('method_not_allowed', new RegExp(`not ${method}`))] },
      ]);
      expect(reply.headers.allow?.split(', ').filter((one) => one !== 'HEAD')).toEqual(declared(path));
    }
  });

  it('bears the headers of every response', async () => {
    for (const as of [null, 'Administrator'] as const) {
      const { headers } = await ask(route.method, path, { as });
      expect(headers).toMatchObject({
        'x-request-id': expect.stringMatching(/./),
        'x-rate-limit-limit': expect.stringMatching(/^\d+$/),
        'x-rate-limit-remaining': expect.stringMatching(/^\d+$/),
        'x-rate-limit-reset': expect.stringMatching(/^\d+$/),
        'cache-control': route.list ? 'no-cache, private' : 'max-age=0, private, must-revalidate',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'SAMEORIGIN',
        'referrer-policy': 'no-referrer',
        'content-security-policy': "default-src 'none'",
      });
    }
  });
});
