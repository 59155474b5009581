import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { macroRoutes } from '../../../lib/macros/routes.ts';
import { type Ask, startService } from '../../support/service.ts';

interface ModelAction {
  readonly id: number;
  value: string;
  enabled: boolean;
}

interface ModelMacro {
  readonly id: number;
  readonly position: number;
  name: string;
  enabled: boolean;
  folders: readonly string[];
  readonly actions: ModelAction[];
}

/** What a site's macros should be, kept as plain lists. */
interface Model {
  macros: ModelMacro[];
  lastId: number;
}

/** One thing a client does; `which` and `action` choose among what there is, by their remainder. */
type Step =
  | { readonly do: 'create'; readonly name: string; readonly folders: readonly string[] }
  | { readonly do: 'update'; readonly which: number; readonly name: string; readonly enabled: boolean }
  | { readonly do: 'delete'; readonly which: number }
  | { readonly do: 'add'; readonly which: number; readonly value: string }
  | {
      readonly do: 'change';
      readonly which: number;
      readonly action: number;
      readonly value: string;
      readonly enabled: boolean;
    }
  | { readonly do: 'drop'; readonly which: number; readonly action: number };

const which = fc.nat({ max: 20 });
const word = fc.constantFrom('a', 'b', 'Ä', 'z', '😀');
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('create' as const), name: word, folders: fc.array(word, { maxLength: 2 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('update' as const), which, name: word, enabled: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), which }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('add' as const), which, value: word }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      which,
      action: which,
      value: word,
      enabled: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('drop' as const), which, action: which }) },
);

const MACROS = '/api/v2/macros';
const choose = <T>(all: readonly T[], number: number): T | undefined => all[number % Math.max(1, all.length)];

/** Does a step over the API and in the model; the answers agree. */
async function take(ask: Ask, model: Model, step: Step): Promise<void> {
  if (step.do === 'create') {
    const { name, folders } = step;
    const { body } = await ask('POST', MACROS, { body: { name, folders } });
    const position = (model.macros.at(-1)?.position ?? 0) + 1;
    expect(body).toMatchObject({ name, folders, position, enabled: true, description: null });
    expect(body.id).toBeGreaterThan(model.lastId);
    model.lastId = body.id;
    model.macros.push({ id: body.id, position, name, enabled: true, folders, actions: [] });
    return;
  }
  const macro = choose(model.macros, step.which);
  if (macro === undefined) return expect((await ask('GET', `${MACROS}/${model.lastId + 1}`)).status).toBe(404);
  const path = `${MACROS}/${macro.id}`;
  if (step.do === 'update') {
    const { name, enabled } = step;
    Object.assign(macro, { name, enabled });
    expect((await ask('PATCH', path, { body: { name, enabled } })).body).toMatchObject({ id: macro.id, name, enabled });
  } else if (step.do === 'delete') {
    expect((await ask('DELETE', path)).status).toBe(204);
    model.macros = model.macros.filter((other) => other !== macro);
    expect((await ask('GET', `${path}/actions`)).status).toBe(404);
  } else if (step.do === 'add') {
    const { body } = await ask('POST', `${path}/actions`, { body: { type: 'set-case-note', value: step.value } });
    expect(body.id).toBeGreaterThan(model.lastId);
    model.lastId = body.id;
    macro.actions.push({ id: body.id, value: step.value, enabled: true });
  } else {
    await takeAction(ask, `${path}/actions`, macro, step);
  }
}

async function takeAction(ask: Ask, path: string, macro: ModelMacro, step: Step & { readonly action: number }) {
  const action = choose(macro.actions, step.action);
  if (action === undefined) return expect((await ask('GET', path)).body.total_entries).toBe(0);
  if (step.do === 'change') {
    const { value, enabled } = step;
    Object.assign(action, { value, enabled });
    const { body } = await ask('PATCH', `${path}/${action.id}`, { body: { value, enabled } });
    expect(body).toMatchObject(action);
  } else {
    expect((await ask('DELETE', `${path}/${action.id}`)).status).toBe(204);
    macro.actions.splice(macro.actions.indexOf(action), 1);
  }
}

/** Everything the API shows of a site's macros is what the model holds. */
async function compare(ask: Ask, { macros }: Model): Promise<void> {
  const { body } = await ask('GET', `${MACROS}?per_page=1000`);
  expect(body.total_entries).toBe(macros.length);
  expect(body._embedded.entries).toMatchObject(macros.map(({ actions: _actions, ...shown }) => shown));
  for (const { id, actions } of macros) {
    const list = (await ask('GET', `${MACROS}/${id}/actions`)).body;
    expect([id, list.total_entries]).toEqual([id, actions.length]);
    expect(list._embedded.entries).toMatchObject(actions);
  }
}

/** A site without macros, asked through two processes in turn. */
async function emptied(services: readonly Ask[], host: string): Promise<{ readonly ask: Ask; readonly model: Model }> {
  let turn = 0;
  const ask: Ask = (method, target, sent) => services[turn++ % services.length]!(method, target, { ...sent, host });
  const { body } = await ask('GET', `${MACROS}?per_page=1000`);
  for (const { id } of body._embedded.entries) await ask('DELETE', `${MACROS}/${id}`);
  return { ask, model: { macros: [], lastId: 0 } };
}

describe('macros under any sequence of writes', () => {
  it('equal a plain model, on two sites and through two processes at once', async () => {
    const first = await startService(macroRoutes, { site: { name: 'left' } });
    const wiring = { table: first.table };
    const second = await startService(macroRoutes, { wiring, site: { name: 'right' } });
    const services = [first.ask, second.ask];
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.boolean(), step), { minLength: 1, maxLength: 25 }), async (steps) => {
        const left = await emptied(services, 'left.localhost');
        const right = await emptied(services, 'right.localhost');
        for (const [isLeft, one] of steps) {
          const { ask, model } = isLeft ? left : right;
          await take(ask, model, one);
        }
        for (const { ask, model } of [left, right]) await compare(ask, model);
      }),
      { numRuns: 25 },
    );
  });
});
