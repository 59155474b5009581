import { GIVEN_STATUSES } from '../../vocabulary.ts';

/** The input that a type of macro action needs. */
export type ActionInput =
  | { readonly kind: 'text' }
  | { readonly kind: 'labels' } // a list, one label on each line
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  | { readonly kind: 'member'; readonly of: 'agents' | 'groups' | 'articles' }
  | { readonly kind: 'language' } // one of the site's locales
  | { readonly kind: 'custom'; readonly field: string };

/** The prefix of the type that sets a custom field; the field's name follows it. */
export const CUSTOM = 'set-case-custom-';

const PRIORITIES = Array.from({ length: 10 }, (_, index) => String(index + 1));
const text: ActionInput = { kind: 'text' };

const INPUTS: Readonly<Record<string, ActionInput>> = {
  'set-case-description': text,
  'set-case-labels': { kind: 'labels' },
  'append-case-labels': { kind: 'labels' },
  'set-case-priority': { kind: 'choice', choices: PRIORITIES },
  'set-case-status': { kind: 'choice', choices: GIVEN_STATUSES },
  'set-case-agent': { kind: 'member', of: 'agents' },
  'set-case-group': { kind: 'member', of: 'groups' },
  'append-case-article': { kind: 'member', of: 'articles' },
  'set-case-quick-reply': text,
  'set-case-outbound-email-subject': text,
  'set-case-language': { kind: 'language' },
  'set-case-note': text,
};

/** All types of actions, in the order of the picker; the last one needs the name of a field. */
export const ACTION_TYPES: readonly string[] = [...Object.keys(INPUTS), CUSTOM];

/** The input of a type; an unknown type takes a text. */
export function inputOf(type: string): ActionInput {
  if (type.startsWith(CUSTOM)) return { kind: 'custom', field: type.slice(CUSTOM.length) };
  return INPUTS[type] ?? text;
}

/** An action's value: a text, an id, or labels. */
export type ActionValue = string | number | readonly string[];

/** The text that an input shows for a value. */
export const shownValue = (value: ActionValue): string =>
  typeof value === 'object' ? value.join('\n') : String(value);

/** The value for the API from the text of an input. */
export function readValue(input: ActionInput, shown: string): ActionValue {
  if (input.kind === 'labels') return shown.split('\n').filter((line) => line.trim() !== '');
  return input.kind === 'member' ? Number(shown) : shown;
}
