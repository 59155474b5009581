import type { Definitions, DimensionDefinition } from './definitions.ts';
import { fieldLabel, findField } from './fields.ts';
import type { Format } from './format.ts';
import type { Member, Report } from './report/report.ts';
import type { Condition } from './report/report-state.ts';
import { text, words } from './text/text.ts';

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

/** Members in words, by how they are written; those of scores where customers answer yes or no. */
const WORDS: Readonly<Partial<Record<Written, (member: string, format: Format) => string | undefined>>> = {
  status: (member) => text.status[member] ?? member,
  hour: (member) => text.hour(Number(member)),
  weekday: (member, format) => format.weekday(Number(member)),
  score: (member) => text.yesNo[Number(member)],
};

export const CLOCK: readonly Written[] = ['hour', 'weekday'];

/** Whether the members of a dimension have an order of their own, besides that of their names. */
export const isOrdered = (written: Written): boolean => written !== 'name' && written !== 'status';

/** The name in the definitions for all dimensions of a single custom field. */
const ONE_FIELD = 'custom_field:<id>';

export interface Names {
  /** The label of a field or statistic. */
  readonly field: (name: string) => string;
  /** The name of a field where it stands alone. */
  readonly title: (name: string) => string;
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
  /** How people see the members of a dimension: those but names and statuses have an order of their own. */
  readonly written: (dimension: string) => Written;
  /** The members that a picture of a dimension shows: those of a clock all, others as they are in the report. */
  readonly drawn: (dimension: string | undefined, members: readonly Member[]) => readonly Member[];
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

type Written = DimensionDefinition['written'];

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

/** The values in the list of a custom field. */
function valuesOf(meta: Meta | undefined, field: string): string[] {
  const fields = Object.entries(meta?.custom_fields ?? {});
  const [id] = fields.find(([key, { name }]) => name === field && !key.includes(':')) ?? [];
  return fields.flatMap(([key, { name }]) => (key.startsWith(`${id}:`) ? [name] : []));
}

/**
 * Creates the names from the definitions, undefined for a role without reports, and from meta; until meta is loaded
 * (undefined) members have their ids as names.
 */
export function createNames(definitions: Definitions | undefined, meta: Meta | undefined, format: Format): Names {
  const definitionOf = (dimension: string) =>
    definitions?.dimensions.find(({ name }) => name === (dimension.split(':')[0] ?? ''));
  const written = (dimension: string): Written => definitionOf(dimension)?.written ?? 'name';
  const table = (dimension: string): Readonly<Record<string, Named>> => {
    const { members = '' } = definitionOf(dimension) ?? {};
    return meta?.[KINDS[members] ?? members] ?? {};
  };
  const objectOf = (object: string) => definitions?.filter_objects.find(({ name }) => name === object);
  const isYesNo = meta?.case_rating_type?.name === 'yes_no';
  const fixed = (dimension: string): readonly string[] => {
    const values = definitionOf(dimension)?.values ?? [];
    const isOfScale = (value: string | number): boolean => (isYesNo ? Number(value) <= 1 : Number(value) >= 1);
    return (written(dimension) === 'score' ? values.filter(isOfScale) : values).map(String);
  };
  const own = (dimension: string, member: string): string => {
    const inWords = written(dimension) === 'score' && !isYesNo ? undefined : WORDS[written(dimension)];
    return inWords?.(member, format) ?? (fixed(dimension).includes(member) ? member : text.unknownMember(member));
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
    title: (name) => (definitions && findField(definitions, name)?.title) ?? fieldLabel(definitions, name),
    filter: (object) => objectOf(object)?.label ?? object,
    dimensionOf: (object) => objectOf(object)?.dimension ?? object,
    objectOf: (dimension) => definitions?.filter_objects.find((each) => each.dimension === dimension)?.name,
    label,
    written,
    drawn: (dimension = '', members) =>
      CLOCK.includes(written(dimension)) ? (definitionOf(dimension)?.values ?? members) : members,
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
    valuesOf: (field) => valuesOf(meta, field),
    of: (dimension, member) => (member === null ? '' : nameOf(dimension, String(member))),
    members: (dimension) => {
      const field = dimension.split(':')[1];
      const ids = Object.keys(table(dimension)).filter((id) => field === undefined || id.startsWith(`${field}:`));
      return [...ids, ...fixed(dimension)]
        .map((id) => ({ id, name: nameOf(dimension, id) }))
        .sort((a, b) => (ids.length > 0 ? byName(a, b) : 0));
    },
  };
}

/** The part of meta that names these members of these dimensions, and no others. */
export function metaOf(
  definitions: Definitions,
  meta: Meta,
  used: ReadonlyMap<string, ReadonlySet<Member>>,
): Record<string, Record<string, Named>> {
  const part: Record<string, Record<string, Named>> = {};
  for (const [dimension, members] of used) {
    const [base = '', field] = dimension.split(':');
    const { members: of = '' } = definitions.dimensions.find(({ name }) => name.split(':')[0] === base) ?? {};
    const kind = KINDS[of] ?? of;
    const all = [...members].map(String).flatMap((member) => [member, member.split(':')[0] ?? '']);
    for (const id of field === undefined ? all : [...all, field]) {
      const named = meta[kind]?.[id];
      if (named) (part[kind] ??= {})[id] = named;
    }
  }
  return part;
}

/** A condition in words: "Channel is Email and Chat". */
export function conditionText(names: Names, { action, object, ids, text: part }: Condition): string {
  const dimension = names.dimensionOf(object);
  const verb = action === 'Include' ? text.filter.include : text.filter.exclude;
  const what =
    part === '' ? text.listAnd(ids.map((id) => names.of(dimension, id))) : `${text.filter.contains} “${part}”`;
  return text.filter.describe(names.filter(object), verb, what);
}

/** Why a report has no rows: nothing is counted, or nothing of it has a member of its dimensions. */
export const emptyText = (names: Names, { dimensions, totals }: Pick<Report, 'dimensions' | 'totals'>): string =>
  totals?.all.values.some(Boolean)
    ? text.report.emptyBy(text.listAnd(dimensions.map((each) => names.label(each))))
    : text.report.emptyHint;

/** Filters in words: the conditions of a group hold together, one of the groups is enough. */
export const filtersText = (names: Names, groups: readonly (readonly Condition[])[]): string =>
  groups.map((group) => text.listAnd(group.map((one) => conditionText(names, one)))).join(`, ${text.report.or} `);
