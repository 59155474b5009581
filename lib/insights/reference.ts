import { createHash } from 'node:crypto';
import type { Calendar } from '../access/calendars.ts';
import type { CustomValue } from '../history/cases/case-row.ts';
import type { NamedKind } from './filters.ts';
import type { SlaPolicy } from './sla-policies.ts';

/** A member of a dimension as a report shows it: integer ids, or `<field_id>:<value_hash>`. */
export type Member = number | string;

/** What a report needs to know of a site's reference data, as plain data; deleted members are among it. */
export interface Reference {
  readonly names: Readonly<Record<NamedKind, ReadonlyMap<number, string>>>;
  readonly agentGroups: ReadonlyMap<number, readonly number[]>; // agent → groups
  readonly customFields: ReadonlyMap<number, ReportedCustomField>;
  readonly rating: 'yes_no' | 'four_star'; // how customers are asked
  readonly calendars: readonly Calendar[]; // by rising id
  readonly policies: readonly SlaPolicy[]; // in the order in which they are asked
  readonly now: number; // s since 1970, the present moment
}

export interface ReportedCustomField {
  readonly name: string;
  readonly listed: boolean; // has a list of values, so that each value is a member
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

const KNOWN_HASHES = 10_000; // values whose hashes are remembered: every segment has the same ones again

const hashes = new Map<string, string>();

/** The first 16 hex digits of the SHA-256 of the value's UTF-8 text (docs/rules.md 12). */
export function valueHash(value: string): string {
  const known = hashes.get(value);
  if (known !== undefined) return known;
  const hash = createHash('sha256').update(value).digest('hex').slice(0, 16);
  if (hashes.size === KNOWN_HASHES) hashes.clear();
  hashes.set(value, hash);
  return hash;
}

/** The key of meta that a value of a custom field counts under. */
export function customMember(reference: Reference, { field, value }: CustomValue): Member {
  return reference.customFields.get(field)?.listed ? `${field}:${valueHash(value)}` : field;
}

/** The name of that key: the value, or the field's name where the field has no list. */
export function customName(reference: Reference, { field, value }: CustomValue): string {
  const known = reference.customFields.get(field);
  return known?.listed ? value : (known?.name ?? String(field));
}
