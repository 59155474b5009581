import { R_READ, R_WRITE } from '../access/roles.ts';
import {
  booleanField,
  checkRoom,
  directionField,
  idOf,
  nameField,
  namesField,
  textField,
  wordField,
} from '../http/fields.ts';
import { listReply } from '../http/page.ts';
import { noContent, show } from '../http/reply.ts';
import { type Call, type Route, route } from '../http/route.ts';
import { pageShape } from '../http/shapes.ts';
import { keys, type Partition } from '../store/keys.ts';
import { actionRoutes } from './action-routes.ts';
import {
  createMacro,
  deleteMacro,
  findMacro,
  listMacros,
  MACRO_ORDERS,
  MACROS_PATH,
  type Macro,
  macroShape,
  showMacro,
  updateMacro,
} from './macro.ts';

const FOLDERS = 100; // folders of a macro at most
const MACRO = `${MACROS_PATH}/{macro_id}`;

const macrosOf = (site: string): Partition[] => [keys.macros(site)];

const theMacro = ({ context, params }: Pick<Call, 'context' | 'params'>): Promise<Macro> =>
  findMacro(context, idOf(params.macro_id));

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
    steady: true,
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
    steady: true,
    path: MACRO,
    roles: R_READ,
    reply: macroShape,
    reads: macrosOf,
    find: theMacro,
    handle: ({ resource }) => show(showMacro(resource)),
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
      checkRoom('macros', (await context.open(keys.macros(context.site.name))).order.length, faults);
      faults.check();
      return createMacro(context, fields);
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
    find: theMacro,
    current: ({ resource }) => showMacro(resource),
    handle: async ({ context, resource, fields, faults }) => {
      faults.check();
      return show(showMacro(await updateMacro(context, resource, fields)));
    },
  }),
  route({
    name: 'deleteMacro',
    summary: 'Delete a macro with its actions',
    method: 'DELETE',
    path: MACRO,
    roles: R_WRITE,
    reads: (site, params) => [keys.macros(site), keys.actions(site, Number(params.macro_id))],
    find: theMacro,
    current: ({ resource }) => showMacro(resource),
    handle: async ({ context, resource }) => {
      await deleteMacro(context, resource);
      return noContent;
    },
  }),
  ...actionRoutes,
];
