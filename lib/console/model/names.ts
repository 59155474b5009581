import { CASE_STATUSES } from '../../vocabulary.ts';
import type { Definitions } from './definitions.ts';
import { fieldLabel } from './fields.ts';
import type { Format } from './format.ts';
import type { Member } from './report.ts';
import { text, words } from './text.ts';

interface Named {
  readonly name: string;
  readonly deleted?: boolean;
}

/** The names in the reply of `GET /api/v2/insights3/meta`, by kind and id. */
export type Meta = Readonly<Partial<Record<string, Readonly<Record<string, Named>>>>> & {
  readonly case_rating_type?: { readonly name: string };
};

/** The kind of meta that names the members of a dictionary of the definitions, where the two have other names. */
const KINDS: Readonly<Record<string, string>> = { customValues: 'custom_fields' };

/** The name in the definitions for all dimensions of a single custom field. */
const ONE_FIELD = 'custom_field:<id>';

const numbers = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => String(from + index));

export interface Names {
  /** The label of a field or statistic. */
  readonly field: (name: string) => string;
  /** The label of a filter object. */
  readonly filter: (object: string) => string;
  /** The dimension with the same members as a filter object. */
  readonly dimensionOf: (object: string) => string;
  /** The filter object with the same members as a dimension; undefined if there is none. */
  readonly objectOf: (dimension: string) => string | undefined;
  /** The name of a member of a dimension. */
  readonly of: (dimension: string, member: Member) => string;
  /** All known members of a dimension, ordered by name. */
  readonly members: (dimension: string) => readonly Choice[];
  /** The name of a dimension; for `custom_field:12` the name of the field. */
  readonly label: (dimension: string) => string;
  /** All dimensions, including one for each custom field of cases. */
  readonly dimensions: () => readonly (Choice & { readonly hint: string })[];
  /** The entries of a kind of meta, such as `articles`, without deleted ones; ordered by name. */
  readonly kind: (kind: string) => readonly Choice[];
  /** The names of the custom fields of cases. */
  readonly customFields: () => readonly string[];
  /** The values in the list of a custom field, found by the field's name; empty if it has no list. */
  readonly valuesOf: (field: string) => readonly string[];
}

interface Choice {
  readonly id: string;
  readonly name: string;
}

const byName = (a: Choice, b: Choice): number => a.name.localeCompare(b.name);

/** The entries that are not deleted, by name. */
const live = (entries: Readonly<Record<string, Named>> = {}): Choice[] =>
  Object.entries(entries)
    .flatMap(([id, { name, deleted }]) => (deleted ? [] : [{ id, name }]))
    .sort(byName);

/**
 * Creates the names from the definitions, undefined for a role without reports, and from meta; until meta is loaded
 * (undefined) members have their ids as names.
 */
export function createNames(definitions: Definitions | undefined, meta: Meta | undefined, format: Format): Names {
  const definitionOf = (dimension: string) => definitions?.dimensions.find(({ name }) => name === dimension);
  const table = (dimension: string): Readonly<Record<string, Named>> => {
    const { members = '' } = definitionOf(dimension.split(':')[0] ?? '') ?? {};
    return meta?.[KINDS[members] ?? members] ?? {};
  };
  const objectOf = (object: string) => definitions?.filter_objects.find(({ name }) => name === object);
  const fixed = (dimension: string): readonly string[] => {
    if (dimension === 'status') return CASE_STATUSES;
    if (dimension === 'priority') return numbers(1, 10);
    if (dimension === 'csat_score') return meta?.case_rating_type?.name === 'yes_no' ? numbers(0, 1) : numbers(1, 4);
    if (dimension === 'hour_of_day') return numbers(0, 23);
    return dimension === 'weekday' ? numbers(1, 7) : [];
  };
  const own = (dimension: string, member: string): string => {
    if (dimension === 'status') return text.status[member] ?? member;
    if (dimension === 'hour_of_day') return text.hour(Number(member));
    if (dimension === 'weekday') return format.weekday(Number(member));
    if (dimension === 'csat_score' && meta?.case_rating_type?.name === 'yes_no')
      return text.yesNo[Number(member)] ?? member;
    return fixed(dimension).includes(member) ? member : text.unknownMember(member);
  };
  const nameOf = (dimension: string, member: string): string => {
    const found = table(dimension)[member];
    if (found === undefined) return own(dimension, member);
    const field =
      dimension === 'custom_field' && member.includes(':') ? table(dimension)[member.split(':')[0] ?? ''] : undefined;
    const name = field && field !== found ? `${field.name}: ${found.name}` : found.name;
    return found.deleted ? `${name} (${text.deleted})` : name;
  };
  const customFields = Object.entries(meta?.custom_fields ?? {}).filter(([id]) => !id.includes(':'));
  const label = (dimension: string): string => {
    const [, field] = dimension.split(':');
    return field === undefined
      ? (definitionOf(dimension)?.label ?? words(dimension))
      : (meta?.custom_fields?.[field]?.name ?? text.unknownMember(field));
  };
  return {
    field: (name) => fieldLabel(definitions, name),
    filter: (object) => objectOf(object)?.label ?? object,
    dimensionOf: (object) => objectOf(object)?.dimension ?? object,
    objectOf: (dimension) => definitions?.filter_objects.find((each) => each.dimension === dimension)?.name,
    label,
    dimensions: () =>
      (definitions?.dimensions ?? []).flatMap(({ name, meaning }) =>
        (name === ONE_FIELD ? customFields.map(([id]) => `custom_field:${id}`) : [name]).map((id) => ({
          id,
          name: label(id),
          hint: meaning,
        })),
      ),
    kind: (kind) => live(meta?.[kind]),
    customFields: () => live(Object.fromEntries(customFields)).map(({ name }) => name),
    valuesOf: (field) => {
      const fields = Object.entries(meta?.custom_fields ?? {});
      const [id] = fields.find(([key, { name }]) => name === field && !key.includes(':')) ?? [];
      return fields.flatMap(([key, { name }]) => (key.startsWith(`${id}:`) ? [name] : []));
    },
    of: (dimension, member) => (member === null ? '' : nameOf(dimension, String(member))),
    members: (dimension) => {
      const [, field] = dimension.split(':');
      const ids = Object.keys(table(dimension)).filter((id) => field === undefined || id.startsWith(`${field}:`));
      return [...ids, ...fixed(dimension)]
        .map((id) => ({ id, name: nameOf(dimension, id) }))
        .sort((a, b) => (ids.length > 0 ? byName(a, b) : 0));
    },
  };
}
