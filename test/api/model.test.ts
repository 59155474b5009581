import { describe, expect } from '@jest/globals';
import * as fc from 'fast-check';
import { routes } from '../../lib/routes.ts';
import { tries } from '../support/generators/depth.ts';
import { allLists, type ModelStep, modelStep, takeStep } from '../support/model/model-steps.ts';
import { newSiteModel, TOPICS } from '../support/model/site-model.ts';
import { seedBrands } from '../support/service/seed.ts';
import { itInProcess, startService, type TestService } from '../support/service/service.ts';

const options = { roles: ['Administrator', 'Content Manager', 'Agent'] } as const;
const locales = ['en_us', 'de', 'ja'];
const RUNS = tries(8);
const START = Date.parse('2026-03-01T12:00:00Z');

let runs = 0;

/** Two new sites in one table, each with a model beside it. */
async function twoSites() {
  runs += 1;
  const left = await startService(routes, { ...options, site: { name: `left-${runs}`, locales } });
  const wiring = { table: left.table };
  const right = await startService(routes, { ...options, wiring, site: { name: `right-${runs}`, locales } });
  for (const { table, site } of [left, right]) await seedBrands(table, site.name, [{ id: 1 }, { id: 2 }, { id: 3 }]);
  const processes = [left, right];
  return processes.map(({ site }) => ({ host: `${site.name}.localhost`, model: newSiteModel(), processes }));
}

type ModelledSite = Awaited<ReturnType<typeof twoSites>>[number];

/** Asks through one of two processes, as if a balancer chose. */
const processFor = ({ processes }: ModelledSite, turn: number): TestService => processes[turn % processes.length]!;

async function take(site: ModelledSite, step: ModelStep, turn: number, now: number): Promise<void> {
  const { method, target, body, as, language, expected } = takeStep(site.model, step, now);
  const headers = {
    ...(language === undefined ? {} : { 'Accept-Language': language }),
    ...(method === 'POST' ? { 'Idempotency-Key': `${runs} ${turn}` } : {}),
  };
  const sent = { as, host: site.host, headers, ...(body === undefined ? {} : { body }) };
  const { status, body: answer } = await processFor(site, turn).ask(method, target, sent);
  const received = status === 422 ? { ...answer, details: undefined } : answer; // details are words for people
  expect({ method, target, body, status, received }).toEqual({
    method,
    target,
    body,
    status: expected.status,
    received: expected.body,
  });
  if (method !== 'POST' || status !== 201) return;
  const repeated = await processFor(site, turn + 1).ask(method, target, sent);
  expect([repeated.status, repeated.body, repeated.headers['idempotent-replayed']]).toEqual([201, answer, 'true']);
}

async function compare(site: ModelledSite): Promise<void> {
  const { ask } = processFor(site, 0);
  for (const [path, expected] of allLists(site.model)) expect((await ask('GET', path, site)).body).toEqual(expected);
  for (const { id, brands } of site.model.topics) {
    const { body } = await ask('GET', `${TOPICS}/${id}/brands`, site);
    expect(body._embedded.entries.map((brand: { readonly id: number }) => brand.id)).toEqual(brands);
  }
}

describe('topics and macros under any operations of several users', () => {
  // In process alone: the model knows the service's clock to the second, which a deployed one does not share.
  itInProcess('answer as a plain model does, on two sites and through two processes', async () => {
    const steps = fc.array(fc.tuple(fc.boolean(), modelStep), { minLength: 20, maxLength: 60 });
    const run = async (all: readonly (readonly [boolean, ModelStep])[]) => {
      const [left, right] = await twoSites();
      for (const [turn, [isLeft, step]] of all.entries()) {
        const now = START + (2 * runs + (2 * turn < all.length ? 0 : 1)) * 60_000; // time goes on half way
        for (const { now: clock } of left!.processes) clock.at = now;
        await take(isLeft ? left! : right!, step, turn, now);
      }
      await compare(left!);
      await compare(right!);
    };
    await fc.assert(fc.asyncProperty(steps, run), { numRuns: RUNS, endOnFailure: true });
  });
});
