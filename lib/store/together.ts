import type { Change, Collection } from './collection.ts';
import { replan } from './replan.ts';
import type { Item } from './table.ts';

/** Why each record is refused, in the order of the records; undefined for one that is taken. */
export type Refusals = readonly (string | undefined)[];

/** Changes by many records that wait to be written in one transaction. */
export interface RecordDraft<R> {
  /** How much waits, with the most that a record may add. `items` counts all writes of the transaction. */
  readonly waiting: (record: R) => Waiting;
  /** Writes what waits. Throws `ConditionFailed` if another write came first: begin a new draft then. */
  readonly write: () => Promise<void>;
}

export interface Waiting {
  readonly items: number;
  readonly bytes: number;
}

/** What a transaction takes of records: DynamoDB takes 100 writes and 4 MB, and the last record may be larger. */
const TOGETHER = { items: 96, bytes: 3_000_000 };
const LOOK_AHEAD = 80; // records for which a draft may read at once

/** How records of one kind are taken. */
interface RecordTaker<R, D extends RecordDraft<R>> {
  /** Reads what the next records need. */
  readonly begin: (next: readonly R[]) => Promise<D>;
  /** Takes a record into the draft; returns the reason if it is refused. */
  readonly take: (draft: D, record: R) => string | undefined;
}

/** Takes records in their order, as many in each transaction as fit. */
export async function takeTogether<R, D extends RecordDraft<R>>(
  records: readonly R[],
  { begin, take }: RecordTaker<R, D>,
): Promise<Refusals> {
  const refusals: (string | undefined)[] = [];
  while (refusals.length < records.length) {
    const next = records.slice(refusals.length, refusals.length + LOOK_AHEAD);
    const some = await replan(async () => {
      const draft = await begin(next);
      const taken: (string | undefined)[] = [];
      for (const record of next) {
        if (taken.length > 0 && !fits(draft.waiting(record))) break;
        taken.push(take(draft, record));
      }
      await draft.write();
      return taken;
    });
    refusals.push(...some);
  }
  return refusals;
}

const fits = ({ items, bytes }: Waiting): boolean => items <= TOGETHER.items && bytes <= TOGETHER.bytes;

/** Items of a collection that wait to be written or removed. */
export function waitingItems(collection: Collection) {
  const { items } = collection;
  const puts = new Map<string, Item>();
  const removed = new Set<string>();
  let bytes = 0;
  return {
    waiting: (): Waiting => ({ items: puts.size + removed.size, bytes }),
    /** The item of a sort key, as it becomes. */
    get: (sk: string): Item | undefined => puts.get(sk) ?? (removed.has(sk) ? undefined : items.get(sk)),
    put: (item: Item): void => {
      removed.delete(item.sk);
      puts.set(item.sk, item);
      bytes += Buffer.byteLength(JSON.stringify(item));
    },
    drop: (sk: string): void => {
      puts.delete(sk);
      if (items.has(sk)) removed.add(sk);
    },
    change: (): Change => ({ collection, put: [...puts.values()], remove: [...removed] }),
  };
}
