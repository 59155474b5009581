import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { customFields, references } from '../access/reference.ts';
import type { Context } from '../context.ts';
import { type Faults, notFound } from '../errors.ts';
import { nameField } from '../http/fields.ts';
import type { Values } from '../http/route.ts';
import { idShape, linkShape } from '../http/shapes.ts';
import { flag, times } from '../resource/field.ts';
import { linkedShape, linkTo } from '../resource/link.ts';
import { formOf } from '../resource/resource.ts';
import { checkRoomIn, listedIn } from '../resource/storing.ts';
import { merged, timeOfRequest, type WriteTime, written } from '../resource/write-time.ts';
import { type Collection, perVersion } from '../store/collection.ts';
import { keys, members, type Partition } from '../store/keys.ts';
import type { Item } from '../store/table.ts';
import {
  ACTION_TYPES,
  type ActionType,
  type ActionValue,
  findActionType,
  LONGEST_TYPE,
  type Surroundings,
} from './action-types.ts';
import { MACROS } from './macro.ts';

/** The fields of an action; `value` is checked by its type. */
export const ACTION = formOf({
  state: { stored: z.literal('live') },
  id: { stored: z.int() },
  type: {
    stored: z.string(),
    body: nameField(LONGEST_TYPE),
    update: z.unknown().meta({ type: 'string', description: 'Not updatable: only its own value is accepted' }),
    required: true,
    shown: () => z.string(),
  },
  value: {
    stored: z.union([z.string(), z.number(), z.array(z.string()).readonly()]),
    body: z.unknown().meta({
      examples: [...new Set([...ACTION_TYPES.values()].map(({ example }) => example))],
      description: `By type: ${[...ACTION_TYPES].map(([type, { takes }]) => `${type} ${takes}`).join(', ')}`,
      anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'array', items: { type: 'string' } }],
    }),
    required: true,
    shown: () => z.union([z.string(), z.int(), z.array(z.string())]),
  },
  enabled: flag({}),
  ...times(),
});

/** Kept in place of an action that an import deleted, so that an older record does not bring it back. */
const deleted = z.object({ state: z.literal('deleted'), id: z.int(), updated_at: z.number() });

export type Action = ReturnType<typeof ACTION.parse>;
export type StoredAction = Action | Readonly<z.infer<typeof deleted>>;

/** An action as replies show it. */
export const actionShape = () =>
  z.object({
    id: idShape(),
    ...ACTION.shapes(),
    _links: z.object({
      self: linkShape('macro_action'),
      macro: linkShape('macro'),
      group: linkedShape('group').optional(),
      user: linkedShape('user').optional(),
      article: linkedShape('article').optional(),
      custom_field: linkedShape('custom_field').optional(),
    }),
  });

const macroPath = (macro: number): string => `${MACROS.path}/${macro}`;
export const actionsPath = (macro: number): string => `${macroPath(macro)}/actions`;
export const actionPath = (macro: number, id: number): string => `${actionsPath(macro)}/${id}`;

/** An action with the link that its type names. */
export const showAction = async (context: Context, macro: number, action: Action) => ({
  id: action.id,
  ...ACTION.shown(action),
  _links: {
    self: { href: actionPath(macro, action.id), class: 'macro_action' },
    macro: { href: macroPath(macro), class: 'macro' },
    ...(await typeLink(context, action)),
  },
});

/** The link to what an action's value names, by its class. */
async function typeLink(context: Context, { type: name, value }: Action): Promise<Record<string, unknown>> {
  const type = findActionType(name);
  if (type?.link === undefined) return {};
  const { to, id } = type.link;
  const collection = await context.open(to.storing.partition(context.site.name));
  return { [to.one]: linkTo(to, id(value, await surroundings(context, type)), collection) };
}

/** The stored action with an id, also a deleted one. */
export function storedAction({ items }: Collection, id: number): StoredAction | undefined {
  const item = items.get(members.action(id));
  return item && (ACTIONS.list.isIn(item) ? ACTION.parse(item) : deleted.parse(item));
}

/** How actions lie in the collection of their macro: in the order of their ids. */
export const ACTIONS = listedIn(members.action, {
  all: ({ order, items }) => order.flatMap((id) => items.get(members.action(id)) ?? []),
  deleted: ({ pk, sk, id }, updated_at) => ({ pk, sk, state: 'deleted', id, updated_at }),
  isIn: ({ state }) => state === 'live',
  place: (order, { id }) => order.findLastIndex((other) => other < Number(id)) + 1,
});

/** A macro's actions in the order of their ids. */
export const listActions = (actions: Collection): readonly Action[] => perVersion(actions, readActions);

const readActions = (actions: Collection): Action[] => ACTIONS.all(actions).map(ACTION.parse);

/** The version of a macro's actions, without loading them; throws `not_found` if there is no such macro. */
export function actionsVersion(context: Context, macro: number): number {
  const version = context.version(keys.actions(context.site.name, macro));
  if (version === 0) throw notFound(`macro ${macro}`);
  return version;
}

