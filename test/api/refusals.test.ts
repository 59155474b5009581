import { randomUUID } from 'node:crypto';
import { ROLES } from '../../lib/access/roles.ts';
import type { RefusalCode } from '../../lib/fault-details.ts';
import { creates } from '../../lib/http/repeats.ts';
import { type Route, takesBody } from '../../lib/http/route.ts';
import { serve } from '../../lib/http/serve.ts';
import { routes } from '../../lib/routes.ts';
import { LIMITS } from '../../lib/settings.ts';
import { keys } from '../../lib/store/keys.ts';
import type { Item } from '../../lib/store/table.ts';
import { PASSWORD } from '../support/service/credentials.ts';
import { toEvent } from '../support/service/edge.ts';
import { createRequests } from '../support/service/every-route.ts';
import { saysOf } from '../support/service/says.ts';
import { byPerson, itInProcess, type Received, startService } from '../support/service/service.ts';

/** Every refusal of every route says in one sentence what it is about, in the body that old programs read, and changes nothing. */

const MESSAGES: Readonly<Record<string, readonly [number, string]>> = {
  forbidden: [403, 'Forbidden'],
  not_found: [404, 'Resource Not Found'],
  method_not_allowed: [405, 'Method Not Allowed'],
  conflict: [409, 'Conflict'],
  precondition_failed: [412, 'Precondition Failed'],
  payload_too_large: [413, 'Payload Too Large'],
  unsupported_media_type: [415, 'Unsupported Media Type'],
  too_many_requests: [429, 'Too Many Requests'],
};

function expectRefusal({ status, body }: Pick<Received, 'status' | 'body'>, code: RefusalCode, sentence: RegExp): void {
  const [expected, message] = MESSAGES[code] ?? [];
  expect([status, body]).toEqual([expected, { message, details: [saysOf(code, sentence)] }]);
}

const UNKNOWN = '987654321';
/** A path of the route with ids that nothing has. */
const unknownPath = ({ path }: Route): string => path.replace('{locale}', 'en_us').replace(/\{[^}]+\}/g, UNKNOWN);
const each = (of: (route: Route) => boolean) =>
  routes.filter(of).map((route) => [`${route.method} ${route.path}`, route] as const);

const service = await startService(routes, { site: { locales: ['en_us', 'de'] }, roles: ROLES });
const { ask, table, site } = service;
const requestOf = createRequests({ ask, sent: byPerson(), login: 'agent@test.example', password: PASSWORD, ids: {} });

const handler = serve({
  ...{ routes, open: {}, table, log: () => undefined, clock: service.clock, newId: randomUUID },
  ...LIMITS,
});

/** The name of the site that an item is of; undefined: of none alone. */
const siteOf = ({ pk, sk, site: named }: Item): unknown =>
  pk.startsWith('host#') ? named : /^(?:deployment\n)?site#([^#\n]+)/.exec(`${pk}\n${sk}`)?.[1];

/** All that is stored, save other sites, locks and what a sign-in notes. */
async function stored(): Promise<unknown> {
  const items: unknown[] = [];
  const counts = (item: Item): boolean =>
    (siteOf(item) ?? site.name) === site.name && !/#(lock|token|guess|rate)/.test(item.pk);
  for await (const some of table.scan()) items.push(...some.filter(counts));
  return items;
}

/** Sends requests that are refused, and sees that nothing changed. */
async function refusing(send: () => Promise<void>): Promise<void> {
  const before = await stored();
  await send();
  expect(await stored()).toEqual(before);
}

/** Tests that send what is refused, and a last one that sees that nothing changed. */
function refusals(title: string, tests: () => void): void {
  describe(title, () => {
    let before: unknown;
    beforeAll(async () => {
      before = await stored();
    });
    tests();
    it('and changes nothing', async () => expect(await stored()).toEqual(before));
  });
}

