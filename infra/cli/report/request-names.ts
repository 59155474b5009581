import { ATTRIBUTES } from '../../../lib/history/segments/segment-columns.ts';
import { type Dictionary, dimensionNamed, isDimensionName } from '../../../lib/insights/definitions/dimensions.ts';
import {
  FILTER_OBJECTS,
  type FilterObject,
  type FilterObjectName,
  isFilterObject,
} from '../../../lib/insights/definitions/filters.ts';
import type { Member } from '../../../lib/insights/reference.ts';
import { Fault } from '../../fault.ts';
import { hasMemberName, memberNamed } from './member-named.ts';
import type { ReadMembers, SiteMember } from './site-members.ts';

type RequestJson = Readonly<Record<string, unknown>>;

/** `dimension1_values` and `dimension2_values` of a request, with names replaced by ids. Throws a `Fault`. */
export async function namedValues(
  body: RequestJson,
  options: { readonly values?: string | undefined; readonly values2?: string | undefined },
  members: ReadMembers,
): Promise<RequestJson> {
  const ids: Record<string, unknown> = {};
  for (const [dimension, option] of [
    ['dimension1', 'values'],
    ['dimension2', 'values2'],
  ] as const) {
    const name = body[dimension] ?? null;
    const key = `${dimension}_values`;
    const words = options[option];
    if (words !== undefined && name === null)
      throw new Fault(`--${option} needs a dimension: name it by --by, such as --by label.`, 2);
    const sent = body[key];
    if (!isDimensionName(name) || (words === undefined && !Array.isArray(sent))) continue;
    const { members: dictionary, field } = dimensionNamed(name);
    const all = (await members(dictionary)).filter(({ id }) => isOf(field, id));
    ids[key] =
      words === undefined
        ? Array.isArray(sent) &&
          sent.map((value: unknown) => (typeof value === 'string' ? memberNamed(all, value, key) : value))
        : idsOf(words, all, `--${option}`);
  }
  return ids;
}

/** Whether a member is of a custom field; of other dimensions, which have no `field`, every member is. */
export const isOf = (field: number | undefined, id: Member): boolean =>
  field === undefined || String(id).split(':')[0] === String(field);

const CONDITION = /^([^=~!]+?)\s*(!?[=~])\s*(.*)$/s;

/** A condition of a filter, written as `Labels=refund,bug`, `Labels!=bug`, `Companies~north`, `Companies!~north`. */
export async function conditionOf(text: string, members: ReadMembers): Promise<readonly unknown[]> {
  const [, name = '', operator = '', words = ''] = CONDITION.exec(text) ?? [];
  if (operator === '' || words === '')
    throw new Fault(
      `--filter ${text} is not a condition: write Labels=refund,bug, Labels!=bug, Companies~north or Companies!~north.`,
      2,
    );
  const object = objectNamed(name.trim());
  const action = operator.startsWith('!') ? 'Exclude' : 'Include';
  if (operator.endsWith('~')) return [action, object, 'Contains', words, false, []];
  const all = await members(dictionaryOf(object));
  return [action, object, 'Is', '', false, idsOf(words, all, `--filter ${object}`).map((id) => ({ id: String(id) }))];
}

/** A filter object as people write it: `custom_fields` and `custom fields` are `Custom Fields`. */
function objectNamed(name: string): FilterObjectName {
  const folded = name.toLowerCase().replaceAll(/[_-]/g, ' ');
  const match = Object.keys(FILTER_OBJECTS).find((object) => object.toLowerCase() === folded);
  if (isFilterObject(match)) return match;
  throw new Fault(`--filter ${name}: there are ${Object.keys(FILTER_OBJECTS).join(', ')}.`, 2);
}

/** The dictionary with the members of a filter object. */
export function dictionaryOf(object: FilterObjectName): Dictionary {
  const { attribute, list }: FilterObject = FILTER_OBJECTS[object];
  const dictionary = list ?? (attribute && ATTRIBUTES[attribute]);
  if (dictionary === undefined) throw new Error(`${object} has no members`);
  return dictionary;
}

/** The ids of a list of names and ids; a name with a comma in it may be the whole list. */
const idsOf = (words: string, members: readonly SiteMember[], place: string): Member[] =>
  (hasMemberName(members, words) ? [words] : words.split(',').map((part) => part.trim())).map((word) =>
    memberNamed(members, word, place),
  );
