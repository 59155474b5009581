import { isDeepStrictEqual } from 'node:util';
import { named } from '../../access/records.ts';
import { MAX_LIST } from '../../json-readers.ts';
import type { ReferenceKind } from '../../store/keys.ts';
import type { Item } from '../../store/table.ts';
import type { RecordOf } from '../records/reference-record.ts';
import { toMillis } from './record-line.ts';

/** The records that are stored in reference collections as they are. */
export type MemberRecordKind = Exclude<ReferenceKind, 'article'>;
export type MemberRecord = RecordOf<MemberRecordKind>;

/** A member's item after a record was applied. */
export interface Merged {
  readonly item: Item;
  readonly changed: boolean;
}

/**
 * Applies a record to a member; undefined if a newer record was applied before. An absent field changes nothing, null
 * clears (docs/import.md). A record without `updated_at` gets the time `now` (epoch ms), which alone is no change.
 */
export function mergeMember(
  before: Item | undefined,
  key: Pick<Item, 'pk' | 'sk'>,
  record: MemberRecord,
  now: number,
): Merged | undefined {
  const { type, created_at, updated_at: dated, ...fields } = record;
  const updated_at = dated === undefined ? now : toMillis(dated);
  if (type === 'custom_field' && dated === 0 && before !== undefined) return withValues(before, key, record);
  if (typeof before?.updated_at === 'number' && updated_at < before.updated_at) return undefined;
  const all: Record<string, unknown> = { ...(before && named(before)), ...key };
  for (const [field, value] of Object.entries(fields)) {
    if (value === null) delete all[field];
    else all[field] = value;
  }
  if (created_at !== undefined) all.created_at = toMillis(created_at);
  if (type === 'brand' || type === 'company') all.created_at = bornAt(created_at, before, updated_at);
  all.deleted ??= false;
  const same = { ...all, updated_at: dated === undefined ? before?.updated_at : updated_at };
  const changed = !isDeepStrictEqual(same, { ...before });
  return { item: { ...key, ...all, updated_at: changed ? updated_at : before?.updated_at }, changed };
}

/** A custom field with the values that a file has beside those of earlier ones: cases have these, too. */
function withValues(
  before: Item,
  key: Pick<Item, 'pk' | 'sk'>,
  { values: given }: MemberRecord & { readonly values?: unknown },
): Merged {
  const [had, has] = [before.values, given].map((all): readonly unknown[] => (Array.isArray(all) ? all : []));
  const all = [...new Set([...(had ?? []), ...(has ?? [])])].slice(0, Math.max(MAX_LIST, had?.length ?? 0));
  const changed = all.length > (had?.length ?? 0);
  return { item: { ...named(before), ...key, ...(changed && { values: all.sort() }) }, changed };
}

function bornAt(given: number | undefined, before: Item | undefined, updated_at: number): number {
  if (given !== undefined) return toMillis(given);
  const born = before?.created_at ?? before?.updated_at;
  return typeof born === 'number' ? born : updated_at;
}
