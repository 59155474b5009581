import type { FactKind } from '../history/cases/case-row.ts';
import { valueDictionary } from '../history/segments/segment-columns.ts';

/** Where the members of a dimension are found: on the fact, or on its case (as one attribute or as a list). */
export type MemberSource =
  | { readonly of: 'fact'; readonly column: 'agents' | 'groups' | 'values' }
  | { readonly of: 'case'; readonly attribute: 'agent' | 'group' | 'channel' }
  | { readonly of: 'list'; readonly list: 'labels' | 'macros' | 'customValues' };

export type Dictionary = 'agents' | 'groups' | 'channels' | 'labels' | 'macros' | 'customValues';

/** A dimension of reports: whose members it has, where a kind of fact finds its own, and what it makes of online time. */
export interface Dimension {
  readonly members: Dictionary;
  readonly online: 'agent' | 'group' | null; // null: a dimension of cases, which time online does not have
  source(kind: FactKind): MemberSource;
}

const acting = (column: 'agents' | 'groups', online: 'agent' | 'group'): Dimension => ({
  members: column,
  online,
  source: () => ({ of: 'fact', column }),
});

const assigned = (members: Dictionary, attribute: 'agent' | 'group' | 'channel'): Dimension => ({
  members,
  online: attribute === 'channel' ? null : attribute,
  source: () => ({ of: 'case', attribute }),
});

/** What the fact itself names goes before what its case has (insights.md rule 11). */
const listed = (list: 'labels' | 'macros' | 'customValues'): Dimension => ({
  members: list,
  online: null,
  source: (kind) => (valueDictionary(kind) === list ? { of: 'fact', column: 'values' } : { of: 'list', list }),
});

/** The dimensions (`api.md` 4.1; `insights.md` rules 9-12, 16). */
export const DIMENSIONS = {
  action_agent: acting('agents', 'agent'),
  action_group: acting('groups', 'group'),
  assigned_agent: assigned('agents', 'agent'),
  assigned_group: assigned('groups', 'group'),
  channel: assigned('channels', 'channel'),
  label: listed('labels'),
  macro: listed('macros'),
  custom_field: listed('customValues'),
} as const satisfies Record<string, Dimension>;

export type DimensionName = keyof typeof DIMENSIONS;

export const DIMENSION_NAMES = Object.keys(DIMENSIONS) as readonly DimensionName[];
