import * as z from 'zod';
import { R_READ, R_WRITE } from '../access/roles.ts';
import type { Answer, Context } from '../context.ts';
import { booleanField, idOf, nameField } from '../http/fields.ts';
import { listReply } from '../http/page.ts';
import { created, noContent, show } from '../http/reply.ts';
import { type Call, type Route, route } from '../http/route.ts';
import { pageShape } from '../http/shapes.ts';
import { change } from '../resource/change.ts';
import type { Collection } from '../store/collection.ts';
import { keys, type Partition } from '../store/keys.ts';
import {
  type Action,
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
  ACTIONS as STORING,
  showAction,
} from './action.ts';
import { ACTION_TYPES, LONGEST_TYPE, NEEDED } from './action-types.ts';
import { MACROS } from './macro.ts';

type Params = Readonly<Record<string, string>>;

/**
 * A `macro_id` that is not an id gives a partition that never has a head, so `find` answers 404 as for a missing macro.
 */
const actionsOf = (site: string, { macro_id }: Params): Partition => keys.actions(site, Number(macro_id));

/** The records that values are checked against, and that actions link to. */
const namedOf = (site: string): Partition[] => NEEDED.map((kind) => keys.reference(site, kind));

/** The collections needed to show and to write actions. */
const readsOf = (site: string, params: Params): Partition[] => [actionsOf(site, params), ...namedOf(site)];

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

const shown = (context: Context, params: Params, action: Action): Promise<Record<string, unknown>> =>
  showAction(context, idOf(params.macro_id), action);

/** Writes an action in the collection of its macro; `before` undefined: it is made, `after` undefined: it is deleted. */
function write(
  context: Context,
  actions: Collection,
  [before, after]: readonly [before: Action | undefined, after: Action | undefined],
  answer?: Answer,
) {
  const [old, item] = [before, after].map((action) => action && actionItem(actions, action));
  const edit = { before: old, after: item ?? (old && STORING.deleted(old, context.now)) };
  return change(context, [{ collection: actions, storing: STORING, edits: [edit] }], answer && { answer });
}

const valueField = z.unknown().meta({
  examples: [...new Set([...ACTION_TYPES.values()].map(({ example }) => example))],
  description: `By type: ${[...ACTION_TYPES].map(([type, { takes }]) => `${type} ${takes}`).join(', ')}`,
  anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'array', items: { type: 'string' } }],
});

const ACTIONS = `${MACROS.path}/{macro_id}/actions`;
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
    reads: readsOf,
    find: ({ context, params }) => actionsVersion(context, idOf(params.macro_id)),
    handle: (call) => {
      const { context, params, resource } = call;
      const macro = idOf(params.macro_id);
      return listReply(call, {
        path: actionsPath(macro),
        seeds: [resource, ...namedOf(context.site.name).map(context.version)],
        members: async () => listActions(await openActions(context, macro)),
        show: (action) => showAction(context, macro, action),
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
    reads: readsOf,
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
    reads: (site, params) => [...readsOf(site, params), keys.ids(site)],
    find: ({ context, params }) => actionsVersion(context, idOf(params.macro_id)),
    handle: async ({ context, params, fields, faults }) => {
      const macro = idOf(params.macro_id);
      const { action, actions } = await planAction(context, macro, fields, faults);
      const body = await shown(context, params, action);
      const reply = created(context.origin, actionPath(macro, action.id), body);
      await write(context, actions, [undefined, action], reply);
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
    reads: readsOf,
    find: findAction,
    current: ({ context, params, resource }) => shown(context, params, resource.action),
    handle: async ({ context, params, resource: { actions, action }, fields, faults }) => {
      const after = await planActionUpdate(context, action, fields, faults);
      await write(context, actions, [action, after]);
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
    reads: readsOf,
    find: findAction,
    current: ({ context, params, resource }) => shown(context, params, resource.action),
    handle: async ({ context, resource: { actions, action } }) => {
      await write(context, actions, [action, undefined]);
      return noContent;
    },
  }),
];
