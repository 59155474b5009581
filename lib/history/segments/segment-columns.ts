import { keysOf } from '../../typed-object.ts';
import type { FactKind } from '../cases/case-row.ts';
import { FACT_KINDS } from '../cases/case-row.ts';

/** The attributes of a case with a single member, and the dictionary of each. */
export const ATTRIBUTES = {
  channel: 'channels',
  agent: 'agents',
  group: 'groups',
  priority: 'priorities',
  company: 'companies',
  score: 'scores',
  status: 'statuses',
} as const;

export type Attribute = keyof typeof ATTRIBUTES;
export const ALL_ATTRIBUTES = keysOf(ATTRIBUTES);

/** The attributes that are lists of members; each has a dictionary of its own. */
export const LISTS = ['labels', 'macros', 'customValues'] as const;
export type ListAttribute = (typeof LISTS)[number];

/** The dictionaries of integer members. In every column of indices, 0 means none and i means member i − 1. */
export const DICTIONARIES = [...Object.values(ATTRIBUTES), 'labels', 'macros'] as const;
export type DictionaryName = (typeof DICTIONARIES)[number];

/** Returns the dictionary of a kind's fact values; undefined if the values are plain numbers. */
export function valueDictionary(kind: FactKind): 'labels' | 'macros' | undefined {
  const meaning = FACT_KINDS[kind];
  return meaning === 'label' ? 'labels' : meaning === 'macro' ? 'macros' : undefined;
}

/** The names of a segment's columns. */
export const columnName = {
  keys: 'keys', // JSON, the case keys
  start: 'start', // s since the row before; for the first row since the segment's start
  attribute: (name: Attribute) => name, // one index per case
  listCount: (name: ListAttribute) => `${name}.count`, // number of members per case
  list: (name: ListAttribute) => name, // indices
  macroResolves: 'macros.resolve', // `AppliedMacro.resolve`, one for each entry of the list of macros
  dictionary: (name: DictionaryName | 'customValues') => `dictionary.${name}`, // JSON
  factCount: (kind: FactKind) => `${kind}.count`, // number of facts per case
  factDelta: (kind: FactKind) => `${kind}.delta`, // s since the case's last fact of the kind, or since the case's start
  factAgent: (kind: FactKind) => `${kind}.agent`, // a code, see actors.ts
  factGroup: (kind: FactKind) => `${kind}.group`, // a code, see actors.ts
  factValue: (kind: FactKind) => `${kind}.value`, // an index or a number, see FACT_KINDS
};
