import { keysOf } from '../../typed-object.ts';
import type { FactKind } from '../cases/case-row.ts';
import { FACT_KINDS } from '../cases/case-row.ts';

/** The attributes of a case that are one member, each with the dictionary that its indices mean. */
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

/** The attributes that are lists of members, each with a dictionary of its own. */
export const LISTS = ['labels', 'macros', 'customValues'] as const;
export type ListAttribute = (typeof LISTS)[number];

/** The dictionaries of integer members. Index 0 of any dictionary means none, index i its member i − 1. */
export const DICTIONARIES = [...Object.values(ATTRIBUTES), 'labels', 'macros'] as const;
export type DictionaryName = (typeof DICTIONARIES)[number];

/** The dictionary that the values of a kind of fact are indices into; undefined where they are plain numbers. */
export function valueDictionary(kind: FactKind): 'labels' | 'macros' | undefined {
  const meaning = FACT_KINDS[kind];
  return meaning === 'label' ? 'labels' : meaning === 'macro' ? 'macros' : undefined;
}

/** The names of a segment's columns. */
export const columnName = {
  keys: 'keys', // JSON, the case keys
  start: 'start', // s since the row before (the first: since the segment's start)
  attribute: (name: Attribute) => name, // an index a case
  listCount: (name: ListAttribute) => `${name}.count`, // members a case
  list: (name: ListAttribute) => name, // indices
  macroResolves: 'macros.resolve', // beside the list of macros
  dictionary: (name: DictionaryName | 'customValues') => `dictionary.${name}`, // JSON
  factCount: (kind: FactKind) => `${kind}.count`, // facts a case
  factDelta: (kind: FactKind) => `${kind}.delta`, // s since the case's last fact of the kind, the first: since its start
  factAgent: (kind: FactKind) => `${kind}.agent`, // code of an index, see actors.ts
  factGroup: (kind: FactKind) => `${kind}.group`, // code of an index, see actors.ts
  factValue: (kind: FactKind) => `${kind}.value`, // index or number
};
