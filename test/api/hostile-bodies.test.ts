import { describe, expect } from 'vitest';
import { type Route, takesBody } from '../../lib/http/route.ts';
import { routes } from '../../lib/routes.ts';
import { PASSWORD } from '../support/service/credentials.ts';
import { createRequests } from '../support/service/every-route.ts';
import { itInProcess, startService } from '../support/service/service.ts';

const HOSTILE = [
  ...['null', '""', '"\\u0000"', '"half \\ud800 character"', '"__proto__"', '[]', '{}', '[null]', 'true'],
  ...[
    '-1',
    '1.5',
    '1e308',
    '9007199254740993',
    '{"__proto__":{"id":1}}',
    '[[["Include","Labels",[{"id":"\\udfff"}]]]]',
  ],
];

/** A JSON document with a hostile value in place of each of its parts in turn. */
function* spoilt(value: unknown): Generator<string> {
  yield* HOSTILE;
  if (typeof value !== 'object' || value === null) return;
  const parts = Object.entries(value).map(([name, part]) => ({ name, part, text: JSON.stringify(part) }));
  for (const { name, part } of parts) {
    for (const other of spoilt(part)) {
      const texts = parts.map((each) => (each.name === name ? other : each.text));
      if (Array.isArray(value)) yield `[${texts}]`;
      else yield `{${parts.map((each, at) => `${JSON.stringify(each.name)}:${texts[at]}`)}}`;
    }
  }
}

// Imports need a store of files, and users and sessions a password, which takes long to be checked.
const isTried = (route: Route): boolean =>
  takesBody(route) && !route.secret && !/\/imports|\/users\/\{/.test(route.path) && !route.body.current_password;

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
