import * as fc from 'fast-check';
import { routes } from '../../lib/routes.ts';
import { tries } from '../support/generators/depth.ts';
import { type Caller, callers, giveTokens, loginOf, OURS, stopped } from '../support/model/callers.ts';
import { type Deed, deedOf, differences } from '../support/model/deeds.ts';
import { allLists, type ModelStep, modelStep, takeStep } from '../support/model/model-steps.ts';
import { newSiteModel, TOPICS } from '../support/model/site-model.ts';
import { seedBrands } from '../support/service/seed.ts';
import { itInProcess, type Received, startService, type TestService } from '../support/service/service.ts';
import { setSite } from '../support/service/stored-access.ts';

const options = { roles: ['Administrator', 'Content Manager', 'Agent'] } as const;
const locales = ['en_us', 'de', 'ja'];
const RUNS = tries(12);
const START = Date.parse('2026-03-01T12:00:00Z');

const LIMIT = 4; // requests a minute and user on the left site
const REFUSED_FROM = 1; // requests that pass at least: two processes share out so few only roughly

let runs = 0;

/** Two new sites in one table, each with a model beside it. The left one has a limit, and names an origin. */
async function twoSites() {
  runs += 1;
  const narrow = { name: `left-${runs}`, locales, rateLimit: LIMIT, allowOrigins: [OURS] };
  const left = await startService(routes, { ...options, site: narrow });
  const wiring = { table: left.table };
  const right = await startService(routes, { ...options, wiring, site: { name: `right-${runs}`, locales } });
  const processes = [left, right];
  return Promise.all(
    processes.map(async ({ table, site }) => {
      await seedBrands(table, site.name, [{ id: 1 }, { id: 2 }, { id: 3 }]);
      const credentials = await giveTokens(table, site.name, START);
      const memory = { model: newSiteModel(), passed: new Map<string, number>(), deeds: [] as Deed[] };
      return { ...memory, host: `${site.name}.localhost`, site, table, processes, credentials };
    }),
  );
}

type ModelledSite = Awaited<ReturnType<typeof twoSites>>[number];

/** Asks through one of two processes, as if a balancer chose. */
const processFor = ({ processes }: ModelledSite, turn: number): TestService => processes[turn % processes.length]!;

/** Whether the limit let a request through, and had to or could; others do not count. */
function passes({ site, passed }: ModelledSite, user: string, now: number, { status }: Received): boolean {
  if (site.rateLimit === undefined || status === 401) return true;
  const minute = `${user} ${Math.floor(now / 60_000)}`;
  const before = passed.get(minute) ?? 0;
  if (status === 429) expect(before).toBeGreaterThanOrEqual(REFUSED_FROM);
  else {
    passed.set(minute, before + 1);
    expect(before).toBeLessThan(site.rateLimit);
  }
  return status !== 429;
}

interface Turn {
  readonly step: ModelStep;
  readonly caller: Caller;
  readonly turn: number;
  readonly now: number;
}

async function take(site: ModelledSite, { step, caller, turn, now }: Turn): Promise<void> {
  const { as: role } = step.chances;
  const chances = { ...step.chances, as: caller.by === 'lowered' ? ('Agent' as const) : role };
  const after = structuredClone(site.model);
  const exchange = takeStep(after, { ...step, chances }, now);
  const { method, target, body, language } = exchange;
  const { allowOrigins = [] } = site.site;
  const stop = stopped(caller, method, allowOrigins);
  const expected = stop ?? exchange.expected;
  const headers = {
    ...(language === undefined ? {} : { 'Accept-Language': language }),
    ...(method === 'POST' ? { 'Idempotency-Key': `${runs} ${turn}` } : {}),
    ...(caller.origin === undefined ? {} : { Origin: caller.origin }),
    ...site.credentials(role, caller.by),
  };
  const sent = { as: role, host: site.host, headers, ...(body === undefined ? {} : { body }) };
  const reply = await processFor(site, turn).ask(method, target, sent);
  const shown = caller.origin !== undefined && allowOrigins.includes(caller.origin) ? caller.origin : undefined;
  expect(reply.headers['access-control-allow-origin']).toBe(shown);
  const user = loginOf(role);
  if (!passes(site, user, now, reply)) return;
  const { status, body: answer } = reply;
  // Details are words for people.
  const received = status >= 400 ? { ...answer, details: undefined } : answer;
  expect({ method, target, body, status, received }).toEqual({
    ...{ method, target, body },
    status: expected.status,
    received: expected.body,
  });
  if (stop !== undefined) return;
  site.model = after;
  site.deeds.push(...[deedOf(exchange, user, reply)].filter((deed) => deed !== undefined));
  if (method !== 'POST' || status !== 201) return;
  const isOther = caller.again === 'other';
  const next = { ...sent, body: isOther ? { ...Object(body), name: 'another' } : body };
  const repeated = await processFor(site, turn + 1).ask(method, target, next);
  if (!passes(site, user, now, repeated)) return;
  if (isOther) expect([repeated.status, repeated.body.errors]).toEqual([422, { idempotency_key: ['taken'] }]);
  else expect([repeated.status, repeated.body, repeated.headers['idempotent-replayed']]).toEqual([201, answer, 'true']);
}

async function compare(site: ModelledSite): Promise<void> {
  const { ask } = processFor(site, 0);
  const { rateLimit: _, ...free } = site.site;
  if (site.site.rateLimit !== undefined) await setSite(site.table, site.site, free);
  const sent = { host: site.host, headers: site.credentials('Administrator', 'token') };
  for (const [path, expected] of allLists(site.model)) expect((await ask('GET', path, sent)).body).toEqual(expected);
  for (const { id, brands } of site.model.topics) {
    const { body } = await ask('GET', `${TOPICS}/${id}/brands`, sent);
    expect(body._embedded.entries.map((brand: { readonly id: number }) => brand.id)).toEqual(brands);
  }
  const { body } = await ask('GET', '/api/v2/audit?per_page=1000', sent);
  expect(differences(site.deeds, body._embedded.entries)).toEqual({ lacks: [], tooMuch: [] });
}

describe('topics and macros under any operations of several users', () => {
  // In process alone: the model knows the service's clock to the second, which a deployed one does not share.
  itInProcess(
    'answer as a plain model does, on two sites and through two processes, by tokens, from pages, under a limit, all told',
    async () => {
      const steps = fc.array(fc.tuple(fc.boolean(), modelStep, callers), { minLength: 20, maxLength: 60 });
      const run = async (all: readonly (readonly [boolean, ModelStep, Caller])[]) => {
        const [left, right] = await twoSites();
        for (const [turn, [isLeft, step, caller]] of all.entries()) {
          const now = START + (2 * runs + (2 * turn < all.length ? 0 : 1)) * 60_000; // time goes on half way
          for (const { now: clock } of left!.processes) clock.at = now;
          await take(isLeft ? left! : right!, { step, caller, turn, now });
        }
        await compare(left!);
        await compare(right!);
      };
      await fc.assert(fc.asyncProperty(steps, run), { numRuns: RUNS, endOnFailure: true });
    },
  );
});
