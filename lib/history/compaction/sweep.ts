import { isAhead } from '../../ahead.ts';
import { ConditionFailed } from '../../store/faults.ts';
import { keys } from '../../store/keys.ts';
import type { Item } from '../../store/table.ts';
import { BLOB_KINDS, blobKeys, partKey } from '../storage/blobs.ts';
import { isClaimOver } from '../storage/draft.ts';
import { parseGarbage } from '../storage/garbage.ts';
import type { HistoryContext } from '../storage/history-context.ts';

/** ms that a replaced blob stays, for reports that began before: longer than any report may take. */
export const GRACE_MS = 60_000;

const AT_ONCE = 16; // ids looked up at the same time

/**
 * Deletes the blobs that commits replaced, once no report can read them any more, and the blobs of writers that died.
 */
export async function sweep(
  context: HistoryContext,
  { graceMs = GRACE_MS }: { readonly graceMs?: number } = {},
): Promise<void> {
  const { table, site, clock } = context;
  const { pk } = keys.history(site.name);
  for (const item of await table.query(pk, { prefix: 'garbage#' })) {
    const { since, blobs } = parseGarbage(item);
    if (since + graceMs > clock() && !isAhead(since, clock())) continue;
    await table.batchWrite(blobs.flatMap((blob) => blobKeys(site.name, blob)).map((key) => ({ delete: key })));
    await table.delete(item);
  }
  for (const claim of await table.query(pk, { prefix: 'claim#' })) {
    if (isClaimOver(claim, clock()) && (await close(context, claim))) await deleteClaimed(context, claim);
  }
}

/** Closes a claim, so that its writer cannot commit any more; false if the writer has just committed. */
async function close({ table }: HistoryContext, claim: Item): Promise<boolean> {
  try {
    await table.put({ ...claim, open: 0 }, { present: true });
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}

async function deleteClaimed({ table, site }: HistoryContext, claim: Item): Promise<void> {
  const end = Number(claim.first) + Number(claim.count);
  for (let first = Number(claim.first); first < end; first += AT_ONCE) {
    const ids = Array.from({ length: Math.min(AT_ONCE, end - first) }, (_, at) => first + at);
    const partitions = ids.flatMap((id) => BLOB_KINDS.map((kind) => partKey(site.name, kind, id, 0).pk));
    const parts = await Promise.all(Array.from(new Set(partitions), (pk) => table.query(pk, { attributes: [] })));
    await table.batchWrite(parts.flat().map((key) => ({ delete: key })));
  }
  await table.delete(claim);
}
