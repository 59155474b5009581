import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { type CustomField, customFields, references } from '../access/reference.ts';
import type { Context } from '../context.ts';
import { type Faults, notFound } from '../errors.ts';
import { checkRoom } from '../http/fields.ts';
import { idShape, linkShape, timestampShape } from '../http/shapes.ts';
import { type Change, type Collection, perVersion, type StoredItems } from '../store/collection.ts';
import { keys, members, type Partition } from '../store/keys.ts';
import type { Item } from '../store/table.ts';
import { timestamp } from '../text.ts';
import { ACTION_TYPES, type ActionType, type ActionValue, findActionType, type Surroundings } from './action-types.ts';
import { macroPath } from './macro.ts';

const live = z.object({
  state: z.literal('live'),
  id: z.int(),
  type: z.string(),
  value: z.union([z.string(), z.number(), z.array(z.string()).readonly()]),
  enabled: z.boolean(),
  created_at: z.number(), // epoch ms
  updated_at: z.number(), // epoch ms
});

/** Kept in place of an action that an import deleted, so that an older record does not bring it back. */
const deleted = z.object({ state: z.literal('deleted'), id: z.int(), updated_at: z.number() });

const stored = z.discriminatedUnion('state', [live, deleted]);

export type Action = Readonly<z.infer<typeof live>>;
export type StoredAction = Readonly<z.infer<typeof stored>>;

/** The fields of an action that a client sends; `value` is checked by its type. */
export interface ActionFields {
  readonly type?: unknown;
  readonly value?: unknown;
  readonly enabled?: boolean;
}

/** An action as replies show it. */
export const actionShape = () =>
  z.object({
    id: idShape(),
    type: z.string(),
    value: z.union([z.string(), z.int(), z.array(z.string())]),
    enabled: z.boolean(),
    created_at: timestampShape(),
    updated_at: timestampShape(),
    _links: z.object({
      self: linkShape('macro_action'),
      macro: linkShape('macro'),
      group: linkShape('group').optional(),
      user: linkShape('user').optional(),
      article: linkShape('article').optional(),
      custom_field: linkShape('custom_field').optional(),
    }),
  });

export const actionsPath = (macro: number): string => `${macroPath(macro)}/actions`;
export const actionPath = (macro: number, id: number): string => `${actionsPath(macro)}/${id}`;

/** An action with the links that its type names; `fields` are the site's custom fields. */
export function showAction(macro: number, action: Action, fields: readonly CustomField[]): Record<string, unknown> {
  const { id, type, value, enabled, created_at, updated_at } = action;
  const { link } = findActionType(type) ?? {};
  const linked = link?.id(value, fields);
  return {
    id,
    type,
    value,
    enabled,
    created_at: timestamp(created_at),
    updated_at: timestamp(updated_at),
    _links: {
      self: { href: actionPath(macro, id), class: 'macro_action' },
      macro: { href: macroPath(macro), class: 'macro' },
      ...(link && linked !== undefined
        ? { [link.rel]: { href: `/api/v2/${link.rel}s/${linked}`, class: link.rel } }
        : {}),
    },
  };
}

/** The stored action with an id, also a deleted one. */
export function storedAction({ items }: StoredItems, id: number): StoredAction | undefined {
  const item = items.get(members.action(id));
  return item && stored.parse(item);
}

/** A macro's actions in the order of their ids. */
export const listActions = (actions: Collection): readonly Action[] => perVersion(actions, readActions);

const readActions = (actions: Collection): Action[] =>
  actions.order.map((id) => storedAction(actions, id)).filter((action) => action?.state === 'live');

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

/**
 * The changes that add an action to a macro. Throws `invalid` with every fault of the body, including those in
 * `faults`.
 */
export async function planAction(
  context: Context,
  macro: number,
  { type, value, enabled = true }: ActionFields,
  faults: Faults,
): Promise<{ readonly action: Action; readonly changes: Change[] }> {
  const known = typeof type === 'string' ? findActionType(type) : undefined;
  if (typeof type === 'string' && known === undefined)
    faults.explain('invalid', ['type'], { sent: type, noun: 'type of an action', allowed: [...ACTION_TYPES.keys()] });
  if (known === undefined && value === null)
    faults.explain('invalid', ['value'], { sent: value, takes: 'what its type takes' });
  const checked = known && (await checkValue(context, known, value, faults));
  const actions = await openActions(context, macro);
  checkRoom('actions', actions.order.length, faults);
  faults.check();
  if (typeof type !== 'string' || checked === undefined) throw new Error('an action without type or value passed');
  const ids = await context.open(keys.ids(context.site.name));
  const id = ids.version + 1;
  const { now } = context;
  const action: Action = { state: 'live', id, type, value: checked, enabled, created_at: now, updated_at: now };
  const changes = [
    { collection: actions, put: [actionItem(actions, action)], order: [...actions.order, id] },
    { collection: ids, version: id },
  ];
  return { action, changes };
}

/**
 * An action with its fields changed; the same object if they change nothing. Only a new value changes `updated_at`, not
 * switching an action on or off. Throws `invalid` with every fault.
 */
export async function planActionUpdate(
  context: Context,
  action: Action,
  { type = action.type, value, enabled = action.enabled }: ActionFields,
  faults: Faults,
): Promise<Action> {
  if (type !== action.type)
    faults.explain('invalid', ['type'], { sent: type, takes: `${action.type}, as the type of an action stays` });
  const known = findActionType(action.type);
  const checked = known && value !== undefined ? await checkValue(context, known, value, faults) : undefined;
  faults.check();
  const after: Action = { ...action, enabled, value: checked ?? action.value };
  if (isDeepStrictEqual(after, action)) return action;
  const isNew = !isDeepStrictEqual(after.value, action.value);
  return isNew ? { ...after, updated_at: context.now } : after;
}

/** The change that deletes an action. */
export const actionDeletion = (actions: Collection, { id }: Action): Change => ({
  collection: actions,
  remove: [members.action(id)],
  order: actions.order.filter((other) => other !== id),
});

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
