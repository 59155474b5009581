import { named } from '../access/records.ts';
import { memoize } from '../memo.ts';
import type { Collection } from '../store/collection.ts';
import { replan } from '../store/replan.ts';
import type { SiteTable } from '../store/site-table.ts';
import { change, type Edits, type Writer } from './change.ts';

/** Why each record is refused, in the order of the records; undefined for one that is taken. */
export type Refusals = readonly (string | undefined)[];

/** How some records are taken, whose collections were read. */
interface RecordTaking<R> {
  readonly open: Writer['open'];
  /** What a record makes of its thing; a text if it is refused, undefined if it changes nothing. */
  readonly take: (record: R) => Edits | string | undefined;
  /** Writes what lies beside in the table, before and after `work`, which writes the edits. */
  readonly around?: (work: () => Promise<void>) => Promise<void>;
}

/** What writes records, or what cases name, without a request; `open` opens collections whose heads were read. */
export const writerOf = ({ site, table, collections, now }: SiteTable, open: Writer['open']): Writer => ({
  now,
  isTold: true,
  site: { name: site },
  open: openedOnce(open),
  commit: (changes) => collections.commit(table, changes),
});

/** Only notes that a record, which changes nothing, names a thing: that does not go any more once it is deleted. */
export function namingEdits(collection: Collection, storing: Edits['storing'], sk: string): Edits | undefined {
  const before = collection.items.get(sk);
  return before?.unused === true ? { collection, storing, edits: [{ before, after: named(before) }] } : undefined;
}

/** Opens each collection once: what was written to it since its head was read stays. */
function openedOnce(open: Writer['open']): Writer['open'] {
  const once = memoize((pk: string) => open({ pk }));
  return ({ pk }) => once(pk);
}

/** How the records of a kind are taken, some at a time, of which each names another thing. */
interface RecordKind<R> {
  readonly nameOf: (record: R) => unknown;
  readonly atOnce?: number; // records for which is read together; 1,000 if absent
  readonly begin: (some: readonly R[]) => Promise<RecordTaking<R>>; // reads what they need
}

/** Writes the records of an import in their order, as many in a transaction as fit. */
export async function importRecords<R>(
  target: SiteTable,
  records: readonly R[],
  { nameOf, atOnce = 1_000, begin }: RecordKind<R>,
): Promise<Refusals> {
  const refusals: (string | undefined)[] = [];
  while (refusals.length < records.length) {
    const some = untilRepeated(records.slice(refusals.length, refusals.length + atOnce), nameOf);
    const taken = await replan(async () => {
      const { open, take, around = (work) => work() } = await begin(some);
      const results = some.map(take);
      const edits = results.filter((result) => typeof result === 'object');
      await around(() => change(writerOf(target, open), edits));
      return results.map((result) => (typeof result === 'string' ? result : undefined));
    });
    refusals.push(...taken);
  }
  return refusals;
}

/** The first records, up to one that names a thing again. */
function untilRepeated<R>(records: readonly R[], nameOf: (record: R) => unknown): readonly R[] {
  const names = new Set<unknown>();
  const repeated = records.findIndex((record) => names.size === names.add(nameOf(record)).size);
  return repeated < 0 ? records : records.slice(0, repeated);
}
