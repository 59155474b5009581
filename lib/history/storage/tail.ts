import { createHash } from 'node:crypto';
import { certain } from '../../certain.ts';
import { mapInChunks } from '../../store/batches.ts';
import { ConditionFailed } from '../../store/faults.ts';
import { type Key, keys } from '../../store/keys.ts';
import type { Item } from '../../store/table.ts';
import { ROW_VERSION } from '../cases/case-row.ts';
import type { HistoryEvent } from '../cases/event.ts';
import { type Subject, shardOf } from '../cases/subject.ts';
import { mergeVersions } from '../cases/versions.ts';
import { deflateJson, inflateJson } from '../segments/deflated-json.ts';
import { type HistoryRow, namesOfRow, rowOf } from '../segments/history-row.ts';
import { bytesOf } from './blobs.ts';
import type { HistoryContext } from './history-context.ts';
import { decodeLeaf, encodeLeaf } from './ledger.ts';

/** Number of tail partitions; DynamoDB takes 1,000 writes a second in each. */
export const TAIL_PARTS = 4;

/** A subject's live events that no commit holds yet, and its new row, so that reports need not compute it. */
export interface Pending extends PendingRow {
  readonly events: readonly HistoryEvent[];
  readonly base: number; // version of the shard from which the row was computed; once it differs, the row is stale
  readonly token: string; // changes with every write
}

/** A subject's row with its pending events, and the rows in segments that it replaces. */
export interface PendingRow {
  readonly subject: Subject;
  readonly row: HistoryRow | undefined; // undefined: nothing to count
  readonly replaces: readonly number[]; // s, first seconds that the old row may have in segments; empty: no old row
}

/** The live events of a site. */
export interface Tail {
  readonly pending: readonly Pending[];
  readonly folded: number; // events of commits up to this version may be missing here: the commits have them
}

const partOf = (subject: Subject): number => shardOf(subject) % TAIL_PARTS;

/** Returns the key of a subject's pending events: a digest, because a case's key may be too long for a sort key. */
export function tailKey(site: string, subject: Subject): Key {
  const digest = createHash('sha256').update(subject).digest('hex').slice(0, 32);
  return keys.pending(site, partOf(subject), digest);
}

const ROW_BYTES = 200_000; // largest row in an item, which holds 400 KB
const NO_BASE = -1; // no shard has this version, so the row counts as stale

/** Computes a subject's row from the ledger's events and the pending ones. */
export function pendingRow(
  subject: Subject,
  ledger: readonly HistoryEvent[],
  events: readonly HistoryEvent[],
): PendingRow {
  const row = rowOf(subject, mergeVersions(ledger, events).events);
  return { subject, row, replaces: namesOfRow(subject, ledger).map(({ second }) => second) };
}

/**
 * Returns a pending row without a row: reports compute it. For subjects where computing it at each event takes long.
 */
export const staleRow = (subject: Subject): PendingRow & Pick<Pending, 'base'> => ({
  subject,
  row: undefined,
  replaces: [],
  base: NO_BASE,
});

/** Makes the item of a subject's pending events. A row that is too large is left out and counts as stale. */
export function pendingItem(site: string, { subject, events, row, base, ...rest }: Pending): Item {
  const packed = row && deflateJson(row);
  const fits = packed === undefined || packed.length <= ROW_BYTES;
  return {
    ...tailKey(site, subject),
    ...rest,
    subject,
    base: fits ? base : NO_BASE,
    bytes: encodeLeaf([{ subject, events }]),
    row: fits ? packed : undefined,
    version: ROW_VERSION,
  };
}

/** Reads an item that `pendingItem` made; undefined if there is no item. */
export function parsePending(item: Item | undefined): Pending | undefined {
  const bytes = bytesOf(item);
  if (item === undefined || bytes === undefined) return undefined;
  const { row } = item;
  return {
    subject: String(item.subject),
    events: certain(decodeLeaf(bytes)[0]).events,
    base: item.version === ROW_VERSION ? Number(item.base) : NO_BASE, // a row of an older version is stale
    row: row instanceof Uint8Array ? (inflateJson(row) as HistoryRow) : undefined,
    replaces: Array.isArray(item.replaces) ? item.replaces.map(Number) : [],
    token: String(item.token),
  };
}

/**
 * Reads all pending events of a site. Of events that a fold took meanwhile the items may be missing; the fold committed
 * them first and wrote the version of that commit to the marker of the partition, which is read last.
 */
export async function readTail({ table, site }: HistoryContext): Promise<Tail> {
  const parts = await Promise.all(
    Array.from({ length: TAIL_PARTS }, (_, part) => table.query(keys.tail(site.name, part).pk)),
  );
  const items = parts.flat();
  const { sk: marker } = keys.folded(site.name, 0);
  const markers = items.filter(({ sk }) => sk === marker).map(({ version }) => Number(version));
  return {
    pending: items.map(parsePending).filter((pending) => pending !== undefined),
    folded: Math.max(0, ...markers),
  };
}

/**
 * Deletes pending events that a commit now holds; items that changed since they were read stay. The marker is written
 * first: it tells a reader who finds an item missing from which version on the manifest has its events.
 */
export async function dropPending(
  { table, site }: HistoryContext,
  pending: readonly Pending[],
  version: number,
): Promise<void> {
  const parts = [...new Set(pending.map(({ subject }) => partOf(subject)))];
  await Promise.all(
    parts.map((part) =>
      unlessRefused(
        table.put(
          { ...keys.folded(site.name, part), version },
          { anyOf: [{ absent: true }, { attribute: 'version', atMost: version }] },
        ),
      ),
    ),
  );
  await mapInChunks(pending, AT_ONCE, ({ subject, token }) =>
    unlessRefused(table.delete(tailKey(site.name, subject), { attribute: 'token', equals: token })),
  );
}

const AT_ONCE = 32;

async function unlessRefused(write: Promise<void>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}
