import type { ActionInput, ActionType } from './definitions.ts';

/** A type's name without the field's name that follows it: `set-case-custom-`; the whole name of a type without one. */
export const prefixOf = ({ name, input }: ActionType): string => (input.kind === 'custom' ? name.slice(0, -1) : name);

/** The field that an action's type names; undefined for a type that names none. */
export const fieldOf = (definition: ActionType | undefined, type: string): string | undefined =>
  definition?.input.kind === 'custom' ? type.slice(prefixOf(definition).length) : undefined;

/** The definition of an action's type; undefined for a type that the service does not have. */
export const findActionType = (types: readonly ActionType[], type: string): ActionType | undefined =>
  types.find((each) => (each.input.kind === 'custom' ? type.startsWith(prefixOf(each)) : each.name === type));

/** The label of an action's type: `Set custom field “Plan”`. */
export function actionLabel(types: readonly ActionType[], type: string): string {
  const actionType = findActionType(types, type);
  const field = fieldOf(actionType, type);
  return field === undefined ? (actionType?.label ?? type) : `${actionType?.label} “${field}”`;
}

/** An action's value: a text, an id, or labels. */
export type ActionValue = string | number | readonly string[];

/** The text that an input shows for a value. */
export const shownValue = (value: ActionValue): string =>
  typeof value === 'object' ? value.join('\n') : String(value);

/** The labels of a value; none in a new action, whose value is an empty text. */
export const labelsOf = (value: ActionValue): readonly string[] =>
  typeof value === 'object' ? value : value === '' ? [] : [String(value)];

/** The value for the API from the text of an input. */
export const readValue = (input: ActionInput, shown: string): ActionValue =>
  input.kind === 'member' ? Number(shown) : shown;
