import { CASE_STATUSES } from '../../vocabulary.ts';
import type { Definitions } from './definitions.ts';
import type { Format } from './format.ts';
import type { Member } from './report.ts';
import { dimensionLabel, text } from './text.ts';

interface Named {
  readonly name: string;
  readonly deleted?: boolean;
}

/** The names in the reply of `GET /api/v2/insights3/meta`, by kind and id. */
export type Meta = Readonly<Partial<Record<string, Readonly<Record<string, Named>>>>> & {
  readonly case_rating_type?: { readonly name: string };
};

/** The kind of meta that names the members of a dimension. Members of other dimensions name themselves. */
const KINDS: Readonly<Record<string, string>> = {
  action_agent: 'agents',
  assigned_agent: 'agents',
  action_group: 'groups',
  assigned_group: 'groups',
  channel: 'channels',
  label: 'labels',
  macro: 'macros',
  custom_field: 'custom_fields',
  company: 'companies',
};

/** The dimension with the same members as a filter object. */
const OBJECTS: Readonly<Record<string, string>> = {
  Channels: 'channel',
  Groups: 'assigned_group',
  Agents: 'assigned_agent',
  Labels: 'label',
  'Custom Fields': 'custom_field',
  Priorities: 'priority',
  Macros: 'macro',
  Companies: 'company',
  'CSat Score': 'csat_score',
  Statuses: 'status',
};

/** The name in the definitions for all dimensions of a single custom field. */
const ONE_FIELD = 'custom_field:<id>';

const numbers = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => String(from + index));

export interface Names {
  /** The name of a member of a dimension. */
  readonly of: (dimension: string, member: Member) => string;
  /** All known members of a dimension, ordered by name. */
  readonly members: (dimension: string) => readonly Choice[];
  /** The name of a dimension; for `custom_field:12` the name of the field. */
  readonly label: (dimension: string) => string;
  /** All dimensions, including one for each custom field of cases. */
  readonly dimensions: (definitions: Definitions | undefined) => readonly (Choice & { readonly hint: string })[];
  /** The entries of a kind of meta, such as `articles`, without deleted ones; ordered by name. */
  readonly kind: (kind: string) => readonly Choice[];
  /** The values in the list of a custom field, found by the field's name; empty if it has no list. */
  readonly valuesOf: (field: string) => readonly string[];
}

export interface Choice {
  readonly id: string;
  readonly name: string;
}

/** Creates the names from meta; until it is loaded (undefined) members have their ids as names. */
export function createNames(meta: Meta | undefined, format: Format): Names {
  const table = (dimension: string): Readonly<Record<string, Named>> =>
    meta?.[KINDS[dimension.split(':')[0] ?? ''] ?? ''] ?? {};
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
  const byName = (a: Choice, b: Choice): number => a.name.localeCompare(b.name);
  const customFields = Object.entries(meta?.custom_fields ?? {}).filter(([id]) => !id.includes(':'));
  const label = (dimension: string): string => {
    const [, field] = dimension.split(':');
    return field === undefined
      ? dimensionLabel(dimension)
      : (meta?.custom_fields?.[field]?.name ?? text.unknownMember(field));
  };
  return {
    label,
    dimensions: (definitions) =>
      (definitions?.dimensions ?? []).flatMap(({ name, meaning }) =>
        (name === ONE_FIELD ? customFields.map(([id]) => `custom_field:${id}`) : [name]).map((id) => ({
          id,
          name: label(id),
          hint: meaning,
        })),
      ),
    kind: (kind) =>
      Object.entries(meta?.[kind] ?? {})
        .flatMap(([id, { name, deleted }]) => (deleted ? [] : [{ id, name }]))
        .sort(byName),
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

/** The dimension whose members a filter object has. */
export const dimensionOfObject = (object: string): string => OBJECTS[object] ?? object;
