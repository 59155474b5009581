import fc from 'fast-check';
import { keys } from '../../../lib/store/keys.ts';
import { topicRoutes } from '../../../lib/topics/routes.ts';
import { tries } from '../../support/generators/depth.ts';
import { startService } from '../../support/service/service.ts';
import { setSite } from '../../support/service/stored-access.ts';

const TOPICS = '/api/v2/topics';
const locales = [
  'en_us',
  'de',
  ...Array.from({ length: 130 }, (_, n) => `x${String.fromCharCode(97 + (n % 26))}_${n}`),
];
const service = await startService(topicRoutes, { site: { locales } });
const { ask, table, site } = service;

interface Model {
  readonly id: number;
  name: string;
}

type Step =
  | { readonly does: 'create'; readonly name: string }
  | { readonly does: 'rename'; readonly at: number; readonly name: string }
  | { readonly does: 'delete'; readonly at: number };

const name = fc.constantFrom('a', 'b', 'c');
const at = fc.nat(20);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant('create' as const), name }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('rename' as const), at, name }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('delete' as const), at }) },
);

/** Every page of a list, one after the other by its `next` links. */
async function follow(target: string): Promise<{ id: number; name: string; position: number }[]> {
  const { body } = await ask('GET', target);
  const next = body._links.next?.href;
  return [...body._embedded.entries, ...(next === undefined ? [] : await follow(next))];
}

describe('topics', () => {
  it('have positions 1…n in order of creation after any sequence of writes, on pages of any size', async () => {
    const run = async (steps: readonly Step[], perPage: number) => {
      for (const { id } of await follow(TOPICS)) await ask('DELETE', `${TOPICS}/${id}`);
      const model: Model[] = [];
      for (const one of steps) {
        const target = 'at' in one ? model[one.at % Math.max(1, model.length)] : undefined;
        if (one.does === 'create') {
          const { id } = (await ask('POST', TOPICS, { body: { name: one.name } })).body;
          model.push({ id, name: one.name });
        } else if (target && one.does === 'rename') {
          await ask('PATCH', `${TOPICS}/${target.id}`, { body: { name: one.name } });
          target.name = one.name;
        } else if (target) {
          await ask('DELETE', `${TOPICS}/${target.id}`);
          model.splice(model.indexOf(target), 1);
        }
      }
      const shown = await follow(`${TOPICS}?per_page=${perPage}`);
      expect(shown.map(({ id, name, position }) => [id, name, position])).toEqual(
        model.map(({ id, name }, place) => [id, name, place + 1]),
      );
    };
    const sequence = fc.array(step, { maxLength: 12 });
    await fc.assert(fc.asyncProperty(sequence, fc.integer({ min: 1, max: 5 }), run), { numRuns: tries(25, 1 / 4) });
  });

  it('leave nothing behind when they go with more translations than a transaction holds', async () => {
    const { id } = (await ask('POST', TOPICS, { body: { name: 'in many languages' } })).body;
    for (const locale of locales.slice(1))
      await ask('POST', `${TOPICS}/${id}/translations`, { body: { name: locale, locale } });
    const translations = () => table.query(keys.topics(site.name).pk, { prefix: `translation#${id}#` });
    expect(await translations()).toHaveLength(locales.length);
    expect((await ask('DELETE', `${TOPICS}/${id}`)).status).toBe(204);
    expect(await translations()).toEqual([]);
  });

  it('all keep their place when many are created and deleted at once, by two processes', async () => {
    const other = await startService(topicRoutes, {
      site: { name: 'second' },
      wiring: { table },
    });
    const asks = [
      ask,
      (method: string, target: string, sent = {}) => other.ask(method, target, { ...sent, host: 'test.localhost' }),
    ];
    const made = await Promise.all(
      Array.from({ length: 16 }, (_, n) => asks[n % 2]?.('POST', TOPICS, { body: { name: `topic ${n}` } })),
    );
    expect(made.map((reply) => reply?.status)).toEqual(made.map(() => 201));
    const ids = made.map((reply) => reply?.body.id);
    await Promise.all(ids.filter((_, n) => n % 3 === 0).map((id, n) => asks[n % 2]?.('DELETE', `${TOPICS}/${id}`)));
    const shown = await follow(TOPICS);
    expect(shown.map(({ position }) => position)).toEqual(shown.map((_, place) => place + 1));
    expect(new Set(ids).size).toBe(16);
    for (const [n, id] of ids.entries()) expect(shown.some((topic) => topic.id === id)).toBe(n % 3 !== 0);
    expect((await other.ask('GET', TOPICS, { host: 'second.localhost' })).body.total_entries).toBe(0);
  });

  it('keep their words when the site takes another default language', async () => {
    const { id } = (await ask('POST', TOPICS, { body: { name: 'Words', description: 'kept' } })).body;
    const topic = `${TOPICS}/${id}`;
    await setSite(table, site, { ...site, defaultLocale: 'de' });
    expect((await ask('GET', topic)).body).toMatchObject({ name: 'Words', description: 'kept' });
    expect((await ask('DELETE', `${topic}/translations/en_us`)).status).toBe(422);
    await ask('PATCH', topic, { body: { name: 'Wörter' } });
    expect((await ask('GET', `${topic}/translations/de`)).body).toMatchObject({ name: 'Wörter', description: 'kept' });
    expect((await ask('GET', `${topic}/translations/en_us`)).body.name).toBe('Words');
    expect((await ask('DELETE', `${topic}/translations/en_us`)).status).toBe(204);
    await setSite(table, { ...site, defaultLocale: 'de' }, site);
    expect((await ask('GET', topic)).body.name).toBe('Wörter');
  });
});
