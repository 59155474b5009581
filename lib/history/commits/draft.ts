import { ConditionFailed } from '../../store/faults.ts';
import { keys } from '../../store/keys.ts';
import { pause } from '../../store/pause.ts';
import type { Item, Write } from '../../store/table.ts';
import { type Blob, type BlobKind, blobItems } from './blobs.ts';
import type { HistoryContext } from './history-context.ts';

/**
 * Blobs on their way to a commit. Before the first is written, its id is **claimed**: the claim lies in the table until
 * the commit removes it in its own transaction. A writer that dies leaves its claim, and the sweep deletes what was
 * written under it; a writer that outlives its claim cannot commit any more.
 */
export interface Draft {
  readonly claims: readonly Claim[];
  /** Writes a blob, a little later; await it before adding more, so that memory stays bounded. */
  add(kind: BlobKind, bytes: Uint8Array): Promise<Blob>;
  /** Ends once everything added lies in the table. */
  written(): Promise<void>;
  /** Abandons the draft: a later sweep deletes what was written. */
  abandon(): Promise<void>;
}

/** Ids of blobs that a writer may use. */
export interface Claim {
  readonly first: number;
  readonly count: number;
}

export const CLAIM_MS = 15 * 60_000; // how long a writer may take to commit
const CLAIM_IDS = 16; // of the first claim; each further one takes twice as many
const BATCH_BYTES = 4_000_000; // of one BatchWriteItem; DynamoDB takes 16 MB
const BATCH_ITEMS = 25;
const IN_FLIGHT = 3; // batches on their way

/** Opens an empty draft; nothing is written before the first blob is added. */
export function openDraft(context: HistoryContext): Draft {
  const claims: Claim[] = [];
  const flying = new Set<Promise<void>>();
  let left = 0; // ids of the last claim
  let batch: Item[] = [];
  let bytesInBatch = 0;

  async function send(): Promise<void> {
    if (batch.length === 0) return;
    const writes = batch.map((put) => ({ put }));
    batch = [];
    bytesInBatch = 0;
    while (flying.size >= IN_FLIGHT) await Promise.race(flying);
    const flight = context.table.batchWrite(writes).finally(() => flying.delete(flight));
    flight.catch(() => undefined); // reported by whoever awaits it next
    flying.add(flight);
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
    },
    async abandon() {
      await Promise.allSettled(flying);
      for (const claim of claims) await endClaim(context, claim);
    },
  };
}

/** Ends a claim now. A claim that was deleted is not written again: its blobs may have been committed after all. */
async function endClaim({ table, site }: HistoryContext, claim: Claim): Promise<void> {
  try {
    await table.put({ ...claimItem(site.name, claim), until: 0 }, { attribute: 'open', equals: 1 });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}

const claimItem = (site: string, claim: Claim): Item => ({ ...keys.claim(site, claim.first), ...claim, open: 1 });

/** Word that a writer is at work, between its drafts too. */
export interface Presence {
  /** To be called now and then, more often than every `CLAIM_MS` / 2. */
  renew(): Promise<void>;
  end(): Promise<void>;
}

/** Leaves a claim under which nothing is written: compactors wait for it as for any other, until it ends or runs out. */
export async function announceWriter(context: HistoryContext): Promise<Presence> {
  const { table, site, clock } = context;
  const claim = await claimIds(context, 1);
  let since = clock();
  return {
    async renew() {
      if (clock() < since + CLAIM_MS / 2) return;
      since = clock();
      await table.put({ ...claimItem(site.name, claim), until: since + CLAIM_MS });
    },
    end: () => table.delete(keys.claim(site.name, claim.first)),
  };
}

/** Whether somebody is writing blobs for a commit, or has announced to: an import, as a rule. */
export async function writersAtWork({ table, site, clock }: HistoryContext): Promise<boolean> {
  const claims = await table.query(keys.history(site.name).pk, { prefix: 'claim#', attributes: ['until'] });
  return claims.some(({ until }) => Number(until) >= clock());
}

/** Takes the next ids of blobs and leaves a claim for them. */
async function claimIds({ table, site, clock }: HistoryContext, count: number): Promise<Claim> {
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
      await pause(Math.min(attempt, 4)); // somebody else claims: one of all always gets on
    }
  }
}
