import * as z from 'zod';
import { customFields } from '../access/reference.ts';
import { R_READ, R_WRITE } from '../access/roles.ts';
import type { Context } from '../context.ts';
import { booleanField, idOf, nameField } from '../http/fields.ts';
import { listReply } from '../http/page.ts';
import { created, noContent, show } from '../http/reply.ts';
import { type Call, type Route, route } from '../http/route.ts';
import { pageShape } from '../http/shapes.ts';
import type { Collection } from '../store/collection.ts';
import { keys, type Partition } from '../store/keys.ts';
import {
  type Action,
  actionDeletion,
  actionIn,
  actionItem,
  actionPath,
  actionShape,
  actionsPath,
  actionsVersion,
  listActions,
  openActions,
  planAction,
  planActionUpdate,
  showAction,
} from './action.ts';
import { ACTION_TYPES, LONGEST_TYPE, NEEDED } from './action-types.ts';
import { MACROS_PATH } from './macro.ts';

type Params = Readonly<Record<string, string>>;

/**
 * A `macro_id` that is not an id gives a partition that never has a head, so `find` answers 404 as for a missing macro.
 */
const actionsOf = (site: string, { macro_id }: Params): Partition => keys.actions(site, Number(macro_id));

/** The collections needed to show actions: the macro's actions, and the custom fields that some link to. */
const shownOf = (site: string, params: Params): Partition[] => [
  actionsOf(site, params),
  keys.reference(site, 'custom_field'),
];

/** The collections needed to write actions: the macro's actions, and the records that values are checked against. */
const checkedOf = (site: string, params: Params): Partition[] => [
  actionsOf(site, params),
  ...NEEDED.map((kind) => keys.reference(site, kind)),
];

/** An action in the path of a request. */
interface FoundAction {
  readonly actions: Collection;
  readonly action: Action;
}

/** A route's `find`: returns the action in the path; throws `not_found`. */
async function findAction({ context, params }: Pick<Call, 'context' | 'params'>): Promise<FoundAction> {
  const macro = idOf(params.macro_id);
  const id = idOf(params.action_id);
  const actions = await openActions(context, macro);
  return { actions, action: actionIn(actions, macro, id) };
}

async function shown(context: Context, params: Params, action: Action): Promise<Record<string, unknown>> {
  const fields = customFields(await context.open(keys.reference(context.site.name, 'custom_field')));
  return showAction(idOf(params.macro_id), action, fields);
}

const valueField = z.unknown().meta({
  examples: [...new Set([...ACTION_TYPES.values()].map(({ example }) => example))],
  description: `By type: ${[...ACTION_TYPES].map(([type, { takes }]) => `${type} ${takes}`).join(', ')}`,
  anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'array', items: { type: 'string' } }],
});

const ACTIONS = `${MACROS_PATH}/{macro_id}/actions`;
const ACTION = `${ACTIONS}/{action_id}`;

/** The endpoints of actions. Creating and deleting an action are extensions. */
export const actionRoutes: readonly Route[] = [
  route({
    name: 'listMacroActions',
    summary: 'List the actions of a macro',
    method: 'GET',
    path: ACTIONS,
    roles: R_READ,
    list: true,
    reply: () => pageShape(actionShape()),
    reads: shownOf,
    find: ({ context, params }) => actionsVersion(context, idOf(params.macro_id)),
    handle: (call) => {
      const { context, params, resource } = call;
      const macro = idOf(params.macro_id);
      const fields = keys.reference(context.site.name, 'custom_field');
      return listReply(call, {
        path: actionsPath(macro),
        seeds: [resource, context.version(fields)],
        members: async () => {
          const known = customFields(await context.open(fields));
          return listActions(await openActions(context, macro)).map((action) => showAction(macro, action, known));
        },
        show: (entry) => entry,
      });
    },
  }),
  route({
    name: 'showMacroAction',
    summary: 'Show an action of a macro',
    method: 'GET',
    path: ACTION,
    roles: R_READ,
    reply: actionShape,
    reads: shownOf,
    find: findAction,
    handle: async ({ context, params, resource }) => show(await shown(context, params, resource.action)),
  }),
  route({
    name: 'createMacroAction',
    summary: 'Add an action to a macro',
    method: 'POST',
    path: ACTIONS,
    roles: R_WRITE,
    extension: true,
    body: { type: nameField(LONGEST_TYPE), value: valueField, enabled: booleanField() },
    required: ['type', 'value'],
    reply: actionShape,
    example: { type: 'set-case-priority', value: 8 },
    reads: (site, params) => [...checkedOf(site, params), keys.ids(site)],
    find: ({ context, params }) => actionsVersion(context, idOf(params.macro_id)),
    handle: async ({ context, params, fields, faults }) => {
      const macro = idOf(params.macro_id);
      const { action, changes } = await planAction(context, macro, fields, faults);
      const body = await shown(context, params, action);
      const reply = created(context.origin, actionPath(macro, action.id), body);
      await context.commit(changes, reply);
      return reply;
    },
  }),
  route({
    name: 'updateMacroAction',
    summary: 'Update an action of a macro',
    method: 'PATCH',
    path: ACTION,
    roles: R_WRITE,
    body: {
      type: z.unknown().meta({ type: 'string', description: 'Not updatable: only its own value is accepted' }),
      value: valueField,
      enabled: booleanField(),
    },
    reply: actionShape,
    example: { value: 3, enabled: true },
    reads: checkedOf,
    find: findAction,
    current: ({ context, params, resource }) => shown(context, params, resource.action),
    handle: async ({ context, params, resource: { actions, action }, fields, faults }) => {
      const after = await planActionUpdate(context, action, fields, faults);
      if (after !== action) await context.commit([{ collection: actions, put: [actionItem(actions, after)] }]);
      return show(await shown(context, params, after));
    },
  }),
  route({
    name: 'deleteMacroAction',
    summary: 'Remove an action from a macro',
    method: 'DELETE',
    path: ACTION,
    roles: R_WRITE,
    extension: true,
    reads: shownOf,
    find: findAction,
    current: ({ context, params, resource }) => shown(context, params, resource.action),
    handle: async ({ context, resource: { actions, action } }) => {
      await context.commit([actionDeletion(actions, action)]);
      return noContent;
    },
  }),
];