describe('a refusal names', () => {
  refusals('the roles', () => {
    it.each(each(({ roles }) => roles.length < ROLES.length))('%s', async (_, route) => {
      const as = ROLES.find((role) => !route.roles.includes(role));
      const reply = await ask(route.method, unknownPath(route), { as: as! });
      expectRefusal(reply, 'forbidden', new RegExp(`^${route.method} .* is for .*${route.roles.at(-1)}; .* ${as}\\.$`));
    });
  });

  refusals('the origin of a page', () => {
    it.each(each(({ method, exclusive }) => method !== 'GET' && !exclusive))('%s', async (_, route) => {
      const headers = { Origin: 'https://evil.example', ...byPerson().headers };
      const reply = await ask(route.method, unknownPath(route), { as: null, headers });
      expectRefusal(reply, 'forbidden', /"https:\/\/evil\.example"/);
    });
  });

  // Filters, not resources: they show what they find, if nothing. Connections and imports need a store of their own.
  const shows = ({ path }: Route) => path.includes('{') && !/\/(imports|connections)/.test(path);
  refusals('the thing that there is not', () => {
    it.each(each(shows))('%s', async (_, route) => {
      const sentence = new RegExp(`There is no .*(${UNKNOWN}|en_us)`);
      expectRefusal(await ask(route.method, unknownPath(route), byPerson()), 'not_found', sentence);
    });
  });

  refusals('the path', () => {
    it('that there is not', async () => {
      expectRefusal(await ask('GET', '/api/v2/nothing'), 'not_found', /path "\/api\/v2\/nothing"/);
      const host = 'nobody.example';
      if (site.hosts.length === 0) expectRefusal(await ask('GET', '/api/v2/topics', { host }), 'not_found', /nobody/);
    });

    it.each(each(() => true))('which has methods: %s', async (_, route) => {
      const reply = await ask('PUT', unknownPath(route));
      expectRefusal(reply, 'method_not_allowed', new RegExp(`takes ${reply.headers.allow}, not PUT`));
    });
  });

  const takes = each((route) => takesBody(route) && !route.streams);
  refusals('the body', () => {
    it.each(takes)('of a size: %s', async (_, route) => {
      const body = JSON.stringify({ name: 'x'.repeat(1024 * 1024) });
      const reply = await ask(route.method, unknownPath(route), { ...byPerson(), body });
      expectRefusal(reply, 'payload_too_large', /1,048,576 bytes/);
      await table.delete(keys.lock(site.name));
    });

    itInProcess.each(takes)('of a coding: %s', async (_, route) => {
      const headers = { ...byPerson().headers, 'Content-Encoding': 'br' };
      const body = Buffer.from('{}');
      const target = unknownPath(route);
      const request = { ...{ method: route.method, target, headers, body }, host: `${site.name}.localhost` };
      // The gateway unpacks what it knows, and hands on no other coding: a server of our own does.
      const { statusCode, body: text } = await handler(toEvent(request), { readBody: async () => body });
      expectRefusal({ status: statusCode, body: JSON.parse(text) }, 'unsupported_media_type', /"br".*gzip/);
      await table.delete(keys.lock(site.name));
    });
  });

  const isMade = (route: Route) => !/\/(imports|connections|sources|audit)|users\/(me|\{)|tokens\/\{/.test(route.path);
  it.each(each((route) => route.current !== undefined && route.method !== 'GET' && isMade(route)))(
    'the tag that changed: %s',
    async (_, route) => {
      const { target, body } = await requestOf(route);
      await refusing(async () => {
        const { as, headers } = byPerson();
        const reply = await ask(route.method, target, { as, headers: { ...headers, 'If-Match': '"old"' }, body });
        expectRefusal(reply, 'precondition_failed', /^\/api\/v2\/.* has the tag "[0-9a-f]{32}", which If-Match/);
      });
    },
  );

  it.each(each((route) => creates(route) && !route.streams && !route.secret && isMade(route)))(
    'the first request under way: %s',
    async (_, route) => {
      const { target, body } = await requestOf(route);
      const { as, headers } = byPerson();
      const sent = { as, headers: { ...headers, 'Idempotency-Key': `key of ${route.name}` }, body };
      const replies = await Promise.all([ask('POST', target, sent), ask('POST', target, sent)]);
      const refused = replies.find(({ status }) => status === 409);
      if (refused) expectRefusal(refused, 'conflict', /first request with this Idempotency-Key/);
      else {
        const [first, again] = replies.sort((a, b) =>
          a.headers['idempotent-replayed'] ? 1 : b.headers['idempotent-replayed'] ? -1 : 0,
        );
        expect([first?.status, again?.status, again?.headers['idempotent-replayed'], again?.body]).toEqual([
          201,
          201,
          'true',
          first?.body,
        ]);
      }
    },
  );

  itInProcess.each(each(({ exclusive }) => exclusive === true))('the report under way: %s', (_, route) =>
    refusing(async () => {
      await table.put({ ...keys.lock(site.name), owner: 'another', expiresAt: service.clock() + 4_900 });
      expectRefusal(
        await ask(route.method, unknownPath(route)),
        'too_many_requests',
        /Another report.*Try again in \d s/,
      );
      await table.delete(keys.lock(site.name));
    }),
  );
});

const limited = await startService(routes, { site: { name: 'limited', rateLimit: 1 } });
it.each(each(() => true))('a refusal names the limit that is reached: %s', async (_, route) => {
  const first = await limited.ask(route.method, unknownPath(route));
  const reply = first.status === 429 ? first : await limited.ask(route.method, unknownPath(route));
  expectRefusal(reply, 'too_many_requests', /^The limit of 1 requests a minute is reached\. Try again in \d+ s\.$/);
});
