import { R_READ, R_WRITE } from '../access/roles.ts';
import {
  booleanField,
  checkRoom,
  directionField,
  idOf,
  moveFields,
  nameField,
  namesField,
  textField,
  wordField,
} from '../http/fields.ts';
import { listReply } from '../http/page.ts';
import { created, noContent, show } from '../http/reply.ts';
import { type Call, type Route, route } from '../http/route.ts';
import { pageShape } from '../http/shapes.ts';
import type { Collection } from '../store/collection.ts';
import { keys, type Partition } from '../store/keys.ts';
import { actionRoutes } from './action-routes.ts';
import {
  listMacros,
  MACRO_ORDERS,
  MACROS_PATH,
  type Macro,
  macroAddition,
  macroDeletion,
  macroIn,
  macroPath,
  macroShape,
  newMacro,
  planMacroMove,
  planMacroUpdate,
  showMacro,
} from './macro.ts';

const FOLDERS = 100; // folders of a macro at most
const MACRO = `${MACROS_PATH}/{macro_id}`;

const macrosOf = (site: string): Partition[] => [keys.macros(site)];

/** A macro in the path of a request. */
interface FoundMacro {
  readonly macros: Collection;
  readonly macro: Macro;
}

/** A route's `find`: returns the macro in the path; throws `not_found`. */
async function findMacro({ context, params }: Pick<Call, 'context' | 'params'>): Promise<FoundMacro> {
  const id = idOf(params.macro_id);
  const macros = await context.open(keys.macros(context.site.name));
  return { macros, macro: macroIn(macros, id) };
}

const current = ({ resource }: { readonly resource: FoundMacro }) => showMacro(resource.macro);

const macroFields = {
  name: nameField(),
  description: textField(),
  enabled: booleanField(),
  folders: namesField(FOLDERS),
};

/** The endpoints of macros, with those of their actions. */
export const macroRoutes: readonly Route[] = [
  route({
    name: 'listMacros',
    summary: 'List macros',
    method: 'GET',
    path: MACROS_PATH,
    roles: R_READ,
    list: true,
    query: { sort_field: wordField(MACRO_ORDERS), sort_direction: directionField() },
    reply: () => pageShape(macroShape()),
    reads: macrosOf,
    handle: (call) => {
      const { context, query } = call;
      const partition = keys.macros(context.site.name);
      const { sort_field = 'position', sort_direction } = query;
      return listReply(call, {
        path: MACROS_PATH,
        seeds: [context.version(partition)],
        members: async () => {
          const macros = listMacros(await context.open(partition), sort_field);
          return sort_direction === 'desc' ? macros.toReversed() : macros;
        },
        show: showMacro,
      });
    },
  }),
  route({
    name: 'showMacro',
    summary: 'Show a macro',
    method: 'GET',
    path: MACRO,
    roles: R_READ,
    reply: macroShape,
    reads: macrosOf,
    find: findMacro,
    handle: (call) => show(current(call)),
  }),
  route({
    name: 'createMacro',
    summary: 'Create a macro',
    method: 'POST',
    path: MACROS_PATH,
    roles: R_WRITE,
    body: macroFields,
    required: ['name'],
    reply: macroShape,
    example: { name: 'Assign to Engineering', description: null, enabled: true, folders: ['Support'] },
    reads: (site) => [keys.macros(site), keys.ids(site)],
    handle: async ({ context, fields, faults }) => {
      const { site, now, origin } = context;
      const macros = await context.open(keys.macros(site.name));
      checkRoom('macros', macros.order.length, faults);
      faults.check();
      const ids = await context.open(keys.ids(site.name));
      const macro = newMacro(macros, ids.version + 1, fields, now);
      const actions = await context.open(keys.actions(site.name, macro.id)); // its empty list begins with it
      const reply = created(origin, macroPath(macro.id), showMacro(macro));
      await context.commit(
        [macroAddition(macros, macro), { collection: ids, version: macro.id }, { collection: actions }],
        reply,
      );
      return reply;
    },
  }),
  route({
    name: 'updateMacro',
    summary: 'Update a macro',
    method: 'PATCH',
    path: MACRO,
    roles: R_WRITE,
    body: macroFields,
    reply: macroShape,
    example: { enabled: false },
    reads: macrosOf,
    find: findMacro,
    current,
    handle: async ({ context, resource: { macros, macro }, fields, faults }) => {
      faults.check();
      const put = planMacroUpdate(macros, macro, fields, context.now);
      if (put.length > 0) await context.commit([{ collection: macros, put }]);
      return show(showMacro(macroIn(macros, macro.id)));
    },
  }),
  route({
    name: 'moveMacro',
    summary: 'Move a macro before another one, or to the end',
    method: 'POST',
    path: `${MACRO}/move`,
    success: 200,
    roles: R_WRITE,
    extension: true,
    body: moveFields,
    required: ['before'],
    reply: macroShape,
    example: { before: null },
    reads: macrosOf,
    find: findMacro,
    handle: async ({ context, resource: { macros, macro }, fields: { before = null }, faults }) => {
      const change = planMacroMove(macros, macro.id, before, faults);
      faults.check();
      if (change !== undefined) await context.commit([change]);
      return show(showMacro(macroIn(macros, macro.id)));
    },
  }),
  route({
    name: 'deleteMacro',
    summary: 'Delete a macro with its actions',
    method: 'DELETE',
    path: MACRO,
    roles: R_WRITE,
    reads: (site, params) => [keys.macros(site), keys.actions(site, Number(params.macro_id))],
    find: findMacro,
    current,
    handle: async ({ context, resource: { macros, macro } }) => {
      const actions = await context.open(keys.actions(context.site.name, macro.id));
      await context.commit(macroDeletion(macros, actions, { id: macro.id, name: macro.name, updated_at: context.now }));
      return noContent;
    },
  }),
  ...actionRoutes,
];
