import { isJsonObject } from '../../json.ts';
import { PRIORITIES, STATUSES, type ZendeskOptions } from './options.ts';
import type { Ignore } from './update.ts';
import { tagsOf, textOf } from './values.ts';

/** The setting in which reference records are read. */
export interface ReferenceSetting {
  readonly options: Pick<ZendeskOptions, 'withLogins' | 'statuses'>;
  readonly fieldNames: ReadonlyMap<number, string>; // id → title of the custom fields read so far
  readonly ignore: Ignore;
}

/** An action of a macro in this product. */
export interface MacroAction {
  readonly type: string;
  readonly value: string | readonly string[];
}

type Make = (value: unknown, setting: ReferenceSetting) => MacroAction | undefined;

const text = (type: string, value: string | null | undefined): MacroAction | undefined =>
  value === null || value === undefined ? undefined : { type, value };

/** Returns a text, or the last one of a list: a comment is a list of channel and text. */
const lastText = (value: unknown): string | null => textOf(Array.isArray(value) ? value.at(-1) : value);

const id = (type: string): Make => {
  return (value) => (/^\d+$/.test(String(value)) ? { type, value: String(value) } : undefined);
};

const labels = (type: string): Make => {
  return (value) => (tagsOf(value).length === 0 ? undefined : { type, value: tagsOf(value) });
};

/** The fields of Zendesk's actions that have a counterpart here. */
const ACTIONS: Readonly<Record<string, Make>> = {
  status: (value, { options }) => {
    const status = { ...STATUSES, ...options.statuses }[String(value)];
    return text('set-case-status', status === 'new' || status === 'deleted' ? undefined : status);
  },
  priority: (value) => text('set-case-priority', PRIORITIES[String(value)]?.toString()),
  assignee_id: id('set-case-agent'),
  group_id: id('set-case-group'),
  set_tags: labels('set-case-labels'),
  current_tags: labels('append-case-labels'),
  comment_value: (value) => text('set-case-quick-reply', lastText(value)),
  comment_value_html: (value) => text('set-case-quick-reply', lastText(value)),
};

/** Converts a macro's actions; those without a counterpart are counted as ignored. */
export function macroActions(actions: readonly unknown[], setting: ReferenceSetting): MacroAction[] {
  const isPrivate = actions.some(
    (action) => isJsonObject(action) && action.field === 'comment_mode_is_public' && String(action.value) === 'false',
  );
  return actions.flatMap((action) => {
    if (!isJsonObject(action) || action.field === 'comment_mode_is_public') return [];
    const field = String(action.field);
    const made = ACTIONS[field]?.(action.value, setting) ?? customAction(field, action.value, setting);
    if (made === undefined) {
      setting.ignore(`action of a macro: ${field}`);
      return [];
    }
    return [isPrivate && made.type === 'set-case-quick-reply' ? { ...made, type: 'set-case-note' } : made];
  });
}

function customAction(field: string, value: unknown, { fieldNames }: ReferenceSetting): MacroAction | undefined {
  const number = /^(?:custom_fields_|ticket_fields_)(\d+)$/.exec(field)?.[1];
  const name = number === undefined ? undefined : fieldNames.get(Number(number));
  return name === undefined ? undefined : text(`set-case-custom-${name}`, lastText(value));
}
