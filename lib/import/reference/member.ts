import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { ReferenceKind } from '../../store/keys.ts';
import type { Item } from '../../store/table.ts';
import { TEXT_FIELDS } from '../../topics/articles/import.ts';
import { deletedArticle } from '../../topics/articles/write.ts';
import type { RecordOf } from '../records/reference-record.ts';
import { toMillis } from './record-line.ts';

/** The records that are stored in reference collections. */
export type MemberRecord = RecordOf<ReferenceKind>;

/** A member's item after a record was applied. */
export interface Merged {
  readonly item: Item;
  readonly changed: boolean;
}

/**
 * Applies a record to a member; undefined if a newer record was applied before. An absent field changes nothing, null
 * clears (docs/import.md). `texts` says which texts an article has, which have items of their own. A record without `updated_at` gets the time `now` (epoch ms), which alone is no change.
 */
export function mergeMember(
  before: Item | undefined,
  key: Pick<Item, 'pk' | 'sk'>,
  record: MemberRecord,
  { now, texts }: { readonly now: number; readonly texts?: Readonly<Record<string, unknown>> | undefined },
): Merged | undefined {
  const { type, created_at, updated_at: dated, ...fields } = record;
  const updated_at = dated === undefined ? now : toMillis(dated);
  if (typeof before?.updated_at === 'number' && updated_at < before.updated_at) return undefined;
  const all: Record<string, unknown> = { ...before, ...key };
  for (const [field, value] of Object.entries(fields)) {
    if (type === 'article' && TEXT_FIELDS.has(field)) continue;
    if (field === 'publish_at' && typeof value === 'number') all[field] = toMillis(value);
    else if (value === null && !TOLD.has(field)) delete all[field];
    else all[field] = value;
  }
  Object.assign(all, texts);
  if (created_at !== undefined) all.created_at = toMillis(created_at);
  if (type === 'brand') all.created_at = bornAt(created_at, before, updated_at);
  all.deleted ??= false;
  const item = type === 'article' && all.deleted === true ? removedArticle(key, all, updated_at) : all;
  const same = { ...item, updated_at: dated === undefined ? before?.updated_at : updated_at };
  const changed = !isDeepStrictEqual(same, { ...before });
  return { item: { ...key, ...item, updated_at: changed ? updated_at : before?.updated_at }, changed };
}

/** A deleted article in the form in which the API leaves one: without its texts, which are swept. */
const removedArticle = (key: Pick<Item, 'pk' | 'sk'>, all: Record<string, unknown>, updated_at: number) =>
  deletedArticle(key, named.parse(all), updated_at);

const named = z.object({ id: z.number(), subject: z.string().default('') });

/** Fields of which null tells something else than nothing: an article that is a draft, or in no support center. */
const TOLD: ReadonlySet<string> = new Set(['publish_at', 'in_support_center']);

function bornAt(given: number | undefined, before: Item | undefined, updated_at: number): number {
  if (given !== undefined) return toMillis(given);
  return typeof before?.created_at === 'number' ? before.created_at : updated_at;
}
