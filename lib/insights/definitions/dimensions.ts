import type { FactKind } from '../../history/cases/case-row.ts';
import type { Attribute, ListAttribute } from '../../history/segments/segment-columns.ts';
import { ATTRIBUTES, valueDictionary } from '../../history/segments/segment-columns.ts';
import { keysOf } from '../../typed-object.ts';
import { CASE_STATUSES } from '../../vocabulary.ts';

/**
 * The source of a fact's members in a dimension: the fact itself, its instant, or its case (an attribute or a list).
 */
export type MemberSource =
  | { readonly of: 'fact'; readonly column: 'agents' | 'groups' | 'values' }
  | { readonly of: 'instant'; readonly part: InstantPart }
  | { readonly of: 'case'; readonly attribute: Attribute }
  | { readonly of: 'list'; readonly list: ListAttribute };

/** The part of an instant's local time, in the report's zone, that is the member. */
export type InstantPart = 'hour' | 'weekday';

/** The members of the dimensions of instants. Weekday 1 is Monday, whatever day the site's weeks start on. */
export const INSTANT_MEMBERS: Readonly<Record<InstantPart, readonly number[]>> = {
  hour: Array.from({ length: 24 }, (_, hour) => hour),
  weekday: [1, 2, 3, 4, 5, 6, 7],
};

/** The set that a dimension's members come from: a dictionary of segments, or a part of the local time. */
export type Dictionary = (typeof ATTRIBUTES)[Attribute] | ListAttribute | InstantPart;

/** A dimension of reports: its members, where a fact of each kind has its member, and how it splits online time. */
export interface Dimension {
  readonly members: Dictionary;
  readonly of: 'actor' | 'instant' | 'case'; // the owner of the member
  readonly online: 'agent' | 'group' | InstantPart | null; // the member of online time; null if it has none
  readonly label: string; // for people
  readonly meaning: string; // one sentence
  readonly written: Written; // how people see its members
  readonly values: readonly (number | string)[] | null; // all members that there can be; null: those that meta names
  readonly extension?: true; // not of the original interface
  readonly field?: number; // id of the one custom field that members are limited to
  source(kind: FactKind): MemberSource;
}

/** How members are shown: by their names in meta, in words, or as numbers, which have an order of their own. */
export const WRITTEN = ['name', 'status', 'score', 'hour', 'weekday', 'number'] as const;
type Written = (typeof WRITTEN)[number];

const NAMED = { written: 'name', values: null } as const;
const numbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

const acting = (label: string, column: 'agents' | 'groups', online: 'agent' | 'group', meaning: string): Dimension => ({
  members: column,
  of: 'actor',
  online,
  label,
  meaning,
  ...NAMED,
  source: () => ({ of: 'fact', column }),
});

const ofCase = (
  label: string,
  attribute: Attribute,
  meaning: string,
  shown: Pick<Dimension, 'written' | 'values'> = NAMED,
): Dimension => ({
  members: ATTRIBUTES[attribute],
  of: 'case',
  label,
  meaning,
  ...shown,
  online: attribute === 'agent' || attribute === 'group' ? attribute : null,
  source: () => ({ of: 'case', attribute }),
});

/** A fact that names a label or macro itself counts for that one, not for those of its case (docs/rules.md 11). */
const listed = (label: string, list: ListAttribute, meaning: string): Dimension => ({
  members: list,
  of: 'case',
  online: null,
  label,
  meaning,
  ...NAMED,
  source: (kind) => (valueDictionary(kind) === list ? { of: 'fact', column: 'values' } : { of: 'list', list }),
});

const ofInstant = (label: string, part: InstantPart, meaning: string): Dimension => ({
  members: part,
  of: 'instant',
  online: part,
  label,
  meaning,
  written: part,
  values: INSTANT_MEMBERS[part],
  source: () => ({ of: 'instant', part }),
});

const extension = (dimension: Dimension): Dimension => ({ ...dimension, extension: true });

/** The dimensions (docs/insights.md), apart from those of one custom field. */
export const DIMENSIONS = {
  action_agent: acting('Agent who acted', 'agents', 'agent', 'The agent who acted.'),
  action_group: acting('Group that acted', 'groups', 'group', 'The group in which an agent acted.'),
  assigned_agent: ofCase('Assigned agent', 'agent', 'The agent that the case is assigned to now.'),
  assigned_group: ofCase('Assigned group', 'group', 'The group that the case is assigned to now.'),
  channel: ofCase('Channel', 'channel', 'The channel of the case.'),
  label: listed('Label', 'labels', 'The labels that the case has now; for label_applied the label that was added.'),
  macro: listed(
    'Macro',
    'macros',
    'The macros ever applied to the case; for macro_applied the macro that was applied.',
  ),
  custom_field: listed('Custom field', 'customValues', 'The values of the custom fields that the case has now.'),
  priority: extension(
    ofCase('Priority', 'priority', 'The priority of the case now, 1 to 10.', {
      written: 'number',
      values: numbers(1, 10),
    }),
  ),
  company: extension(ofCase('Company', 'company', 'The company of the case now.')),
  csat_score: extension(
    ofCase('Satisfaction score', 'score', 'The last rating of the case.', { written: 'score', values: numbers(0, 4) }),
  ),
  status: extension(
    ofCase('Status', 'status', 'The status of the case now; new if no status was ever set.', {
      written: 'status',
      values: CASE_STATUSES,
    }),
  ),
  hour_of_day: extension(
    ofInstant('Hour of day', 'hour', 'The hour in which the fact happened, 0 to 23 in the zone of the report.'),
  ),
  weekday: extension(
    ofInstant(
      'Weekday',
      'weekday',
      'The day on which the fact happened, 1 (Monday) to 7 (Sunday) in the zone of the report.',
    ),
  ),
} as const satisfies Record<string, Dimension>;

/** A dimension as requests name it. */
export type DimensionName = keyof typeof DIMENSIONS | `custom_field:${number}`;

export const DIMENSION_NAMES = keysOf(DIMENSIONS);

/** Matches the name of a dimension of one custom field. */
export const ONE_FIELD = /^custom_field:(0|[1-9]\d{0,15})$/;

const isListed = (name: string): name is keyof typeof DIMENSIONS => Object.hasOwn(DIMENSIONS, name);

/** Whether a report can have a dimension of this name. */
export const isDimensionName = (name: unknown): name is DimensionName =>
  typeof name === 'string' && (isListed(name) || ONE_FIELD.test(name));

/** Returns the dimension with a name; throws if there is none. */
export function dimensionNamed(name: DimensionName): Dimension {
  if (isListed(name)) return DIMENSIONS[name];
  const field = ONE_FIELD.exec(name)?.[1];
  if (field === undefined) throw new Error(`there is no dimension ${name}`);
  const all = DIMENSIONS.custom_field;
  return extension({ ...all, field: Number(field), meaning: 'The values of this custom field that the case has now.' });
}
