import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ReferenceKind } from '../../store/keys.ts';
import type { Item } from '../../store/table.ts';
import type { ReferenceRecord } from '../records/reference-record.ts';
import { toMillis } from './record-line.ts';

/** The records that are stored in reference collections. */
export type MemberRecord = Extract<ReferenceRecord, { type: ReferenceKind }>;

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
  if (typeof before?.updated_at === 'number' && updated_at < before.updated_at) return undefined;
  const item: Record<string, unknown> = { ...before, ...key };
  for (const [field, value] of Object.entries(fields)) {
    if (field === 'body') item.body_hash = hashed(value);
    else if (value === null) delete item[field];
    else item[field] = value;
  }
  if (type === 'brand') item.created_at = bornAt(created_at, before, updated_at);
  item.deleted ??= false;
  const same = { ...item, updated_at: dated === undefined ? before?.updated_at : updated_at };
  const changed = !isDeepStrictEqual(same, { ...before });
  return { item: { ...key, ...item, updated_at: changed ? updated_at : before?.updated_at }, changed };
}

/**
 * Returns the hash of an article's body. The body has an item of its own, so that lists need not read it; the hash lets
 * a new body raise the collection's version.
 */
const hashed = (body: unknown): string | null => (typeof body === 'string' ? hash('sha256', body, 'hex') : null);

function bornAt(given: number | undefined, before: Item | undefined, updated_at: number): number {
  if (given !== undefined) return toMillis(given);
  return typeof before?.created_at === 'number' ? before.created_at : updated_at;
}
