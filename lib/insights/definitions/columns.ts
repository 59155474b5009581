import type { Attribute, ListAttribute } from '../../history/segments/segment-columns.ts';
import type { MemberSource } from './dimensions.ts';

/** The column of the warehouse's `facts` and `cases` with each attribute of a case. */
export const ATTRIBUTE_COLUMNS = {
  channel: 'channel',
  agent: 'assigned_agent',
  group: 'assigned_group',
  priority: 'priority',
  company: 'company',
  score: 'csat_score',
  status: 'status',
} as const satisfies Record<Attribute, string>;

/** The lists of a case: their column, and their members in SQL; of custom fields the ids of the fields. */
export const LIST_COLUMNS = {
  labels: { column: 'labels', members: 'labels' },
  macros: { column: 'macros', members: 'map_keys(macros)' },
  customValues: { column: 'custom_fields', members: 'map_keys(custom_fields)' },
} as const satisfies Record<ListAttribute, { readonly column: string; readonly members: string }>;

/** The column of `facts` with a fact's own member. */
export const FACT_COLUMNS = {
  agents: 'action_agent',
  groups: 'action_group',
  values: 'value',
} as const satisfies Record<Extract<MemberSource, { of: 'fact' }>['column'], string>;