/** Opens a macro's actions; throws `not_found` if there is no such macro. */
export async function openActions(context: Context, macro: number): Promise<Collection> {
  actionsVersion(context, macro); // this process may still have the actions of a macro that another one deleted
  const actions = await context.open(keys.actions(context.site.name, macro));
  if (actions.version === 0) throw notFound(`macro ${macro}`); // deleted since the head was read
  return actions;
}

/** An action in its collection, which is that of the macro; throws `not_found`. */
export function actionIn(actions: Collection, macro: number, id: number): Action {
  const action = storedAction(actions, id);
  if (action?.state !== 'live') throw notFound(`action ${id} of macro ${macro}`);
  return action;
}

/** A new action of a macro. Throws `invalid` with every fault of the body, including those in `faults`. */
export async function planAction(
  context: Context,
  macro: number,
  { type, value, enabled = true }: Values<typeof ACTION.body>,
  faults: Faults,
): Promise<{ readonly action: Action; readonly actions: Collection }> {
  const actionType = type === undefined ? undefined : findActionType(type);
  if (type !== undefined && actionType === undefined)
    faults.explain('invalid', ['type'], { sent: type, noun: 'type of an action', allowed: [...ACTION_TYPES.keys()] });
  if (actionType === undefined && value === null)
    faults.explain('invalid', ['value'], { sent: value, takes: 'what its type takes' });
  const checkedValue = actionType && (await checkValue(context, actionType, value, faults));
  const actions = await openActions(context, macro);
  checkRoomIn('actions', ACTIONS, actions, faults);
  faults.check();
  if (type === undefined || checkedValue === undefined) throw new Error('an action without type or value passed');
  const ids = await context.open(keys.ids(context.site.name));
  const write = { type, value: checkedValue, enabled };
  return { actions, action: actionAfter(ids.version + 1, undefined, write, timeOfRequest(context.now)) };
}

/** An action with its fields changed; the same object if they change nothing. Throws `invalid` with every fault. */
export async function planActionUpdate(
  context: Context,
  action: Action,
  { type = action.type, value, enabled = action.enabled }: Values<typeof ACTION.update>,
  faults: Faults,
): Promise<Action> {
  if (type !== action.type)
    faults.explain('invalid', ['type'], { sent: type, takes: `${action.type}, as the type of an action stays` });
  const actionType = findActionType(action.type);
  const checkedValue =
    actionType && value !== undefined ? await checkValue(context, actionType, value, faults) : undefined;
  faults.check();
  const write = { type: action.type, value: checkedValue ?? action.value, enabled };
  return actionAfter(action.id, action, write, timeOfRequest(context.now));
}

/** What a write says of an action; the value is checked. */
export interface ActionWrite extends Pick<Action, 'type' | 'value'> {
  readonly enabled?: boolean | null | undefined;
  readonly created_at?: number | undefined; // epoch ms
}

/**
 * An action after a write; `before` itself if nothing changes. A request changes `updated_at` only by a new value, not
 * by switching an action on or off.
 */
export function actionAfter(
  id: number,
  before: Action | undefined,
  { type, value, enabled, created_at }: ActionWrite,
  time: WriteTime,
): Action {
  const after: Action = written(
    before,
    {
      state: 'live',
      id,
      type,
      value,
      enabled: merged(before?.enabled, enabled, true),
      created_at: created_at ?? before?.created_at ?? time.at,
      updated_at: time.at,
    },
    time,
  );
  if (before === undefined || after === before || time.by !== 'request') return after;
  return isDeepStrictEqual(after.value, before.value) ? { ...after, updated_at: before.updated_at } : after;
}

export const actionItem = ({ pk }: Partition, action: StoredAction): Item => ({
  pk,
  sk: members.action(action.id),
  ...action,
});

const NO_FIELD = { message: 'The site has no custom field of cases with this name.' };

/** The value in its stored form; undefined if absent or at fault, and then `faults` has its code. */
async function checkValue(
  context: Context,
  type: ActionType,
  value: unknown,
  faults: Faults,
): Promise<ActionValue | undefined> {
  const site = await surroundings(context, type);
  if (type.exists?.(site) === false) faults.explain('invalid', ['type'], NO_FIELD);
  if (value === undefined) return undefined;
  const reading = type.read(value);
  const code = 'code' in reading ? reading.code : type.check?.(reading.value, site);
  if (code !== undefined) faults.explain(code, ['value'], { sent: value, ...type.allows(site) });
  return 'value' in reading ? reading.value : undefined;
}

async function surroundings({ site, open }: Context, { needs }: ActionType): Promise<Surroundings> {
  const records = needs && (await open(keys.reference(site.name, needs)));
  return {
    locales: site.locales,
    members: records ? references(records) : new Map(),
    fields: records && needs === 'custom_field' ? customFields(records) : [],
  };
}
