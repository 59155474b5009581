import { createHash } from 'node:crypto';
import type { Calendar } from '../access/calendars.ts';
import type { CustomValue } from '../history/cases/case-row.ts';
import { memoizeSome } from '../memo.ts';
import type { NamedKind } from './definitions/filters.ts';
import type { SlaPolicy } from './promises/sla-policies.ts';

/** A member of a dimension as a report shows it: an integer id, or `<field_id>:<value_hash>`. */
export type Member = number | string;

/** The part of a site's reference data that a report needs, as plain data; it includes deleted members. */
export interface Reference {
  readonly names: Readonly<Record<NamedKind, ReadonlyMap<number, string>>>;
  readonly agentGroups: ReadonlyMap<number, readonly number[]>; // agent → groups
  readonly customFields: ReadonlyMap<number, ReportedCustomField>;
  readonly rating: 'yes_no' | 'four_star'; // the scale that customers rate on
  readonly calendars: readonly Calendar[]; // by rising id
  readonly policies: readonly SlaPolicy[]; // the first that fits a case applies
  readonly now: number; // s since 1970, the present moment
}

interface ReportedCustomField {
  readonly name: string;
  readonly listed: boolean; // the field has a list of values, so each value is a member
}

/** A site without any reference records. */
export const NO_REFERENCE: Reference = {
  names: {
    agents: new Map(),
    groups: new Map(),
    channels: new Map(),
    labels: new Map(),
    macros: new Map(),
    companies: new Map(),
  },
  agentGroups: new Map(),
  customFields: new Map(),
  rating: 'four_star',
  calendars: [],
  policies: [],
  now: Number.POSITIVE_INFINITY,
};

const KNOWN_HASHES = 10_000; // values whose hashes are cached: the same values are in every segment

/** The first 16 hex digits of the SHA-256 of the value's UTF-8 text (docs/rules.md 12). */
export const valueHash = memoizeSome(KNOWN_HASHES, (value: string) =>
  createHash('sha256').update(value).digest('hex').slice(0, 16),
);

/** The member that a value of a custom field counts for, which is also its key in meta. */
export function customMember(reference: Reference, { field, value }: CustomValue): Member {
  return reference.customFields.get(field)?.listed ? `${field}:${valueHash(value)}` : field;
}

/** The name of that member: the value, or the field's name if the field has no list of values. */
export function customName(reference: Reference, { field, value }: CustomValue): string {
  const known = reference.customFields.get(field);
  return known?.listed ? value : (known?.name ?? String(field));
}

/** The custom fields with a list of values, whose values are members. */
export const listedFields = ({ customFields }: Pick<Reference, 'customFields'>): number[] =>
  [...customFields].flatMap(([id, { listed }]) => (listed ? [id] : []));
