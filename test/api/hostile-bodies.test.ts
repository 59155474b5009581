import { type Route, takesBody } from '../../lib/http/route.ts';
import { routes } from '../../lib/routes.ts';
import { spoilt } from '../support/generators/spoilt.ts';
import { PASSWORD } from '../support/service/credentials.ts';
import { createRequests } from '../support/service/every-route.ts';
import { itInProcess, startService } from '../support/service/service.ts';

// Imports need a store of files, connections a help desk (test/lib/live/hostile-bodies.test.ts), and users and sessions a
// password, which takes long to be checked.
const isTried = (route: Route): boolean =>
  takesBody(route) &&
  !route.secret &&
  !/\/imports|\/connections|\/users\/\{/.test(route.path) &&
  !route.body.current_password;

describe.each(routes.filter(isTried).map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s',
  (_, route) => {
    itInProcess('is answered by a fault, whatever stands at any place of its body', async () => {
      const { ask, logged } = await startService(routes, {
        site: { locales: ['en_us', 'de'] },
        roles: ['Administrator', 'Reporting Agent'],
      });
      const login = 'reporting-agent@test.example'; // the log names the caller
      const requestOf = createRequests({ ask, sent: {}, login, password: PASSWORD, ids: {} });
      const { target, body } = await requestOf(route);
      for (const text of spoilt(JSON.parse(body))) {
        const { status } = await ask(route.method, target, { body: text });
        expect([text, status < 500 ? 'answered' : logged]).toEqual([text, 'answered']);
      }
    });
  },
);
