import { R_READ, R_WRITE } from '../access/roles.ts';
import type { Answer, Context } from '../context.ts';
import { idOf } from '../http/fields.ts';
import { listReply } from '../http/page.ts';
import { created, noContent, show } from '../http/reply.ts';
import { type Call, type Route, route } from '../http/route.ts';
import { pageShape } from '../http/shapes.ts';
import { change } from '../resource/change.ts';
import type { Collection } from '../store/collection.ts';
import { keys, type Partition } from '../store/keys.ts';
import {
  ACTION,
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
import { NEEDED } from './action-types.ts';
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

/** A route's `find`: returns the action in the path; throws `not_found`. */
async function findAction({ context, params }: Pick<Call, 'context' | 'params'>) {
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

const ACTIONS = `${MACROS.path}/{macro_id}/actions`;
const existing = { path: `${ACTIONS}/{action_id}`, reads: readsOf, find: findAction } as const;
const current = ({ context, params, resource }: Pick<Call<{ action: Action }>, 'context' | 'params' | 'resource'>) =>
  shown(context, params, resource.action);

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
    ...existing,
    name: 'showMacroAction',
    summary: 'Show an action of a macro',
    method: 'GET',
    roles: R_READ,
    reply: actionShape,
    handle: async (call) => show(await current(call)),
  }),
  route({
    name: 'createMacroAction',
    summary: 'Add an action to a macro',
    method: 'POST',
    path: ACTIONS,
    roles: R_WRITE,
    extension: true,
    body: ACTION.body,
    required: ACTION.required,
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
    ...existing,
    name: 'updateMacroAction',
    summary: 'Update an action of a macro',
    method: 'PATCH',
    roles: R_WRITE,
    body: ACTION.update,
    reply: actionShape,
    example: { value: 3, enabled: true },
    current,
    handle: async ({ context, params, resource: { actions, action }, fields, faults }) => {
      const after = await planActionUpdate(context, action, fields, faults);
      await write(context, actions, [action, after]);
      return show(await shown(context, params, after));
    },
  }),
  route({
    ...existing,
    name: 'deleteMacroAction',
    summary: 'Remove an action from a macro',
    method: 'DELETE',
    roles: R_WRITE,
    extension: true,
    current,
    handle: async ({ context, resource: { actions, action } }) => {
      await write(context, actions, [action, undefined]);
      return noContent;
    },
  }),
];
