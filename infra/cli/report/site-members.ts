import { type CustomField, customFields, references } from '../../../lib/access/reference.ts';
import type { Site } from '../../../lib/access/site-fields.ts';
import { type Dictionary, INSTANT_MEMBERS } from '../../../lib/insights/definitions/dimensions.ts';
import type { NamedKind } from '../../../lib/insights/definitions/filters.ts';
import type { MemberNames } from '../../../lib/insights/member-names.ts';
import { macroReferences, valueKey } from '../../../lib/insights/meta.ts';
import type { Member } from '../../../lib/insights/reference.ts';
import { memoize } from '../../../lib/memo.ts';
import { createCollections } from '../../../lib/store/collection.ts';
import { keys, type Partition } from '../../../lib/store/keys.ts';
import { openCollection } from '../../../lib/store/site-table.ts';
import type { Table } from '../../../lib/store/table.ts';
import { CASE_STATUSES } from '../../../lib/vocabulary.ts';

/** A member that a request can name. */
export interface SiteMember {
  readonly id: Member;
  readonly name: string;
  readonly deleted: boolean;
}

/** Reads the members of a dictionary at a site by rising id, deleted ones included. */
export type ReadMembers = (dictionary: Dictionary) => Promise<readonly SiteMember[]>;

/** Reads members of a site, each dictionary only once. */
export function createReadMembers(table: Table, site: Site): ReadMembers {
  const target = { table, collections: createCollections() };
  const open = (partition: Partition) => openCollection(target, partition);
  async function read(dictionary: Dictionary): Promise<readonly SiteMember[]> {
    if (isFixed(dictionary)) return FIXED[dictionary];
    if (dictionary === 'macros') return macroReferences(await open(keys.macros(site.name)));
    const collection = await open(keys.reference(site.name, RECORDS[dictionary]));
    return dictionary === 'customValues'
      ? customFields(collection).flatMap(valuesOf)
      : [...references(collection).values()];
  }
  return memoize(read);
}

/** Returns a function from a member to its name; an unknown member's name is its id. */
export function namesIn(members: readonly SiteMember[]): MemberNames {
  const names = new Map(members.map(({ id, name }) => [String(id), name]));
  return (member) => names.get(String(member)) ?? String(member);
}

/** The kind of records with the members of each dictionary. */
const RECORDS = {
  agents: 'agent',
  groups: 'group',
  channels: 'channel',
  labels: 'label',
  companies: 'company',
  customValues: 'custom_field',
} as const satisfies Record<Exclude<NamedKind, 'macros'> | 'customValues', string>;

const numbers = (first: number, last: number): readonly SiteMember[] =>
  Array.from({ length: last - first + 1 }, (_, at) => named(first + at, String(first + at)));

const named = (id: Member, name: string): SiteMember => ({ id, name, deleted: false });

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** The members that are the same at every site. */
const FIXED = {
  priorities: numbers(1, 10),
  scores: numbers(0, 4),
  statuses: CASE_STATUSES.map((status) => named(status, status)),
  hour: INSTANT_MEMBERS.hour.map((hour) => named(hour, String(hour))),
  weekday: WEEKDAYS.map((name, at) => named(at + 1, name)),
} as const satisfies Partial<Record<Dictionary, readonly SiteMember[]>>;

const isFixed = (dictionary: Dictionary): dictionary is keyof typeof FIXED => Object.hasOwn(FIXED, dictionary);

/** A field's listed values, named `<field>: <value>`; a field without a list is itself a member. */
function valuesOf({ id, name, values, object, deleted }: CustomField): SiteMember[] {
  if (object !== 'case') return [];
  if (values.length === 0) return [{ id, name, deleted }];
  return values.map((value) => ({ id: valueKey(id, value), name: `${name}: ${value}`, deleted }));
}
