import { isAhead } from '../../ahead.ts';
import { ConditionFailed } from '../../store/faults.ts';
import { keys } from '../../store/keys.ts';
import { pause } from '../../store/pause.ts';
import type { BatchedWrite, Item, Write } from '../../store/table.ts';
import { type Blob, type BlobKind, blobItems } from './blobs.ts';
import type { HistoryContext } from './history-context.ts';

/**
 * Blobs written for a commit that has not happened yet. Their ids are **claimed** first: the claim stays in the table
 * until the transaction of the commit deletes it. If the writer dies, the claim expires, and the sweep deletes it with
 * its blobs. A writer whose claim was swept cannot commit any more.
 */
export interface Draft {
  readonly claims: readonly ClaimedIds[];
  /** Queues a blob for writing. Await it before adding more, so that memory stays bounded. */
  add(kind: BlobKind, bytes: Uint8Array): Promise<Blob>;
  /** Resolves once all added blobs are stored; rejects with the first error of writing them. */
  written(): Promise<void>;
  /** Abandons the draft: a later sweep deletes what was written. */
  abandon(): Promise<void>;
}

/** Blob ids reserved for a writer: `first` … `first` + `count` − 1. */
interface ClaimedIds {
  readonly first: number;
  readonly count: number;
}

export const CLAIM_MS = 15 * 60_000; // time in which a writer must commit
const CLAIM_IDS = 16; // ids of the first claim; each further claim has twice as many
const BATCH_BYTES = 4_000_000; // of one BatchWriteItem; DynamoDB takes 16 MB
const BATCH_ITEMS = 25;
const IN_FLIGHT = 3; // batches written at the same time

/** Opens an empty draft; nothing is written before the first blob is added. */
export function openDraft(context: HistoryContext): Draft {
  const claims: ClaimedIds[] = [];
  const flying = new Set<Promise<void>>(); // never reject
  let failure: { readonly error: unknown } | undefined; // of the first batch that failed
  let left = 0; // unused ids of the last claim
  let batch: Item[] = [];
  let bytesInBatch = 0;

  async function send(): Promise<void> {
    if (batch.length === 0) return;
    const writes = batch.map((put) => ({ put }));
    batch = [];
    bytesInBatch = 0;
    while (flying.size >= IN_FLIGHT) await Promise.race(flying);
    if (failure) throw failure.error;
    const flight = write(writes).finally(() => flying.delete(flight));
    flying.add(flight);
  }

  /** Writes a batch. A failure is kept for the next `send` or `written`: nobody may be awaiting a batch when it fails. */
  async function write(writes: readonly BatchedWrite[]): Promise<void> {
    try {
      await context.table.batchWrite(writes);
    } catch (error) {
      failure ??= { error };
    }
  }

  return {
    claims,
    async add(kind, bytes) {
      let claim = claims.at(-1);
      if (claim === undefined || left === 0) {
        left = CLAIM_IDS * 2 ** claims.length;
        claim = await claimIds(context, left);
        claims.push(claim);
      }
      const { first, count } = claim;
      const id = first + count - left;
      left -= 1;
      const items = blobItems(context.site.name, kind, id, bytes);
      for (const item of items) {
        if (batch.length >= BATCH_ITEMS || bytesInBatch >= BATCH_BYTES) await send();
        batch.push(item);
        bytesInBatch += bytes.length / items.length;
      }
      return { kind, id, parts: items.length };
    },
    async written() {
      await send();
      await Promise.all(flying);
      if (failure) throw failure.error;
    },
    async abandon() {
      await Promise.all(flying);
      for (const claim of claims) await endClaim(context, claim);
    },
  };
}

/** Lets a claim expire now. A claim that is gone is not written again: its blobs may have been committed after all. */
async function endClaim({ table, site }: HistoryContext, claim: ClaimedIds): Promise<void> {
  try {
    await table.put({ ...claimItem(site.name, claim), until: 0 }, { attribute: 'open', equals: 1 });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}

const claimItem = (site: string, claim: ClaimedIds): Item => ({ ...keys.claim(site, claim.first), ...claim, open: 1 });

/** A claim that shows that a writer is at work, also between its drafts. */
export interface Presence {
  /** Extends the claim; call it more often than every `CLAIM_MS` / 2. */
  renew(): Promise<void>;
  end(): Promise<void>;
}

/** Stores a claim under which no blobs are written: compactors wait until it ends or expires, as for any claim. */
export async function announceWriter(context: HistoryContext): Promise<Presence> {
  const { table, site, clock } = context;
  const claim = await claimIds(context, 1);
  let since = clock();
  return {
    async renew() {
      if (clock() < since + CLAIM_MS / 2 && !isAhead(since, clock())) return;
      since = clock();
      await table.put({ ...claimItem(site.name, claim), until: since + CLAIM_MS });
    },
    end: () => table.delete(keys.claim(site.name, claim.first)),
  };
}

/** Whether some writer, mostly an import, holds a claim that has not expired. */
export async function writersAtWork({ table, site, clock }: HistoryContext): Promise<boolean> {
  const claims = await table.query(keys.history(site.name).pk, { prefix: 'claim#', attributes: ['until'] });
  return claims.some((claim) => !isClaimOver(claim, clock()));
}

/** Whether a claim has expired, so that its writer has died. */
export const isClaimOver = ({ until }: Item, now: number): boolean =>
  Number(until) < now || isAhead(Number(until), now, CLAIM_MS);

/** Reserves the next blob ids and stores a claim for them, in one transaction. */
async function claimIds({ table, site, clock }: HistoryContext, count: number): Promise<ClaimedIds> {
  const counter = keys.blobIds(site.name);
  for (let attempt = 1; ; attempt += 1) {
    const item = await table.get(counter);
    const first = typeof item?.next === 'number' ? item.next : 1;
    const writes: Write[] = [
      {
        put: { ...counter, next: first + count },
        when: item ? { attribute: 'next', equals: first } : { absent: true },
      },
      { put: { ...claimItem(site.name, { first, count }), until: clock() + CLAIM_MS }, when: { absent: true } },
    ];
    try {
      await table.transact(writes);
      return { first, count };
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      await pause(Math.min(attempt, 4)); // another writer claimed ids just now; one of all always succeeds
    }
  }
}
