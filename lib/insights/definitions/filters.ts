import type { Attribute, ListAttribute } from '../../history/segments/segment-columns.ts';
import type { DIMENSIONS } from './dimensions.ts';

export const FILTER_ACTIONS = ['Include', 'Exclude'] as const;
export const FILTER_MATCHES = ['Is', 'Contains'] as const;

/** The kinds of members that reference records name. */
export type NamedKind = 'agents' | 'groups' | 'channels' | 'labels' | 'macros' | 'companies';

/**
 * What a filter can ask about a case as it is now: the attribute or list that it reads, and how its members are named.
 */
export interface FilterObject {
  readonly dimension: keyof typeof DIMENSIONS; // the one with the same members, which also labels it
  readonly meaning: string; // one sentence
  readonly extension?: true; // not of the original interface
  readonly attribute?: Attribute;
  readonly list?: ListAttribute;
  readonly names: NamedKind | 'digits' | 'customFields';
  readonly online: 'agent' | 'group' | null; // what it filters online time by; null if it filters cases only
}

/** The filter objects (docs/insights.md). */
export const FILTER_OBJECTS = {
  Channels: {
    dimension: 'channel',
    attribute: 'channel',
    names: 'channels',
    online: null,
    meaning: 'The channel of the case.',
  },
  Groups: {
    dimension: 'assigned_group',
    attribute: 'group',
    names: 'groups',
    online: 'group',
    meaning: 'The group assigned now.',
  },
  Agents: {
    dimension: 'assigned_agent',
    attribute: 'agent',
    names: 'agents',
    online: 'agent',
    meaning: 'The agent assigned now.',
  },
  Labels: {
    dimension: 'label',
    list: 'labels',
    names: 'labels',
    online: null,
    meaning: 'A label that the case has now.',
  },
  'Custom Fields': {
    dimension: 'custom_field',
    list: 'customValues',
    names: 'customFields',
    online: null,
    meaning: 'A value of a custom field that the case has now.',
  },
  Priorities: {
    dimension: 'priority',
    attribute: 'priority',
    names: 'digits',
    online: null,
    meaning: 'The priority now, 1 to 10.',
  },
  Macros: {
    dimension: 'macro',
    list: 'macros',
    names: 'macros',
    online: null,
    meaning: 'A macro ever applied to the case.',
  },
  Companies: {
    dimension: 'company',
    attribute: 'company',
    names: 'companies',
    online: null,
    meaning: 'The company of the case now.',
  },
  Statuses: {
    dimension: 'status',
    attribute: 'status',
    names: 'digits',
    online: null,
    meaning: 'The status now: new, open, pending, resolved or closed.',
    extension: true,
  },
  'CSat Score': {
    dimension: 'csat_score',
    attribute: 'score',
    names: 'digits',
    online: null,
    meaning: 'The last rating of the case.',
  },
} as const satisfies Record<string, FilterObject>;

export type FilterObjectName = keyof typeof FILTER_OBJECTS;

export const isFilterObject = (name: unknown): name is FilterObjectName =>
  typeof name === 'string' && Object.hasOwn(FILTER_OBJECTS, name);

/** One condition, with the defaults filled in. */
export interface FilterCondition {
  readonly action: (typeof FILTER_ACTIONS)[number];
  readonly object: FilterObjectName;
  readonly match: (typeof FILTER_MATCHES)[number];
  readonly text: string;
  readonly caseSensitive: boolean;
  readonly ids: readonly { readonly id: string | number }[];
}

/** Groups of conditions. A case counts if all conditions of at least one group hold, or if there are no groups. */
export type Filters = readonly (readonly FilterCondition[])[];
